// "My conjecture" of a lattice game: bases and generators, proved or refuted at a position, which is marked on the map.
import { h, copyButton } from "../dom.js";
import { long } from "../engine.js";
import { badge, command, part } from "../parts.js";
import { vector } from "../strata.js";

/** A game file as the table of a claim: its own tables are within that one. */
const within = (file) => `[game]\n${file.split("\n").filter((line) => !line.startsWith("#")).map((line) => line.replace(/^(\s*\[+)\s*(?=[A-Za-z_])/, "$1game.")).join("\n")}\n`;

export function conjecture({ game, play, described }, mark) {
  const toml = game.includes("\n");
  const dimension = described.info.dimension ?? 2;
  const zero = JSON.stringify(Array(dimension).fill(0));
  const two = (i) => JSON.stringify(Array.from({ length: dimension }, (_, j) => (i === j ? 2 : 0)));
  const start = game === "exotic"
    ? "modules = [\n  { bases = [[0,0],[1,1],[3,4],[4,3]], generators = [[0,2],[6,6]] },\n  { bases = [[2,0],[3,1],[5,4],[6,3]], generators = [[2,0],[6,6]] },\n]"
    : `modules = [\n  { bases = [${zero}], generators = [${Array.from({ length: dimension }, (_, i) => two(i)).join(", ")}] },\n]`;
  const area = h("textarea", { class: "wide", spellcheck: "false", "aria-label": "My conjecture" }, start);
  const told = h("div", { role: "status", id: "verdict" });
  const form = h("form", { class: "stack tight" }, area, h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, "Prove it"), h("span", { class: "soft small" }, "P is the union of bases + ℕ generators")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    mark(null);
    const head = toml ? "" : `game = ${JSON.stringify(game)}\n`;
    const text = `${head}form = "stratification"\n${play ? `play = "${play}"\n` : ""}${area.value}\n${toml ? within(game) : ""}`;
    await part(told, async () => {
      const { report, text: words } = await long({ ask: "prove", text });
      const line = h("div", { class: "row" }, command("prove", "claim.toml"), copyButton(text, "Copy claim.toml"));
      if (report.proved === true) return [badge({ proved: true, theorem: "stratification" }), h("p", {}, words), line];
      if (report.position) mark(vector(report.position));
      return h("div", { class: "message refused" }, h("p", {}, `Refuted${report.position ? ` at ${report.position}` : ""}.`), h("p", {}, report.reason), line);
    });
  });
  return h("section", { class: "card" }, h("h2", {}, "My conjecture"), form, told);
}
