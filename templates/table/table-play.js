/* A match of the page's own: its door, the seats that friends play at this screen, its finish, and how it is kept in this browser. */
"use strict";

(() => {
  const { make, button, shelf } = globalThis.tableParts;
  const { portrait, habits, seated } = globalThis.tableFaces;
  const at = (id) => document.getElementById(id);
  const { linesOf } = globalThis.tableTurn;
  const SVG = "http://www.w3.org/2000/svg";
  const STOOD = 60;

  /** `begins` plays a new match with what was chosen, `again` one that was kept; `sheet` shows its finish. */
  function playOn({ turn, sheet, say, begins, again }) {
    let match = null;

    // -------------------------------------------------------------- the door

    const OTHERS = "The rules have changed since that match was kept, and it cannot go on. A new one with the same seats can begin.";

    /** Shows what can be chosen of a match of this game; one that this window was playing goes on at once. */
    async function open(game) {
      at("open").hidden = true;
      const kept = shelf.read(`play ${game}`);
      const mine = kept && shelf.here() === game;
      if (mine && (await goOn(kept))) return;
      if (mine) say(OTHERS);
      const door = at("door");
      door.hidden = false;
      door.replaceChildren(make("h1", "Play now"), make("p", "The rules are loading …", { role: "status", class: "faint" }));
      try {
        if (!(await turn.warm())) throw new Error("The rules are not beside this page, so no match can be played on it.");
        turn.engine.ready ??= Promise.resolve();
        door.replaceChildren(...doorOf(game, await turn.ask("door", game), kept));
        door.querySelector("button").focus({ preventScroll: true });
        door.append(...(await offline()));
      } catch (problem) {
        door.hidden = true;
        say(problem.message);
      }
    }

    /** Keeps the page and its rules for when there is no network, where a browser can; and says so. */
    async function offline() {
      try {
        await navigator.serviceWorker.register("table-offline.js");
        await navigator.serviceWorker.ready;
        return [make("p", "This page and its rules are kept here now, too: you can play without a network.", { class: "faint", id: "kept-here" })];
      } catch {
        return []; // from a disk, by plain http, or not allowed: it is played while there is a network
      }
    }

    function doorOf(game, about, kept) {
      const choose = (name, words, options, usual) => {
        const row = make("p");
        const select = make("select", "", { id: `door-${name}` });
        const before = String(kept?.chosen[name] ?? usual);
        select.append(...options.map(([value, said]) => make("option", said, { value, selected: value === before })));
        row.append(make("label", words, { for: select.id }), select);
        return [row, () => select.value];
      };
      const numbers = (from, to, said) => Array.from({ length: to - from + 1 }, (_, more) => [String(from + more), said(from + more)]);
      const [seat, mine] = choose("seat", "You are", [["", "whoever comes"], ...about.seats.map((one) => [one, one])], "");
      const [players, number] = choose("players", "Seats in play", numbers(about.least, about.most, String), String(about.usual));
      const [people, friends] = choose("people", "People at this screen", numbers(1, about.most, (one) => (one === 1 ? "only me" : String(one))), "1");
      const [bots, strength] = choose("bots", "All other seats", [["steady", "steady bots, who plan their turns"], ["novice", "novices, who choose at random"]], "steady");
      const [written, hints] = choose("hints", "Your turns", [["no", "written for you to change"], ["yes", "yours to write, with hints"]], "no");
      const against = make("div", "", { class: "against", role: "group", "aria-label": "Your opponents" });
      function meet() {
        const bots = about.bots.find(([one]) => one.strength === strength()).slice(0, Math.max(0, Number(number()) - Number(friends())));
        const row = make("ul", "", { class: "faces" });
        row.append(...bots.map((bot) => {
          const one = make("li");
          one.append(portrait(bot), bot.name);
          return one;
        }));
        against.replaceChildren(row, ...habits(bots));
      }
      for (const one of [players, people, bots]) one.addEventListener("change", meet);
      meet();
      const parts = [make("h1", about.title), make("p", about.about), make("a", "New to it? Learn it in ten minutes", { href: `#learn=${game}`, class: "chip" })];
      if (kept) {
        const row = make("p", "", { class: "buttons" });
        row.append(button(`Go on with your match (${kept.where})`, async () => (await goOn(kept)) || say(OTHERS), { id: "door-again" }));
        parts.push(row);
      }
      const row = make("p", "", { class: "buttons" });
      row.append(button(kept ? "Begin a new match" : "Begin", () => start({ game, seat: mine(), players: Number(number()), people: Math.min(Number(friends()), Number(number())), bots: strength(), hints: hints() }), { id: "door-begin", class: kept ? "chip" : false }));
      return [...parts, seat, players, people, bots, against, written, row, make("p", "It is played in this browser alone: nobody else hears of it, and it is kept here until you begin another.", { class: "faint" })];
    }

    const own = {
      stands, leave,
      bare: () => match.chosen.hints === "yes",
      before: () => ({ saved: match.stood.at(-2).saved, lines: linesIn(match.stood.at(-2).letter) }),
      goesBack: () => (match.stood.pop(), match.course.pop(), (match.stood.at(-1).same = true)),
    };
    const linesIn = (letter) => (letter === null ? null : linesOf(letter).map((line) => ({ line })));

    function start(chosen) {
      say("");
      match = { chosen, course: [], stood: [] };
      return begins(own, chosen);
    }

    /** Goes on with a match that was kept; its last letter is kept by itself, as it changes often. */
    async function goOn({ chosen, course, stood }) {
      if (!stood?.length) return false;
      match = { chosen, course, stood, seat: chosen.people > 1 ? "" : undefined };
      stood.at(-1).same = true;
      const goes = await again(own, { saved: stood.at(-1).saved, lines: linesIn(shelf.read(`play ${chosen.game} letter`)) });
      if (!goes) match = null;
      return goes;
    }

    /** To the door; the match is kept. */
    function leave() {
      shelf.turnTo("");
      location.reload();
    }

    // -------------------------------------------------------------- the match

    /** Somebody is asked, or the match is over: it is kept, the screen handed on, the finish shown. Gives how often it can go back. */
    async function stands(said, letter) {
      const { table } = said;
      const { game } = match.chosen;
      if (match.stood.at(-1)?.same) delete match.stood.at(-1).same;
      else {
        match.course.push(Object.fromEntries(table.standings.standings.map(({ seat, score }) => [seat, score])));
        match.stood = [...match.stood.slice(1 - STOOD), { saved: await turn.ask("saved"), letter: null }];
      }
      match.where = table.standings.final ? "its finish" : `${table.seat}, ${table.phase}`;
      shelf.turnTo(game);
      drafted(letter);
      while (!shelf.keep(`play ${game}`, match) && match.stood.length > 1) match.stood.splice(0, Math.ceil(match.stood.length / 2));
      if (table.standings.final) finish(table);
      else if (match.seat !== undefined && match.seat !== table.seat) handOn(table.seat);
      match.seat = table.seat;
      return match.stood.length - 1;
    }

    /** The letter under way, which is kept too. */
    function drafted(letter) {
      if (!match?.stood.length) return;
      match.stood.at(-1).letter = letter;
      shelf.keep(`play ${match.chosen.game} letter`, letter);
    }

    function handOn(seat) {
      const curtain = at("curtain");
      curtain.replaceChildren(make("h2", `Now ${seat} plays`), make("p", "Hand the screen on: the next page is for one pair of eyes."), button(`${seat} is here`, () => curtain.close()));
      curtain.showModal();
    }

    // -------------------------------------------------------------- the finish

    function finish(table) {
      const { standings, unit } = table.standings;
      const first = standings.filter((one) => one.rank === 1).map((one) => one.seat);
      const colours = Object.fromEntries(table.seats.map((one) => [one.seat, one.colour]));
      const row = make("p", "", { class: "buttons" });
      row.append(button("Once more", () => (sheet.close(), start(match.chosen)), { id: "once-more" }), button("Another match", leave, { class: "chip" }));
      const people = make("p", "", { hidden: true });
      people.append(make("a", "Play it by mail with people", { href: `g/${match.chosen.game}.html`, class: "chip" }));
      fetch(`g/${match.chosen.game}.html`, { method: "HEAD" }).then((answer) => (people.hidden = !answer.ok), () => null);
      sheet.tell(`${first.join(" and ")} ${first.length > 1 ? "have" : "has"} won`, [row, curve(match.course, colours, unit), ...seated(table), people].filter(Boolean), []);
    }

    /** A line a seat: its score after each turn. */
    function curve(course, colours, unit) {
      if (course.length < 2) return null;
      const most = Math.max(1, ...course.flatMap((scores) => Object.values(scores)));
      const drawn = document.createElementNS(SVG, "svg");
      drawn.setAttribute("viewBox", "-4 -4 328 108");
      drawn.setAttribute("role", "img");
      drawn.setAttribute("class", "course");
      drawn.setAttribute("aria-label", `How the ${unit} went, turn by turn`);
      for (const seat of Object.keys(course[0])) {
        const line = document.createElementNS(SVG, "polyline");
        const spots = course.map((scores, number) => `${((320 * number) / (course.length - 1)).toFixed(1)},${(100 - (100 * (scores[seat] ?? 0)) / most).toFixed(1)}`);
        for (const [name, value] of Object.entries({ points: spots.join(" "), fill: "none", stroke: colours[seat] || "gray", "stroke-width": "2.5", "stroke-linejoin": "round" })) line.setAttribute(name, value);
        drawn.append(line);
      }
      return drawn;
    }

    return { open, drafted, offline };
  }

  globalThis.tablePlay = { playOn };
})();
