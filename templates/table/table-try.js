/* A trial: the match is played on in the page, taken back and thrown away. Nothing of it leaves the page. */
"use strict";

(() => {
  const { linesOnFile } = globalThis.tableFile;
  const { make, pageParts } = globalThis.tableParts;
  const at = (id) => document.getElementById(id);
  const [offer, under, says, happened, trouble] = ["trial", "on-trial", "trying", "happened", "trial-trouble"].map(at);

  /** A trial on a page that gives its table and letter (`now`), shows others (`shown`) and asks the rules (`ask`). */
  function trialOn({ now, shown, ask }) {
    let match = null;
    let letters = [];

    const running = () => match !== null;

    /** What the page shows in a trial and what it does not. */
    function mark(back = 0) {
      offer.hidden = running();
      under.hidden = says.hidden = !running();
      for (const id of ["send", "where-to"]) at(id).hidden = running();
      at("take-back").disabled = !back;
      at("play").disabled = running() && !now().table.duty;
      trouble.hidden = true;
      document.body.toggleAttribute("data-trial", running());
    }

    function news(pages) {
      happened.hidden = !pages.length;
      happened.replaceChildren(
        ...pages.map((page, number) => {
          const part = make("details", "", { open: number === pages.length - 1 });
          part.append(make("summary", page.title), ...pageParts(page).slice(1));
          return part;
        }),
      );
    }

    function stand(said, text = linesOnFile(said.table).join("\n")) {
      shown(said.table, text);
      mark(said.back);
      at("letter-title").textContent = `Your letter in this trial, ${said.table.seat}`;
      news(said.pages);
    }

    /** Asks the rules; what they refuse, or why they cannot, is said and nothing changes. */
    async function told(what, ...given) {
      const busy = [...document.querySelectorAll("#trial button, #on-trial button")].filter((one) => !one.disabled);
      for (const one of busy) one.disabled = true;
      at("trial-waits").hidden = false;
      try {
        const said = await ask(what, ...given);
        if (!said?.refused) return said ?? {};
        trouble.textContent = said.refused;
      } catch (problem) {
        trouble.textContent = problem.message;
      } finally {
        for (const one of busy) one.disabled = false;
        at("trial-waits").hidden = true;
      }
      trouble.hidden = false;
      return null;
    }

    async function begin(others) {
      const here = now();
      const said = await told("try", others, crypto.getRandomValues(new Uint32Array(4)).join("-"));
      if (!said || now().table !== here.table) return;
      [match, letters] = [here, []];
      const whence = here.table.known.before ? " It begins where this phase began: what was decided in it since is decided anew." : "";
      const guessed = here.table.known.hidden ? " What you were not told is drawn from what it may be." : "";
      says.textContent = `This is a trial. Nothing of it reaches the match, and its dice are its own.${guessed}${whence}`;
      stand(said, said.table.seat === here.table.seat && ["orders", "on file"].includes(said.table.duty) ? here.text : undefined);
    }

    async function play() {
      const { text } = now();
      const said = await told("play", text);
      if (!said) return;
      letters.push(text);
      stand(said);
      happened.querySelector("summary")?.focus({ preventScroll: true });
    }

    async function back() {
      const said = await told("back");
      if (said) stand(said, letters.pop() ?? "");
    }

    /** Back to the match as it is; `ended`: the rules have forgotten the trial already. */
    async function leave(ended = false) {
      if (!running()) return;
      if (!ended) await told("leave");
      const { table, text } = match;
      drop();
      shown(table, text);
    }

    /** Forgets the trial, for who opens another table. */
    function drop() {
      match = null;
      mark();
      news([]);
    }

    for (const [id, act] of [["try", () => begin("bots")], ["try-all", () => begin("myself")], ["play", play], ["take-back", back], ["leave", () => leave()]]) at(id).addEventListener("click", act);
    return { running, leave, drop, ready: (can) => (offer.hidden = running() || !can) };
  }

  globalThis.tableTrial = { trialOn };
})();
