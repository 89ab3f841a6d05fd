// The figures of a picture of the tray as large signs, and the markers in it.

import { element, find, holding, svg } from "./dom.js";

export function showSigns(seen) {
  find("arm-title").textContent = seen.title;
  find("arm-picture").setAttribute("aria-label", seen.title);
  find("markers").replaceChildren(...seen.markers.map((outline) => svg("polygon", { points: outline.join(" ") })));
  find("signs").replaceChildren(...seen.signs.map(({ name, figure, advice }) => {
    const parts = [["name", name], ["figure", figure], ["advice", advice || `✓ ${seen.good}`]];
    return holding("li", advice ? "wrong" : "right", ...parts.map(([part, text]) => element("span", part, text)));
  }));
}
