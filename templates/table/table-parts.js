/* Small parts of the page: elements, buttons, what is kept in this browser, a decision to be clicked. Nothing here knows the table. */
"use strict";

(() => {
  const MANY = 24;

  function make(tag, words, about = {}) {
    const element = document.createElement(tag);
    if (words) element.textContent = words;
    for (const [name, value] of Object.entries(about))
      if (value !== false && value !== undefined) element.setAttribute(name, value === true ? "" : value);
    return element;
  }

  function button(words, act, about = {}) {
    const element = make("button", words, { type: "button", ...about });
    element.addEventListener("click", act);
    return element;
  }

  /** A dot in a seat's colour, by a rule of the site's style sheet. */
  function sign(colour) {
    const known = /^#[0-9a-f]{6}$/i.test(colour || "");
    return make("span", "", { class: known ? `sign c-${colour.slice(1).toLowerCase()}` : "sign", "aria-hidden": "true" });
  }

  /** A page of the referee's (title, summary, blocks) as elements. */
  function pageParts(page) {
    const parts = [make("h3", page.title), make("p", page.summary)];
    for (const block of page.blocks) {
      if (block.text) parts.push(make(block.type === "Heading" ? "h4" : "p", block.text));
      if (block.items) {
        const bullets = make("ul");
        bullets.append(...block.items.map((item) => make("li", item)));
        parts.push(bullets);
      }
      if (block.rows) parts.push(grid(block));
    }
    return parts;
  }

  function grid({ caption, columns, rows, total }) {
    const table = make("table", "", { class: "grid" });
    if (caption) table.append(make("caption", caption, { class: "caption" }));
    const line = (tag, cells, about) => {
      const row = make("tr", "", about);
      row.append(...cells.map((cell) => make(tag, String(cell))));
      return row;
    };
    table.append(line("th", columns, { class: "head" }), ...rows.map((cells) => line("td", cells, { class: "row" })));
    if (total?.length) table.append(line("td", total, { class: "total" }));
    const box = make("div", "", { class: "scroll" });
    box.append(table);
    return box;
  }

  const here = `table ${location.pathname.replace(/[^/]*$/, "")}`;
  const stored = (how) => {
    try {
      return how();
    } catch {
      return null; // full, or not allowed: then it is not kept
    }
  };
  /** The file and the letter so far, as this browser keeps them for each seat: the one is long, the other changes often.
   *  A window goes on with the seat that it showed, a new one with that which was shown last. */
  const kept = {
    seat: stored(() => sessionStorage.getItem(here) ?? localStorage.getItem(here)) ?? "",
    turnTo({ match, seat }) {
      kept.seat = `${match} ${seat}`;
      stored(() => (sessionStorage.setItem(here, kept.seat), localStorage.setItem(here, kept.seat)));
    },
    read() {
      const [text, draft] = ["file", "draft"].map((name) => stored(() => localStorage.getItem(kept.name(name))));
      return text ? { text, draft } : null;
    },
    /** Whether it is kept. */
    keep: (name, value) =>
      stored(() => (value ? localStorage.setItem(kept.name(name), value) : localStorage.removeItem(kept.name(name)), true)) ?? false,
    name: (name) => [here, kept.seat, name].filter(Boolean).join(" "),
  };

  /** Whole matches that are kept in this browser, by name; a window knows which of them it shows. */
  const shelf = {
    here: () => stored(() => sessionStorage.getItem(`${here} play`)) ?? "",
    turnTo: (name) => stored(() => sessionStorage.setItem(`${here} play`, name)),
    read: (name) => stored(() => JSON.parse(localStorage.getItem(`${here} ${name}`))),
    /** Whether it is kept. */
    keep: (name, value) => stored(() => (localStorage.setItem(`${here} ${name}`, JSON.stringify(value)), true)) ?? false,
  };

  // ---------------------------------------------------------------- a decision

  /** The buttons of a decision; `done` is told what was picked. */
  function decision(host, given, done) {
    const { field, options = [], counts = "", usual = [] } = given;
    const least = given.least ?? 1;
    const most = given.most ?? 1;
    const single = counts || (least === 1 && most === 1);
    const box = make("div", "", { class: "options" });
    const chosen = [...(single ? [] : given.picked || [])];
    const go = button("Take these", () => done([...chosen]), { class: "go" });
    for (const option of options) {
      const act = button("", () => {
        if (single) return done([option.word]);
        const place = chosen.indexOf(option.word);
        if (place < 0) chosen.push(option.word);
        else chosen.splice(place, 1);
        act.setAttribute("aria-pressed", String(place < 0));
        told();
      }, { class: "option", "data-word": option.word, "aria-pressed": single ? false : String(chosen.includes(option.word)) });
      act.append(make("b", option.word), option.meaning ? make("span", option.meaning) : "");
      if (usual.includes(option.word)) act.classList.add("usual");
      box.append(act);
    }
    function told() {
      go.disabled = chosen.length < least || chosen.length > most;
      go.textContent = chosen.length ? `Take ${chosen.join(", ")}` : least ? `Choose ${least}${most > least ? ` to ${most}` : ""}` : "Take none";
    }
    if (options.length > MANY) host.append(narrowing(box));
    if (counts) host.append(numbers(field, least, most, usual, done));
    if (options.length) host.append(box);
    if (!single) {
      told();
      host.append(go);
    }
  }

  function narrowing(box) {
    const input = make("input", "", { type: "search", "aria-label": "Show only what holds these letters", placeholder: "Narrow down" });
    input.addEventListener("input", () => {
      for (const option of box.children) option.hidden = !option.textContent.toLowerCase().includes(input.value.toLowerCase());
    });
    return input;
  }

  function numbers(field, least, most, usual, done) {
    const row = make("div", "", { class: "number" });
    const start = /^\d+$/.test(usual[0] || "") ? usual[0] : String(least);
    const input = make("input", "", { type: "number", min: least, max: most, value: start, "aria-label": field });
    const go = button("Take", () => input.checkValidity() && input.value && done([input.value]), { class: "go" });
    const by = (change) => button(change < 0 ? "−" : "+", () => {
      input.value = Math.min(most, Math.max(least, Number(input.value) + change));
    }, { class: "quiet", "aria-label": change < 0 ? "One less" : "One more" });
    input.addEventListener("keydown", (event) => event.key === "Enter" && go.click());
    row.append(by(-1), input, by(1), go);
    if (most > least) row.append(button(String(most), () => done([String(most)]), { class: "quiet", "aria-label": `${most}, the most` }));
    return row;
  }

  globalThis.tableParts = { make, button, sign, pageParts, kept, shelf, decision };
})();
