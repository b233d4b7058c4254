// The address holds the game, the play, the view and the position: a link is a citation.

/** What the address says. Nothing of it is trusted: it is only ever shown as text and given to the engine. */
export function read(hash = location.hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const parameters = Object.fromEntries(new URLSearchParams(query));
  const [page, ...rest] = path.split("/");
  if (page !== "game") return { page: page || "home", game: "", parameters };
  let game = rest.join("/");
  try {
    game = decodeURIComponent(game);
  } catch {
    // A broken escape is shown as it stands.
  }
  return { page: "game", game, parameters };
}

/** The address of a game and its parameters; empty ones are left out. */
export function address(game, parameters = {}) {
  const kept = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const name = encodeURIComponent(game).replaceAll("%3A", ":").replaceAll("%2C", ",");
  const query = new URLSearchParams(kept).toString();
  return `#/game/${name}${query ? `?${query}` : ""}`;
}
