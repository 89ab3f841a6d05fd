// The games to choose from, each with a small picture of its dice, and the rules of the one that is chosen.

import { element } from "../dom.js";
import { die } from "../dice.js";

const MOST_DICE = 6; // in the picture of a game
const FACES = [5, 3, 6, 2, 4, 1];

// Return the chosen game, or all that the search finds. choose: called with a game, null to choose again.
export function gameCards(games, form, words, choose) {
  if (form.game) return chosen(form.game, words, choose);
  const search = element("input", "search"), list = element("ul", "games");
  search.type = "search";
  search.value = form.text;
  search.placeholder = words.search;
  search.setAttribute("aria-label", words.search);
  const fill = () => {
    form.text = search.value;
    const wanted = search.value.trim().toLocaleLowerCase();
    const meant = (name) => name.toLocaleLowerCase().includes(wanted);
    list.replaceChildren(...games.flatMap((game) => {
      if (meant(game.name)) return [card(game, "", choose)];
      const other = game.others.find(meant); // who looks for Farkle finds Ten Thousand
      return other ? [card(game, other, choose)] : [];
    }));
  };
  search.addEventListener("input", fill);
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    list.querySelector("button")?.click();
  });
  fill();
  return [element("h3", "", words.which), search, list];
}

function card(game, other, choose) {
  const line = element("li"), made = element("button", "game");
  made.type = "button";
  made.id = `game-${game.id}`;
  made.append(picture(game), element("small", "", players(game)), element("span", "label", game.name));
  if (other) made.append(element("small", "label", other));
  made.addEventListener("click", () => choose(game));
  line.append(made);
  return line;
}

const players = (game) => game.least === game.most ? `${game.most}` : `${game.least}–${game.most}`;

function picture(game) {
  const made = element("span", "small-dice");
  made.setAttribute("aria-hidden", "true");
  made.append(...FACES.slice(0, Math.min(game.dice, MOST_DICE)).map((face) => die(face)));
  return made;
}

function chosen(game, words, choose) {
  const head = element("div", "chosen"), change = element("button", "small", words.other_game);
  change.type = "button";
  change.id = "other-game";
  change.addEventListener("click", () => choose(null));
  head.append(element("h3", "", game.name), change, picture(game));
  const rules = element("details"), title = element("summary", "", words.rules);
  rules.append(title, ...paragraphs(game.help).map((text) => element("p", "", text)));
  return [head, rules];
}

// The lines of a rules text are of one length: one that does not end a sentence, in any script, goes on in the next.
function paragraphs(text) {
  return text.split("\n").filter(Boolean).reduce((made, line) => {
    const last = made.at(-1) ?? "";
    return last && !/[.:!?\u3002\uff01\uff1f\u061f]$/.test(last) ? [...made.slice(0, -1), `${last} ${line}`] : [...made, line];
  }, []);
}
