/* The match so far, on the page on which one plays: its turns as the front of the match shows them, and the check of its archive. */
"use strict";

(() => {
  const { make } = globalThis.tableParts;
  const { filesBeside, say, show } = globalThis.verifyPages;
  const at = (id) => document.getElementById(id);
  const [turnsHere, verdict, checks] = ["turns-here", "verdict", "checks"].map(at);

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
    verdict.hidden = false;
    say(verdict, "", "", "Checking ...");
    try {
      const [given] = await Promise.all([filesBeside(), globalThis.verifyArchive || loaded("verify.js")]);
      show(await globalThis.verifyArchive({ ...given, letters: [] }), verdict, checks);
    } catch {
      say(verdict, "", "", "This page may not read the files beside it: verify.html lets you choose them.");
    }
  }

  at("look").addEventListener("click", look);
  at("check").addEventListener("click", check);
})();
