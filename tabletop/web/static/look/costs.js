// After a match: the decisions that cost most, and what each cost, compared with the best play.

import { button, element, holding } from "../dom.js";
import { ask } from "../link.js";

const AGAIN_MS = 500;

export function costing(cost, percent, { language }) {
  const figure = (percent ? 100 * cost : cost).toLocaleString(language, { maximumFractionDigits: 1, minimumFractionDigits: 1 });
  return `−${figure}${percent ? " %" : ""}`;
}

export async function openCosts({ words, costs }) {
  const told = holding("div", "");
  const shown = holding("dialog", "", element("h2", "", costs), told, button("large", words.done, () => shown.close()));
  shown.id = "costs";
  shown.setAttribute("aria-label", costs);
  shown.addEventListener("close", () => shown.remove());
  document.body.append(shown);
  shown.showModal();
  while (shown.open) {
    const found = await ask("/costs");
    if (!found) return shown.close();
    const rows = found.worst.map(({ player, did, best, cost }) => holding("li", "", element("b", "", costing(cost, found.percent, words)),
      holding("span", "", element("small", "", player), " ", `${did} → ${best}`)));
    told.replaceChildren(...found.notes.map((note) => element("p", "", note)), holding("ol", "", ...rows));
    if (!found.working) return;
    await new Promise((done) => { setTimeout(done, AGAIN_MS); });
  }
}
