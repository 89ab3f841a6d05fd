// What has happened in this match, newest first: a few events, all on demand, each with its faces.

import { element, find, holding, keepFocus, label, onChange, sentence, set } from "../dom.js";
import { ask } from "../link.js";
import { die } from "../dice.js";
import { correctable, mayCorrect } from "./correct.js";

let now = null, whole = null, all = false, loading = false;
let match = 0; // that of `whole`: numbers begin again in each match

// Show the events of a snapshot. you: who looks; a paired device can tap the dice.
export function showHistory(snapshot, you) {
  now = snapshot;
  const { history } = now;
  if (match !== now.match) [whole, match] = [null, now.match];
  if (all && !(whole?.entries >= history.entries)) load();
  const shown = all && whole ? whole : history; // the old ones until all are here again
  onChange("history", [shown.entries, shown.events, you.paired, mayCorrect(), now.words.language], () => keepFocus(find("events"), () => {
    find("events").replaceChildren(...(shown.events.length ? shown.events.map(line) : now.happened.slice().reverse().map((text) => element("li", "", text))));
  }));
  find("happened").hidden = !find("events").children.length;
  label({ "happened-title": sentence(now.words.happened), all: all ? now.words.fewer : now.words.all.replace("{n}", history.events.length + history.more) });
  find("all").hidden = !(all || history.more);
  find("all").setAttribute("aria-expanded", String(all));
  import("./throw.js").then((loaded) => loaded.showThrows(now, you), () => {});
}

async function load() {
  if (loading) return;
  loading = true;
  const asked = match, events = await ask("/history");
  loading = false;
  if (asked === match) [whole, all] = [events, all && Boolean(events)]; // they did not come: the newest few
  document.dispatchEvent(new Event("redraw"));
}

function line(event) {
  if (event.kind !== "throw") return element("li", event.kind, event.text);
  const made = element("li", event.kind), groups = new Map();
  for (const thrown of event.dice) groups.set(thrown.who, [...(groups.get(thrown.who) ?? []), thrown]);
  for (const [who, dice] of groups) {
    made.append(holding("span", "faces", element("span", "whose", who || event.who), ...dice.map((thrown, at) => face(event, thrown, `die-${event.number}-${who}-${at}`))));
  }
  return made;
}

function face(event, { who, face: shown, guess }, id) {
  const made = set(die(shown), { id, role: "img", "aria-label": `${who || event.who}: ${shown}` });
  return mayCorrect() ? correctable(made, { number: event.number, who, face: shown, guess }) : made;
}

find("all").addEventListener("click", () => {
  all = !all;
  if (all) load();
  document.dispatchEvent(new Event("redraw"));
});
