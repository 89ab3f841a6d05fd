// The first steps: camera, tray, dice, and the first match. The table keeps which of them are done: any phone can go on.

import { CORNERS, cornerPicker } from "/corners.js";
import { die } from "/dice.js";
import { button, drawPicture, element, find, holding, label, onChange, sentence, set, show, speak } from "/dom.js";
import { follow, LATE, post } from "/link.js";
import { showSigns } from "/signs.js";

const STEPS = ["camera", "tray", "dice", "match"], EVERY_MS = 500, FORBIDDEN = 403, BEGINS = { do: "first-steps" };
let first = null, now = null, you = {}, seen = null, words = {}, judged = 0, opened = "", used = false, acts = [], wrong = false;
const corners = cornerPicker(() => { used = false; draw(); });

async function look() {
  const answer = document.hidden ? null : await fetch("/start").catch(() => null);
  if (answer?.status === FORBIDDEN) return location.replace("/");
  if (answer?.ok) know(await answer.json());
  if (answer?.ok && first?.sees && first.step !== "match") {
    const picture = await fetch("/arm/look").catch(() => null);
    seen = picture?.ok && !first.trouble ? await picture.json().catch(() => null) : null;
    if (seen) await drawPicture(find("arm-picture"), seen.picture).catch(() => {});
  }
  draw();
  setTimeout(look, EVERY_MS);
}

function know(facts) {
  if (!facts) return;
  if (first && first.step !== facts.step) find("step-title").focus();
  [first, words] = [facts, facts.words];
  speak(words.language, words.title);
  try { localStorage.start = "seen"; } catch { /* a browser that keeps nothing: they open again */ }
}

// What was found besides the camera, whose picture is below: once, since a look at all parts takes seconds.
fetch("/settings/now").then((answer) => answer.json()).then(({ groups }) => {
  find("found").replaceChildren(...groups.filter(({ part, found }) => part !== "camera" && found.length).map(({ title, found, offers }) => {
    const bad = found.some(({ right }) => right === false);
    wrong ||= bad || offers.length > 0;
    return element("li", bad ? "wrong" : "", `${bad ? "✗" : "✓"} ${sentence(title)}`);
  }));
  draw();
}, () => {});

async function mark(step, how = "done") {
  const answer = await post("/start/step", { step, how });
  if (answer?.ok) know(await answer.json());
  draw();
}

// Send a command; return whether it was done, and say why not.
async function send(command) {
  const answer = await post("/api/v1/command", { match: now.match, asks: now.asks, ...command });
  const told = answer && !answer.ok ? await answer.json().catch(() => ({})) : {};
  if (answer) show("away", told.why ?? (answer.status === LATE ? words.stale : ""));
  return answer?.ok;
}

// Leave the table's dialog about tray and dice; what it knows by then is kept.
async function leave() {
  const { guided, throws } = now?.menu ?? {};
  if (guided) await send({ do: throws == null ? "stop" : throws ? "bank" : "hold" });
}

async function go(step) {
  if (step === "tray" && now.menu?.throws != null) await send({ do: "undo" });
  else if (step === "camera" || step === "match") await leave();
  await mark(step, "open");
}

const ACTS = {
  camera: () => [[words.good, () => mark("camera"), true], ...(first.sees ? [[words.later, () => mark("camera", "skipped")]] : []),
    ...((wrong && !you.simulated) || (first.sees && !seen) ? [[words.settings, () => location.assign("/settings/settings.html")]] : [])], // what was found stands there
  tray: (menu) => {
    if (!menu?.corners) return [...opening(menu), [words.later, () => mark("tray", "skipped")]];
    return [
      ...(corners.marks.length === CORNERS ? [[words.corners, async () => { await send({ do: "corners", at: corners.marks }); used = true; draw(); }, true]] : []),
      ...(seesMat() && !corners.marks.length ? [[words.mat, () => send({ do: "bank" }), true]] : []),
      ...thrown(),
      [isKnown() ? words.good : words.later, async () => { if (await send({ do: "hold" })) mark("tray", isKnown() ? "done" : "skipped"); }, isKnown() && !corners.marks.length],
    ];
  },
  dice: (menu) => {
    const throws = menu?.throws ?? null, end = async (command, how) => { if (await send(command)) mark("dice", how); };
    if (throws === null) return [...opening(menu), [words.later, () => mark("dice", "skipped")]];
    const yes = () => { judged = throws; return throws < 3 ? draw() : end({ do: "bank" }, "done"); };
    const no = async () => { if (await send({ do: "hold" })) judged = throws - 1; };
    if (throws > judged) return [[words.yes, yes, true], [words.no, no]];
    return [...thrown(), [words.later, () => end({ do: throws ? "bank" : "hold" }, throws ? "done" : "skipped")]];
  },
  match: () => [[words.pig, () => begin("/#pig"), true], [words.play, () => begin("/")]],
};
const begin = async (where) => { if (notice()) await send({ do: "bank" }); await mark("match"); location.assign(where); };
const opening = (menu) => first.learns && !menu ? [[words.begin, () => send(BEGINS), true]] : [];
const notice = () => now.menu?.items.length === 1 && !now.menu.guided ? now.menu.note : ""; // the end of the table's dialog
const isKnown = () => Boolean(seen && !/^\d/.test(seen.signs[0].figure)); // no marker is needed
const seesMat = () => Boolean(seen && !isKnown() && !seen.signs[0].advice);
const thrown = () => you.simulated ? [[words.throw, () => send({ do: "throw" })]] : [];

function draw() {
  if (!first || !now) return;
  const { step } = first, { menu } = now, guided = menu?.guided ? menu : null, throws = guided?.throws ?? 0;
  document.title = find("title").textContent = words.title;
  label({ back: words.back, "step-title": words[step] });
  if (["tray", "dice"].includes(step) && !guided && first.learns && !now.match && opened !== step) send(BEGINS); // once for a step
  opened = step;
  if (step === "tray" && guided?.throws != null) mark("tray");
  if (step === "dice" && guided?.corners) send({ do: "hold" }); // the tray is known, or was put off
  judged = Math.min(judged, throws);
  const notes = { camera: first.sees ? words.camera_note : words.no_camera, tray: isKnown() ? words.tray_known : words.tray_note };
  show("tap", notes[step] ?? words[`${step}_note`]);
  show("trouble", first.trouble || (first.sees && !seen && step !== "match" ? words.no_picture : ""));
  find("found").hidden = step !== "camera" || you.simulated;
  find("view").hidden = !seen || step === "match";
  find("signs").hidden = !seen || step !== "camera";
  if (seen) showSigns(seen);
  show("keys", words.corners_keys);
  onChange("corners", [step === "tray" && Boolean(guided?.corners), words.tray], ([on, name]) => corners.ask(on, name));
  onChange("steps", [first, words.title], () => find("steps").replaceChildren(...STEPS.map((each) => {
    const made = set(button("", words[each], () => go(each)), { "aria-current": each === step ? "step" : null });
    if (first.marks[each]) made.append(element("small", "", words[first.marks[each]]));
    return holding("li", "", made);
  })));
  onChange("asked", [step, guided?.title, guided?.items, now.menu?.note, guided?.faces, judged, corners.marks.length, used, seen?.signs[0].figure], () => showAsked(step, guided));
  acts = ACTS[step](guided);
  onChange("buttons", acts.map(([text, , main]) => [text, Boolean(main)]), (shown) => // one under a finger stays
    find("buttons").replaceChildren(...shown.map(([text, main], at) => button(`large${main ? " main" : ""}`, text, () => acts[at]?.[1]()))));
  document.body.dataset.step = step;
}

function showAsked(step, guided) {
  const faces = guided?.faces ?? [], lines = [];
  if (step === "dice" && guided) lines.push(guided.throws > judged ? words.right : guided.items[0], guided.throws > judged || !judged ? guided.note : words.again);
  else if (step === "tray" && corners.marks.length) lines.push(used && guided?.note);
  else if (step === "tray" && guided && seen && !/^[^1-9]/.test(seen.signs[0].figure)) lines.push(guided.items[0], guided.note);
  else if (step === "match") lines.push(notice());
  else if (now.match && step !== "camera") lines.push(words.puts_aside);
  find("asked").replaceChildren(...lines.filter(Boolean).map((text) => element("p", "", text)),
    ...(step === "dice" ? faces.map((face) => set(die(face), { role: "img", "aria-label": face })) : []));
}

find("back").addEventListener("click", (event) => {
  event.preventDefault();
  leave().then(() => location.assign("/"));
});
follow({ you: (who) => { you = who; draw(); }, now: (snapshot) => { now = snapshot; draw(); }, beat() {},
  away: (why, gone) => show("away", gone ? why || words.away || "…" : "") });
look();
