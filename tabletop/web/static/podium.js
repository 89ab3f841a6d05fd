// The end of a match: the first three on a podium, and its best moments. The board stands below as it ended.

import { die } from "./dice.js";
import { button, element, find, holding, legible, listOf, onChange, sentence, set, svg } from "./dom.js";
import { sayAway } from "./link.js";
import { own } from "./pictures.js";

const STEPS = [2, 1, 3]; // as they stand, the winner in the middle

// Show how a match has ended. fresh: it has just done so.
export function showPodium(now, fresh) {
  const ended = Boolean(now.over && !listOf(now));
  document.body.classList.toggle("ended", ended);
  const cheer = now.cheer === now.words.bust ? "" : now.cheer; // such as a record that fell
  onChange("podium", ended && [now.players, now.highlights, cheer, now.words.language], () => {
    find("podium")?.remove();
    if (!ended) return;
    const post = button("post", now.words.bgstats, () => import("./look/bgstats.js").then((loaded) => loaded.openPosting(now), sayAway));
    const recap = button("post", now.words.recap, () => import("./look/recap.js").then((loaded) => loaded.openRecap(now), sayAway));
    const costs = button("post", now.costs, () => import("./look/costs.js").then((loaded) => loaded.openCosts(now), sayAway));
    const more = holding("div", "posts", post, set(recap, { id: "recap-open" }), ...(now.costs ? [set(costs, { id: "costs-open" })] : []));
    const shown = holding("div", fresh ? "fresh" : "", steps(now), ...(cheer ? [element("p", "cheer", sentence(cheer))] : []), moments(now), more);
    shown.id = "podium";
    find("stage").append(shown);
  });
}

function steps({ players, layout }) {
  const made = STEPS.map((place) => [place, players.flatMap((player, seat) => player.place === place ? [seat] : [])]).filter(([, seats]) => seats.length);
  return holding("ol", "steps", ...made.map(([place, seats]) => {
    const stripes = seats.map((seat, at) => `var(--player-${seat}) ${100 * at / seats.length}% ${100 * (at + 1) / seats.length}%`);
    const score = String(players[seats[0]].score), alone = players.length === 1;
    const block = holding("span", "block", element("b", "", alone ? score : String(place)));
    block.style.background = `linear-gradient(90deg, ${stripes})`;
    const names = holding("span", "names", ...seats.map((seat) => element("span", "name", players[seat].name)));
    return holding("li", `place-${place}`, ...(place === 1 ? [crown()] : []), names, ...(alone || layout === "lives" ? [] : [element("span", "points", score)]), block);
  }));
}

const crown = () => svg("svg", { viewBox: "0 0 24 15", class: "crown", "aria-hidden": "true" }, svg("path", { d: "M3 14 1 3l6 5 5-7 5 7 6-5-2 11z" }));

function moments({ highlights, players, words }) {
  return holding("ul", "moments", ...highlights.map(({ kind, n, who, face }) => {
    const figure = holding("b", "", ...(face ? [die(face), `× ${n}`] : [legible(n)]));
    const whose = own(element("span", "", who), players.findIndex((player) => player.name === who));
    return holding("li", "", element("small", "", words[`best_${kind}`]), figure, whose);
  }));
}
