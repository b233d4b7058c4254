// Export: the answers in the syntax of papers and other programs.
import { h, show, copyButton, download } from "../dom.js";
import { long } from "../engine.js";
import { argument, badge, command, part, playFlag, problem } from "../parts.js";

export async function view({ game, play, described }) {
  const out = h("div", { class: "export", id: "export" });
  const base = { game, play };
  const { kind } = described;
  const name = game.split("\n")[0].replace(/[^A-Za-z0-9.-]+/g, "-").slice(0, 40) || "game";
  const shown = (syntax) => async () => (await long({ ask: "show", ...base, syntax, seconds: 300 })).text;
  const values = async () => (await long({ ask: "values", game, play: "normal", to: 1000 })).report.values;
  const formats = [];
  const add = (label, file, make, flags, type, sure = proved) => formats.push({ label, file, make, flags, type, sure });
  /** How sure what is exported is: a strategy as its report says, values and pictures as far as they go. */
  const proved = async () => {
    const { report } = await long({ ask: "solve", ...base, seconds: 300 });
    return badge({ proved: report.proved, theorem: report.form, conjectured: "not proved", file: { ask: "file", ...base }, name });
  };
  const computed = (how) => async () => badge({ computed: how });
  const solve = ["solve", argument(game), playFlag(play)];
  if (kind === "heap" && play === "normal") {
    add("b-file (OEIS)", `${name}.b.txt`, async () => (await values()).map((value, n) => `${n} ${value}\n`).join(""), ["values", argument(game), "--to 1000 --as bfile"], "text/plain", computed("to heap 1000"));
    add("Values as JSON", `${name}.values.json`, async () => JSON.stringify((await long({ ask: "values", game, play: "normal", to: 1000 })).report), ["values", argument(game), "--to 1000 --json"], "application/json", computed("to heap 1000"));
  }
  if (["heap", "lattice", "poset", "chains", "wythoff"].includes(kind)) {
    add("Strategy file (JSON)", `${name}.json`, async () => (await long({ ask: "file", ...base })).text, [...solve, "-o strategy.json"], "application/json");
  }
  for (const syntax of syntaxes(kind, play)) add(SYNTAXES[syntax][0], `${name}.${SYNTAXES[syntax][1]}`, shown(syntax), [...solve, `--as ${syntax}`]);
  if (kind === "heap" && play === "misere") add("Quotient as JSON", `${name}.quotient.json`, async () => JSON.stringify((await long({ ask: "quotient", ...base })).report, null, 1), ["quotient", argument(game), "--play misere --json"], "application/json");
  if (["heap", "lattice", "poset", "chains", "wythoff"].includes(kind)) {
    const svg = async () => (await long({ ask: "plot", ...base })).text;
    add("Picture (SVG)", `${name}.svg`, svg, ["plot", argument(game), playFlag(play), "-o picture.svg"], "image/svg+xml", computed("for what is drawn"));
    add("Picture (PNG)", `${name}.png`, async () => raster(await svg()), ["plot", argument(game), playFlag(play), "-o picture.png"], "image/png", computed("for what is drawn"));
  }
  if (formats.length === 0) return h("p", {}, "For this kind of game there is nothing to export but its positions.");

  async function give({ label, file, make, flags, type, sure }) {
    await part(out, async () => {
      const content = await make();
      const certain = await sure();
      const isPicture = type?.startsWith("image/");
      const blob = content instanceof Blob ? content : new Blob([content], { type: type ?? "text/plain" });
      const save = h("button", { type: "button", class: "primary", onclick: () => download(file, blob) }, `Download ${file}`);
      const picture = isPicture && h("img", { src: URL.createObjectURL(blob), alt: `A picture of ${game.split("\n")[0]}` });
      return h("div", { class: "stack tight" }, h("h2", {}, label), h("div", { class: "row" }, save, !isPicture && copyButton(content)), certain, command(...flags), picture || h("pre", {}, content.length > 20_000 ? `${content.slice(0, 20_000)}\n… (${content.length} characters in all)` : content));
    });
  }
  const buttons = formats.map((format) => h("button", { type: "button", data: { file: format.file }, onclick: () => give(format).catch((error) => show(out, problem(error))) }, format.label));
  return h("div", { class: "stack" }, h("section", { class: "card" }, h("h2", {}, "Take it with you"), h("div", { class: "row formats" }, buttons)), out);
}

/** Languages: what people call them, and how their files end. */
const SYNTAXES = {
  text: ["Text", "txt"], latex: ["LaTeX", "tex"], macaulay2: ["Macaulay2", "m2"], sage: ["Sage", "sage"], mathematica: ["Mathematica", "wl"],
  gap: ["GAP", "g"], normaliz: ["Normaliz", "in"], walnut: ["Walnut", "walnut.txt"], dot: ["Graphviz", "dot"], oeis: ["OEIS draft", "oeis.txt"], csv: ["CSV", "csv"],
};

/** Which of them the strategies of a kind of game have. */
function syntaxes(kind, play) {
  const papers = ["text", "latex", "macaulay2", "sage", "mathematica", "gap"];
  if (kind === "heap") return play === "misere" ? [...papers, "dot", "csv"] : [...papers, "walnut", "oeis", "csv"];
  if (kind === "lattice") return [...papers, "normaliz", "walnut", "dot", "csv"];
  if (kind === "chains") return [...papers, "normaliz", "csv"];
  return ["poset", "wythoff"].includes(kind) ? ["text"] : [];
}

/** A drawing as a raster picture. It is read as an image, so nothing in it can run. */
async function raster(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = h("canvas", { width: image.naturalWidth * 2, height: image.naturalHeight * 2 });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large for this browser"))), "image/png"));
}
