/* The referee's rules in the background: a Worker that reads, weighs and foresees, and is replaced when it ends. */
"use strict";

(() => {
  const FOLDERS = ["../engine/", "engine/"];
  const PATIENCE = 60_000;

  async function found() {
    if (location.protocol === "file:") return "";
    for (const folder of FOLDERS) {
      try {
        const answer = await fetch(`${folder}engine.json`, { cache: "no-cache" });
        if (answer.ok && (await answer.json()).form === 1) return new URL(folder, location.href).href;
      } catch {
        /* not there: the next one */
      }
    }
    return "";
  }

  /** One Worker with a table in it. A question it does not answer in time, or dies of, ends it; the next one starts anew.
   *  It takes seconds to start, so it may begin before there is a table. */
  class Engine {
    constructor(folder) {
      this.folder = folder;
      this.table = null;
      this.up = false;
      this.ended = () => {};
      this.asked = new Map();
      this.number = 0;
    }

    /** Puts another table into it; a Worker that runs already need not start again. */
    load(table) {
      this.table = table;
      this.up = false;
      this.start();
      this.ready = this.post("open", [table]);
      return this.ready;
    }

    start() {
      if (this.worker) return;
      this.worker = new Worker(`${this.folder}worker.js`, { type: "module" });
      this.worker.onmessage = ({ data }) => {
        const waiting = this.asked.get(data.number);
        this.asked.delete(data.number);
        if (!waiting) return;
        clearTimeout(waiting.late);
        if (data.trouble) console.error(data.trouble, data.detail);
        if (data.fatal) {
          waiting.fail(new Error(data.trouble));
          this.end("ended");
        } else if (data.trouble) waiting.fail(new Error(data.trouble));
        else waiting.done(data.said);
      };
      this.worker.onerror = (event) => this.end(event.message || "could not start");
      this.ready = null;
    }

    post(what, given) {
      const number = (this.number += 1);
      return new Promise((done, fail) => {
        const late = setTimeout(() => this.end("took too long"), PATIENCE);
        this.asked.set(number, { done, fail, late });
        this.worker.postMessage({ number, what, given });
      });
    }

    async ask(what, ...given) {
      await (this.ready ?? this.load(this.table));
      return JSON.parse(await this.post(what, given));
    }

    end(why) {
      if (this.worker) this.worker.terminate();
      this.worker = this.ready = null;
      this.up = false;
      for (const waiting of this.asked.values()) {
        clearTimeout(waiting.late);
        waiting.fail(new Error(`The rules ${why}.`));
      }
      this.asked.clear();
      this.ended();
    }
  }

  globalThis.tableEngine = { found, Engine };
})();
