/* A match of the page's own: its door, the seats that friends play at this screen, its finish, and how it is kept in this browser. */
"use strict";

(() => {
  const { make, button, shelf } = globalThis.tableParts;
  const { portrait, habits, seated } = globalThis.tableFaces;
  const at = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";

  /** `begins` plays a new match with what was chosen, `again` one that was kept; `sheet` shows its finish. */
  function playOn({ turn, sheet, say, begins, again }) {
    let match = null;

    // -------------------------------------------------------------- the door

    /** Shows what can be chosen of a match of this game; one that this window was playing goes on at once. */
    async function open(game) {
      at("open").hidden = true;
      const kept = shelf.read(`play ${game}`);
      if (kept && shelf.here() === game && (await goOn(kept))) return;
      const door = at("door");
      door.hidden = false;
      door.replaceChildren(make("h1", "Play now"), make("p", "The rules are loading …", { role: "status", class: "faint" }));
      try {
        if (!(await turn.warm())) throw new Error("The rules are not beside this page, so no match can be played on it.");
        turn.engine.ready ??= Promise.resolve();
        door.replaceChildren(...doorOf(game, await turn.ask("door", game), kept));
        door.querySelector("button").focus({ preventScroll: true });
      } catch (problem) {
        door.hidden = true;
        say(problem.message);
      }
    }

    function doorOf(game, about, kept) {
      const choose = (name, words, options, usual) => {
        const row = make("p");
        const select = make("select", "", { id: `door-${name}` });
        select.append(...options.map(([value, said]) => make("option", said, { value, selected: value === usual })));
        row.append(make("label", words, { for: select.id }), select);
        return [row, () => select.value];
      };
      const numbers = (from, to, said) => Array.from({ length: to - from + 1 }, (_, more) => [String(from + more), said(from + more)]);
      const [seat, mine] = choose("seat", "You are", [["", "whoever comes"], ...about.seats.map((one) => [one, one])], "");
      const [players, number] = choose("players", "Seats in play", numbers(about.least, about.most, String), String(about.usual));
      const [people, friends] = choose("people", "People at this screen", numbers(1, about.most, (one) => (one === 1 ? "only me" : String(one))), "1");
      const [bots, strength] = choose("bots", "All other seats", [["steady", "steady bots, who plan their turns"], ["novice", "novices, who choose at random"]], "steady");
      const against = make("div", "", { class: "against", role: "group", "aria-label": "Who plays against you" });
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
      const parts = [make("h1", about.title), make("p", about.about)];
      if (kept) {
        const row = make("p", "", { class: "buttons" });
        row.append(button(`Go on with your match (${kept.where})`, async () => (await goOn(kept)) || say("The rules have changed since that match was kept, and it cannot go on. Begin a new one."), { id: "door-again" }));
        parts.push(row);
      }
      const row = make("p", "", { class: "buttons" });
      row.append(button(kept ? "Begin a new match" : "Begin", () => start({ game, seat: mine(), players: Number(number()), people: Math.min(Number(friends()), Number(number())), bots: strength() }), { id: "door-begin", class: kept ? "chip" : false }));
      return [...parts, seat, players, people, bots, against, row, make("p", "It is played in this browser alone: nobody else hears of it, and it is kept here until you begin another.", { class: "faint" })];
    }

    function start(chosen) {
      match = { chosen, course: [], before: 0 };
      return begins(chosen);
    }

    async function goOn(kept) {
      match = { chosen: kept.chosen, course: kept.course, before: kept.course.length - 1 };
      return again(kept.saved, kept.draft);
    }

    /** To the door; the match is kept. */
    function leave() {
      shelf.turnTo("");
      location.reload();
    }

    // -------------------------------------------------------------- the match

    /** Somebody is asked, or the match is over: it is kept, the screen handed on, the finish shown. */
    async function stands(said, draft = null) {
      const { table } = said;
      const scores = Object.fromEntries(table.standings.standings.map(({ seat, score }) => [seat, score]));
      match.course.length = match.before + said.back;
      match.course.push(scores);
      const { game } = match.chosen;
      shelf.turnTo(game);
      match.kept = { chosen: match.chosen, course: match.course, where: table.standings.final ? "its finish" : `${table.seat}, ${table.phase}`, saved: await turn.ask("saved"), draft };
      shelf.keep(`play ${game}`, match.kept);
      if (table.standings.final) finish(table);
      else if (match.seat && match.seat !== table.seat) handOn(table.seat);
      match.seat = table.seat;
    }

    /** The letter under way, which is kept too. */
    function drafted(text) {
      if (!match?.kept) return;
      match.kept.draft = text;
      shelf.keep(`play ${match.chosen.game}`, match.kept);
    }

    function handOn(seat) {
      const curtain = at("curtain");
      curtain.replaceChildren(make("h2", `Now ${seat} plays`), make("p", "Hand the screen on: what follows is for one pair of eyes."), button(`${seat} is here`, () => curtain.close()));
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

    return { open, stands, drafted, leave, mine: () => match !== null };
  }

  globalThis.tablePlay = { playOn };
})();
