// The front page: a word of welcome and the catalogue.
import { h } from "../dom.js";
import { address } from "../route.js";

const FIRST = ["nim", "kayles", "dawsons-kayles", "chomp", "wythoff", "exotic", "infinite-quotient", "grundys-game", "schuhs-game", "three-row-chomp", "marienbad", "laskers-nim"];

/** A card of the catalogue. */
export const card = ({ name, title, words, source, rules, kind, start }) => h("li", {},
  h("article", { class: "card" },
    h("div", { class: "row" }, h("h3", {}, h("a", { href: address(name) }, title)), h("span", { class: "kind" }, kind)),
    rules && !rules.endsWith(" file") && h("p", { class: "rules" }, rules),
    h("p", { class: "small" }, words.replaceAll("`", "")),
    h("p", { class: "source" }, source),
    h("p", { class: "small beside" }, h("a", { href: address(name, { view: "play" }), "aria-label": `Play ${title} from ${start ?? "its start"}` }, `Play from ${start ?? "its start"}`))));

export async function view({ games }) {
  const all = await games();
  const known = FIRST.map((name) => all.find((game) => game.name === name)).filter(Boolean);
  return h("div", { class: "stack wide" },
    h("section", { class: "welcome" },
      h("h1", {}, "Who wins, and why, for every position."),
      h("p", {}, "Type a game above, or take one of these. The engine runs in this page: it plays perfectly, computes values and quotients, finds strategies for infinitely many positions and proves them; an independent checker reads the proofs."),
      h("p", { class: "row" },
        h("a", { class: "button", href: address("nim", { view: "play" }) }, "Play Nim"),
        h("a", { class: "button", href: address("kayles", { view: "values" }) }, "Values of Kayles"),
        h("a", { class: "button", href: address("0.123", { play: "misere", view: "misere" }) }, "A misère quotient"),
        h("a", { class: "button", href: address("exotic", { view: "lattice" }) }, "A lattice game, proved"),
        h("a", { class: "button", href: address("chomp-chains:5,3", { view: "posets" }) }, "Chomp without end"))),
    h("ul", { class: "cards" }, known.map(card)),
    h("p", {}, h("a", { href: "#/index" }, `All ${all.length} games of the catalogue, and the census`)));
}
