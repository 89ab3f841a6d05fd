// Past matches: filters, a list that grows, each match with its course as a chart, and what changes them for good.

import { die } from "/dice.js";
import { button, element, find, holding, knowNames, sentence, set, speak, styled, svg } from "/dom.js";

const STRANGERS = [401, 403], MB = 1e6, MOST_MB = 10; // such a text fits, too, after JSON has escaped its quotes
const WIDE = 400, HIGH = 240, LEFT = 40, TOP = 12, BOTTOM = 28, LETTER = 8; // of a chart
const DASHES = ["", "8 5", "2 4", "12 4 2 4", "16 6", "5 2"];
const MARKS = ["M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0", "M-4-4h8v8h-8z", "M0-5 5 4H-5z", "M0-5 5 0 0 5-5 0z", "M-5-4H5L0 5z", "M-4-4 4 4M-4 4 4-4"];
const CAMERA = "M4 8h3l2-3h6l2 3h3v11H4zm8 1.5a3.5 3.5 0 1 0 .01 0";
const FILTERS = ["player", "game", "since", "until"];
let words = {}, last = 0, first = true;

// Ask the table; return the JSON of its answer, null where it refused or did not answer; a toast says so.
async function asked(address, sent) {
  const options = sent && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) };
  const answer = await fetch(address, options).catch(() => null);
  if (STRANGERS.includes(answer?.status)) location.replace("/");
  const found = await answer?.json().catch(() => ({}));
  if (answer?.ok) return found;
  find("told").textContent = found?.why || words.failed || "…";
  return null;
}

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

// Show the matches that fit the filters; more: below those that are there.
async function list(more = false) {
  const wish = new URLSearchParams(FILTERS.map((name) => [name, valueOf(name)]).filter(([, value]) => value));
  if (more) wish.set("before", last);
  const found = await asked(`/past?${wish}`);
  if (!found) return;
  words = found.words;
  if (first) begin(found);
  const lines = found.matches.map(line);
  last = found.matches.at(-1)?.number ?? last;
  if (more) find("matches").append(...lines);
  else find("matches").replaceChildren(...lines);
  if (more) lines[0]?.firstChild.focus();
  find("next").hidden = !found.more;
  if (!more) find("told").textContent = lines.length ? "" : words.none;
  choices("player", words.everybody, found.players.map((name) => [name, name]));
  choices("game", words.everything, found.games);
  person();
}

// Return the value of a filter; a day, which is one here, as the time in UTC when it begins, or when it ends.
function valueOf(name) {
  const { value, type } = find(name), day = type === "date" && value && new Date(`${value}T00:00`);
  if (day && name === "until") day.setDate(day.getDate() + 1);
  return day ? day.toISOString() : value;
}

function begin({ language }) {
  first = false;
  speak(language, words.title, language === "de" ? "." : ",");
  document.title = find("title").textContent = words.title;
  const texts = { back: words.back, next: words.next, "files-title": words.files, all_csv: words.all_csv, all_json: words.all_json };
  for (const [id, text] of Object.entries(texts)) find(id).textContent = text;
  for (const name of [...FILTERS, "import"]) document.querySelector(`label[for=${name}]`).textContent = words[name];
}

function choices(id, all, entries) {
  const place = find(id), now = place.value;
  const made = [["", all], ...entries].map(([value, text]) => Object.assign(element("option"), { value, textContent: text }));
  place.replaceChildren(...made);
  place.value = entries.some(([value]) => value === now) ? now : "";
}

// What can be done about the player that the list is limited to.
function person() {
  const name = find("player").value;
  find("person").hidden = !name;
  find("person").replaceChildren(...(name ? [
    button("small", filled(words.rename, { name }), () => change({ player: name }, words.for_good, true)),
    button("small", filled(words.delete_player, { name }), () => change({ player: name }, words.sure)),
  ] : []));
}

const when = (begun) => begun && new Date(begun).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

function line(match) {
  const head = set(button("", "", () => open(match, head)), { "aria-expanded": "false" });
  head.append(element("b", "", match.name), element("small", "", match.players.join(", ")), Object.assign(element("small"), { textContent: `${when(match.begun)} · ${match.ending} · ${words.match.replace("{n}", match.number)}` }));
  return set(holding("li", "", head), { id: `match-${match.number}` });
}

async function open({ number }, head) {
  const opens = head.getAttribute("aria-expanded") === "false";
  head.nextSibling?.remove();
  head.setAttribute("aria-expanded", String(opens));
  if (!opens) return;
  const [found, kept] = await Promise.all([asked(`/played/${number}`), asked(`/throws?match=${number}`)]);
  const match = found ?? { players: [], winners: [], course: {}, lines: [] };
  if (head.getAttribute("aria-expanded") === "false" || head.nextSibling) return;
  knowNames(match.players);
  const winners = match.winners.length ? filled(words.won, { names: match.winners.join(", ") }) : "";
  const links = ["csv", "json"].map((format) => set(element("a", "small", words[format]), { href: `/export?format=${format}&match=${number}`, download: "" }));
  const players = match.players.map((name) => set(element("a", "small", name), { href: `/players/players.html#${encodeURIComponent(name)}` }));
  head.after(holding("div", "", element("p", "", [winners, match.why].filter(Boolean).join(" · ")), holding("p", "acts", ...players), ...course(Object.entries(match.course)),
    element("h3", "", words.events), holding("ol", "", ...match.lines.map((line) => event(line, kept))),
    holding("p", "acts", ...recap(match), ...links, button("small", words.delete, () => change({ match: number }, words.sure)))));
}

function event({ kind, text, dice, number }, kept) {
  if (!dice.length) return element("li", kind, text);
  const thrown = dice.flatMap(([who, faces]) => [element("span", "", `${who}:`), ...faces.map(die)]);
  const made = holding("li", kind, set(holding("span", "thrown", ...thrown), { role: "img", "aria-label": text }));
  if (!kept?.throws.includes(number)) return made;
  const open = set(button("icon shot", "", () => shot(kept, number), `${sentence(kept.words.title)}, ${text}`), { "aria-haspopup": "dialog" });
  open.append(svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: CAMERA })));
  made.append(open);
  return made;
}

// Show the picture of a throw; what is seen when the table looks again corrects nothing here.
async function shot({ match, words: said }, number) {
  const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ match, event: number }) };
  const [found, { openShot }] = await Promise.all([asked(`/throw?match=${match}&event=${number}`), import("/look/shot.js"), styled("/look/dialogs.css")]);
  if (found) await openShot(found, said, () => fetch("/look", sent).catch(() => null));
}

function recap({ number, name, winners }) {
  return winners.length ? [button("small recap", words.recap, async () => {
    const [{ openRecap }] = await Promise.all([import("/look/recap.js"), styled("/look/dialogs.css")]);
    openRecap({ words, game: name }, number);
  })] : [];
}

// The scores of each player after each of their turns: dashes, marks and names tell the lines apart; and as a table.
function course(lines) {
  const most = Math.max(...lines.map(([, scores]) => scores.length), 0);
  if (most < 2) return [];
  const all = lines.flatMap(([, scores]) => scores), low = Math.min(0, ...all), high = Math.max(1, ...all);
  const right = LETTER * Math.max(...lines.map(([name]) => name.length)) + 20;
  const x = (turn) => LEFT + (WIDE - LEFT - right) * turn / (most - 1);
  const y = (score) => HIGH - BOTTOM - (HIGH - BOTTOM - TOP) * (score - low) / (high - low);
  const ends = lines.map(([, scores], at) => ({ at, y: y(scores.at(-1)) })).sort((one, other) => one.y - other.y);
  for (const [at, end] of ends.entries()) end.y = Math.max(end.y, at ? ends[at - 1].y + 15 : TOP);
  const label = (text, left, top, anchor) => Object.assign(svg("text", { x: left, y: top, "text-anchor": anchor }), { textContent: text });
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${Math.max(HIGH, ends.at(-1).y + TOP)}`, class: "chart", role: "img", "aria-label": words.course },
    svg("path", { class: "axis", d: `M${LEFT} ${TOP}V${y(low)}H${WIDE - right}` }),
    label(high, LEFT - 6, y(high) + 5, "end"), label(low, LEFT - 6, y(low) + 4, "end"), label(`${words.nth} ${most - 1}`, x(most - 1), HIGH - 8, "end"));
  for (const { at, y: end } of ends) {
    const [name, scores] = lines[at];
    const points = scores.map((score, turn) => [x(turn).toFixed(1), y(score).toFixed(1)]);
    picture.append(svg("polyline", { points: points.join(" "), "stroke-dasharray": DASHES[at % DASHES.length] }),
      ...points.map(([left, top]) => svg("path", { d: MARKS[at % MARKS.length], transform: `translate(${left} ${top})` })),
      svg("path", { d: MARKS[at % MARKS.length], transform: `translate(${WIDE - right + 10} ${end})` }), label(name, WIDE - right + 18, end + 4, "start"));
  }
  const rows = Array.from({ length: most }, (_, turn) => holding("tr", "", set(element("th", "", turn), { scope: "row" }), ...lines.map(([, scores]) => element("td", "", scores[turn] ?? ""))));
  const heads = [words.nth, ...lines.map(([name]) => name)].map((text) => set(element("th", "", text), { scope: "col" }));
  const table = set(holding("div", "wide", holding("table", "", holding("thead", "", holding("tr", "", ...heads)), holding("tbody", "", ...rows))), { tabindex: 0, role: "group", "aria-label": words.table });
  return [element("h3", "", words.course), picture, holding("details", "", element("summary", "", words.table), table)];
}

// Ask twice, then delete or rename for good.
function change(wish, why, renames = false) {
  const name = set(element("input"), { id: "new-name", maxlength: 12, autocomplete: "off" });
  const asks = renames ? [set(element("label", "", words.new_name), { for: "new-name" }), name] : [];
  const text = set(element("p", "", why), { id: "ask-why" });
  const go = button("small", words.go_on, () => {
    if (renames && !name.value.trim()) return name.focus();
    if (go.textContent === words.go_on) [text.textContent, go.textContent] = [words.really, words.yes];
    else finish();
  });
  async function finish() {
    shown.close();
    const done = await asked("/erase", renames ? { ...wish, new: name.value.trim() } : wish);
    if (done && wish.player) find("player").value = "";
    if (done) await list();
    (done ? find("player") : find("told")).scrollIntoView();
  }
  const shown = set(holding("dialog", "", text, ...asks, button("small", words.cancel, () => shown.close()), go), { id: "ask-twice", "aria-labelledby": "ask-why" });
  shown.addEventListener("close", () => shown.remove());
  text.setAttribute("role", "status");
  document.body.append(shown);
  shown.showModal();
}

async function take(file) {
  if (!file) return;
  if (file.size > MOST_MB * MB) find("told").textContent = filled(words.too_large, { n: MOST_MB });
  else {
    const done = await asked("/import", { text: await file.text() });
    if (done) await list();
    if (done) find("told").textContent = done.said;
  }
  find("import").value = "";
  find("told").scrollIntoView();
}

for (const name of FILTERS) find(name).addEventListener("change", () => list());
find("filters").addEventListener("submit", (submitted) => submitted.preventDefault());
find("next").addEventListener("click", () => list(true));
find("import").addEventListener("change", () => take(find("import").files[0]));
list();
