// The frame: one field, the play, the views.
import { brief, h, show } from "./dom.js";
import { loaded, quick, typed, onChange, stop } from "./engine.js";
import { address, read } from "./route.js";
import { problem } from "./parts.js";
import "./light.js";

const $ = (id) => document.getElementById(id);
const [field, meaning, main, tabs, busy] = ["field", "meaning", "main", "tabs", "busy"].map($);

const VIEWS = {
  home: ["Game", () => import("./views/game.js")],
  play: ["Play", () => import("./views/play.js")],
  values: ["Values", () => import("./views/values.js")],
  misere: ["Misère", () => import("./views/misere.js")],
  lattice: ["Lattice", () => import("./views/lattice.js")],
  posets: ["Posets", () => import("./views/posets.js")],
  export: ["Export", () => import("./views/export.js")],
};

const OF_KIND = {
  heap: ["home", "play", "values", "misere", "lattice", "export"],
  lattice: ["home", "play", "lattice", "misere", "export"],
  poset: ["home", "play", "posets", "export"],
  chains: ["home", "play", "posets", "export"],
  wythoff: ["home", "play", "export"],
  graph: ["home", "play", "export"],
  sum: ["home", "play", "export"],
};

/** Views of heap games that belong to one play. */
const OWN = { values: "normal", misere: "misere" };

const PAGES = {
  home: () => import("./views/home.js"),
  index: () => import("./views/index.js"),
  open: () => import("./views/open.js"),
  about: () => import("./views/about.js"),
};

let catalogue = null;

/** The games of the catalogue. */
export async function games() {
  catalogue ??= quick({ ask: "games" }).then(({ report }) => report.games);
  return catalogue;
}

/** What a text means. */
async function describe(game, play, ask = quick) {
  const { report } = await ask({ ask: "describe", game, ...(play && { play }) });
  const code = report.info.code;
  const all = await games();
  // By its own name first; of several games with the same code the one with the shortest name: 0.[3] is Nim, and Marienbad too.
  const named = all.find(({ name, aliases }) => [name, ...aliases].includes(game.trim().toLowerCase()));
  const same = all.filter(({ rules, kind }) => rules === game.trim() || (code && kind === "heap" && rules === code));
  const known = named ?? same.sort((a, b) => a.name.length - b.name.length)[0];
  return { ...report, known, code };
}

/** "octal 0.77 = Kayles: take one or two …". */
function words(described) {
  const { kind, known, code, name, info } = described;
  const written = name.startsWith("game file") ? "" : name;
  const octal = kind === "heap" && code ? `${/[89a-f]/i.test(code.split(".")[1] ?? "") ? "code" : "octal"} ${code}` : "";
  const what = octal || (kind === "wythoff" ? "heap game" : `${kind} game${known || !written ? "" : ` ${written}`}`);
  const title = known?.title ?? (octal && written !== code ? written : "");
  const rules = (known?.words ?? info.words ?? described.text.split("\n").slice(1, 3).join("; ")).replaceAll("`", "");
  return [h("strong", {}, brief(title ? `${what} = ${title}` : what)), brief(`: ${/^(A |[A-Z][a-z])/.test(rules) ? rules[0].toLowerCase() + rules.slice(1) : rules}`)];
}

/** The field is as high as its text; a text without end is not measured. */
function fit() {
  field.classList.toggle("long", field.value.length > 20_000);
  field.rows = Math.min(8, field.value.slice(0, 20_000).split("\n").length);
}

let typing = 0;
/** Says what the field means while it is typed. */
async function understand() {
  const turn = ++typing;
  const text = field.value;
  fit();
  if (!text.trim()) {
    meaning.className = "meaning";
    show(meaning, "Type a game: a name, a code, a notation, or the text of a game file.");
    return;
  }
  try {
    const described = await describe(text, undefined, typed);
    if (turn !== typing) return;
    meaning.className = "meaning";
    show(meaning, words(described));
  } catch (error) {
    if (turn !== typing) return;
    meaning.className = "meaning wrong";
    show(meaning, error.message);
  }
}

let shown = 0;
/** The kind of the game that is shown. */
let here = null;

/** Shows what the address says. */
async function go() {
  const turn = ++shown;
  stop("stopped: another view was opened");
  const { page, game, parameters } = read();
  for (const link of document.querySelectorAll(".site a")) {
    link.toggleAttribute("aria-current", link.getAttribute("href") === `#/${page}`);
  }
  tabs.hidden = true;
  main.setAttribute("aria-busy", "true");
  document.title = "impartial";
  try {
    if (page !== "game") {
      $("play").disabled = true;
      const make = Object.hasOwn(PAGES, page) ? PAGES[page] : null;
      if (!make) throw new Error(`There is no page "${page}".`);
      const { view } = await make();
      const content = await view({ games, parameters });
      if (turn === shown) show(main, content);
      if (turn === shown && document.activeElement !== field) {
        field.value = "";
        understand();
      }
      return;
    }
    if (field.value !== game) {
      field.classList.add("long");
      field.value = game;
      fit();
    }
    await open(turn, game, parameters);
  } catch (error) {
    if (turn !== shown) return;
    show(main, problem(error));
    if (page === "game") understand();
  } finally {
    if (turn === shown) main.removeAttribute("aria-busy");
  }
}

async function open(turn, game, parameters) {
  let play = ["normal", "misere"].includes(parameters.play) ? parameters.play : undefined;
  let described = await describe(game, play);
  if (described.kind === "heap" && parameters.view === "misere" && described.play !== "misere") {
    // The quotient of heaps is that of misère play, whatever the address says.
    play = "misere";
    described = await describe(game, play);
  }
  if (turn !== shown) return;
  here = described.kind;
  meaning.className = "meaning";
  show(meaning, words(described));
  $("play").disabled = false;
  for (const input of $("play").querySelectorAll("input")) input.checked = input.value === described.play;
  const names = OF_KIND[described.kind] ?? ["home", "play"];
  const chosen = names.includes(parameters.view) ? parameters.view : "home";
  const { play: _, view: __, ...rest } = parameters;
  const link = (view, more = {}) => address(game, { play, view: view === "home" ? undefined : view, ...more });
  show(tabs, names.map((name) => h("a", {
    href: link(name, { ...(name === "play" && { position: rest.position }), ...(described.kind === "heap" && OWN[name] && { play: OWN[name] }) }),
    ...(name === chosen && { "aria-current": "page" }),
  }, name === "misere" && described.kind === "lattice" ? "Quotient" : VIEWS[name][0])));
  tabs.hidden = false;
  document.title = `${described.known?.title ?? brief(game.split("\n")[0], 60)} · impartial`;
  show(main, h("p", { class: "loading" }, "…"));
  const { view } = await VIEWS[chosen][1]();
  // A lattice game with defeated points of its own has a play of its own: neither of the two may be asked for.
  const own = described.kind === "lattice" && described.info.defeated > 0 && !play ? undefined : described.play;
  /** Puts what a view shows into the address, without a new entry in the history; a view that is gone says nothing. */
  const note = (more) => turn === shown && history.replaceState(null, "", address(game, { play, view: chosen === "home" ? undefined : chosen, ...more }));
  const content = await view({ game, play: own, asked: play, described, parameters: rest, link, note, games });
  if (turn === shown) show(main, content);
}

$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = field.value.trim();
  if (!text) return;
  const next = address(text);
  if (location.hash === next) go();
  else location.hash = next;
});
field.addEventListener("input", understand);
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !field.value.includes("\n")) {
    event.preventDefault();
    $("ask").requestSubmit();
  }
});
$("play").addEventListener("change", ({ target }) => {
  const { game, parameters } = read();
  const { view } = parameters;
  // Values are those of normal play and the quotient that of misère play: each takes the place of the other.
  const other = here === "heap" && OWN[view] && OWN[view] !== target.value;
  location.hash = address(game, { ...parameters, play: target.value, ...(other && { view: view === "values" ? "misere" : "values" }) });
});
$("skip").addEventListener("click", () => main.focus());
$("stop").addEventListener("click", () => stop());
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !busy.hidden) stop();
  if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "")) {
    event.preventDefault();
    field.focus();
    field.select();
  }
});

// Short questions show nothing: it would only flicker.
let watched = [];
let timer = 0;
function tell() {
  timer = 0;
  if (watched.length === 0) return;
  const [{ name, since, progress }] = watched;
  const seconds = (performance.now() - since) / 1000;
  if (seconds >= 0.25) {
    const steps = progress ? ` · ${progress.done.toLocaleString("en")}${progress.total >= 0 ? ` of ${progress.total.toLocaleString("en")}` : ""}` : "";
    $("busy-text").textContent = `${name} · ${seconds.toFixed(1)} s${steps}`;
    if (progress && progress.total > 0) {
      $("busy-bar").max = progress.total;
      $("busy-bar").value = progress.done;
    } else $("busy-bar").removeAttribute("value");
    busy.hidden = false;
  }
  timer = setTimeout(tell, 125);
}
function changed(running) {
  watched = running;
  document.body.dataset.running = running.length;
  document.body.dataset.parts = loaded().join(" ");
  if (running.length === 0) busy.hidden = true;
  else if (!timer) timer = setTimeout(tell, 125);
}
changed([]);
onChange(changed);

addEventListener("hashchange", go);
go();
if ("serviceWorker" in navigator && location.protocol !== "file:") navigator.serviceWorker.register("sw.js").catch(() => {});
