/* A trial: the match is played on in the page, taken back and thrown away. Nothing of it leaves the page. */
"use strict";

(() => {
  const { linesOnFile } = globalThis.tableFile;
  const at = (id) => document.getElementById(id);
  const [offer, under, says, waits, trouble] = ["trial", "on-trial", "trying", "trial-waits", "trial-trouble"].map(at);

  /** A trial of a turn; `shown` shows another table with the lines of a letter, `told` the reports of what came of one. A match of
   *  the page's own is played in the same way, and keeps its stands. */
  function trialOn({ turn, shown, told }) {
    let match = null;
    let letters = [];

    const running = () => match !== null;

    /** Show the parts of the page that a trial has, and hide the others. */
    function mark(back = 0) {
      const over = Boolean(turn.table?.standings.final);
      offer.hidden = running() || !turn.up || !turn.table?.duty;
      const learns = Boolean(match?.own?.tried);
      under.hidden = !running();
      says.hidden = !running() || learns;
      at("bar-play").hidden = !running() || over;
      for (const id of ["send", "bar-send", "where-to"]) at(id).hidden = running();
      at("take-back").disabled = !back;
      at("take-back").hidden = learns;
      at("play").textContent = learns ? "Try it" : "Play it";
      at("bar-play").textContent = learns ? "Try" : "Play";
      at("lesson-open").hidden = !learns;
      at("play").hidden = over;
      at("play").disabled = at("bar-play").disabled = running() && !turn.table.duty;
      at("leave").textContent = learns ? "To Play now" : match?.own ? "Leave this match" : "Throw it away";
      trouble.hidden = true;
      document.body.toggleAttribute("data-trial", running());
    }

    const proposed = async (table) => (table.duty === "orders" ? (await turn.ask("proposed")).map((one) => ({ ...one, proposed: true })) : linesOnFile(table).map((line) => ({ line })));

    async function stand(said, lines = null) {
      const wishes = await proposed(said.table);
      said.table.index = { proposed: wishes };
      said.table.told = said.pages;
      const reasons = new Map(wishes.map((one) => [one.line, one]));
      shown(said.table, lines?.map((one) => reasons.get(one.line) || one) || (match.own?.bare() && said.table.duty === "orders" ? [] : wishes));
      mark(said.back);
      if (said.pages.length) told();
      if (match.own) mark(await match.own.stands(said, turn.text()));
    }

    /** Asks the rules; what they refuse, or why they cannot, is said and nothing changes. */
    async function asked(what, ...given) {
      const busy = [...document.querySelectorAll("#trial button, #on-trial button, #bar-play")].filter((one) => !one.disabled);
      for (const one of busy) one.disabled = true;
      waits.hidden = false;
      try {
        const said = await turn.waited(() => turn.ask(what, ...given));
        if (!said?.refused) return said ?? {};
        trouble.textContent = said.refused;
      } catch (problem) {
        trouble.textContent = problem.message;
      } finally {
        for (const one of busy) one.disabled = false;
        waits.hidden = true;
      }
      trouble.hidden = false;
      return null;
    }

    const begin = (others) => turn.waited(() => begun(others));
    const play = () => turn.waited(played);

    async function begun(others) {
      const here = { table: turn.table, lines: turn.lines };
      const said = await asked("try", others, seed());
      if (!said || turn.table !== here.table) return;
      [match, letters] = [here, []];
      const whence = here.table.known.before ? " It begins where this phase began: decisions since then are made anew." : "";
      const guessed = here.table.known.hidden ? " Things that you were not told are drawn from what they may be." : "";
      says.textContent = `This is a trial. Nothing of it reaches the match, and its dice are its own.${guessed}${whence}`;
      const same = said.table.seat === here.table.seat && ["orders", "on file"].includes(said.table.duty);
      await stand(said, same ? here.lines : null);
    }

    async function played() {
      if (match.own?.tried) return match.own.tried();
      const { lines } = turn;
      const said = await asked("play", turn.text());
      if (!said) return;
      letters.push(lines);
      await stand(said);
    }

    const back = () => turn.waited(gone);

    async function gone() {
      const before = match.own?.before();
      const said = await (match.own ? asked("again", before.saved, seed()) : asked("back"));
      if (!said) return;
      match.own?.goesBack();
      await stand(said, match.own ? before.lines : (letters.pop() ?? null));
    }

    /** Back to the match as it is; `ended`: the rules have forgotten the trial already. */
    async function leave(ended = false) {
      if (!running()) return;
      if (match.own) return ended ? void location.reload() : match.own.leave();
      if (!ended) await asked("leave");
      const { table, lines } = match;
      drop();
      shown(table, lines);
      mark();
    }

    /** Forgets the trial, for who opens another table. */
    function drop() {
      match = null;
      mark();
    }

    const seed = () => String(crypto.getRandomValues(new Uint32Array(1))[0]);

    /** A match that no referee began, or one that goes on; `own` keeps it. Gives whether the rules take it, or why not. */
    async function fresh(own, ask, lines = null) {
      if (!(await turn.warm())) return false;
      turn.engine.ready ??= Promise.resolve();
      const said = await asked(...ask, seed());
      if (!said) return false;
      [match, letters] = [{ own }, []];
      turn.engine.up = true;
      says.textContent = `A match of your own: nobody else hears of it.${said.changed ? " It was kept under other rules, and goes on under those of now." : ""}`;
      await stand(said, lines);
      return true;
    }

    /** The table of a lesson; what is played there is told to `own.tried`, and goes no further. */
    function course(own, table) {
      [match, letters] = [{ own }, []];
      turn.engine.up = true;
      shown(table, []);
      mark();
    }

    for (const [id, act] of [["try", () => begin("bots")], ["try-all", () => begin("myself")], ["play", play], ["bar-play", play], ["take-back", back], ["leave", () => leave()]]) at(id).addEventListener("click", act);
    return { running, leave, drop, mark, fresh, course };
  }

  globalThis.tableTrial = { trialOn };
})();
