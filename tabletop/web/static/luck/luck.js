// How fairly the dice fell, and how lucky everybody was: intervals, numbers, and what they can and cannot show.

import { element, find, holding, knowNames, legible, set, speak, svg } from "/dom.js";

const FORBIDDEN = 403, AGAIN_MS = 500;
const WIDE = 320, ROW = 26, LEFT = 24, RIGHT = 112, FAIR = 1 / 6; // of a chart, in its own units

const text = (x, y, said) => Object.assign(svg("text", { x, y }), { textContent: said });

// A line for each face: the interval of its true share, and the share that came. The dashes stand at one in six.
function chart({ faces, intervals, thrown, deviating }, share) {
  const most = Math.max(2 * FAIR, ...Object.values(intervals).map(([, high]) => high));
  const x = (part) => LEFT + (WIDE - LEFT - RIGHT) * part / most;
  const rows = Object.entries(intervals).map(([face, [low, high]], at) => {
    const y = ROW * (at + 0.5), marked = deviating.includes(Number(face));
    return set(svg("g", {}, svg("line", { class: "interval", x1: x(low), x2: x(high), y1: y, y2: y }),
      svg("circle", { class: "share", cx: x(faces[face] / thrown), cy: y, r: 5 }),
      text(4, y + 5, face), text(WIDE - RIGHT + 8, y + 5, `${share(low)} – ${share(high)}${marked ? " !" : ""}`)), { class: marked ? "marked" : "" });
  });
  const told = Object.keys(faces).map((face) => `${face}: ${faces[face]}, ${intervals[face].map(share).join(" – ")}`).join("; ");
  return svg("svg", { viewBox: `0 0 ${WIDE} ${6 * ROW}`, role: "img", "aria-label": told },
    svg("line", { class: "fair", x1: x(FAIR), x2: x(FAIR), y1: 0, y2: 6 * ROW }), ...rows);
}

function players(heads, rows, number) {
  const head = holding("tr", "", ...heads.map((said) => set(element("th", "", said), { scope: "col" })));
  const lines = rows.map(({ player, game, throws, beyond, deviation }) => holding("tr", "",
    holding("th", "", element("span", "", player), " ", element("small", "", game)), element("td", "", legible(throws)),
    element("td", "", `${beyond < 0 ? "−" : "+"}${number(Math.abs(beyond))}`), element("td", "", `± ${number(1.96 * deviation)}`)));
  return holding("table", "", holding("thead", "", head), holding("tbody", "", ...lines));
}

async function show() {
  const answer = await fetch("/luck").catch(() => null);
  if (answer?.status === FORBIDDEN) return location.replace("/");
  const report = answer?.ok ? await answer.json() : null;
  if (!report || report.working) setTimeout(show, AGAIN_MS);
  if (!report) return;
  const { language, title, back, thousands, notes, sets, heads } = report;
  const number = (figure) => figure.toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const share = (part) => `${number(100 * part)} %`;
  speak(language, title, thousands);
  knowNames(report.players.map(({ player }) => player));
  document.title = find("title").textContent = title;
  find("back").textContent = back;
  const cards = sets.map((dice) => holding("section", "", element("h2", "", `${dice.dice} (n = ${dice.thrown})`), chart(dice, share), element("p", "", dice.note)));
  const table = report.players.length ? [holding("section", "wide", players(heads, report.players, number))] : [];
  find("report").replaceChildren(holding("section", "wide", ...notes.map((note) => element("p", "", note))), ...cards, ...table);
}

show();
