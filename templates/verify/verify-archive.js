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
      const [log, witnessed, reports, listed] = await Promise.all([
        file("log.jsonl"),
        ...["witnessed.txt", "reports.jsonl", "files.txt"].map((name) => file(name).catch(() => "")),
      ]);
      again = await file("match.json"); // the whole folder may have been laid anew meanwhile
      if (again === manifest || tries === 9) return { manifest, log, witnessed, reports, listed };
    }
  }

  /** The digests of the files that files.txt names, by their paths, as far as they lie beside the page; some are fetched at a time. */
  async function digestsBeside(listed) {
    const paths = listed.slice(listed.lastIndexOf("\n\n") + 2).split("\n").filter((line) => line.length > 65);
    const found = {};
    const one = async () => {
      for (let line; (line = paths.pop()); ) {
        const answer = await fetch(line.slice(65).split("/").map(encodeURIComponent).join("/"), { cache: "no-cache" });
        if (!answer.ok) continue;
        const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await answer.arrayBuffer()));
        found[line.slice(65)] = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      }
    };
    await Promise.all(Array.from({ length: 8 }, one));
    return found;
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
    const kind = { 0: "good", 1: "bad" }[found.verdict] ?? "";
    const nothing = found.verdict > 3 ? " Nothing is proved by that." : "";
    say(verdict, kind, `${found.words}.`, found.sound ? `This page never checks: ${found.beyond}.` : found.trouble + nothing);
    const lines = found.checks.map(({ what, found: words }) => line(what, `${words}.`));
    lines.push(...found.unchecked.map((what) => line("Not checked", `${what}.`)));
    if (found.note) lines.push(line("Note", `${found.note}.`));
    checks.replaceChildren(...lines);
  }

  globalThis.verifyPages = { filesBeside, digestsBeside, say, show };
})();
