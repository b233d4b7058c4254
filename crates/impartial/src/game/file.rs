//! From text to a game: names, notations, game files.

use super::Game;
use super::catalogue;
use super::chains::Chains;
use super::graph::GraphGame;
use super::heap::HeapGame;
use super::kind::Kind;
use super::lattice::Lattice;
use super::notation::{name, respelled};
use super::poset::PosetKind;
use super::rays::Rays;
use super::sum::Sum;
use super::wythoff::WythoffGame;
use crate::error::{Error, Result};

/// Gives the place and the text of a file: of the one that a user names (the first argument is then empty), or of one that the
/// file at the first place names. `None` is for what is no file.
pub type Opener<'a> = &'a dyn Fn(&str, &str) -> Result<Option<(String, String)>>;

/// Brackets nested deeper than this are no game; the TOML reader would take many times the file's size in memory to say so.
const DEEPEST: usize = 64;

/// A game that stands inside `depth` sums.
pub(super) fn open(text: &str, opener: Opener<'_>, depth: usize) -> Result<Game> {
    open_at("", text, opener, depth)
}

/// A game named in the file at a place.
pub(super) fn open_at(base: &str, text: &str, opener: Opener<'_>, depth: usize) -> Result<Game> {
    if let Some((place, content)) = opener(base, text)? {
        return open_text(&place, &content, opener, depth);
    }
    let spelled = respelled(text);
    if let Some(kind) = notation(&spelled) {
        let kind = kind?;
        // Heap games print in one spelling; the other notations have one only.
        let canonical = if let Kind::Heap(heap) = &kind { heap.name.clone() } else { spelled };
        return Ok(Game::new(&canonical, kind));
    }
    let plain = name(text);
    let entry = catalogue::entry(&plain).ok_or_else(|| catalogue::unknown(text))?;
    let text = plain.as_str();
    let game = match (entry.game, entry.file) {
        (Some(game), _) if game == "wythoff" => Game::new(text, Kind::Wythoff(WythoffGame::new(text))),
        (Some(game), _) => {
            let kind = notation(&game).ok_or_else(|| catalogue::unknown(text))??;
            Game::new(text, if let Kind::Heap(heap) = kind { Kind::Heap(heap.named(text)) } else { kind })
        }
        (None, Some(mut file)) => {
            file.insert("name".into(), text.into());
            open_text(text, &file.to_string(), opener, depth)?
        }
        (None, None) => return Err(catalogue::unknown(text)),
    };
    Ok(Game { entry: Some(entry.name), ..game })
}

/// A game in one of the notations.
fn notation(text: &str) -> Option<Result<Kind>> {
    if text.starts_with("subtract:") || looks_like_code(text) {
        return Some(HeapGame::from_notation(text).map(Kind::Heap));
    }
    // All others have a colon; a name has none.
    if !text.contains(':') {
        return None;
    }
    if let Some(game) = Chains::from_notation(text) {
        return Some(game.map(Kind::Chains));
    }
    PosetKind::from_notation(text).map(|game| game.map(Kind::Poset))
}

/// A point after at most one character, or one that begins the text: no name has it.
fn looks_like_code(text: &str) -> bool {
    text.find('.').is_some_and(|at| at <= 1 || text[..at].bytes().all(|b| b.is_ascii_digit()))
}

/// Whether brackets outside of strings and comments nest too deeply.
pub(super) fn is_too_deep(text: &str) -> bool {
    let (mut depth, mut quote, mut comment, mut escaped) = (0usize, None, false, false);
    for byte in text.bytes() {
        if comment || quote.is_some() {
            comment = comment && byte != b'\n';
            if !escaped && (quote == Some(byte) || byte == b'\n') {
                quote = None;
            }
            escaped = !escaped && quote == Some(b'"') && byte == b'\\';
            continue;
        }
        match byte {
            b'#' => comment = true,
            b'"' | b'\'' => quote = Some(byte),
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return true;
        }
    }
    false
}

/// A game from the text of a file at a place.
pub(super) fn open_text(place: &str, text: &str, opener: Opener<'_>, depth: usize) -> Result<Game> {
    if is_too_deep(text) {
        return Err(Error::Input(format!(
            "{place}: brackets are nested more than {DEEPEST} deep; write a TOML file with kind = \"…\""
        )));
    }
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        // The error's own text quotes the line, which may be megabytes long.
        let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
        Error::Input(format!("{place}: line {line}: {}; write a TOML file with kind = \"…\"", error.message()))
    })?;
    let kind = match table.get("kind").and_then(toml::Value::as_str) {
        Some("lattice") if ["rays", "terminal"].iter().any(|key| table.contains_key(*key)) => {
            Kind::Rays(Rays::from_file(place, text)?)
        }
        Some("lattice") => Kind::Lattice(Lattice::from_file(place, text)?),
        Some("heap") => Kind::Heap(HeapGame::from_file(place, text)?),
        Some("poset") => Kind::Poset(PosetKind::from_file(place, text)?),
        Some("chains") => Kind::Chains(Chains::from_file(place, text)?),
        Some("graph") => Kind::Graph(GraphGame::from_file(place, text)?),
        Some("sum") => Kind::Sum(Sum::from_file(place, text, opener, depth)?),
        Some(other) => {
            return Err(Error::Input(format!(
                "{place}: kind = \"{other}\" is not known; it is one of heap, lattice, poset, graph, sum, chains"
            )));
        }
        None => {
            return Err(Error::Input(format!(
                "{place}: `kind` is missing; add a line such as kind = \"lattice\" (heap, lattice, poset, graph, sum, chains)"
            )));
        }
    };
    Ok(Game::new(place, kind))
}
