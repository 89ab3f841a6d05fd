// The stream of snapshots. It comes back by itself: after a restart of the table, and when a phone wakes up.

import { find, knowNames, label, show, styled } from "./dom.js";
import { showTable } from "./table.js";
import { act, listen, patience, sayAway, showButtons } from "./acting.js";
import { showCorrecting } from "./look/correct.js";
import { showDevice } from "./look/device.js";
import { showHistory } from "./look/history.js";
import { showTray } from "./look/tray.js";
import { arrangeSheet } from "./sheets/sheet.js";
import { sendWaiting, showAnswers } from "./answers.js";

const QUIET_MS = 25000; // the table is heard at least every 10 s
const AGAIN_MS = 1000;
const FIRST_MS = 4000; // within which a stream begins; the table greets at once
const GRACE_MS = 700; // a stream that comes back at once is no news
let stream = null, heardMs = 0, away = 0, retry = 0, opening = 0, firstMs = FIRST_MS;
let you = { paired: false, simulated: false }, now = null, full = "", arm = null, form = null, opens = false;

function connect() {
  stream?.close();
  clearTimeout(retry);
  clearTimeout(opening);
  opening = setTimeout(renew, firstMs); // a radio that is gone ends no connection
  firstMs = Math.min(2 * firstMs, QUIET_MS);
  stream = new EventSource("/events");
  stream.addEventListener("you", (event) => { you = JSON.parse(event.data); heard(); draw(); });
  stream.addEventListener("beat", () => { heard(); sendWaiting(); });
  stream.addEventListener("full", (event) => { full = JSON.parse(event.data); clearTimeout(opening); });
  stream.addEventListener("message", (event) => { now = JSON.parse(event.data); heard(); draw(); sendWaiting(); });
  stream.addEventListener("error", () => {
    missed();
    if (stream.readyState === EventSource.CLOSED) retry = setTimeout(connect, AGAIN_MS);
  });
}

// Open all streams again: the old ones may be dead without a word.
function renew() {
  missed();
  connect();
  document.dispatchEvent(new Event("renew"));
}

const missed = () => { away ||= setTimeout(showAway, GRACE_MS); };
const showAway = () => show("away", full || (now?.words.away ?? "The table is away. Trying again."));

function heard() {
  clearTimeout(opening);
  clearTimeout(away);
  [heardMs, firstMs, away, full] = [Date.now(), FIRST_MS, 0, ""];
  find("away").hidden = true;
}

function draw() {
  if (!now) return;
  if (now.players.length) knowNames(now.players.map((player) => player.name)); // a menu shows none, and says them
  showTable(now, you, (at) => act("take", at));
  showButtons(now, you);
  showCorrecting(now, you);
  showHistory(now, you);
  showTray(now, you);
  showArm();
  showDevice(now, you);
  showAnswers(now, you);
  showSetup();
  arrangeSheet();
  document.body.dataset.count = now.count;
  document.body.dataset.moment = now.asking?.moment ?? "";
}

// Camera and lamp are set up at the address /arm, and wherever the table guides through it; few ever fetch that.
function showArm() {
  if (you.paired && (location.pathname === "/arm" || now.menu?.guided)) {
    arm ??= Promise.all([import("./arm.js"), styled("/arm.css")]).catch(() => { arm = null; });
  }
  arm?.then((loaded) => loaded?.[0].showArm(now, you));
}

// Show the way to the form, where a match can be set up: in menus and before anything is played. At the end it stands
// in the place of HOLD, beside BANK, which plays the same again.
function showSetup() {
  const ended = Boolean(you.paired && now.over && !now.menu && !now.spelling);
  find("another").hidden = !ended;
  label({ another: now.words.other_game, "open-setup": now.words.setup });
  if (ended) find("hold").hidden = true;
  find("open-setup").hidden = !you.paired || !(now.menu?.main || (!now.game && !now.menu));
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
    await form.openForm();
  } catch {
    sayAway();
  } finally {
    opens = false;
  }
}

// Return the form as a module, once its look is there, too; it fails when the signal says so.
function fetched(signal) {
  const late = new Promise((_, failed) => signal?.addEventListener("abort", failed));
  return Promise.race([styled("/setup.css").then(() => import("./setup.js")), late]);
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) connect(); // a nap of seconds may have ended the stream, and the newest state comes first
});
window.addEventListener("pageshow", (event) => { if (event.persisted) renew(); });
setInterval(() => { // a table that hangs closes no stream
  if (heardMs && Date.now() - heardMs > QUIET_MS) renew();
}, QUIET_MS / 2);
document.addEventListener("away", () => { showAway(); connect(); });
for (const change of ["online", "offline"]) window.addEventListener(change, renew); // a table of this machine is still there
listen(connect);
document.addEventListener("redraw", draw);
for (const name of ["open-setup", "another"]) find(name).addEventListener("click", open);
connect();
