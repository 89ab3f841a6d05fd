// The page: draws each snapshot that comes, part by part, and opens what is not always there.

import { find, knowNames, label, show, styled } from "./dom.js";
import { follow, patience, sayAway } from "./link.js";
import { showTable } from "./table.js";
import { act, send, sendWaiting, showActions } from "./actions.js";
import { showPairing } from "./pairing.js";
import { showCorrecting } from "./look/correct.js";
import { showDevice } from "./look/device.js";
import { showHistory } from "./look/history.js";
import { arrangeBoard } from "./board.js";

const VIEWS = { "view-tray": "tray", "view-happened": "happened" };
let you = { paired: false, simulated: false }, now = null, arm = null, form = null, tray = null, opens = false;
let greeted = false; // the empty table has shown what can be played
let alive = null, motion = null; // what moves things comes after the first draw

function draw() {
  if (!now) return;
  if (you.start && location.pathname === "/" && !localStorage.start) location.replace("/start/start.html");
  const before = alive?.look();
  greet();
  if (now.players.length) knowNames(now.players.map((player) => player.name)); // a menu shows none, and says them
  showTable(isEmpty() && !you.paired ? { ...now, ...nobody() } : now, you, (at) => act("take", at));
  showPairing(now, you);
  showCorrecting(now, you);
  showHistory(now, you);
  showTray();
  showArm();
  showDevice(now, you);
  showActions(now, you, open);
  showViews();
  showSetup();
  arrangeBoard();
  motion ??= Promise.all([import("./alive.js"), styled("/alive.css"), styled("/look/dialogs.css")]).then(([loaded]) => { alive = loaded; draw(); }, () => { motion = null; });
  document.body.dataset.count = now.count;
  document.body.dataset.moment = now.asking?.moment ?? "";
  alive?.live(now, before);
  document.body.dataset.alive = alive ? "yes" : "";
}

const isEmpty = () => !now.match && Boolean(now.menu?.main);
const nobody = () => ({ menu: null, layout: "", ask: now.words.nobody, hint: now.words.soon, covered: true }); // for who only looks: a cup

// An empty table shows once what can be played to devices that may begin it; closed, the menu.
function greet() {
  const shows = document.body.classList.contains("lobby");
  if (now.match && shows) find("setup").close(); // begun elsewhere
  if (you.paired && isEmpty() && !greeted && location.pathname === "/") open();
  greeted = !now.match && (greeted || (you.paired && isEmpty()));
  document.body.classList.toggle("greets", opens && isEmpty());
  document.body.classList.toggle("nobody", isEmpty() && !you.paired);
  const isTrial = you.paired && now.match && !now.over && now.players.map(({ name }) => name).join(", ") === now.words.samples;
  find("trial").hidden = !isTrial;
  label({ "trial-note": now.words.trial, "trial-end": now.words.trial_end });
}

// The tray and what has happened stand in place of the board, one tap away.
function showViews() {
  const { words } = now, names = { "view-tray": words.tray, "view-happened": words.happened, "device-open": words.more };
  for (const [id, name] of Object.entries(names)) find(id).setAttribute("aria-label", name);
  for (const [id, view] of Object.entries(VIEWS)) find(id).setAttribute("aria-pressed", String(document.body.dataset.view === view));
}

function view(name) {
  document.body.dataset.view = document.body.dataset.view === name ? "board" : name;
  draw();
}

// The tray's picture is fetched when wanted.
function showTray() {
  if (document.body.dataset.view === "tray") tray ??= import("./look/tray.js").catch(() => { tray = null; });
  tray?.then((loaded) => loaded?.showTray(now, you));
}

// Camera and lamp are set up at /arm, and while the table guides through it.
function showArm() {
  if (you.paired && (location.pathname === "/arm" || now.menu?.guided)) {
    arm ??= Promise.all([import("./arm.js"), styled("/arm.css")]).catch(() => { arm = null; });
  }
  arm?.then((loaded) => loaded?.[0].showArm(now, you));
}

function showSetup() {
  if (!you.paired && find("setup").open) find("setup").close(); // sent away meanwhile: nothing could be done there
  find("close-setup").setAttribute("aria-label", now.words.back);
  form?.showForm(now);
}

async function open() {
  if (opens) return;
  opens = true;
  try {
    form ??= await fetched(patience());
    form.showForm(now);
    await form.openForm(isEmpty());
  } catch {
    sayAway();
  } finally {
    opens = false;
    draw();
  }
}

// Return the form as a module, once its look is there, too; it fails when the signal says so.
function fetched(signal) {
  const late = new Promise((_, failed) => signal?.addEventListener("abort", failed));
  return Promise.race([styled("/setup.css").then(() => import("./setup.js")), late]);
}

for (const [id, name] of Object.entries(VIEWS)) find(id).addEventListener("click", () => view(name));
find("trial-end").addEventListener("click", () => send({ do: "end", match: now.match }));
document.addEventListener("redraw", draw);
follow({
  you: (who) => { you = who; draw(); },
  now: (snapshot) => { now = snapshot; draw(); sendWaiting(); },
  beat: () => sendWaiting(),
  away: (why, gone) => show("away", gone ? why || (now?.words.away ?? "The table does not answer. Trying again.") : ""),
});
