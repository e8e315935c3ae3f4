/* The story so far: the last reports, one step after the other with their places on the map; the press; the match and its archive. */
"use strict";

(() => {
  const { make, button, pageParts } = globalThis.tableParts;
  const { filesBeside, say, show } = globalThis.verifyPages;
  const at = (id) => document.getElementById(id);
  const [turnsHere, verdict, checks] = ["turns-here", "verdict", "checks"].map(at);

  /** The story of a turn and what is said between players, on the sheet over its map. */
  function storyOn({ turn, sheet, map }) {
    let steps = [];
    let now = 0;

    /** Each report: a step for its summary, and one for every sentence of it that happens somewhere on the map. */
    function stepsOf(pages) {
      return pages.flatMap((page) => {
        const lines = page.blocks.flatMap((block) => block.items || []).map((text) => text.replace(/\s*\[[\w.]+\]/g, ""));
        return [{ page, text: page.summary, whole: true }, ...lines.filter((line) => line !== page.summary && named(line).length).map((text) => ({ page, text }))];
      });
    }

    /** The places a sentence names, in the order in which it names them. */
    function named(text) {
      let left = text;
      const spots = [];
      for (const name of [...(map()?.places.keys() || [])].sort((a, b) => b.length - a.length)) {
        const spot = left.search(new RegExp(`(?<![\\w-])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`));
        if (spot < 0) continue;
        spots.push([spot, name]);
        left = left.replaceAll(name, "_".repeat(name.length));
      }
      return spots.sort((a, b) => a[0] - b[0]).map(([, name]) => name);
    }

    function begin() {
      steps = stepsOf(turn.table.told || []);
      now = 0;
      tell();
    }

    function tell() {
      const step = steps[now];
      if (!step) return sheet.tell("What happened", [make("p", "Nothing has been reported yet."), ...archive()], []);
      const words = make("p", step.text, { class: step.whole ? "said lead" : "said", role: "status" });
      const row = make("p", "", { class: "stepping" });
      row.append(
        button("‹", () => go(-1), { class: "chip", disabled: now === 0, "aria-label": "The step before" }),
        make("span", `${now + 1} of ${steps.length}`, { class: "faint" }),
        button("Next ›", () => go(1), { class: "chip strong", disabled: now === steps.length - 1, id: "story-next" }),
        button("To my turn", sheet.close, { class: "chip" }),
      );
      const all = make("details", "", { class: "more" });
      all.append(make("summary", "The whole report"), ...pageParts(step.page).slice(1));
      return sheet.tell(step.page.title, [words, row, all, ...archive()], named(step.text));
    }

    function go(by) {
      now += by;
      tell();
      (at("story-next").disabled ? at("sheet").querySelector(".stepping button") : at("story-next")).focus({ preventScroll: true });
    }

    const archive = () => (document.body.hasAttribute("data-trial") ? [] : [button("All turns of the match", () => (at("archive").hidden = false, at("archive").scrollIntoView()), { class: "chip" })]);

    /** A message as it stands in the letter itself, where no mail goes out. */
    function inLetter() {
      const { seats, seat } = turn.table;
      const whom = make("select", "", { id: "press-to" });
      whom.append(...[...seats.filter((one) => one.seat !== seat && one.living).map((one) => one.seat), "ALL"].map((one) => make("option", one)));
      const words = make("textarea", "", { id: "press-words", rows: 3 });
      const put = button("Put it into my letter", () => {
        const lines = [`PRESS TO ${whom.value}`, ...words.value.split("\n"), "END"];
        turn.set([...turn.lines, ...lines.map((line) => ({ line }))]);
        sheet.close();
      });
      return [make("label", "To", { for: whom.id }), whom, make("label", "Your text", { for: words.id }), words, put];
    }

    /** Press, and letters to the others: the mail program opens with the frame of one. */
    function talk() {
      if (!turn.table.reply_to) return void sheet.tell("Press", inLetter(), []);
      const { press, seats, seat, reply_to: to, subject } = turn.table;
      const row = make("div", "", { class: "aims" });
      const write = (whom) => `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(`PRESS TO ${whom}\r\n\r\n\r\nEND`)}`;
      for (const other of seats.filter((one) => one.seat !== seat && one.living)) row.append(make("a", `Write to ${other.seat}`, { href: write(other.seat), class: "chip" }));
      row.append(make("a", "Write to all", { href: write("ALL"), class: "chip" }));
      const parts = [make("p", "Your mail program opens with the frame of a letter: write between its lines.", { class: "faint" }), row];
      if (press?.blocks?.length) parts.push(...pageParts(press).slice(2));
      else parts.push(make("p", "No press yet.", { class: "faint" }));
      sheet.tell("Press", parts, []);
    }

    return { begin, talk, named };
  }

  // ---------------------------------------------------------------- the archive beside the page

  /** The figure and the list of turns of the front of the match; site.js makes of them what it makes there. */
  async function look() {
    let page;
    try {
      page = new DOMParser().parseFromString(await (await fetch("index.html", { cache: "no-cache" })).text(), "text/html");
    } catch {
      turnsHere.replaceChildren(make("p", "This page may not read what lies beside it: the front of the match shows its turns."));
      return;
    }
    const [board, turns] = ["board", "turns"].map((id) => page.getElementById(id));
    if (!board || !turns) {
      turnsHere.replaceChildren(make("p", "No turn has been reported with a map yet."));
      return;
    }
    turns.hidden = true;
    turnsHere.replaceChildren(...[board, turns].map((part) => document.importNode(part, true)));
    globalThis.stepThrough();
    turnsHere.querySelector("button, a")?.focus();
  }

  const loaded = (name) =>
    new Promise((done, fail) => {
      const script = make("script", "", { src: name });
      script.addEventListener("load", done);
      script.addEventListener("error", fail);
      document.head.append(script);
    });

  async function check() {
    const saved = location.protocol === "file:";
    const compared = (can) => ((at("compare").hidden = !can), at("compare").setAttribute("href", "verify.html"));
    verdict.hidden = false;
    say(verdict, "", "", "Checking ...");
    try {
      const [given] = await Promise.all([filesBeside(), globalThis.verifyArchive || loaded("verify.js")]);
      show(await globalThis.verifyArchive({ ...given, letters: [] }), verdict, checks);
      compared(true);
    } catch {
      compared(saved);
      say(verdict, "", "", saved ? "This page may not read the files beside it: the link below leads to one that lets you choose them." : "No match lies beside this page: a letter's link leads to the page that lies beside yours.");
    }
  }

  at("look").addEventListener("click", look);
  at("check").addEventListener("click", check);
  at("archive-close").addEventListener("click", () => (at("archive").hidden = true));

  globalThis.tableStory = { storyOn };
})();
