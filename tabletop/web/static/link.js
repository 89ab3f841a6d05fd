// The way to the table and back: the stream of snapshots, fetching, and sending. The stream reconnects after a restart
// of the table, and when a phone wakes up.

const QUIET_MS = 25000; // the table is heard at least every 10 s
const AGAIN_MS = 1000;
const FIRST_MS = 4000; // within which a stream begins; the table greets at once
const GRACE_MS = 700; // a stream that comes back at once is no news
const ANSWER_MS = 8000; // a table that hangs, or a radio that is gone, refuses nothing; the table itself answers within 3 s
export const LATE = 409, FORBIDDEN = 403, REFUSED = 422, FLOOD = 429;
let stream = null, heardMs = 0, away = 0, retry = 0, opening = 0, firstMs = FIRST_MS, full = "", news = {};

export const patience = (ms = ANSWER_MS) => AbortSignal.timeout?.(ms); // ends the wait for an answer

// Follow the table. told: {you, now, beat, away}, functions that take who looks, a snapshot, nothing, and a reason or "".
export function follow(told) {
  news = told;
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) connect(); // a nap of seconds may have ended the stream, and the newest state comes first
  });
  window.addEventListener("pageshow", (event) => { if (event.persisted) renew(); });
  for (const change of ["online", "offline"]) window.addEventListener(change, renew); // a table of this machine is still there
  setInterval(() => { // a table that hangs closes no stream
    if (heardMs && Date.now() - heardMs > QUIET_MS) renew();
  }, QUIET_MS / 2);
  connect();
}

export function connect() {
  stream?.close();
  clearTimeout(retry);
  clearTimeout(opening);
  opening = setTimeout(renew, firstMs); // a radio that is gone ends no connection
  firstMs = Math.min(2 * firstMs, QUIET_MS);
  stream = new EventSource("/events");
  stream.addEventListener("you", (event) => { heard(); news.you(JSON.parse(event.data)); });
  stream.addEventListener("beat", () => { heard(); news.beat(); });
  stream.addEventListener("full", (event) => { full = JSON.parse(event.data); clearTimeout(opening); });
  stream.addEventListener("message", (event) => { heard(); news.now(JSON.parse(event.data)); });
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

const missed = () => { away ||= setTimeout(() => news.away(full, true), GRACE_MS); };

function heard() {
  clearTimeout(opening);
  clearTimeout(away);
  [heardMs, firstMs, away, full] = [Date.now(), FIRST_MS, 0, ""];
  news.away("", false);
}

// Say that the table is away: a stream may not have noticed yet.
export function sayAway() {
  news.away(full, true);
  connect();
}

// Fetch what the table has there, an object of JSON. Null while it is away, which is said, and for who was sent away.
export async function ask(address) {
  try {
    const answer = await fetch(address, { signal: patience() });
    if (answer.status === FORBIDDEN) connect();
    if (answer.ok || answer.status === FORBIDDEN) return answer.ok ? await answer.json() : null;
  } catch { /* it is away */ }
  sayAway();
  return null;
}

// Send an object; return the answer, null while the table is away, which is said.
export async function post(address, sent, ms = ANSWER_MS) {
  const headers = { "Content-Type": "application/json" };
  try {
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(sent), signal: patience(ms) });
    if (answer.status === LATE || answer.status === FORBIDDEN) connect(); // what is shown here is old
    return answer;
  } catch {
    sayAway();
    return null;
  }
}
