/* The sheet over the map: what the tapped place can do, what lies nowhere on the map, what is asked in the middle of a turn.
 * No line is ever half made: a tap makes a whole one, of which every part can be changed. */
"use strict";

(() => {
  const { make, button, decision } = globalThis.tableParts;
  const { short } = globalThis.tableTurn;
  const at = (id) => document.getElementById(id);
  const [host, hint] = ["sheet", "hint"].map(at);
  const [TOP, SOME, NAMED] = [3, 14, 24];
  const cap = (words) => words.charAt(0).toUpperCase() + words.slice(1);
  const wide = () => matchMedia("(min-width: 900px)").matches;

  /** The sheet of a turn, on the map that `map` gives. */
  function sheetOn({ turn, map }) {
    let place = "";
    let kind = "";
    let deeds = null;
    let rest = null;
    let aim = null;
    let brush = null;
    let made = null;
    let story = [];
    let opener = null;
    let unfolded = null;

    // -------------------------------------------------------------- shown and lit

    function open(what, title, parts) {
      if (!kind) opener = document.activeElement;
      kind = what;
      host.hidden = false;
      document.body.toggleAttribute("data-sheet", true);
      const head = make("div", "", { class: "head" });
      head.append(make("h2", title, { id: "sheet-title", tabindex: "-1" }), button("×", close, { class: "x", "aria-label": "Close this sheet" }));
      host.replaceChildren(head, ...parts);
      host.dataset.kind = what;
    }

    function close() {
      [place, kind, deeds, rest, aim, brush, made, story] = ["", "", null, null, null, null, null, []];
      host.hidden = true;
      host.replaceChildren();
      document.body.removeAttribute("data-sheet");
      light();
      paint();
      map()?.settle();
      if (host.contains(document.activeElement) || document.activeElement === document.body) opener?.focus?.({ preventScroll: true });
    }

    const answers = () => (turn.table?.choices.questions || []).flatMap(({ answers }, number) => (answers.options || []).map((option) => ({ ...option, number, answers })));

    function light() {
      if (!map()) return;
      const asked = kind === "questions" ? answers().map((one) => one.at) : [];
      const lit = new Set(brush ? [...brush.places] : aim ? Object.keys(aim.targets) : asked.filter(Boolean));
      map().light(lit, place);
      map().starts(new Set(turn.starts));
      const says = brush ? "Tap every place where you want one more." : aim ? `${aim.title}: tap where to.` : !kind && turn.starts.length ? "Tap a piece to see what it can do." : "";
      hint.textContent = says;
      hint.hidden = !says;
    }

    /** Draws what is ordered: by the places that were tapped, or those that a line of a usual verb names. */
    function paint() {
      if (!map()) return;
      const names = [...map().places.keys()].sort((a, b) => b.length - a.length);
      const usual = new Set(Object.values(turn.table.index?.places || {}).flat().concat(deeds || []).filter((one) => one.rank).map((one) => one.verb));
      const orders = turn.lines.map((one) => {
        if (one.places) return one.places;
        if (![...usual].some((verb) => one.line.startsWith(`${verb} `))) return [];
        let left = one.line;
        const spots = [];
        for (const name of names) {
          const spot = left.indexOf(name);
          if (spot < 0 || /[\w-]/.test(left[spot - 1] || "") || /[\w-]/.test(left[spot + name.length] || "")) continue;
          spots.push([spot, name]);
          left = left.replace(name, "_".repeat(name.length));
        }
        spots.sort((a, b) => a[0] - b[0]);
        return / (FROM|TO) /.test(one.line) ? spots.map(([, name]) => name) : spots.slice(0, 1).map(([, name]) => name);
      });
      map().draw(orders.filter((one) => one.length), story);
    }

    // -------------------------------------------------------------- taps

    async function tapped(name) {
      if (kind === "questions") {
        const here = answers().filter((one) => one.at === name);
        if (here.length === 1) return void press(here[0]);
        if (here.length) return;
      }
      if (brush?.places.has(name)) return void (await again(name));
      if (aim && name in aim.targets) return void (await complete(aim, name));
      if (kind === "place" && name === place) return void close();
      await select(name);
    }

    const press = (one) => [...(host.querySelectorAll("fieldset")[one.number]?.querySelectorAll("[data-word]") || [])].find((act) => act.dataset.word === one.word)?.click();

    async function select(name) {
      [place, deeds, rest, aim, made, story] = [name, null, null, null, null, []];
      if (brush && !brush.places.has(name)) brush = null;
      show();
      light();
      await look();
      near([name, ...Object.keys(aim?.targets || {}).slice(0, SOME)]);
    }

    /** Brings places into the part of the map that the sheet leaves free. */
    const near = (names) => map()?.reveal(names, wide() ? Infinity : host.getBoundingClientRect().top - at("map").getBoundingClientRect().top);

    /** Asks what can be done here; who has his orders already can have others in their place. */
    async function look() {
      const name = place;
      const found = await asked(() => turn.at(name));
      if (place !== name || !found) return;
      const mine = rows().filter((row) => placesOf(row)[0] === name);
      let others = [];
      if (mine.length && turn.up && !made) {
        const out = new Set(mine.flatMap((row) => Array.from({ length: row.count }, (_, n) => row.at + n)));
        const free = (await asked(() => turn.at(name, false, out))) || [];
        const now = new Set(found.map((one) => one.title));
        others = free.filter((one) => one.targets && one.rank && !now.has(one.title)).map((one) => ({ ...one, instead: out, title: `${one.title} elsewhere` }));
      }
      if (place !== name) return;
      deeds = [...others, ...found];
      const first = deeds[0];
      aim = !made && first?.targets && first.rank ? first : null;
      show();
      light();
    }

    /** An answer of the rules; where they ended, nothing. */
    const asked = (what) => turn.waited(what).catch(() => null);

    async function complete(deed, name) {
      const left = deed.instead ? turn.lines.filter((_, number) => !deed.instead.has(number)) : turn.lines;
      const one = await asked(() => turn.made(deed, name, left));
      if (!one || one.refused || one.missed?.includes(deed.aim)) return void say(one?.refused || `That cannot be done in ${name} now.`);
      const line = { line: one.line, meaning: one.meaning, whole: one.parts && one, places: [...new Set([place, name])].filter(Boolean) };
      add([line], deed, left);
    }

    function say(words) {
      hint.textContent = words;
      hint.hidden = false;
    }

    /** A deed is tapped: a whole line, or first a place to go to. */
    async function take(deed) {
      if (deed.targets) {
        [aim, brush] = [aim === deed ? null : deed, null];
        show();
        light();
        return;
      }
      const here = place ? [place] : [];
      if (deed.before) {
        add([{ line: deed.before, places: [] }, { line: deed.line, meaning: deed.meaning, places: here }], deed);
        return;
      }
      const left = deed.adds ? turn.lines.filter((one) => !one.line.startsWith(`${deed.verb} `)) : turn.lines;
      const one = await asked(() => turn.made(deed, "", left));
      if (!one || one.refused) return void say(one?.refused || "That cannot be done now.");
      add([{ line: one.line, meaning: one.meaning, whole: one.parts && one, places: here.length ? here : undefined }], deed, left);
    }

    function add(more, deed, left = turn.lines) {
      made = { from: left.length, count: more.length, deed };
      [aim, kind] = [null, kind || "place"];
      turn.set([...left, ...more]);
      if (kind === "tray") showTray();
      else look();
    }

    async function spread(deed) {
      say("Looking where else …");
      const found = await asked(() => turn.ask("brush", deed.brush, turn.text()));
      brush = { places: new Set(found || []), what: deed.brush };
      show();
      light();
    }

    /** The same once more, elsewhere. */
    async function again(name) {
      const { places, what } = brush;
      const found = (await asked(() => turn.at(name))) || [];
      const deed = found.find((one) => one.brush === what);
      places.delete(name);
      if (!deed) return void light();
      [place, deeds] = [name, found];
      await take(deed);
      brush = { places, what };
      show();
      light();
    }

    // -------------------------------------------------------------- a place

    const rows = () => turn.rows();
    const placesOf = (row) => turn.lines.slice(row.at, row.at + row.count).flatMap((one) => one.places || []);

    function show() {
      if (kind && kind !== "place") [kind, opener] = ["", opener];
      const said = map()?.label(place) || place;
      const about = said === place ? "" : said.replace(`${place}: `, "").replace(place, "").replace(/^[\s,;:]+/, "");
      const parts = about ? [make("p", about, { class: "about" })] : [];
      if (made) parts.push(done());
      const now = rows().filter((row) => placesOf(row).includes(place) && !(made && row.at >= made.from));
      if (now.length) parts.push(ordered(now));
      if (deeds === null) parts.push(make("p", "…", { class: "faint" }));
      else parts.push(...offered());
      open("place", cap(short(place)), parts);
    }

    function ordered(now) {
      const list = make("ul", "", { class: "ordered" });
      for (const row of now.slice(0, 4)) {
        const item = make("li");
        const words = row.meaning || row.line;
        item.append(make("span", `✓ ${words}`), button("×", () => takeBack(row), { class: "x", "aria-label": `Take back: ${words}` }));
        list.append(item);
      }
      return list;
    }

    function takeBack(row) {
      made = null;
      turn.takeOut(row.at, row.count);
      look();
    }

    function offered() {
      const parts = [];
      const usual = deeds.filter((one) => one.rank);
      const top = usual.filter((one, number, all) => number < TOP || (one.verb === all[0].verb && number < 2 * TOP));
      const fold = [...usual.filter((one) => !top.includes(one)), ...deeds.filter((one) => !one.rank)];
      if (top.length) parts.push(box(top));
      if (aim) parts.push(aims());
      if (!top.length && !made) parts.push(make("p", "Nothing usual can be done here now.", { class: "faint" }));
      const more = make("details", "", { class: "more", open: rest !== null });
      more.append(make("summary", "More, seldom needed"), box(rest || fold, true));
      more.addEventListener("toggle", () => more.open && rest === null && turn.up && seldom(fold, more));
      if (fold.length || turn.up) parts.push(more);
      return parts;
    }

    async function seldom(fold, more) {
      const name = place;
      const found = await asked(() => turn.at(name, true));
      if (!found || name !== place || !deeds) return;
      const known = new Set(deeds.map((one) => one.title));
      rest = [...fold, ...found.filter((one) => !known.has(one.title))];
      more.replaceChildren(more.firstChild, rest.length ? box(rest, true) : make("p", "There is nothing else here.", { class: "faint" }));
    }

    function box(some, small = false) {
      const all = make("div", "", { class: small ? "deeds small" : "deeds" });
      for (const deed of some) {
        const act = button("", () => take(deed), { class: "deed", "data-verb": deed.verb, "data-title": deed.title, "aria-pressed": deed.targets ? String(deed === aim) : false });
        const count = Object.keys(deed.targets || {}).length;
        const words = !count ? deed.meaning || deed.line : count === 1 ? `to ${short(Object.keys(deed.targets)[0])}` : `${count} places in reach`;
        act.append(make("b", deed.title), make("span", words));
        all.append(act);
      }
      return all;
    }

    /** The targets by name as well, for who reads, and for who cannot hit a small place. */
    function aims() {
      const rank = (meaning = "") => (/native|enem|free/i.test(meaning) ? 0 : /yours/i.test(meaning) ? 2 : 1);
      const names = Object.entries(aim.targets).sort((a, b) => rank(a[1]) - rank(b[1]));
      const row = make("div", "", { class: "aims", role: "group", "aria-label": `${aim.title}: where to` });
      for (const [name, meaning] of names.slice(0, SOME)) {
        const one = button("", () => complete(aim, name), { class: "aim", "data-place": name });
        one.append(cap(short(name)), meaning ? make("small", meaning) : "");
        row.append(one);
      }
      return row;
    }

    // -------------------------------------------------------------- what was just made, with its parts

    function done() {
      const said = make("div", "", { class: "done", role: "status" });
      const one = turn.lines[made.from + made.count - 1];
      if (!one) return said;
      const words = made.count > 1 ? made.deed.title.replace(/ here$/, ` at ${short(place)}`) : one.meaning || one.line;
      said.append(make("p", `✓ ${words}`, { class: "said" }));
      const row = make("div", "", { class: "parts" });
      row.append(...controls(one, made.from + made.count - 1));
      if (made.deed?.brush && turn.up) row.append(button("More of these …", () => spread(made.deed), { class: "chip strong" }));
      row.append(button("Take back", () => ((made = null), turn.undo(), kind === "tray" ? showTray() : look()), { class: "chip" }));
      said.append(row);
      if (one.whole?.parts.length) said.append(fields(one, made.from + made.count - 1));
      return said;
    }

    const single = (part) => !part.counts && (part.least ?? 1) === 1 && (part.most ?? 1) === 1;

    /** The parts that are changed most: numbers, and one of a few that lie nowhere. */
    function controls(one, number) {
      const parts = one.whole?.parts || [];
      const seen = (part, place) => (part.counts ? (part.most ?? 1) > (part.least ?? 1) : single(part) && place > 0 && part.options?.length > 1 && !part.options.some((option) => option.at));
      return parts.filter(seen).map((part) => (part.counts ? counter(one, part, number) : choice(one, part, number)));
    }

    /** All parts of a line, folded. */
    function fields(one, number) {
      const all = make("details", "", { class: "fields" });
      all.append(make("summary", "Change every part"));
      for (const part of one.whole.parts) {
        if (part.counts ? (part.most ?? 1) <= (part.least ?? 1) : !part.options?.length || (single(part) && part.options.length < 2)) continue;
        const field = make("fieldset");
        field.append(make("legend", `${cap(part.field)}: ${part.picked.join(", ") || "none"}`));
        if (part.counts) field.append(counter(one, part, number));
        else if (single(part)) field.append(choice(one, part, number));
        else decision(field, part, (picked) => change(one, number, part.field, picked));
        all.append(field);
      }
      return all;
    }

    async function change(one, number, field, picked) {
      const said = Object.fromEntries(one.whole.parts.map((part) => [part.field, part.picked]));
      const before = turn.lines.slice(0, number).map((line) => line.line).join("\n");
      const whole = await asked(() => turn.ask("whole", one.whole.verb, { ...said, [field]: picked }, before));
      if (!whole || whole.refused) return void say(whole?.refused || "That cannot be done now.");
      turn.set(turn.lines.map((line, place) => (place === number ? { ...line, line: whole.line, meaning: whole.meaning, whole, why: "" } : line)));
      if (kind === "tray") showTray();
      else if (kind === "line") line(number);
      else show();
    }

    function counter(one, part, number) {
      const [least, most] = [part.least ?? 1, part.most ?? 1];
      const now = part.picked[0] === "all" ? most : Number(part.picked[0]);
      const row = make("span", "", { class: "count", role: "group", "aria-label": `${part.field}: ${part.counts}` });
      const set = (count) => change(one, number, part.field, [String(count)]);
      row.append(
        button("−", () => set(now - 1), { disabled: now <= least, "aria-label": "One less" }),
        make("b", String(now)),
        button("+", () => set(now + 1), { disabled: now >= most, "aria-label": "One more" }),
        make("small", part.counts),
      );
      return row;
    }

    function choice(one, part, number) {
      const pick = make("select", "", { "aria-label": cap(part.field) });
      for (const option of part.options) pick.append(make("option", option.meaning && part.options.length <= NAMED ? `${option.word} (${option.meaning})` : option.word, { value: option.word, selected: option.word === part.picked[0] }));
      pick.addEventListener("change", () => change(one, number, part.field, [pick.value]));
      return pick;
    }

    // -------------------------------------------------------------- nowhere on the map, asked meanwhile, one line

    async function showTray() {
      const before = kind === "tray" ? made : null;
      [place, aim, brush, made, deeds] = ["", null, null, before, null];
      open("tray", "Not on the map", [make("p", "…", { class: "faint" })]);
      light();
      const found = (await asked(() => turn.tray())) || [];
      if (kind !== "tray") return;
      const parts = made ? [done()] : [];
      const themes = [...new Set(found.filter((one) => one.theme).map((one) => one.theme))];
      for (const theme of themes) parts.push(make("h3", theme), box(found.filter((one) => one.theme === theme)));
      const others = found.filter((one) => !one.theme);
      if (others.length) {
        const more = make("details", "", { class: "more", open: unfolded ?? !themes.length });
        const summary = make("summary", `${others.length} more, seldom needed`);
        summary.addEventListener("click", () => (unfolded = !more.open));
        more.append(summary, box(others, true));
        parts.push(more);
      }
      if (!found.length) parts.push(make("p", "Nothing can be ordered now.", { class: "faint" }));
      open("tray", "Not on the map", parts);
    }

    /** The questions to the player, each with its answers. */
    function questions() {
      [place, aim, brush, made, story] = ["", null, null, null, []];
      const parts = turn.table.choices.questions.map((question, number) => {
        const field = make("fieldset", "", { class: "question" });
        field.append(make("legend", question.text));
        const mine = turn.lines.filter((one) => /^choose\b/i.test(one.line))[number];
        if (mine) field.append(make("p", `✓ ${mine.line.replace(/^choose\s*/i, "")}`, { class: "said" }));
        decision(field, question.answers, (picked) => answer(number, picked));
        return field;
      });
      open("questions", turn.table.choices.questions.length > 1 ? "You are asked" : "A question", parts);
      light();
    }

    /** Of several answers the one to this question takes the place of the one before. */
    function answer(number, picked) {
      const line = { line: `CHOOSE ${picked.join(", ") || "none"}`, places: [] };
      const spots = turn.lines.flatMap((one, spot) => (/^choose\b/i.test(one.line) ? [spot] : []));
      const lines = [...turn.lines];
      if (number < spots.length) lines[spots[number]] = line;
      else lines.push(line);
      turn.set(lines);
      questions();
    }

    /** A line of the letter with its parts. */
    async function line(number) {
      const one = turn.lines[number];
      if (!one.whole && turn.up) {
        const before = turn.lines.filter((_, at) => at < number).map((each) => each.line).join("\n");
        const found = await asked(() => turn.ask("unfolded", one.line, before));
        if (found && !found.refused) one.whole = found;
      }
      [place, aim, brush] = ["", null, null];
      made = { from: number, count: 1, deed: null };
      open("line", "This line", one.whole ? [done()] : [make("p", one.meaning || one.line), make("p", "This line is changed as text, in your letter.", { class: "faint" })]);
      host.querySelector("details.fields")?.setAttribute("open", "");
      light();
    }

    /** A page of the story, and the places that it rings. */
    function tell(title, parts, places, what = "story") {
      [place, aim, brush, made, deeds, story] = ["", null, null, null, null, places];
      open(what, title, parts);
      host.scrollTop = 0;
      light();
      paint();
      if (places.length) near(places);
    }

    return {
      tapped, select, close, tray: showTray, questions, line, tell, light, paint,
      kind: () => kind,
      focus: () => at("sheet-title")?.focus({ preventScroll: true }),
      /** Another table, or another letter. */
      renew() {
        paint();
        light();
      },
    };
  }

  globalThis.tableSheet = { sheetOn };
})();
