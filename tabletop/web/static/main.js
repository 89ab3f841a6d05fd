// The stream of snapshots. It comes back by itself: after a restart of the table, and when a phone wakes up.

import { find, knowNames, styled } from "./dom.js";
import { showTable } from "./table.js";
import { act, listen, send, showButtons, would } from "./acting.js";
import { listenCorrecting, showCorrecting } from "./look/correct.js";
import { showDevice } from "./look/device.js";
import { showHistory } from "./look/history.js";
import { showTray } from "./look/tray.js";
import { arrangeSheet } from "./sheets/sheet.js";
import { listenAnswers, sendWaiting, showAnswers } from "./answers.js";
import { showSetup } from "./opening.js";

const QUIET_MS = 25000; // the table is heard at least every 10 s
const AGAIN_MS = 1000;
const FIRST_MS = 4000; // within which a stream begins; the table greets at once
const GRACE_MS = 700; // a stream that comes back at once is no news
let stream = null, heardMs = 0, away = 0, retry = 0, opening = 0, firstMs = FIRST_MS;
let you = { paired: false, simulated: false }, now = null, full = "", arm = null;

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

function missed() {
  away ||= setTimeout(showAway, GRACE_MS);
}

function showAway() {
  find("away").textContent = full || (now?.words.away ?? "The table is away. Trying again.");
  find("away").hidden = false;
}

function heard() {
  heardMs = Date.now();
  firstMs = FIRST_MS;
  clearTimeout(opening);
  clearTimeout(away);
  away = 0;
  full = "";
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
  showSetup(now, you);
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
listenAnswers(send, draw);
listenCorrecting(send, would);
document.addEventListener("redraw", draw);
connect();
