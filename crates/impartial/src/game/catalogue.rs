//! The catalogue of named games: `games/*.toml`, one file a game, embedded in the library.

use crate::game::words::counted;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// Name of the file without `.toml`, and its text.
const FILES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));

/// A game of the catalogue.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Entry {
    /// The name by which the game is parsed: the name of the file.
    #[serde(skip)]
    pub name: &'static str,
    /// What people call the game.
    pub title: String,
    /// Other names.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The rules in words.
    pub words: String,
    /// Where the game comes from.
    pub source: String,
    /// The position that the game is known for: where play begins.
    pub start: Option<String>,
    /// What is known of it beyond what this library proves by itself.
    pub known: Option<String>,
    /// The game in a notation …
    pub game: Option<String>,
    /// … or as the content of a game file.
    pub file: Option<toml::Table>,
}

impl Entry {
    /// The game's kind, by its file or notation.
    pub fn kind(&self) -> &str {
        if let Some(file) = &self.file {
            return file.get("kind").and_then(toml::Value::as_str).unwrap_or("heap");
        }
        match self.game.as_deref().and_then(|game| game.split_once(':')).map_or("", |(notation, _)| notation) {
            "chomp" | "divisors" | "subsets" | "nim-poset" | "hackendot" | "tree" | "union" | "linear-sum" => "poset",
            "chomp-chains" => "chains",
            _ if self.game.as_deref() == Some("wythoff") => "wythoff",
            _ => "heap",
        }
    }

    /// The rules as a notation, or as the file's own lines when there is none.
    pub fn rules(&self) -> String {
        match (&self.game, &self.file) {
            (Some(game), _) => game.clone(),
            (None, Some(file)) => file
                .get("code")
                .and_then(toml::Value::as_str)
                .map_or_else(|| format!("{} file", self.kind()), ToOwned::to_owned),
            (None, None) => String::new(),
        }
    }
}

/// Every game of the catalogue, by name.
///
/// ```
/// use impartial::game::catalogue;
/// assert!(catalogue::entries().any(|entry| entry.name == "kayles"));
/// ```
pub fn entries() -> impl Iterator<Item = Entry> {
    FILES.iter().map(|&(name, text)| {
        let entry: Entry = toml::from_str(text).expect("a test reads every file of the catalogue");
        Entry { name, ..entry }
    })
}

/// The game with this name or alias.
pub fn entry(name: &str) -> Option<Entry> {
    entries().find(|entry| entry.name == name || entry.aliases.iter().any(|alias| alias == name))
}

/// Names that are meant by a name nobody knows, for the error message: the code for digits alone, else names that begin with it or
/// have it as a word, else the nearest one.
fn suggestions(name: &str) -> Vec<String> {
    let asked = super::notation::name(name);
    let digits = asked.chars().all(|c| c.is_ascii_hexdigit()) && asked.contains(|c: char| c.is_ascii_digit());
    if digits && asked.len() <= 20 {
        return vec![format!("0.{asked}")];
    }
    let names: Vec<(&'static str, Vec<String>)> = entries()
        .map(|entry| (entry.name, std::iter::once(entry.name.to_owned()).chain(entry.aliases).collect()))
        .collect();
    let chosen = |fits: &dyn Fn(&str) -> bool| -> Vec<String> {
        let fitting = names.iter().filter(|(_, known)| known.iter().any(|known| fits(known)));
        fitting.map(|(name, _)| (*name).to_owned()).take(4).collect()
    };
    if asked.len() >= 3 {
        for fits in [&(|known: &str| known.starts_with(&asked)) as &dyn Fn(&str) -> bool, &|known: &str| {
            known.split('-').any(|word| word.starts_with(&asked))
        }] {
            let found = chosen(fits);
            if !found.is_empty() {
                return found;
            }
        }
    }
    // A quarter of the letters may differ, or another game would be suggested for a short name.
    let most = (asked.chars().count() / 4).min(3);
    let distance = |known: &[String]| known.iter().map(|known| edits(known, &asked)).min().unwrap_or(usize::MAX);
    let nearest = names.iter().map(|(name, known)| (distance(known), *name)).min();
    nearest.filter(|&(edits, _)| edits <= most).map(|(_, name)| name.to_owned()).into_iter().collect()
}

/// How many letters must be changed, left out, put in, or exchanged with the next one, no letter twice.
fn edits(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|text| text.chars().take(60).collect::<Vec<char>>());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut fewest = (rows[i][j] + usize::from(x != y)).min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                fewest = fewest.min(rows[i - 1][j - 1] + 1);
            }
            row.push(fewest);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// The error for a name nobody knows.
pub(crate) fn unknown(name: &str) -> Error {
    let shown: String = name.chars().take(80).collect();
    let near = match suggestions(name).as_slice() {
        [] => String::new(),
        near => format!(" (did you mean {}?)", near.join(" or ")),
    };
    Error::Input(format!(
        "GAME \"{shown}\" is not known{near}; write a code such as 0.77, subtract:1,2,3, chomp:4x7, divisors:360, a name of \
         `impartial games`, or the path of a game file (`impartial help` shows all notations)"
    ))
}

/// The catalogue, or a part of it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct GamesReport {
    /// What was looked for.
    pub filter: Option<String>,
    /// The number of games.
    pub count: usize,
    /// The games.
    pub games: Vec<Line>,
}

/// A game of the list.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Line {
    /// The name by which it is parsed.
    pub name: &'static str,
    /// What people call it.
    pub title: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// Its kind.
    pub kind: String,
    /// Its rules as a notation.
    pub rules: String,
    /// Its rules in words.
    pub words: String,
    /// Where it comes from.
    pub source: String,
    /// The position that it is known for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
}

/// The whole catalogue, or what matches a filter in name, alias, title, notation, words or source.
pub fn games(filter: Option<&str>) -> Result<GamesReport> {
    let wanted = filter.unwrap_or("").to_lowercase();
    let line = |entry: Entry| Line {
        kind: entry.kind().to_owned(),
        rules: entry.rules(),
        name: entry.name,
        title: entry.title,
        aliases: entry.aliases,
        words: entry.words,
        source: entry.source,
        start: entry.start,
    };
    let matches = |line: &Line| {
        [line.name, &line.title, &line.words, &line.source, &line.rules, &line.aliases.join(" ")]
            .join("\n")
            .to_lowercase()
            .contains(&wanted)
    };
    let games: Vec<Line> = entries().map(line).filter(matches).collect();
    if games.is_empty() {
        return Err(Error::Input(format!(
            "no game of the catalogue matches \"{wanted}\"; `impartial games` lists all of them"
        )));
    }
    Ok(GamesReport { filter: filter.map(ToOwned::to_owned), count: games.len(), games })
}

impl fmt::Display for GamesReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Line { name, title, aliases, rules, words, source, .. } in &self.games {
            let aliases = if aliases.is_empty() { String::new() } else { format!(" (also {})", aliases.join(", ")) };
            write!(f, "{name}  [{rules}]{aliases}\n    {title}: {words}\n    Source: {source}\n")?;
        }
        f.write_str(&counted(self.count, "game", "games"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn every_file_of_the_catalogue_is_read() {
        for &(name, text) in FILES {
            let entry: Entry = toml::from_str(text).unwrap_or_else(|error| panic!("games/{name}.toml: {error}"));
            assert!(entry.game.is_some() != entry.file.is_some(), "{name}: exactly one of `game` and `file`");
            assert!(!entry.words.is_empty() && !entry.source.is_empty() && !entry.title.is_empty(), "{name}");
        }
        assert!(FILES.len() >= 40);
    }

    #[test]
    fn every_game_of_the_catalogue_opens() {
        for entry in entries() {
            let Ok(game) = entry.name.parse::<Game>() else { panic!("{} does not open", entry.name) };
            assert_eq!(game.kind(), entry.kind(), "{}", entry.name);
        }
    }

    #[test]
    fn no_name_is_used_twice() {
        let mut names: Vec<String> =
            entries().flat_map(|entry| std::iter::once(entry.name.to_owned()).chain(entry.aliases.clone())).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn a_near_name_is_suggested() {
        assert_eq!(suggestions("kales"), ["kayles"]);
        assert_eq!(suggestions("kaylse"), ["kayles"]);
        assert_eq!(suggestions("lasker"), ["laskers-nim"]);
        assert_eq!(suggestions("dawson"), ["dawsons-chess", "dawsons-kayles"]);
        assert_eq!(suggestions("77"), ["0.77"]);
        assert!(suggestions("xim").is_empty(), "no other game for a short name");
        assert!(suggestions("nothing-like-it-at-all").is_empty());
    }

    #[test]
    fn starts_are_positions_with_a_move() {
        for entry in entries() {
            let game: Game = entry.name.parse().unwrap();
            let start = game.start().unwrap_or_else(|error| panic!("{}: {error}", entry.name));
            assert!(!game.options(&start).unwrap().is_empty(), "{}: {start}", entry.name);
        }
    }

    #[test]
    fn names_are_found_in_any_case() {
        for (written, name) in [("NIM", "nim"), ("Dawson's Kayles", "dawsons-kayles"), ("Grundys_Game", "grundys-game")]
        {
            assert_eq!(written.parse::<Game>().unwrap().name(), name);
        }
    }
}
