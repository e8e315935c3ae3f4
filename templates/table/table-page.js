/* The page: shows a table, lets orders be chosen by clicking, and keeps the letter as text that anybody can read and change. */
"use strict";

(() => {
  const { readTable, linesOnFile } = globalThis.tableFile;
  const { linked, opened, past } = globalThis.tableSealed;
  const { bodyOf, linkOf } = globalThis.tableLetter;
  const { placesOf, answerLine } = globalThis.tableChoices;
  const { found, Engine } = globalThis.tableEngine;
  const { showMap } = globalThis.tableMap;
  const { trialOn } = globalThis.tableTrial;
  const { make, button, sign, pageParts, kept, decision } = globalThis.tableParts;
  const PAUSE = 200;
  const SOME = 6;
  const MOST_DEATHS = 3;
  const at = (id) => document.getElementById(id);
  const [sheet, lines, doubts, steps, orders, questions, engineSays, foreseen, sending, mail, trouble] = [
    "sheet", "lines", "doubts", "deciding", "orders", "questions", "engine", "foreseen", "sending", "mail", "trouble",
  ].map(at);

  let table;
  let map;
  let engine;
  let spare;
  let folder;
  let deaths = 0;
  let verbs = [];
  let offered = [];
  let place = "";
  let course = null;
  let earlier = [];
  let judged = null;
  let latest = 0;

  // ---------------------------------------------------------------- a file is opened

  function tell(words) {
    trouble.textContent = words;
    trouble.hidden = !words;
  }

  /** Whether the file is kept in this browser now. */
  function open(text, draft) {
    let read;
    try {
      read = readTable(text);
    } catch (problem) {
      tell(problem.message);
      return false;
    }
    tell("");
    kept.turnTo(read);
    trial.drop();
    shown(read, draft ?? letterSoFar(read) ?? linesOnFile(read).join("\n"));
    const holds = kept.keep("file", JSON.stringify(read));
    kept.keep("draft", sheet.value);
    begin();
    ageing();
    return holds;
  }

  /** The letter of this turn that is under way, unless more was filed since; what was filed the older of two links does not know. */
  function letterSoFar(read) {
    try {
      const { text, draft } = kept.read();
      const before = readTable(text);
      if (!read.mark || before.mark !== read.mark) return null;
      if (before.duty === "on file" && read.duty === "orders") [read.duty, read.owes, read.on_file] = [before.duty, before.owes, before.on_file];
      return JSON.stringify(before.on_file) === JSON.stringify(read.on_file) ? draft : null;
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
      tell(said);
    } catch (problem) {
      tell(problem.message);
    }
    return true;
  }

  async function ageing() {
    const mine = table;
    const is = await past(mine);
    if (table === mine) at("past").hidden = !is;
  }

  /** Shows a table and a letter for it. The rules have it already, or are given it by whoever shows it. */
  function shown(next, text) {
    table = next;
    [offered, place, course, earlier, judged] = [table.choices.orders, "", null, [], null];
    at("ends").checked = false;
    sheet.value = text;
    at("open").hidden = true;
    at("head").hidden = at("table").hidden = false;
    foreseen.replaceChildren();
    head();
    drawing();
    ask();
    changed(0, false);
    map?.centre();
    if (!spare) return;
    spare.end("were left");
    spare.table = next;
  }

  function head() {
    document.title = `${table.phase} - ${table.match}`;
    const mine = table.seats.find((one) => one.seat === table.seat);
    at("which").replaceChildren(`${table.title} · ${table.match} · `, sign(mine?.colour), ` ${table.seat}`);
    at("whose").textContent = table.phase;
    at("owes").textContent = [table.owes, table.at_deadline].filter(Boolean).join(" ");
    at("to").textContent = table.reply_to;
    at("subject").textContent = table.subject;
    at("form").hidden = !table.form.length;
    at("letter-title").textContent = `Your letter, ${table.seat}`;
    until();
    at("standings").replaceChildren(...table.standings.standings.map(standing));
  }

  function standing({ rank, seat, score }) {
    const chair = table.seats.find((one) => one.seat === seat);
    const item = make("li", "", { class: [seat === table.seat ? "mine" : "", chair && !chair.living ? "out" : ""].join(" ").trim() || false });
    const ranked = table.standings.ranked === false ? "" : `${rank}. `;
    item.append(sign(chair?.colour), `${ranked}${seat}${ranked ? `: ${score} ${table.standings.unit}` : ""}`);
    return item;
  }

  function until() {
    const when = new Date(table.until);
    const known = table.until && !Number.isNaN(when.valueOf());
    at("until").hidden = !known;
    if (!known) return;
    const said = new Intl.DateTimeFormat("en-GB", {
      weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", timeZoneName: "short",
    }).format(when);
    const minutes = Math.floor((when - Date.now()) / 60_000);
    const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
    const left = minutes < 0 ? "that time is over" : hours >= 48 ? `${Math.floor(hours / 24)} days left` : `${hours} h ${rest} min left`;
    at("until").textContent = `Until ${said} (${left})`;
  }

  // ---------------------------------------------------------------- the map

  function drawing() {
    at("places").hidden = !table.map;
    map = table.map ? showMap(at("map"), table.map.svg, clicked, (said) => said && (at("where").textContent = said)) : null;
    if (table.map) at("map").setAttribute("aria-label", table.map.instead);
    at("where").textContent = map ? "Click a place to see what you may do there." : "";
    at("map").style.width = map && map.wide() > 100 ? `${map.wide()}%` : "";
  }

  /** The answers to what is asked, each with the number of its question. */
  const answersAt = (name) =>
    table.choices.questions.flatMap(({ answers }, number) =>
      (answers.options || []).filter((option) => option.at === name).map((option) => ({ option, answers, number })));

  function light() {
    if (!map) return;
    const options = course ? course.step?.options || [] : null;
    const asked = table.choices.questions.flatMap(({ answers }) => answers.options || []);
    const lit = options || [...asked, ...[...placesOf(offered).keys()].map((name) => ({ at: name }))];
    map.light(new Set(lit.map((one) => one.at).filter(Boolean)), new Set(course ? course.at : [place].filter(Boolean)));
  }

  function clicked(name) {
    if (course) {
      const options = (course.step?.options || []).filter((option) => option.at === name);
      if (options.length === 1) pick(options[0].word);
      else if (options.length) step(options);
      return;
    }
    const [only, another] = answersAt(name);
    if (only && !another && !placesOf(offered).has(name)) {
      press(questions.children[only.number], only.option.word);
      return;
    }
    if (!placesOf(offered).has(name)) return;
    place = place === name ? "" : name;
    list();
    orders.querySelector("button")?.focus({ preventScroll: true });
  }

  const press = (host, word) => [...host.querySelectorAll("[data-word]")].find((element) => element.dataset.word === word)?.click();

  // ---------------------------------------------------------------- questions and orders

  function ask() {
    questions.replaceChildren(
      ...table.choices.questions.map((question, number) => {
        const field = make("fieldset");
        field.append(make("legend", question.text));
        decision(field, question.answers, (picked) => write(answerLine(picked), number));
        return field;
      }),
    );
  }

  function list() {
    light();
    steps.hidden = !course;
    orders.hidden = Boolean(course);
    if (course) return;
    const here = place ? placesOf(offered).get(place) || [] : null;
    const shown = here ? [...new Set(here.map(({ order }) => order))] : offered;
    const parts = [];
    if (here) parts.push(make("h3", place), button("Show all orders again", () => ((place = ""), list()), { class: "quiet" }));
    const groups = [
      [table.choices.owed ? "" : "For your next turn", shown.filter((order) => !order.at_once)],
      ["Done as soon as your letter is read", shown.filter((order) => order.at_once)],
    ];
    for (const [title, group] of groups) {
      if (title && group.length) parts.push(make("h3", title));
      const box = make("div", "", { class: "orders" });
      for (const order of group) {
        const picks = here ? here.filter((one) => one.order === order).map(({ option }) => option.word) : [];
        const act = button("", () => take(order, picks.length === 1 ? [picks] : []), { class: "order", "data-verb": order.verb });
        act.append(make("b", order.verb), " ", make("span", order.meaning));
        box.append(act);
      }
      if (group.length) parts.push(box);
    }
    if (!shown.length && !table.choices.questions.length) parts.push(make("p", "Nothing is asked of you now, and nothing can be ordered."));
    orders.replaceChildren(...parts);
  }

  let asked = 0;
  /** Asks the rules something, and lets everybody know meanwhile that an answer is waited for. */
  async function rules(of, what, ...given) {
    asked += 1;
    at("table").setAttribute("aria-busy", "true");
    try {
      return await of.ask(what, ...given);
    } finally {
      asked -= 1;
      at("table").setAttribute("aria-busy", String(asked > 0));
    }
  }

  async function take(order, picked) {
    course = { order, picked: [], at: place ? [place] : [], step: null };
    if (engine?.up) await onward(picked);
    else ready(order, picked);
  }

  /** Without the rules: the lines that can be sent as they stand. */
  function ready(order, picked) {
    const words = picked.flat();
    const fit = order.lines.filter((line) => words.every((word) => line.includes(word)));
    const box = make("div", "", { class: "options" });
    for (const line of fit.length ? fit : order.lines) box.append(button(line, () => finish(line), { class: "option", "data-line": line }));
    steps.replaceChildren(heading(), box, back());
    list();
    focus();
  }

  async function onward(picked) {
    const mine = course;
    let said;
    try {
      said = await rules(engine, "step", course.order.verb, picked, sheet.value);
    } catch (problem) {
      gone(problem);
      if (course === mine) ready(course.order, picked);
      return;
    }
    if (course !== mine) return;
    course.picked = picked;
    if (said.line) finish(said.line);
    else if (said.next && !said.next.options?.length && !said.next.counts && said.next.least === 0) await onward([...picked, []]);
    else if (said.next) {
      course.step = said.next;
      step(said.next.options || []);
    } else {
      steps.replaceChildren(heading(), make("p", said.refused || "There is nothing to choose here."), back());
      list();
      focus();
    }
  }

  function step(options) {
    const { field, least = 1, most = 1, counts = "" } = course.step;
    steps.replaceChildren(heading(), make("p", counts ? `${field}: ${least} to ${most} ${counts}` : field, { class: "faint" }));
    decision(steps, { ...course.step, options }, (picked) => onward([...course.picked, picked]));
    steps.append(back());
    list();
    focus();
  }

  function pick(word) {
    const { least = 1, most = 1, counts = "" } = course.step;
    if (least === 1 && most === 1 && !counts) onward([...course.picked, [word]]);
    else press(steps, word);
  }

  function heading() {
    const said = [course.order.verb, ...course.picked.map((words) => words.join(", ") || "none")];
    return make("h3", said.join(" › "));
  }

  function back() {
    const row = make("p", "", { class: "buttons" });
    if (course.picked.length) row.append(button("Back", () => onward(course.picked.slice(0, -1)), { class: "quiet" }));
    row.append(button("Not this order", () => ((course = null), list(), orders.querySelector("button")?.focus()), { class: "quiet" }));
    return row;
  }

  const focus = () => steps.querySelector("input, .option, button")?.focus({ preventScroll: true });

  function finish(line) {
    course = null;
    place = "";
    write(line);
  }

  // ---------------------------------------------------------------- the sheet

  const written = () => sheet.value.split("\n");

  /** Adds a line; of answers the one to this question takes the place of the one before. */
  function write(line, answers = -1) {
    const now = written().filter((text, place, all) => text.trim() || place < all.length - 1);
    while (now.length && !now.at(-1).trim()) now.pop();
    const earlierAnswers = now.flatMap((text, place) => (/^\s*choose\b/i.test(text) ? [place] : []));
    if (answers >= 0 && answers < earlierAnswers.length) now[earlierAnswers[answers]] = line;
    else now.push(line);
    set(now);
  }

  function set(now) {
    if (engine?.up) spare.start();
    earlier.push(sheet.value);
    sheet.value = now.join("\n");
    changed();
  }

  function shift(place, by) {
    const now = written();
    const [line] = now.splice(place, 1);
    if (by) now.splice(place + by, 0, line);
    set(now);
    at("lines").querySelector(`[data-at="${place + by}"] button`)?.focus();
  }

  /** The text is another one; it is weighed after a pause of so many milliseconds: who types goes on. */
  function changed(pause = 0, keep = true) {
    judged = null;
    delete lines.dataset.judged;
    at("undo").disabled = !earlier.length;
    show();
    list();
    letter();
    if (keep && !trial.running()) kept.keep("draft", sheet.value);
    weigh(pause);
  }

  function verdicts() {
    const about = new Map();
    for (const line of judged?.lines || []) about.set(line.line, { kind: "good", words: line.at_once ? `${line.meaning} At once.` : line.meaning });
    for (const line of judged?.ignored || []) about.set(line.number, { kind: "faint", words: `Not read: ${line.why}.` });
    for (const line of judged?.refused || [])
      about.set(line.number, { kind: "bad", words: `${line.kind[0].toUpperCase()}${line.kind.slice(1)}: ${line.sentence}`, instead: line.instead || [] });
    return about;
  }

  function show() {
    const about = verdicts();
    const all = written();
    lines.replaceChildren(
      ...all.flatMap((text, place) => {
        if (!text.trim() || text.trim().startsWith("#")) return [];
        const item = make("li", "", { value: place + 1, "data-at": place });
        const row = make("div", "", { class: "line" });
        row.append(make("code", text));
        const move = make("span", "", { class: "moves" });
        move.append(
          button("↑", () => shift(place, -1), { class: "quiet", disabled: place === 0, "aria-label": `Move line ${place + 1} up` }),
          button("↓", () => shift(place, 1), { class: "quiet", disabled: place === all.length - 1, "aria-label": `Move line ${place + 1} down` }),
          button("×", () => shift(place, 0), { class: "quiet", "aria-label": `Remove line ${place + 1}` }),
        );
        row.append(move);
        item.append(row);
        const verdict = about.get(place + 1);
        if (verdict) item.append(make("p", verdict.words, { class: verdict.kind }));
        for (const right of verdict?.instead || [])
          item.append(button(`Instead: ${right}`, () => set(all.map((line, number) => (number === place ? right : line))), { class: "quiet" }));
        return [item];
      }),
    );
    at("none").hidden = lines.children.length > 0;
    doubts.replaceChildren(...(judged?.doubts || []).map((doubt) => make("li", doubt)));
  }

  function letter() {
    const body = bodyOf(sheet.value, at("ends").checked);
    const { link, holds } = linkOf(table.reply_to, table.subject, body);
    mail.href = link;
    mail.toggleAttribute("data-empty", !body.length);
    mail.textContent = holds ? "Write the letter" : "Write the letter, then paste";
    sending.textContent = !body.length
      ? "There is nothing in your letter yet."
      : holds
        ? "Your mail program opens with this letter; you send it. Nothing is sent from here."
        : "This letter is too long for a link: copy the text first, then paste it into the letter that opens.";
  }

  // ---------------------------------------------------------------- the rules

  /** The rules begin to load as soon as the page is there, before it has a table. */
  async function warm() {
    folder ??= found();
    const beside = await folder;
    if (!beside) return "";
    engine ??= new Engine(beside);
    engine.ended = lost;
    spare ??= new Engine(beside);
    engine.start();
    return beside;
  }

  async function begin() {
    const mine = table;
    delete document.body.dataset.engine;
    at("preview").hidden = true;
    trial.ready(false);
    const beside = await warm();
    if (table !== mine) return;
    if (!beside) {
      engineSays.textContent = "The referee's rules are not beside this page: orders are offered as whole lines, and your letter is checked when it arrives.";
      return;
    }
    engineSays.textContent = "The rules are loading; you can begin meanwhile.";
    spare.table = mine;
    try {
      const about = JSON.parse(await engine.load(mine));
      if (table !== mine) return;
      engine.up = true;
      verbs = about.verbs;
      at("preview").hidden = false;
      trial.ready(Boolean(table.duty));
      const aged = about.rules === mine.known.rules ? "" : " They are of another version than the referee's, which has the last word.";
      engineSays.textContent = `Your letter is checked by the referee's own rules.${aged}`;
      document.body.dataset.engine = "ready";
      weigh(0);
    } catch (problem) {
      gone(problem);
    }
  }

  /** The rules failed: whole lines are offered as without them, and a Worker that ended is replaced. */
  function gone(problem) {
    engineSays.textContent = `${problem.message} Your letter is checked when it arrives.`;
    offered = table.choices.orders;
    list();
    if (engine && !engine.worker && deaths < MOST_DEATHS) {
      deaths += 1;
      begin();
    }
  }

  /** With its Worker a trial is gone: the match is shown again. */
  function lost() {
    if (!trial.running()) return;
    trial.leave(true);
    trouble.textContent = "The rules ended, and the trial with them. Your letter is as it was.";
    trouble.hidden = false;
    begin();
  }

  async function weigh(pause) {
    if (!engine) return;
    const mine = (latest += 1);
    if (pause) await new Promise((over) => setTimeout(over, pause));
    if (mine !== latest || !engine?.up) return;
    try {
      const said = await rules(engine, "judge", sheet.value);
      if (mine !== latest) return;
      judged = said;
      show();
      const open = await offers(sheet.value, () => mine === latest);
      if (!open) return;
      offered = open;
      if (!course) list();
      lines.dataset.judged = String(said.refused.length);
    } catch (problem) {
      gone(problem);
    }
  }

  /** The orders that can be given after a letter, some verbs at a time, so that a click is answered in between. */
  async function offers(text, wanted) {
    const open = [];
    for (let at = 0; at < verbs.length; at += SOME) {
      open.push(...(await engine.ask("choices", text, verbs.slice(at, at + SOME))));
      if (!wanted()) return null;
    }
    return open;
  }

  async function preview() {
    foreseen.textContent = "Looking ahead ...";
    const mine = sheet.value;
    try {
      const page = await rules(spare, "preview", mine);
      if (mine === sheet.value) foreseen.replaceChildren(...pageParts(page));
    } catch (problem) {
      foreseen.textContent = problem.message;
    }
  }

  const trial = trialOn({
    now: () => ({ table, text: sheet.value }),
    shown,
    ask: (what, ...given) => rules(engine, what, ...given),
  });

  // ---------------------------------------------------------------- what is clicked and typed

  let before = "";
  sheet.addEventListener("focus", () => (before = sheet.value));
  sheet.addEventListener("change", () => {
    if (before !== sheet.value) earlier.push(before);
    before = sheet.value;
    at("undo").disabled = !earlier.length;
  });
  sheet.addEventListener("input", () => changed(PAUSE));
  at("undo").addEventListener("click", () => {
    sheet.value = earlier.pop() ?? sheet.value;
    changed();
  });
  at("clear").addEventListener("click", () => set([]));
  at("form").addEventListener("click", () => set([...written().filter((line) => line.trim()), ...table.form]));
  at("ends").addEventListener("change", letter);
  at("preview").addEventListener("click", preview);
  at("copy").addEventListener("click", async () => {
    const text = bodyOf(sheet.value, at("ends").checked).join("\n");
    try {
      await navigator.clipboard.writeText(text);
      sending.textContent = "Copied.";
    } catch {
      at("text").open = true;
      sheet.select();
      sending.textContent = "This browser does not let a page copy: the lines are marked, copy them with your keyboard.";
    }
  });
  at("another").addEventListener("click", () => at("file").click());
  at("forget").addEventListener("click", () => {
    for (const name of ["draft", "file"]) kept.keep(name, "");
    location.reload();
  });
  for (const [id, by] of [["nearer", 1.4], ["farther", 1 / 1.4]])
    at(id).addEventListener("click", () => {
      const now = Number.parseFloat(at("map").style.width) || 100;
      at("map").style.width = `${Math.min(500, Math.max(100, now * by))}%`;
    });
  at("file").addEventListener("change", async () => {
    if (at("file").files.length) open(await at("file").files[0].text());
    at("file").value = "";
  });
  for (const kind of ["dragover", "drop"])
    document.addEventListener(kind, async (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      if (kind === "drop" && event.dataTransfer.files.length) open(await event.dataTransfer.files[0].text());
    });

  warm();
  follow().then((followed) => {
    const again = followed ? null : kept.read();
    if (again) open(again.text, again.draft ?? undefined);
  });
  addEventListener("hashchange", follow);
  document.addEventListener("visibilitychange", () => table && !document.hidden && ageing());
  setInterval(() => table && until(), 60_000);
  globalThis.tablePage = { open, rules: () => engine };
})();
