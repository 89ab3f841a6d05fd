// The link that creates the finished match in the app BG Stats, and its QR code for another phone.

import { button, element, holding, svg } from "../dom.js";
import { ask } from "../link.js";

const QUIET = 4; // modules around a code (ISO/IEC 18004)

export async function openPosting({ words }) {
  const found = await ask("/bgstats");
  if (!found) return; // the table is away; the page says so elsewhere
  const { link, code } = found, size = code.length + 2 * QUIET;
  const path = code.map((row, y) => [...row.matchAll(/1+/g)].map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`).join("")).join("");
  const picture = svg("svg", { viewBox: `-${QUIET} -${QUIET} ${size} ${size}`, "aria-hidden": "true", "shape-rendering": "crispEdges" }, svg("path", { d: path }));
  const open = Object.assign(element("a", "large main", words.bgstats_open), { href: link, target: "_blank", rel: "noopener" });
  const note = element("p", "", code.length ? words.bgstats_scan : link ? words.bgstats_long : words.bgstats_none);
  const parts = [...(link ? [open] : []), note, ...(code.length ? [picture] : [])];
  const shown = holding("dialog", "", element("h2", "", words.bgstats), ...parts, button("large", words.done, () => shown.close()));
  shown.id = "bgstats";
  shown.setAttribute("aria-label", words.bgstats);
  shown.addEventListener("close", () => shown.remove());
  document.body.append(shown);
  shown.showModal();
}
