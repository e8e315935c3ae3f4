/* The page of a turn: opens it, shows who one is and until when, and puts map, sheet, letter, story and trial together. */
"use strict";

(() => {
  const { readTable, linesOnFile } = globalThis.tableFile;
  const { linked, opened, past, widened } = globalThis.tableSealed;
  const { Turn, linesOf } = globalThis.tableTurn;
  const { showMap } = globalThis.tableMap;
  const { sheetOn } = globalThis.tableSheet;
  const { lettersOn } = globalThis.tableLines;
  const { trialOn } = globalThis.tableTrial;
  const { playOn } = globalThis.tablePlay;
  const { storyOn } = globalThis.tableStory;
  const { seated } = globalThis.tableFaces;
  const { lessonsOn } = globalThis.tableLesson;
  const { make, button, sign, pageParts, kept } = globalThis.tableParts;
  const at = (id) => document.getElementById(id);
  const wide = () => matchMedia("(min-width: 900px)").matches;

  const UNCHECKED = "The rules of this page failed on your letter. It can be sent all the same: the referee checks it when it arrives.";

  let map = null;
  const turn = new Turn({
    changed: (keep = true) => {
      delete document.body.dataset.weighed;
      letter.shown();
      sheet.paint();
      if (keep) turn.weigh();
      if (trial.running()) play.drafted(turn.text());
      else kept.keep("draft", turn.text() || " ");
    },
    weighed: (whole = false) => {
      if (at("trouble").textContent === UNCHECKED) say("");
      letter.shown();
      sheet.light();
      if (whole) document.body.dataset.weighed = String(turn.lines.filter((one) => one.bad).length);
    },
    failed: () => {
      say(UNCHECKED);
      sheet.light();
      document.body.dataset.weighed = "";
    },
    ready: () => {
      document.body.dataset.engine = "ready";
      at("preview").hidden = false;
      trial.mark();
      turn.weigh();
    },
    waits: (on) => at("desk").setAttribute("aria-busy", String(on)),
    lost: () => {
      delete document.body.dataset.engine;
      if (!trial.running()) return;
      trial.leave(true);
      say("The rules ended, and the trial with them. Your letter is as it was.");
    },
  });
  const sheet = sheetOn({ turn, map: () => map });
  const trial = trialOn({ turn, shown, told: () => story.begin() });
  const play = playOn({
    turn, sheet, say,
    begins: (own, { game, seat, players, people, bots }) => trial.fresh(own, ["fresh", game, seat, players, people, bots]),
    again: (own, { saved, lines }) => trial.fresh(own, ["again", saved], lines),
  });
  const letter = lettersOn({ turn, sheet, named: (text) => story.named(text), edit: (number) => (closeLetter(), sheet.line(number), sheet.focus()), trying: () => trial.running() });
  const story = storyOn({ turn, sheet, map: () => map });

  const lessons = lessonsOn({ turn, sheet, trial, say, named: (text) => story.named(text), offline: play.offline, typing: () => (openLetter(), (at("as-text").open = true), at("text-lines").focus()) });

  function say(words) {
    at("trouble").textContent = words;
    at("trouble").hidden = !words;
  }

  // ---------------------------------------------------------------- a turn is opened

  /** Opens a table file; what was written for it before in this browser comes again. Gives whether it is kept here now. */
  function open(text, draft) {
    let table;
    try {
      table = readTable(text);
    } catch (problem) {
      say(problem.message);
      return false;
    }
    say("");
    kept.turnTo(table);
    trial.drop();
    turn.leave();
    delete document.body.dataset.weighed;
    const before = draft ?? letterSoFar(table);
    const wishes = (table.index?.proposed || []).map((one) => ({ ...one, proposed: true }));
    const known = new Map(wishes.map((one) => [one.line, one]));
    const filed = linesOnFile(table);
    const lines = before ?? (filed.length ? filed : wishes.map((one) => one.line)).join("\n");
    shown(table, linesOf(lines).map((line) => known.get(line) || { line }));
    const holds = kept.keep("file", JSON.stringify(table));
    kept.keep("draft", turn.text() || " ");
    load();
    ageing();
    return holds;
  }

  /** The letter of this turn that is under way, unless more was filed since; what was filed the older of two links does not know. */
  function letterSoFar(table) {
    try {
      const { text, draft } = kept.read();
      const before = readTable(text);
      if (!table.mark || before.mark !== table.mark) return null;
      if (before.duty === "on file" && table.duty === "orders") [table.duty, table.owes, table.on_file] = [before.duty, before.owes, before.on_file];
      return JSON.stringify(before.on_file) === JSON.stringify(table.on_file) ? draft : null;
    } catch {
      return null;
    }
  }

  /** Opens the turn that the address leads to; its key is taken out of there once the turn is kept. */
  async function follow() {
    try {
      const link = linked(location.hash);
      if (!link) return false;
      const { text, said } = await opened(link);
      if (open(text)) history.replaceState(null, "", location.pathname + location.search);
      say(said);
    } catch (problem) {
      say(problem.message);
    }
    return true;
  }

  /** Whether the match has gone on meanwhile. */
  async function ageing() {
    const mine = turn.table;
    const is = !trial.running() && (await past(mine));
    if (turn.table === mine) at("past").hidden = !is;
  }

  async function load() {
    delete document.body.dataset.engine;
    at("preview").hidden = true;
    trial.mark();
    at("engine").textContent = "The rules are loading; you can begin meanwhile.";
    try {
      const said = await turn.load();
      if (said !== null) at("engine").textContent = said || "Your letter is checked by the referee's own rules.";
    } catch (problem) {
      at("engine").textContent = `${problem.message} Your letter is checked when it arrives.`;
    }
  }

  /** Shows a table and the lines of a letter. The rules have it already, or are given it by whoever shows it. */
  function shown(table, lines) {
    const [seen, was] = [map?.view(), turn.table];
    turn.begin(table, lines);
    sheet.close();
    closeLetter();
    at("ends").checked = ["orders", "on file"].includes(table.duty);
    at("ends-box").hidden = !["orders", "on file"].includes(table.duty);
    at("open").hidden = at("door").hidden = true;
    at("top").hidden = at("desk").hidden = false;
    at("preview").hidden = !turn.up;
    at("foreseen").replaceChildren();
    head(table);
    map = table.map ? showMap(at("map"), table.map.svg, (place) => (closeLetter(), sheet.tapped(place)), table.seat) : null;
    at("map").toggleAttribute("data-none", !map);
    at("board").setAttribute("aria-label", table.map?.instead || "There is no map");
    if (map && was?.match === table.match && was?.game === table.game && seen) map.restore(seen);
    else map?.fit(!wide(), turn.starts);
    sheet.renew();
    letter.shown();
    turn.weigh();
    at("story-open").hidden = !(table.told || []).length;
    at("talk-open").hidden = trial.running();
    at("hint-open").hidden = !(table.index?.proposed?.length || table.choices.questions.length);
    at("asked-open").hidden = !table.choices.questions.length;
    if (table.choices.questions.length) sheet.questions();
  }

  function head(table) {
    document.title = `${table.phase} - ${table.match || table.title}`;
    const mine = table.seats.find((one) => one.seat === table.seat);
    at("who").replaceChildren(sign(mine?.colour), make("b", table.seat), make("span", table.phase.replace(`: ${table.seat} moves`, "").replace(`: ${table.seat}`, "")));
    at("owes").textContent = [table.owes, table.at_deadline].filter(Boolean).join(" ");
    at("to").textContent = table.reply_to;
    at("subject").textContent = table.subject;
    at("letter-title").textContent = `Your letter, ${table.seat}`;
    until();
    const { standings, unit, ranked } = table.standings;
    at("scores").replaceChildren(...standings.map(({ seat, score }) => {
      const chair = table.seats.find((one) => one.seat === seat);
      const item = make("li", "", { class: [seat === table.seat ? "mine" : "", chair && !chair.living ? "out" : ""].join(" ").trim() || false });
      item.append(sign(chair?.colour), make("span", seat), ranked === false ? "" : make("b", String(score), { title: unit }));
      return item;
    }));
  }

  /** The deadline as the clock of this browser has it, with its zone. */
  function until() {
    const when = new Date(turn.table.until);
    const known = turn.table.until && !Number.isNaN(when.valueOf());
    at("until").hidden = !known;
    if (!known) return;
    const minutes = Math.floor((when - Date.now()) / 60_000);
    const [hours, days] = [Math.floor(minutes / 60), Math.floor(minutes / 1440)];
    const left = minutes < 0 ? "time is over" : days >= 2 ? `${days} days` : hours >= 2 ? `${hours} hours` : `${minutes} min`;
    const said = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short" }).format(when);
    at("until").replaceChildren(make("b", left), make("span", `until ${said}`));
  }

  async function preview() {
    at("foreseen").textContent = "Looking ahead …";
    const mine = turn.text();
    try {
      const page = await turn.spare.ask("preview", mine);
      if (mine === turn.text()) at("foreseen").replaceChildren(...pageParts(page));
    } catch (problem) {
      at("foreseen").textContent = problem.message;
    }
  }

  // ---------------------------------------------------------------- what is tapped and typed

  function closeLetter() {
    document.body.removeAttribute("data-letter");
    at("bar").setAttribute("aria-expanded", "false");
  }

  function openLetter() {
    sheet.close();
    document.body.toggleAttribute("data-letter", true);
    at("bar").setAttribute("aria-expanded", "true");
    at("letter-title").focus({ preventScroll: true });
    document.querySelector("#lines .bad")?.scrollIntoView({ block: "nearest" });
  }

  at("bar").addEventListener("click", () => (document.body.hasAttribute("data-letter") ? closeLetter() : openLetter()));
  at("letter-close").addEventListener("click", () => (closeLetter(), at("bar").focus()));
  for (const [id, act] of [
    ["tray-open", () => sheet.tray()], ["story-open", () => story.begin()], ["talk-open", () => story.talk()], ["hint-open", () => letter.hint()], ["lesson-open", () => lessons.told()], ["seats-open", () => sheet.tell("Who plays", seated(turn.table), [])], ["asked-open", () => sheet.questions()],
  ])
    at(id).addEventListener("click", () => (closeLetter(), act(), sheet.focus()));
  at("preview").addEventListener("click", preview);
  at("nearer").addEventListener("click", () => map?.zoom(1.4));
  at("farther").addEventListener("click", () => map?.zoom(1 / 1.4));
  at("whole-map").addEventListener("click", () => map?.fit(false));
  at("to-map").addEventListener("click", (event) => (event.preventDefault(), map?.focus()));
  at("to-letter").addEventListener("click", (event) => {
    event.preventDefault();
    if (wide()) at("letter-title").focus();
    else openLetter();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (document.body.hasAttribute("data-letter")) {
      closeLetter();
      at("bar").focus();
    } else if (sheet.kind()) {
      sheet.close();
      map?.focus();
    }
  });
  addEventListener("resize", () => map?.restore(map.view()));
  at("another").addEventListener("click", () => at("file").click());
  at("forget").addEventListener("click", () => {
    for (const name of ["draft", "file"]) kept.keep(name, "");
    history.replaceState(null, "", location.pathname);
    location.reload();
  });
  at("file").addEventListener("change", async () => {
    if (at("file").files.length) open(await widened(await at("file").files[0].text()));
    at("file").value = "";
  });
  for (const kind of ["dragover", "drop"])
    document.addEventListener(kind, async (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      if (kind === "drop" && event.dataTransfer.files.length) open(await widened(await event.dataTransfer.files[0].text()));
    });

  /** By the link of a letter, by a match of one's own, or with what was open last. */
  async function begin() {
    turn.warm();
    setInterval(() => turn.table && until(), 60_000);
    const asked = new URLSearchParams(location.hash.slice(1));
    for (const [what, opens] of [["play", play.open], ["learn", lessons.open]])
      if (/^[a-z]+[0-9]*$/.test(asked.get(what) || "")) return opens(asked.get(what));
    const again = (await follow()) ? null : kept.read();
    if (again) open(again.text, again.draft ?? undefined);
    return null;
  }
  addEventListener("hashchange", () => (/^#(play|learn)=/.test(location.hash) ? location.reload() : follow()));
  document.addEventListener("visibilitychange", () => turn.table && !document.hidden && ageing());

  globalThis.tablePage = { open, turn, sheet, map: () => map };
  begin();
})();
