/* Lessons: a position, a task, a try, and what it did; all of it judged in this browser. The course of a game is gone on with where it was. */
"use strict";

(() => {
  const { make, button, pageParts, shelf } = globalThis.tableParts;
  const { linesOf } = globalThis.tableTurn;
  const at = (id) => document.getElementById(id);

  /** `trial` shows a table and calls `tried` when its reader plays; `named` finds the places of a sentence; `typing` opens the letter as text. */
  function lessonsOn({ turn, sheet, trial, say, named, offline, typing }) {
    let game = "";
    let now = null;

    // -------------------------------------------------------------- the course

    /** The lesson that somebody came to last. */
    async function open(name) {
      game = name;
      at("open").hidden = true;
      at("door").hidden = false;
      at("door").replaceChildren(make("h1", "Learn it"), make("p", "The rules are loading …", { role: "status", class: "faint" }));
      try {
        if (!(await turn.warm())) throw new Error("The rules are not beside this page, so nothing can be tried on it.");
        turn.engine.ready ??= Promise.resolve();
        await set(soFar().at);
        offline();
      } catch (problem) {
        at("door").hidden = true;
        say(problem.message);
      }
    }

    const soFar = () => shelf.read(`learn ${game}`) ?? { at: 1, done: [] };

    async function set(number) {
      const said = await turn.waited(() => turn.ask("lesson", game, number));
      now = { ...said, number: Math.min(number, said.course.length), tries: 0, verdict: null };
      shelf.keep(`learn ${game}`, { ...soFar(), at: now.number });
      shows(said.table);
      told();
    }

    function shows(table) {
      trial.course({ tried, leave: () => location.assign(`#play=${game}`) }, table);
      at("lesson-open").hidden = at("talk-open").hidden = false;
    }

    // -------------------------------------------------------------- a try

    async function tried() {
      const { verdict, said, rule, map } = await turn.ask("tried", game, now.number, now.tries, turn.text());
      now.tries += 1;
      now.verdict = { ...verdict, said, rule };
      if (verdict.passed) {
        const { done, at: here } = soFar();
        shelf.keep(`learn ${game}`, { at: here, done: [...new Set([...done, now.number])] });
        shows({ ...now.table, map });
      }
      told();
    }

    // -------------------------------------------------------------- what the coach says

    function told() {
      const { course, number, theme, task, verdict, table } = now;
      const last = number === course.length;
      const parts = [make("p", `Lesson ${number} of ${course.length}. You play ${table.seat}.`, { class: "about" })];
      const row = make("p", "", { class: "buttons" });
      const set = [make("p", theme), make("p", task, { class: "said" }), make("p", "Here you tap what you would write: a piece on the map, or Not on the map. You can type orders that are not offered. Try plays it.", { class: "faint" })];
      if (verdict) parts.push(...judged(verdict));
      else parts.push(...set);
      if (verdict?.passed && last) parts.push(make("p", "That was the last lesson. Your first match is one tap away."));
      if (!verdict?.passed) row.append(button(verdict ? "Try again" : "To the board", sheet.close, { id: "lesson-go", class: verdict?.shown ? "chip" : false }), button("Type it", typing, { class: "chip" }), button("Skip", () => goes(number + 1), { class: "chip", disabled: last }));
      else if (last) row.append(make("a", "Play now against bots", { href: `#play=${game}`, class: "button", id: "lesson-play" }), people());
      else row.append(button("Next lesson", () => goes(number + 1), { id: "lesson-next" }));
      row.append(button("Back", () => goes(number - 1), { class: "chip", disabled: number === 1 }));
      sheet.tell(course[number - 1], [...parts, row, ...(verdict && !verdict.passed ? set.slice(0, 2) : []), contents()], verdict?.passed ? [] : named(task), "lesson");
      sheet.focus();
    }

    /** The effects of a try, or the reason why it did not do, with the rule that it met; in the end the lines themselves. */
    function judged({ passed, said, rule, shown, pages }) {
      const [first, ...more] = said;
      const parts = [make("p", passed ? first : `Not yet. ${first}`, { class: passed ? "found good" : "found", role: "status", id: "lesson-said" })];
      if (rule) parts.push(make("p", rule, { class: "faint" }));
      parts.push(...more.map((words) => make("p", words, { class: "said" })));
      const lines = linesOf(shown.trim()).map((line) => ({ line }));
      if (lines.length) parts.push(make("p", "These lines do it:"), make("pre", shown.trim()), button("Write them into my letter", () => (turn.set(lines), sheet.close()), { id: "lesson-write" }));
      if (passed && pages.length) {
        const report = make("details", "", { class: "more" });
        report.append(make("summary", "What happened"), ...pages.flatMap(pageParts));
        parts.push(report);
      }
      return parts;
    }

    function contents() {
      const all = make("details", "", { class: "more" });
      const list = make("ol", "", { class: "contents" });
      const { done } = soFar();
      list.append(...now.course.map((title, number) => {
        const one = make("li");
        one.append(button(`${title}${done.includes(number + 1) ? " ✓" : ""}`, () => goes(number + 1), { class: "chip", "aria-current": number + 1 === now.number ? "step" : false }));
        return one;
      }));
      all.append(make("summary", "All lessons"), list);
      return all;
    }

    /** Where matches with people begin, if that page is there. */
    function people() {
      const link = make("a", "Play it by mail with people", { href: `g/${game}.html`, class: "chip", hidden: true });
      fetch(link.getAttribute("href"), { method: "HEAD" }).then((answer) => (link.hidden = !answer.ok), () => null);
      return link;
    }

    const goes = (number) => set(number).catch((problem) => say(problem.message));

    return { open, told: () => now && told() };
  }

  globalThis.tableLesson = { lessonsOn };
})();
