// What a screen reader says, and the voice of a device, when something changes: the texts of the table, one after the
// other. Whoever listens hears what is new, and all of it only when somebody else is asked, or something else.

import { find } from "./dom.js";

let before = null;

// Say what is new in a snapshot.
export function announce(now) {
  const seen = { texts: texts(now), faces: faces(now), scores: new Map(now.players.map(({ name, score }) => [name, score])), corrections: now.corrections };
  const was = before;
  before = seen;
  const fresh = seen.texts.filter((text) => !was?.texts.includes(text));
  if (!fresh.length) return;
  const corrected = was && seen.corrections > was.corrections;
  if (corrected) tell([...changedFaces(was, seen), ...changedScores(was, seen), ...fresh]);
  else tell(was && seen.texts[0] === was.texts[0] ? fresh : seen.texts);
}

function texts(now) {
  const listed = now.menu ?? now.spelling;
  if (listed) return [listed.title, now.menu?.items[now.menu.at], now.menu?.note].filter(Boolean);
  const asks = now.over || [now.asked, now.ask].filter(Boolean).join(": ");
  return [asks, now.stake, now.offer, now.hint].filter(Boolean);
}

// The faces of each throw that stands, by the number of the throw.
const faces = (now) => new Map(now.history.events.filter((event) => event.kind === "throw")
  .map((event) => [event.number, event.dice.map((die) => die.face)]));

// A throw that was set right: only the faces that it did not show before.
function changedFaces(was, seen) {
  for (const [number, own] of seen.faces) {
    const left = [...(was.faces.get(number) ?? own)];
    const fresh = own.filter((face) => {
      const at = left.indexOf(face);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
    if (fresh.length) return [fresh.join(" ")];
  }
  return [];
}

const changedScores = (was, seen) => [...seen.scores]
  .filter(([name, score]) => was.scores.has(name) && was.scores.get(name) !== score)
  .map(([name, score]) => `${name}: ${score}`);

function tell(parts) {
  const text = parts.map((part) => /[.?!]$/.test(part) ? part : `${part}.`).join(" ");
  find("live").textContent = text;
  document.dispatchEvent(new CustomEvent("spoken", { detail: text }));
}
