/* The common part of pages that check a match: its files as they lie beside the page, and the findings, shown. */
"use strict";

(() => {
  async function file(name) {
    const answer = await fetch(name, { cache: "no-cache" });
    if (!answer.ok) throw new Error(name);
    return answer.text();
  }

  /** The files for `verifyArchive`, without letters. Fails where a page may not read what lies beside it, as from a disk. */
  async function filesBeside() {
    for (let manifest, again = await file("match.json"), tries = 0; ; tries++) {
      manifest = again;
      const [log, witnessed] = await Promise.all([file("log.jsonl"), file("witnessed.txt").catch(() => "")]);
      again = await file("match.json"); // the whole folder may have been laid anew meanwhile
      if (again === manifest || tries === 9) return { manifest, log, witnessed };
    }
  }

  /** A sentence in an element, with what is strongest in it first; `kind`: "good", "bad" or "". */
  function say(element, kind, strong, words) {
    element.className = kind ? `found ${kind}` : "found";
    const mark = document.createElement("b");
    mark.textContent = strong;
    element.replaceChildren(...(strong ? [mark, " "] : []), words);
  }

  function line(what, found) {
    const [item, name, words] = ["li", "b", "span"].map((tag) => document.createElement(tag));
    name.textContent = what;
    words.textContent = found;
    item.append(name, " ", words);
    return item;
  }

  /** The findings of `verifyArchive`, in the element of the verdict and the list of what was checked. */
  function show(found, verdict, checks) {
    if (found.sound) say(verdict, "good", "Sound as far as it goes.", `This page never checks: ${found.beyond}.`);
    else if (found.verdict > 1) say(verdict, "", "Nothing is proved.", found.trouble);
    else say(verdict, "bad", "Not sound.", found.trouble);
    const lines = found.checks.map(({ what, found: words }) => line(what, `${words}.`));
    lines.push(...found.unchecked.map((what) => line("Not checked", `${what}.`)));
    if (found.note) lines.push(line("Note", `${found.note}.`));
    checks.replaceChildren(...lines);
  }

  globalThis.verifyPages = { filesBeside, say, show };
})();
