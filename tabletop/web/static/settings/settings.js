// The table's settings: what is set and was found, tests of the parts, and new values on trial until somebody keeps them.

import { button, drawPicture, element, find, holding, label, sentence, set, show, speak } from "/dom.js";

const TESTED = ["camera", "display", "buttons"], FORBIDDEN = 403, AGAIN_MS = 2000, LOOK_MS = 700, MOST_TRIES = 60; // two minutes: a small board takes half of one
let words = {}, now = null, changed = {}, events = null, tested = "";

export const plain = (tag, text) => Object.assign(element(tag), { textContent: text }); // no number of a sentence
export const status = (text) => set(plain("p", text), { role: "status" });
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));
// Send an object, or what is packed already; return the answer, null while the table is away.
export const post = (address, sent) => fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: sent instanceof Blob ? sent : JSON.stringify(sent) }).catch(() => null);
const act = (what) => post("/settings/do", { do: what });
const saved = (key) => now.groups.flatMap(({ items }) => items).find((item) => item.key === key).value;
const value = (key) => changed[key] ?? saved(key);
const values = ({ groups }) => JSON.stringify(groups.map(({ items }) => items.map((item) => item.value)));
const sections = ["network", "version"].map((name) => { // modules of their own, which take functions from here
  const made = set(element("section"), { "data-section": name, hidden: "" });
  import(`./${name}.js`).then(({ draw: drawn }) => { made.hidden = false; return drawn(made); }).catch(() => { made.hidden = true; });
  return made;
});

function draw() {
  speak(now.language, words.title);
  document.title = find("title").textContent = words.title;
  label({ back: words.back, save: words.save, keep: words.keep, old: words.old, "trial-ask": words.trial });
  find("trial").hidden = !now.trial;
  if (now.why) show("say", now.why);
  find("parts").replaceChildren(...now.groups.map(card), ...sections);
  document.body.dataset.drawn = "yes";
}

function card({ part, title, found, offers, items }) {
  const seen = found.map(({ text, remedy, right }) => element("li", right === false ? "wrong" : "", `${right === false ? "✗" : "✓"} ${text}${remedy ? `: ${remedy}` : ""}`));
  const others = offers.map((offer) => holding("div", "offer", element("b", "", sentence(offer.text)), button("small main", words.take, () => save({ [offer.key]: offer.value }), `${words.take}: ${offer.text}`)));
  const tests = TESTED.includes(part) ? [holding("div", "test", button("small", words.test, () => test(part)))] : [];
  return set(holding("section", "", element("h2", "", sentence(title)), holding("ul", "", ...seen), ...others, ...items.map(field), ...tests), { "data-part": part });
}

function field({ key, label: name, choices }) {
  const input = choices.length
    ? holding("select", "", ...choices.map(([one, text]) => set(element("option", "", text), { value: one })))
    : set(element("input"), { maxlength: 40, autocomplete: "off" });
  input.value = value(key);
  const made = set(holding("label", key in changed ? "changed" : "", sentence(name), input), { "data-key": key });
  input.addEventListener("input", () => {
    change({ [key]: input.value });
    made.classList.toggle("changed", key in changed);
  });
  return made;
}

function change(values) {
  changed = Object.fromEntries(Object.entries({ ...changed, ...values }).filter(([key, given]) => given !== saved(key)));
  find("save").disabled = !Object.keys(changed).length;
}

// Test a part: the live picture, a text on the display, presses.
async function test(part) {
  if (tested) await end(); // another one; its end draws all again
  const place = document.querySelector(`[data-part="${part}"] .test`), picture = set(element("canvas"), { role: "img", "aria-label": words.test });
  if (part === "camera") return place.replaceChildren(picture), watch(picture);
  await act("test");
  tested = part;
  const asks = status(part === "display" ? words.upright : words.press), offer = (text, values, main = " main") => button(`small${main}`, text, () => end(values));
  place.replaceChildren(asks, button("small", part === "display" ? words.yes : words.end, () => end()));
  if (part === "display") return asks.after(offer(words.turn, { "screen.rotate": value("screen.rotate") === "180" ? "0" : "180" }, ""));
  const say = (text, ...offers) => { asks.textContent = filled(words.pressed, { text }); asks.after(...offers); };
  act("find").then(async (answer) => { // a button on a pin that the table does not know
    const { pin } = answer?.ok ? await answer.json() : {};
    if (pin && asks.isConnected) say(`GPIO${pin}`, ...["bank", "hold"].map((name) => offer(name.toUpperCase(), { buttons: "gpio", [`pins.${name}`]: String(pin) })));
  });
  let down = "", expected = "hold";
  events = new EventSource("/events");
  events.addEventListener("message", ({ data }) => {
    const { pressed } = JSON.parse(data), isNew = pressed && pressed !== down;
    down = pressed;
    if (!isNew) return;
    const swapped = { "pins.bank": value("pins.hold"), "pins.hold": value("pins.bank") };
    say(pressed.toUpperCase(), ...(expected && pressed !== expected ? [offer(words.swap, swapped)] : []));
    expected = "";
  });
}

async function watch(picture) {
  if (!picture.isConnected) return;
  const answer = document.hidden ? null : await fetch("/arm/look").catch(() => null);
  if (answer?.ok) await drawPicture(picture, (await answer.json()).picture);
  setTimeout(watch, LOOK_MS, picture);
}

async function end(values = {}) {
  change(values);
  events?.close();
  if (tested) await act("end");
  [events, tested] = [null, ""];
  draw();
}

// New values: the table starts again with them, and asks whether they stay.
async function save(values) {
  find("save").disabled = true;
  const answer = await post("/settings/save", { values });
  if (answer && !answer.ok) {
    find("save").disabled = false;
    return show("say", (await answer.json().catch(() => ({}))).why ?? words.gone);
  }
  changed = {};
  show("say", words.restarts);
  find("parts").inert = true;
  setTimeout(wait, 2 * AGAIN_MS, (next) => !next.busy, (next) => show("say", next.trial ? "" : next.last || words.kept)); // it has ended by then
}

// Look until the table is there and `ready`; then draw, and say what has become of it. While it asks, look on.
async function wait(ready, told, tries = 1) {
  const answer = await fetch("/settings/now").catch(() => null), next = answer?.ok ? await answer.json() : null;
  if (answer?.status === FORBIDDEN) return location.replace("/");
  if (tries > MOST_TRIES) return show("say", words.late);
  if (!next || !ready(next)) return setTimeout(wait, AGAIN_MS, ready, told, tries + 1);
  find("parts").inert = false;
  [now, words] = [next, next.words];
  draw();
  told(next);
  if (!now.trial) return;
  find("trial-ask").focus();
  const asked = values(now);
  setTimeout(wait, AGAIN_MS, (later) => !later.trial, (later) => show("say", values(later) === asked ? words.kept : words.returned));
}

find("save").addEventListener("click", () => save(changed));
for (const [id, what] of [["keep", "keep"], ["old", "back"]]) find(id).addEventListener("click", () => { find("trial").hidden = true; act(what); });
window.addEventListener("pagehide", () => { if (tested) act("end"); });
wait(() => true, () => {}, -Infinity);
