/* The letter: its lines in plain words with what the rules say of each, and how it is sent. */
"use strict";

(() => {
  const { bodyOf, linkOf } = globalThis.tableLetter;
  const { make, button } = globalThis.tableParts;
  const { linesOf } = globalThis.tableTurn;
  const at = (id) => document.getElementById(id);
  const PAUSE = 200;

  /** The letter of a turn; `edit` opens the parts of a line. */
  function lettersOn({ turn, sheet: side, edit, trying, named }) {
    const sheet = at("text-lines");
    const ends = at("ends");
    const body = () => bodyOf(turn.text(), ends.checked);

    function shown() {
      const rows = turn.rows();
      at("none").hidden = rows.length > 0;
      at("lines").replaceChildren(...rows.map(item));
      if (document.activeElement !== sheet) sheet.value = turn.text();
      at("undo").disabled = !turn.undone.length;
      sound(rows);
      at("doubts").replaceChildren(...turn.doubts.slice(0, 6).map((doubt) => make("li", doubt)));
      at("bar-count").textContent = String(rows.length);
      const bad = rows.filter((row) => row.bad).length;
      at("bar-says").textContent = turn.table?.standings.final ? "The match is over" : bad ? `${bad} ${bad > 1 ? "lines" : "line"} would be refused` : rows.length ? rows.map(wordsOf).map((words) => words.replace(/\.$/, "")).join("; ") : "Nothing written yet";
      at("bar").toggleAttribute("data-bad", bad > 0);
      sending();
    }

    const wordsOf = (row) => row.meaning || row.line;

    function item(row) {
      const one = make("li", "", { class: row.bad ? "bad" : row.unread ? "unread" : false, "data-at": row.at });
      const words = make("div", "", { class: "words" });
      const means = row.count === 1 ? button(wordsOf(row), () => edit(row.at), { class: "means", "aria-label": `Change: ${wordsOf(row)}` }) : make("p", wordsOf(row), { class: "means" });
      words.append(means);
      if (row.meaning) words.append(make("code", row.line));
      if (row.at_once) words.append(make("p", "Done as soon as your letter is read.", { class: "why" }));
      if (row.why) words.append(make("p", row.why, { class: "why" }));
      if (row.bad || row.unread) words.append(make("p", row.bad || row.unread, { class: row.bad ? "wrong" : "why" }));
      for (const right of row.instead || [])
        words.append(button(`Instead: ${right}`, () => turn.set(turn.lines.map((line, number) => (number === row.at ? { line: right } : line))), { class: "chip" }));
      one.append(words, button("×", () => turn.takeOut(row.at, row.count), { class: "x", "aria-label": `Take out: ${wordsOf(row)}` }));
      return one;
    }

    /** The proposed turn can be taken, cleared, and had again. */
    function sound(rows) {
      const host = at("sound");
      host.replaceChildren();
      const wishes = turn.table?.index?.proposed || [];
      if (rows.some((row) => row.proposed)) {
        const box = make("div", "", { class: "proposed" });
        box.append(make("p", `A turn is written for you. ${trying() ? "Play" : "Send"} it as it is, or change it.`), button("Clear it", () => turn.set([]), { class: "chip" }));
        host.append(box);
      } else if (wishes.length && !rows.length)
        host.append(button("Write the proposed turn", () => turn.set(wishes.map((one) => ({ ...one, proposed: true }))), { class: "chip" }));
    }

    // -------------------------------------------------------------- a hint

    let given = null;

    /** A steady player's next order and his reason, with its places; asked again while it is shown, it is done. */
    async function hint() {
      if (given && side.kind() === "hint") return void done();
      const rest = turn.table.choices.questions.slice(turn.lines.filter((one) => /^choose\b/i.test(one.line)).length);
      const usual = rest[0]?.answers.usual || (rest[0]?.answers.least === 0 ? ["none"] : []);
      const wishes = turn.table.index?.proposed || [];
      given = rest.length ? (usual.length ? { line: `CHOOSE ${usual.join(", ")}`, meaning: `${rest[0].text} ${usual.join(", ")}.`, why: "This is what is taken if you say nothing." } : null) : await next(wishes);
      const parts = given ? [make("p", given.meaning || given.line, { class: "said lead", role: "status" }), make("p", given.why || ""), make("code", given.line, { class: "faint" })] : [make("p", wishes.length || turn.table.choices.questions.length ? "All that a steady player would order now stands in your letter, or can no longer be done." : "There is no hint for this: a steady player orders nothing now.", { role: "status" })];
      const row = make("p", "", { class: "buttons" });
      row.append(given ? button("Do it", done, { id: "hint-do" }) : "", button("To my turn", side.close, { class: "chip" }));
      side.tell("A hint", [...parts, row], given ? named(`${given.line} ${given.meaning || ""}`) : [], "hint");
      (at("hint-do") || row.lastChild).focus({ preventScroll: true });
    }

    /** The first line of the proposed turn that the letter has not, and that the rules would take where it belongs. */
    async function next(wishes) {
      for (const [number, wish] of wishes.entries()) {
        if (turn.lines.some((one) => one.line === wish.line)) continue;
        const later = new Set(wishes.slice(number + 1).map((one) => one.line));
        const before = turn.lines.findIndex((one) => later.has(one.line));
        const spot = before < 0 ? turn.lines.length : before;
        const text = turn.lines.map((one) => one.line).toSpliced(spot, 0, wish.line).join("\n");
        const said = turn.up ? await turn.ask("judge", text).catch(() => null) : null;
        if (said?.refused.some((one) => one.number === spot + 1)) continue;
        return { line: wish.line, meaning: said?.lines.find((one) => one.line === spot + 1)?.meaning, why: wish.why, spot };
      }
      return null;
    }

    function done() {
      const { spot, ...line } = given;
      given = null;
      turn.set(turn.lines.toSpliced(spot ?? turn.lines.length, 0, line));
      hint();
    }

    function sending() {
      if (trying() || !turn.table) return;
      const lines = body();
      const { link, holds } = linkOf(turn.table.reply_to, turn.table.subject, lines);
      for (const id of ["mail", "bar-send"]) {
        at(id).href = link;
        at(id).toggleAttribute("data-empty", !lines.length);
      }
      at("mail").textContent = holds ? "Send by mail" : "Write the letter, then paste";
      at("sending").textContent = !lines.length
        ? "There is nothing in your letter yet."
        : holds
          ? "Your mail program opens with this letter; you send it. Nothing is sent from here."
          : "This letter is too long for a link: copy the text first, then paste it into the letter that opens.";
    }

    // -------------------------------------------------------------- as text

    let later = 0;
    sheet.addEventListener("focus", () => turn.remember());
    sheet.addEventListener("input", () => {
      clearTimeout(later);
      const known = new Map(turn.lines.map((one) => [one.line, one]));
      turn.lines = linesOf(sheet.value).map((line) => known.get(line) || { line });
      turn.changed(false);
      later = setTimeout(() => turn.weigh(), PAUSE);
    });
    at("undo").addEventListener("click", () => turn.undo());
    ends.addEventListener("change", sending);
    at("copy").addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(body().join("\n"));
        at("sending").textContent = "Copied.";
      } catch {
        at("as-text").open = true;
        sheet.value = body().join("\n");
        sheet.select();
        at("sending").textContent = "This browser does not let a page copy: the lines are marked, copy them with your keyboard.";
      }
    });

    return { shown, sending, hint };
  }

  globalThis.tableLines = { lettersOn };
})();
