// The tray as the camera sees it: looked at only while it is on the screen, outlines drawn over the picture.

import { drawPicture, find, keepFocus, onChange, set, show as showText, svg } from "../dom.js";
import { chooseUnread, correctable, dieOfThrow, mayCorrect, tappable } from "./correct.js";

const CORNER = 0.16, TAG = 0.62, AWAY = 0.72; // of a die's edge
const LEAST_TAG = 0.034; // of the picture's width: a figure that can be read on a phone
const FINGER = 13.5; // per cent of the picture's width: 44 pixels on a phone
const AGAIN_MS = 4000;
let stream = null, retry = 0, words = {}, shown = null, seen = true, allowed = false;

// Look, or stop looking: nobody is sent pictures of what is not on the screen.
function look() {
  const wanted = allowed && seen && !document.hidden;
  document.body.dataset.looks = wanted ? "yes" : "no";
  if (wanted === Boolean(stream)) return;
  clearTimeout(retry);
  stream?.close();
  stream = wanted ? new EventSource("/tray") : null;
  stream?.addEventListener("message", (event) => show(JSON.parse(event.data)));
  stream?.addEventListener("error", () => {
    if (stream?.readyState !== EventSource.CLOSED) return;
    stream = null;
    retry = setTimeout(look, AGAIN_MS);
  });
}

async function show(tray) {
  if (!await drawPicture(find("picture"), tray.picture, () => !shown || tray.count >= shown.count)) return;
  shown = tray;
  find("tray").hidden = false;
  outline();
  document.body.dataset.tray = tray.count;
}

// Draw the outlines again when what they mean has changed: the language, or which dice may be set right.
export function showTray(now, you) {
  words = now.words;
  allowed = you.pictures;
  if (!allowed) shown = null;
  find("tray").hidden = allowed && !shown;
  find("tray-picture").hidden = !allowed;
  showText("tray-closed", allowed ? "" : words.tray_closed);
  look();
  find("tray-title").textContent = words.tray;
  onChange("tray", [words.language, mayCorrect(), now.dice], outline);
}

function outline() {
  if (!shown) return;
  const { shape, dice, unsure } = shown, high = 100 / shape;
  const marks = [
    ...unsure.map((thing) => mark(thing, high, "unsure", thing.faces.join("/") || "?")),
    ...dice.map((die) => mark(die, high, die.kept ? "kept" : "sure", String(die.face))),
  ];
  const over = find("outlines"), taps = marks.some((made) => made.classList.contains("tap"));
  over.setAttribute("viewBox", `0 0 100 ${high}`);
  marks.forEach((made, at) => { made.id = `mark-${at}`; });
  keepFocus(over, () => over.replaceChildren(...marks));
  const said = [...dice.map((die) => `${die.face}${die.kept ? ` (${words.kept})` : ""}`), ...unsure.map(() => `? (${words.unread})`)];
  find("picture").setAttribute("aria-label", said.length ? said.join(", ") : words.no_dice);
  set(over, { role: "group", "aria-label": words.tray, "aria-hidden": taps ? null : "true" });
}

// A die's outline, with its face beside it, towards the middle of the picture where it would be cut off.
function mark(thing, high, kind, text) {
  const { x, y, size, angle = 0, face, kept } = thing;
  const edge = size * 100, cx = x * 100, cy = y * high, letters = Math.max(edge * TAG, LEAST_TAG * 100);
  const box = { x: cx - edge / 2, y: cy - edge / 2, width: edge, height: edge, rx: edge * CORNER };
  const turn = `rotate(${angle} ${cx} ${cy})`;
  const up = cy - edge * AWAY - letters > 0 ? -1 : 1;
  const ty = cy + up * (edge * AWAY + letters / 2), wide = letters * (0.5 + text.length * 0.55);
  const tx = Math.min(Math.max(cx, wide / 2 + 0.5), 99.5 - wide / 2);
  const made = svg("g", { class: `mark ${kind}` },
    svg("rect", { class: "case", ...box, transform: turn }),
    svg("rect", { class: "edge", ...box, transform: turn }),
    svg("rect", { class: "tag", x: tx - wide / 2, y: ty - letters / 2, width: wide, height: letters, rx: letters * 0.28 }),
    svg("text", { x: tx, y: ty, "font-size": letters * 0.82, dy: ".36em" }, text));
  const from = mayCorrect() && face ? dieOfThrow(face, kept) : null, unread = mayCorrect() && kind === "unsure";
  if (!from && !unread) return made;
  const reach = Math.max(edge * 1.4, FINGER);
  made.prepend(svg("rect", { class: "reach", x: cx - reach / 2, y: cy - reach / 2, width: reach, height: reach }));
  made.setAttribute("aria-label", unread ? words.unread_asks : String(face));
  return unread ? tappable(made, () => chooseUnread(thing)) : correctable(made, from);
}

document.addEventListener("visibilitychange", look);
document.addEventListener("renew", () => {
  stream?.close();
  stream = null;
  look();
});
new IntersectionObserver((entries) => {
  seen = !shown || entries.at(-1).isIntersecting;
  look();
}).observe(find("tray"));
