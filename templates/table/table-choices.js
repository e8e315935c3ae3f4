/* What may be chosen, step after step: from the file alone, or asked of the referee's rules where the page has them. */
"use strict";

(() => {
  const listed = (picked) => picked.join(", ");

  /** Every place on the map at which an order of the file begins. */
  function placesOf(orders) {
    const found = new Map();
    for (const order of orders)
      for (const option of (order.first && order.first.options) || [])
        if (option.at) {
          if (!found.has(option.at)) found.set(option.at, []);
          found.get(option.at).push({ order, option });
        }
    return found;
  }

  /** The line that answers a question of the referee's. */
  function answerLine(picked) {
    return `CHOOSE ${listed(picked) || "none"}`;
  }

  /** Whether so many things may be picked in a step. */
  function enough(step, picked) {
    if (step.counts) return picked.length === 1;
    return picked.length >= step.least && picked.length <= step.most;
  }

  globalThis.tableChoices = { placesOf, answerLine, enough };
})();
