// What every view shows: how sure an answer is, the command that gives it, and what went wrong.
import { brief, h, show, copyButton, download } from "./dom.js";
import { long } from "./engine.js";

const THEOREMS = {
  "guy-smith": "Guy and Smith 1956: a period that holds long enough for all splits holds for ever",
  automaton: "the equation of the P-positions, which has one solution (Guo and Miller 2011, Theorem 3.6 of the thesis)",
  stratification: "the equation of the P-positions, which has one solution (Guo and Miller 2011, Theorem 3.6 of the thesis)",
  series: "the equation of the P-positions, read off the generating function",
  quotient: "Plambeck and Siegel 2008: P- and N-positions of the quotient checked against the moves of every heap",
  chains: "Byrnes 2003: the poset game periodicity theorem, checked on its finite certificate",
  table: "every position of the finite board",
  "parity-kernel": "squarefree games: values depend on parities (Guo and Miller, erratum, Theorem 3)",
  dominance: "a sum is played as in normal play unless one heap outweighs all others, checked state by state (Theorem 7 of docs/theory/dominance.md)",
  ranks: "an automaton reads a sum from its largest heaps down, checked beside every option (Theorem 8 of docs/theory/ranks.md)",
  numeration: "the equation of the P-positions, checked in a numeration system (docs/theory/numeration.md)",
  "nim-sequence": "a periodicity theorem for the Grundy sequence of the rules",
  induction: "induction on the heap: every part of the values repeats where its exclusions do (Theorem 2 of docs/theory/periods.md)",
  window: "a window of the last values comes again, so that everything after it does (Theorem 4 of docs/theory/periods.md)",
  counters: "outcomes by an element of a finite monoid and the numbers of some heaps, checked for all sums (Theorem 3 of docs/theory/misere.md)",
  presentation: "the relations and the P-positions, checked as sets of positions (Theorem 5 of docs/theory/misere.md)",
  sectors: "strata along rays: a finite box proves them (docs/theory/sectors.md)",
  "grundy-sectors": "strata along rays, each with a value: a finite box proves them (docs/theory/sectors.md)",
  "grundy-automaton": "the equation of the Grundy values, which has one solution",
  blocks: "positions by their digits, from the most significant on (docs/theory/blocks.md)",
  "grundy-blocks": "values by digits, from the most significant on (docs/theory/blocks.md)",
};

/** How an answer about one position was found, for those whose name says too little. */
const METHODS = {
  sequence: "by the nim-sum of Grundy values of heaps", "nim-sum": "by the nim-sum", beatty: "by the golden ratio: Wythoff's pairs", recursion: "from all smaller positions",
  table: "from a table of all smaller positions", quotient: "in the misère quotient", chains: "by f(m) of its chains", "plain recursion": "from its options, again and again",
};
export const by = (method) => METHODS[method] ?? `by ${method}`;

/** The words of a game on the command line. */
export const quoted = (text) => /^[A-Za-z0-9+.,:\-_/]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A game as an argument: a text of several lines is a file there. */
export const argument = (game) => game.includes("\n") ? "game.toml" : quoted(game);

/** The command that gives the same answer. */
export function command(...words) {
  const text = ["impartial", ...words.filter(Boolean)].join(" ");
  // A word is not cut at its hyphens: "--to" stays whole.
  const whole = brief(text).split(" ").flatMap((word, i) => [i > 0 && " ", h("span", {}, word)]);
  return h("div", { class: "command" }, h("code", {}, whole), copyButton(text));
}

/** Why a run stopped; the option of the command that would let it go on is none of the page. */
export const reason = (stopped) => stopped.replace(/; --[a-z-]+ .*$/m, "");

/** `--play misere`, where it is needed. */
export const playFlag = (play) => (play === "misere" ? "--play misere" : "");

/** "Check it in this browser" and "Download" for a certificate; `text` gives it. */
function checks(text, name) {
  const verdict = h("div", { class: "verdict", role: "status" });
  const check = h("button", { type: "button", class: "check-here" }, "Check it in this browser");
  check.addEventListener("click", async () => {
    show(verdict, "The independent checker reads the certificate …").className = "verdict";
    try {
      const file = await text();
      const { report, milliseconds } = await long({ ask: "verify", text: file });
      const size = (file.length / 1024).toFixed(1);
      verdict.classList.add(report.valid ? "valid" : "refused");
      show(verdict, report.valid ? `Valid: ${report.claim} (${size} KB checked in ${(milliseconds / 1000).toFixed(2)} s)` : `Refused: ${report.reason}`);
    } catch (error) {
      verdict.classList.add("refused");
      show(verdict, error.message);
    }
  });
  const save = h("button", { type: "button", class: "save-here" }, "Download the certificate");
  save.addEventListener("click", async () => {
    try {
      download(`${name.replace(/[^A-Za-z0-9.-]+/g, "-").slice(0, 60)}.json`, await text(), "application/json");
    } catch (error) {
      show(verdict, error.message);
    }
  });
  return { check, save, verdict };
}

/**
 * How sure an answer is. Only a report of the engine that says `proved: true` makes the badge say so; `file` is the question for
 * the strategy file that can be checked here and downloaded. A `kept` certificate claims a proof until it is checked.
 */
export function badge({ proved, theorem, computed, conjectured, file, kept, name = "strategy" }) {
  if (kept) {
    const { check, save, verdict } = checks(kept, name);
    return h("div", { class: "stack tight" }, h("div", { class: "badge computed" }, h("span", {}, "a certificate is kept; check it"), h("span", { class: "checks" }, check, save)), verdict);
  }
  if (proved === true) {
    const why = THEOREMS[theorem] ?? theorem;
    const words = h("span", {}, "proved", why ? `: ${why}` : "");
    if (!file) return h("div", { class: "badge proved" }, words);
    const { check, save, verdict } = checks(async () => (await long(file)).text, name);
    return h("div", { class: "stack tight" }, h("div", { class: "badge proved" }, words, h("span", { class: "checks" }, check, save)), verdict);
  }
  if (computed !== undefined) return h("div", { class: "badge computed" }, h("span", {}, `computed${computed ? ` ${computed}` : ""}`));
  return h("div", { class: "badge conjectured" }, h("span", {}, `conjectured${conjectured ? `: ${conjectured}` : ""}`));
}

/** The message of the engine; what is known all the same is shown with it. */
export function problem(error) {
  const kind = error.kind ?? "broken";
  return h("div", { class: `message ${kind}`, role: "alert" },
    h("p", {}, kind === "stopped" ? reason(error.message) : error.message ?? String(error)),
    error.position && h("p", {}, "Position: ", h("code", {}, error.position)),
    error.known && h("pre", {}, error.known.text));
}

/** Runs a part of a view; what goes wrong is told in its place, and the rest of the page stays. */
export async function part(place, make) {
  place.setAttribute("aria-busy", "true");
  try {
    show(place, await make());
  } catch (error) {
    show(place, problem(error));
  }
  place.removeAttribute("aria-busy");
}

/** P or N as a sign. */
export const outcome = (text) => h("span", { class: `outcome ${text}`, title: text === "P" ? "P: the previous player wins" : "N: the next player wins" }, text);

/** The head of a table: names of columns, those of numbers in brackets. */
export const headings = (...names) => h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col", class: Array.isArray(name) ? "number" : null }, name))));

/** Facts in pairs; what is missing is left out. */
export const facts = (pairs) => h("dl", { class: "facts" }, pairs.filter(([, value]) => value !== undefined && value !== null && value !== "").map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
