// During a coached match: the best answer, and what each other one costs.

import { element, find, holding, onChange } from "../dom.js";
import { ask } from "../link.js";
import { costing } from "./costs.js";

const AGAIN_MS = 500, DECISIONS = ["keep", "choose", "stop"];

export function showAdvice({ match, history, over, costs, asking, words }) {
  const decides = DECISIONS.includes(asking?.kind);
  onChange("advice", costs && !over && [match, history.entries, decides, words.language], async (coached) => {
    find("advice")?.remove();
    if (!coached) return;
    const told = holding("div", ""), shown = holding("section", "", element("h3", "", costs), told);
    shown.id = "advice";
    find("stage").append(shown);
    for (let found = { working: decides }; found?.working && shown.isConnected;) {
      found = await ask("/costs");
      const rows = found?.worst.map(({ did, cost }) => holding("li", "", element("b", "", cost ? costing(cost, found.percent, words) : "✓"), element("span", "", did))) ?? [];
      told.replaceChildren(...(found?.notes ?? []).map((note) => element("p", "", note)), holding("ol", "", ...rows));
      if (found?.working) await new Promise((done) => { setTimeout(done, AGAIN_MS); });
    }
  });
}
