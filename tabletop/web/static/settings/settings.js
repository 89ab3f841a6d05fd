// The table's settings: what is set and was found, tests of the parts, and new values on trial until somebody keeps them.

import { button, drawPicture, element, find, holding, label, sentence, set, show, speak } from "/dom.js";

const FORBIDDEN = 403, AGAIN_MS = 2000, LOOK_MS = 700, MOST_TRIES = 60; // two minutes: a small board takes half of one
const SECTIONS = ["network", "version"]; // modules of their own
let words = {}, now = null, changed = {}, events = null, tested = "", expected = "hold";

const read = async () => {
  const answer = await fetch("/settings/now").catch(() => null);
  if (answer?.status === FORBIDDEN) location.replace("/");
  return answer?.ok ? answer.json() : null;
};
const post = (address, sent) => fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) }).catch(() => null);
const act = (what) => post("/settings/do", { do: what });
const value = (key) => changed[key] ?? now.groups.flatMap(({ items }) => items).find((item) => item.key === key).value;

function draw() {
  words = now.words;
  speak(now.language, words.title);
  document.title = find("title").textContent = words.title;
  label({ back: words.back, save: words.save, keep: words.keep, old: words.old, "trial-ask": words.trial });
  find("trial").hidden = !now.trial;
  if (now.why) show("say", now.why);
  const own = [...document.querySelectorAll("#parts [data-section]")];
  find("parts").replaceChildren(...now.groups.map(card), ...(own.length ? own : SECTIONS.map(section)));
  document.body.dataset.drawn = "yes";
}

function section(name) {
  const made = set(element("section"), { "data-section": name, hidden: "" });
  import(`./${name}.js`).then(({ draw: drawn }) => { made.hidden = false; return drawn(made); }).catch(() => { made.hidden = true; });
  return made;
}

function card({ part, title, found, offers, items }) {
  const seen = found.map(({ text, remedy, right }) => element("li", right === false ? "wrong" : "", `${right === false ? "✗" : "✓"} ${text}${remedy ? `: ${remedy}` : ""}`));
  const others = offers.map((offer) => holding("div", "offer", element("b", "", sentence(offer.text)), button("small main", words.take, () => save({ [offer.key]: offer.value }), `${words.take}: ${offer.text}`)));
  return set(holding("section", "", element("h2", "", sentence(title)), holding("ul", "", ...seen), ...others, ...items.map(field), ...test(part)), { "data-part": part });
}

function field({ key, label: name, value: before, choices }) {
  const input = choices.length
    ? holding("select", "", ...choices.map(([one, text]) => set(element("option", "", text), { value: one })))
    : set(element("input"), { maxlength: 40, autocomplete: "off" });
  input.value = changed[key] ?? before;
  const made = set(holding("label", key in changed ? "changed" : "", sentence(name), input), { "data-key": key });
  input.addEventListener("input", () => {
    change(key, input.value, before);
    made.classList.toggle("changed", key in changed);
  });
  return made;
}

function change(key, given, before = now.groups.flatMap(({ items }) => items).find((item) => item.key === key).value) {
  if (given === before) delete changed[key];
  else changed[key] = given;
  find("save").disabled = !Object.keys(changed).length;
}

// Tests: the live picture, a text on the display, presses.
function test(part) {
  if (!["camera", "display", "buttons"].includes(part)) return [];
  const place = holding("div", "test", button("small", words.test, () => (part === "camera" ? watch(place) : probe(part, place))));
  return [place];
}

function watch(place) {
  const picture = set(element("canvas"), { role: "img", "aria-label": words.test });
  place.replaceChildren(picture);
  const look = async () => {
    if (!picture.isConnected) return;
    const answer = document.hidden ? null : await fetch("/arm/look").catch(() => null), seen = answer?.ok ? await answer.json() : null;
    if (seen) await drawPicture(picture, seen.picture);
    setTimeout(look, LOOK_MS);
  };
  look();
}

async function probe(part, place) {
  if (tested) { // another one: its end draws all again
    await end();
    place = document.querySelector(`[data-part="${part}"] .test`);
  }
  await act("test");
  [tested, expected] = [part, "hold"];
  const asks = set(element("p", "", part === "display" ? words.upright : words.press), { role: "status" });
  const done = button("small", part === "display" ? words.yes : words.end, end);
  place.replaceChildren(asks, done);
  if (part === "display") return done.before(button("small", words.turn, () => { change("screen.rotate", value("screen.rotate") === "180" ? "0" : "180"); end(); }));
  other(asks);
  let down = "";
  events = new EventSource("/events");
  events.addEventListener("message", ({ data }) => {
    const { pressed } = JSON.parse(data);
    if (pressed && pressed !== down) heard(pressed, asks);
    down = pressed;
  });
}

function heard(pressed, asks) {
  asks.textContent = words.pressed.replace("{text}", pressed.toUpperCase());
  if (pressed !== expected && expected === "hold") {
    asks.after(button("small main", words.swap, () => { const pins = ["pins.bank", "pins.hold"].map(value); change("pins.bank", pins[1]); change("pins.hold", pins[0]); end(); }));
  }
  expected = "";
}

// A button on a pin that the table does not know.
async function other(asks) {
  const answer = await post("/settings/do", { do: "find" }), { pin } = answer?.ok ? await answer.json() : {};
  if (!pin || !asks.isConnected) return;
  asks.textContent = words.pressed.replace("{text}", `GPIO${pin}`);
  asks.after(...["bank", "hold"].map((name) => button("small main", name.toUpperCase(), () => { change("buttons", "gpio"); change(`pins.${name}`, String(pin)); end(); })));
}

async function end() {
  events?.close();
  if (tested) await act("end");
  [events, tested] = [null, ""];
  draw();
}

// New values: the table starts again with them, and asks whether they stay.
async function save(values) {
  find("save").disabled = true;
  const answer = await post("/settings/save", { values }), told = answer?.ok || !answer ? null : await answer.json().catch(() => null);
  if (answer && !answer.ok) {
    find("save").disabled = false;
    return show("say", told?.why ?? words.gone);
  }
  changed = {};
  show("say", words.restarts);
  find("parts").inert = true;
  setTimeout(wait, 2 * AGAIN_MS, (next) => !next.busy, (next) => show("say", next.trial ? "" : next.last || words.kept)); // it has ended by then
}

// Look until the table is there and `ready`; then draw, and say what has become of it. While it asks, look on.
async function wait(ready, told, tries = 1) {
  const next = await read();
  if (tries > MOST_TRIES) return show("say", words.late);
  if (!next || !ready(next)) return setTimeout(wait, AGAIN_MS, ready, told, tries + 1);
  find("parts").inert = false;
  now = next;
  draw();
  told(next);
  if (!now.trial) return;
  find("trial-ask").focus();
  const asked = values(now);
  setTimeout(wait, AGAIN_MS, (later) => !later.trial, (later) => show("say", values(later) === asked ? words.kept : words.returned));
}

const values = ({ groups }) => JSON.stringify(groups.map(({ items }) => items.map((item) => item.value)));

find("save").addEventListener("click", () => save(changed));
for (const [id, what] of [["keep", "keep"], ["old", "back"]]) find(id).addEventListener("click", () => { find("trial").hidden = true; act(what); });
window.addEventListener("pagehide", () => { if (tested) act("end"); });

wait(() => true, () => {}, -Infinity);
