/* The turn that is being written: its lines, what the rules say of each, what can be done next. Nothing here knows the page. */
"use strict";

(() => {
  const { Engine, found } = globalThis.tableEngine;
  const MOST_DEATHS = 3;

  /** A turn whose lines change; `changed` is told so, `weighed` when the rules have looked at them, `failed` when they could not,
   *  `lost` when they ended, `waits` whether an answer of theirs is waited for. */
  class Turn {
    constructor({ changed, weighed, failed, ready, lost, waits }) {
      Object.assign(this, { changed, weighed, failed, ready, lost, waits, table: null, lines: [], undone: [], starts: [], doubts: [], latest: 0, deaths: 0, asked: 0 });
    }

    /** Shows another table, with the lines of a letter. */
    begin(table, lines) {
      Object.assign(this, { table, lines, undone: [], doubts: [], starts: table.index?.starts || [] });
      this.latest += 1;
    }

    /** The rules know another table, and say nothing of the next before they have it. */
    leave() {
      if (this.engine) this.engine.up = false;
    }

    text() {
      return this.lines.map((one) => one.line).join("\n");
    }

    // -------------------------------------------------------------- the rules

    /** The rules begin to load as soon as the page is there, before it has a table. */
    async warm() {
      this.folder ??= found();
      const beside = await this.folder;
      if (!beside) return "";
      if (!this.engine) {
        this.engine = new Engine(beside);
        this.engine.ended = () => this.gone();
        this.spare = new Engine(beside);
      }
      this.engine.start(this.table?.game);
      return beside;
    }

    /** Loads the rules for the table that is shown. Gives a sentence for the reader. */
    async load() {
      const mine = this.table;
      if (!(await this.warm())) return "The referee's rules are not beside this page: your letter is checked when it arrives.";
      if (this.table !== mine) return null;
      this.spare.end("were left");
      this.spare.table = mine;
      const about = JSON.parse(await this.engine.load(mine));
      if (this.table !== mine) return null;
      this.engine.up = true;
      this.ready();
      return about.rules === mine.known.rules ? "" : "These rules are of another version than the referee's, which has the last word.";
    }

    get up() {
      return Boolean(this.engine?.up);
    }

    ask(what, ...given) {
      return this.engine.ask(what, ...given);
    }

    /** The answer of the rules; everybody knows meanwhile that it is waited for. */
    async waited(what) {
      this.waits((this.asked += 1) > 0);
      try {
        return await what();
      } finally {
        this.waits((this.asked -= 1) > 0);
      }
    }

    /** The Worker ended: it is replaced a few times. */
    async gone() {
      this.lost();
      if (!this.table) return;
      if (this.deaths >= MOST_DEATHS) return this.failed();
      this.deaths += 1;
      await this.load().catch(() => null);
    }

    /** The referee's judgement of the letter, and the places where something can still begin. */
    async weigh() {
      const mine = (this.latest += 1);
      if (!this.up) return;
      try {
        const said = await this.ask("judge", this.text());
        if (mine !== this.latest) return;
        for (const [number, one] of this.lines.entries()) {
          const good = said.lines.find((line) => line.line === number + 1);
          const bad = said.refused.find((line) => line.number === number + 1);
          const unread = said.ignored.find((line) => line.number === number + 1);
          one.meaning = good?.meaning || (bad || unread ? "" : one.meaning);
          one.bad = bad ? bad.sentence : "";
          one.instead = bad?.instead || [];
          one.unread = unread ? `Not read: ${unread.why}.` : "";
          one.at_once = Boolean(good?.at_once);
        }
        this.doubts = said.doubts;
        this.weighed();
        const open = await this.ask("starts", this.text());
        if (mine !== this.latest) return;
        this.starts = open;
        this.weighed(true);
      } catch {
        if (mine === this.latest && this.up) this.failed(); // a Worker that ended is replaced, and looks again
      }
    }

    // -------------------------------------------------------------- what can be done

    /** The orders that are possible at a place: from the rules, or before they are there from the file. */
    async at(place, seldom = false, without = null) {
      if (!this.up) return this.table.index?.places?.[place] || [];
      const rest = without ? this.lines.filter((_, number) => !without.has(number)).map((one) => one.line).join("\n") : this.text();
      return this.ask("at", place, rest, seldom);
    }

    async tray() {
      return this.up ? this.ask("tray", this.text()) : this.table.index?.tray || [];
    }

    /** The line of a deed with one of its targets. */
    async made(deed, target, rest = this.lines) {
      const word = target && (deed.words?.[target] || target);
      const said = { ...deed.said, ...(word ? { [deed.aim]: [word] } : {}) };
      if (this.up) return this.ask("whole", deed.verb, said, rest.map((one) => one.line).join("\n"));
      const first = Object.keys(deed.targets || {})[0];
      const usual = deed.words?.[first] || first;
      const put = (text = "") => {
        const spot = word ? text.lastIndexOf(usual) : -1;
        return spot < 0 ? text : text.slice(0, spot) + word + text.slice(spot + usual.length);
      };
      return { verb: deed.verb, line: put(deed.line), meaning: put(deed.meaning) };
    }

    // -------------------------------------------------------------- lines

    remember() {
      this.undone.push(this.lines.map((one) => ({ ...one })));
    }

    set(lines) {
      this.remember();
      this.lines = lines;
      this.changed();
    }

    undo() {
      if (!this.undone.length) return;
      this.lines = this.undone.pop();
      this.changed();
    }

    takeOut(at, count = 1) {
      this.set(this.lines.filter((_, number) => number < at || number >= at + count));
    }

    /** Lines that belong together are one row: who walks somewhere to work there. */
    rows() {
      const rows = [];
      for (let at = 0; at < this.lines.length; at += 1) {
        const [one, next] = [this.lines[at], this.lines[at + 1]];
        if (!one.line.trim() || one.line.trim().startsWith("#")) continue;
        const [, who, where] = one.line.match(/^MOVE ([\w ]+ \d+) TO (\S+)$/) || [];
        if (who && next?.line.endsWith(` WITH ${who}`)) {
          const what = next.line.slice(next.line.indexOf(" ") + 1, next.line.lastIndexOf(" WITH "));
          const meaning = `${what.charAt(0).toUpperCase()}${what.slice(1)} at ${short(where)}`;
          rows.push({ ...one, at, count: 2, meaning, line: `${one.line}\n${next.line}`, bad: one.bad || next.bad, instead: [] });
          at += 1;
        } else rows.push({ ...one, at, count: 1 });
      }
      return rows;
    }
  }

  /** A square's name for people. */
  const short = (name) => (/^c\d+r\d+$/.test(name) ? `square ${name.slice(1).replace("r", "·")}` : name);

  /** The lines of a text, without empty ones at its end. */
  const linesOf = (text) => (text.trim() ? text.replace(/\s+$/, "").split("\n") : []);

  globalThis.tableTurn = { Turn, short, linesOf };
})();
