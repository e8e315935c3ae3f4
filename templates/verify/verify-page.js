/* The page beside verify.js: gets the two files of the match, takes letters, and shows what was found. */
"use strict";

(() => {
  const { filesBeside, digestsBeside, say, show } = globalThis.verifyPages;
  const at = (id) => document.getElementById(id);
  const [verdict, checks, files, chosen, saved, pasted, drop, count] = [
    "verdict", "checks", "files", "chosen", "saved", "pasted", "drop", "count",
  ].map(at);
  let given = {};
  let letters = [];
  const PARTS = { jsonl: "log", txt: "witnessed", reports: "reports", files: "listed" };
  let latest = 0;

  async function check() {
    if (given.manifest === undefined || given.log === undefined) {
      say(verdict, "", "", "Choose the files of the match first.");
      return;
    }
    const mine = ++latest;
    say(verdict, "", "", "Checking ...");
    await new Promise((shown) => setTimeout(shown, 30));
    const found = await globalThis.verifyArchive({ ...given, letters });
    if (mine !== latest) return;
    show(found, verdict, checks);
  }

  function counted() {
    const number = letters.length;
    count.textContent = number ? `${number} ${number === 1 ? "letter is" : "letters are"} compared.` : "No letter is compared.";
  }

  async function take(list) {
    letters = letters.concat(await Promise.all([...list].map((file) => file.text())));
    counted();
    await check();
  }

  async function choose(list) {
    for (const file of list) {
      const [name] = /^(reports|files)/.exec(file.name) ?? [file.name.split(".").at(-1)];
      given[PARTS[name] ?? "manifest"] = await file.text();
    }
    if (given.manifest === undefined || given.log === undefined)
      say(verdict, "", "", `Choose ${given.manifest === undefined ? "match.json" : "log.jsonl"}, too.`);
    else await check();
  }

  chosen.addEventListener("change", () => choose(chosen.files));
  saved.addEventListener("change", async () => {
    await take(saved.files);
    saved.value = "";
  });
  at("compare").addEventListener("click", async () => {
    if (pasted.value.trim()) {
      letters.push(pasted.value);
      pasted.value = "";
    }
    counted();
    await check();
  });
  at("clear").addEventListener("click", async () => {
    letters = [];
    pasted.value = "";
    counted();
    await check();
  });
  for (const kind of ["dragenter", "dragover"])
    drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
  for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
  drop.addEventListener("drop", async (event) => {
    event.preventDefault();
    const dropped = event.dataTransfer.files;
    if (dropped.length) await take(dropped);
    else {
      const words = event.dataTransfer.getData("text");
      if (words) {
        letters.push(words);
        counted();
        await check();
      }
    }
  });

  counted();
  say(verdict, "", "", "Loading the files of the match ...");
  filesBeside().then(
    async (found) => {
      given = found;
      await check();
      given.files = await digestsBeside(found.listed).catch(() => undefined);
      await check();
    },
    () => {
      files.hidden = false;
      say(verdict, "", "", "Choose the files of the match below.");
    },
  );
})();
