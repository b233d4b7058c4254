// What this page is, and a desk for strategy files.
import { h, show } from "../dom.js";
import { long } from "../engine.js";
import { command, problem } from "../parts.js";

export async function view() {
  const told = h("div", { role: "status", id: "checked" });
  const area = h("textarea", { class: "wide", id: "file", spellcheck: "false", "aria-label": "The text of a strategy file", placeholder: "Paste a strategy file, or choose one" });
  const choose = h("input", { type: "file", accept: ".json,application/json", "aria-label": "A strategy file" });
  async function check() {
    show(told, "The checker reads …");
    try {
      const { report, strategy, milliseconds } = await long({ ask: "load", text: area.value });
      show(told, h("div", { class: `message ${report.valid ? "valid" : "refused"}` }, h("p", {}, report.valid ? `Valid: ${report.claim}` : `Refused: ${report.reason}`), strategy && h("p", { class: "soft small" }, `form ${strategy.form}, checked in ${(milliseconds / 1000).toFixed(2)} s`)), command("verify", "strategy.json"));
    } catch (error) {
      show(told, problem(error));
    }
  }
  choose.addEventListener("change", async () => {
    if (choose.files.length > 0) {
      area.value = await choose.files[0].text();
      check();
    }
  });
  return h("div", { class: "columns" },
    h("div", { class: "stack" }, h("h1", {}, "About this page"),
      h("p", {}, "The engine of ", h("code", {}, "impartial"), " is a program in Rust. This page has it as WebAssembly: it runs on your machine, offline too once the page is loaded. No server is asked, nothing is counted."),
      h("h2", {}, "How sure is an answer?"),
      h("p", {}, h("span", { class: "badge proved" }, "proved"), " holds for all positions it speaks of: a certificate was found, and a theorem says that the certificate is enough. “Check it in this browser” lets the independent checker read the certificate; it shares no code with the engine."),
      h("p", {}, h("span", { class: "badge computed" }, "computed"), " was worked out for the positions named, by an exact method, and claims nothing beyond."),
      h("p", {}, h("span", { class: "badge conjectured" }, "conjectured"), " fits what was computed; nobody has proved it."),
      h("h2", {}, "P and N"),
      h("p", {}, "A position is ", h("strong", { class: "P" }, "P"), " when the previous player wins, ", h("strong", { class: "N" }, "N"), " when the next player wins. A winning move leads to a P-position."),
      h("h2", {}, "Links and keys"),
      h("p", {}, "The address holds the game, the play, the view and the position: a link is a citation. The key / goes to the field, Escape stops a run, and every move is a button in a list.")),
    h("div", { class: "stack" }, h("section", { class: "card" }, h("h2", {}, "Check a strategy file"), h("div", { class: "stack tight" }, choose, area, h("div", { class: "row" }, h("button", { type: "button", class: "primary", id: "check", onclick: check }, "Check")), told))));
}
