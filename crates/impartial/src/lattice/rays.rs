//! Lattice games with rays: a move may also subtract any positive multiple of a vector, as queens and rooks do.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use num_bigint::BigUint;
use serde::Deserialize;
use serde_json::{Value, json};

use super::error::LatticeError;
use super::region::{Region, below};
use crate::outcome::Play;

/// Entries of rules and defeated positions are at most this.
const LARGEST_ENTRY: i64 = 1_000_000;
/// Entries of rays are at most this: the automata of a ray grow with them.
const LARGEST_RAY: i64 = 100;
/// The most defeated positions.
const MOST_DEFEATED: usize = 100_000;
/// The most terminal positions.
const MOST_TERMINAL: usize = 10_000;
/// The most coordinates.
const MOST_COORDINATES: usize = 8;
/// The most moves of a box that are looked at for those of a region.
const MOST_LOOKED_AT: usize = 1 << 22;

/// A game on ℕᵈ without a finite set D of defeated positions. A move subtracts a rule γ ∈ Γ, a positive multiple of a ray, or a vector of
/// a [`Region`], and must land on the board. None of these has a negative entry or is 0, so that every move lowers the sum of the coordinates and play ends.
/// At a terminal position of the board play ends as well, and who would have to move has lost.
///
/// ```
/// use impartial::lattice::RayGame;
/// let queens = RayGame::from_toml("kind = \"lattice\"\nrays = [[1, 0], [0, 1], [1, 1]]").unwrap();
/// assert_eq!(queens, RayGame::wythoff(None));
/// let message = RayGame::from_toml("rays = [[1, -1]]").unwrap_err().to_string();
/// assert!(message.contains("rays[0] has the negative entry -1"), "{message}");
/// let stopped = RayGame::from_toml("rays = [[1, 0], [0, 1], [1, 1]]\nterminal = [[1, 1]]").unwrap();
/// assert!(stopped.options(&[1, 1], 100).unwrap().is_empty() && stopped.options(&[2, 2], 100).unwrap().contains(&vec![1, 1]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RayGame {
    name: Option<String>,
    dimension: usize,
    rules: Vec<Vec<i64>>,
    rays: Vec<Vec<i64>>,
    regions: Vec<Region>,
    /// The generators of the defeated set that are written down, if any are.
    written: Option<Vec<Vec<i64>>>,
    play: Option<Play>,
    defeated: Vec<Vec<i64>>,
    terminal: Vec<Vec<i64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[allow(dead_code)]
    kind: Option<String>,
    name: Option<String>,
    #[allow(dead_code)]
    source: Option<toml::Value>,
    #[allow(dead_code)]
    note: Option<toml::Value>,
    play: Option<String>,
    #[serde(default)]
    rules: Vec<Vec<i64>>,
    #[serde(default)]
    rays: Vec<Vec<i64>>,
    #[serde(default)]
    regions: Vec<Vec<Vec<i64>>>,
    defeated: Option<Vec<Vec<i64>>>,
    #[serde(default)]
    terminal: Vec<Vec<i64>>,
    board: Option<toml::Value>,
}

impl RayGame {
    /// The game of these moves. `defeated` generates the defeated set; without it misère play defeats 0.
    pub fn new(
        name: Option<String>,
        rules: Vec<Vec<i64>>,
        rays: Vec<Vec<i64>>,
        regions: Vec<Vec<Vec<i64>>>,
        defeated: Option<Vec<Vec<i64>>>,
        play: Option<Play>,
    ) -> Result<Self, LatticeError> {
        let dimension = rays.first().or(rules.first()).map(Vec::len).ok_or_else(|| {
            LatticeError::Syntax("there is no move; give rays = [[1, 1], …] or rules = [[1, 1], …]".into())
        })?;
        if !(1..=MOST_COORDINATES).contains(&dimension) {
            return Err(LatticeError::Syntax(format!(
                "the first move has {dimension} entries; a game with rays or terminal positions has between 1 and {MOST_COORDINATES} coordinates"
            )));
        }
        check("rules", &rules, dimension, LARGEST_ENTRY, true)?;
        check("rays", &rays, dimension, LARGEST_RAY, true)?;
        check("defeated", defeated.as_deref().unwrap_or_default(), dimension, LARGEST_ENTRY, false)?;
        let sorted = |mut list: Vec<Vec<i64>>| {
            list.sort();
            list.dedup();
            list
        };
        let (rules, rays) = (sorted(rules), sorted(rays));
        let region = |(i, rows)| Region::new(&format!("regions[{i}]"), rows, dimension);
        let mut regions: Vec<Region> = regions.into_iter().enumerate().map(region).collect::<Result<_, _>>()?;
        regions.sort();
        regions.dedup();
        let generators = match (&defeated, play) {
            (Some(points), _) => points.clone(),
            (None, Some(Play::Misere)) => vec![vec![0; dimension]],
            (None, _) => Vec::new(),
        };
        let closed = closure(&generators, &rules, &rays, &regions)?;
        let zero_alone = matches!(closed.as_slice(), [point] if point.iter().all(|&x| x == 0));
        let agrees = match play {
            None => true,
            Some(Play::Normal) => closed.is_empty(),
            Some(Play::Misere) => zero_alone,
        };
        if !agrees {
            return Err(LatticeError::Play(format!(
                "{} play contradicts the game's `defeated` positions, which define its play (normal = none, misere = only 0); \
                 leave one of the two out",
                play.unwrap_or_default()
            )));
        }
        let terminal = Vec::new();
        Ok(Self { name, dimension, rules, rays, regions, written: defeated, play, defeated: closed, terminal })
    }

    /// The same game in which play ends at these positions of the board too: who would have to move from one of them has lost.
    pub fn ending_at(mut self, mut terminal: Vec<Vec<i64>>) -> Result<Self, LatticeError> {
        check("terminal", &terminal, self.dimension, LARGEST_ENTRY, false)?;
        if let Some(i) = terminal.iter().position(|point| self.defeated.contains(point)) {
            return Err(LatticeError::Syntax(format!(
                "terminal[{i}] is defeated or lies below a defeated position, so it is not on the board; remove it from `terminal` or from `defeated`"
            )));
        }
        terminal.sort();
        terminal.dedup();
        if terminal.len() > MOST_TERMINAL {
            return Err(LatticeError::Syntax(format!(
                "`terminal` has more than {MOST_TERMINAL} positions; give fewer"
            )));
        }
        if !terminal.is_empty() && self.play() == Play::Misere {
            return Err(LatticeError::Play(
                "misère play contradicts `terminal`: who would have to move from a terminal position has lost; leave one of the two out".into(),
            ));
        }
        self.terminal = terminal;
        Ok(self)
    }

    /// Wythoff's game: a queen on a quarter of the plane.
    pub fn wythoff(play: Option<Play>) -> Self {
        let rays = vec![vec![1, 0], vec![0, 1], vec![1, 1]];
        Self::new(None, Vec::new(), rays, Vec::new(), None, play).expect("sound moves")
    }

    /// Whether this is Wythoff's game in normal play.
    pub fn is_wythoff(&self) -> bool {
        let queen = Self::wythoff(None);
        (&self.rules, &self.rays, &self.regions, &self.defeated, &self.terminal)
            == (&queen.rules, &queen.rays, &queen.regions, &queen.defeated, &queen.terminal)
    }

    /// Reads the text of a lattice game file with `rays`.
    pub fn from_toml(text: &str) -> Result<Self, LatticeError> {
        let file: File = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
            LatticeError::Syntax(format!(
                "line {line}: {}; a lattice game file with rays or terminal positions has rays = [[1, 1], …] or rules, optionally regions, defeated, terminal, play, name",
                error.message()
            ))
        })?;
        if file.board.is_some() {
            return Err(LatticeError::Board(
                "a game with rays or terminal positions is played on the whole orthant; leave [board] out".into(),
            ));
        }
        if file.rays.is_empty() && file.terminal.is_empty() {
            let message = "`rays` is empty; leave it out, or give a direction such as rays = [[1, 1]]";
            return Err(LatticeError::Syntax(message.into()));
        }
        let play = match file.play.as_deref() {
            None => None,
            Some("normal") => Some(Play::Normal),
            Some("misere" | "misère") => Some(Play::Misere),
            Some(other) => {
                return Err(LatticeError::Play(format!("play = \"{other}\" is not known; it is normal or misere")));
            }
        };
        Self::new(file.name, file.rules, file.rays, file.regions, file.defeated, play)?.ending_at(file.terminal)
    }

    /// The same game with another play asked for.
    pub fn in_play(&self, play: Option<Play>) -> Result<Self, LatticeError> {
        let play = play.or(self.play);
        let written = self.written.clone();
        Self::new(self.name.clone(), self.rules.clone(), self.rays.clone(), self.region_rows(), written, play)?
            .ending_at(self.terminal.clone())
    }

    /// Reads the `game` object of a strategy file.
    pub fn from_json(game: &Value) -> Result<Self, LatticeError> {
        let syntax = |what: &str| LatticeError::Syntax(format!("strategy file: game: {what}"));
        let object = game.as_object().ok_or_else(|| syntax("not an object"))?;
        let keys = 4 + ["regions", "terminal"].iter().filter(|key| object.contains_key(**key)).count();
        if object.get("kind").and_then(Value::as_str) != Some("lattice") || object.len() != keys {
            return Err(syntax(
                "not a lattice game with rays: kind, rules, rays, defeated, and regions or terminal if there are any",
            ));
        }
        let regions: Vec<Vec<Vec<i64>>> = match object.get("regions") {
            None => Vec::new(),
            Some(list) => serde_json::from_value(list.clone())
                .map_err(|error| syntax(&format!("\"regions\" is not a list of lists of integer vectors ({error})")))?,
        };
        let vectors = |key: &str| -> Result<Vec<Vec<i64>>, LatticeError> {
            let value = object.get(key).ok_or_else(|| syntax(&format!("\"{key}\" is missing")))?;
            serde_json::from_value(value.clone())
                .map_err(|error| syntax(&format!("\"{key}\" is not a list of integer vectors ({error})")))
        };
        let mut written = vectors("defeated")?;
        let defeated = Some(written.clone()).filter(|points| !points.is_empty());
        let terminal = if object.contains_key("terminal") { vectors("terminal")? } else { Vec::new() };
        let game =
            Self::new(None, vectors("rules")?, vectors("rays")?, regions, defeated, None)?.ending_at(terminal)?;
        written.sort();
        if game.defeated != written {
            return Err(syntax("\"defeated\" is not closed: the positions below defeated ones belong to it"));
        }
        Ok(game)
    }

    /// The `game` object of strategy files.
    pub fn to_json(&self) -> Value {
        let mut game = json!({"kind": "lattice", "rules": self.rules, "rays": self.rays, "defeated": self.defeated});
        if !self.regions.is_empty() {
            game["regions"] = json!(self.region_rows());
        }
        if !self.terminal.is_empty() {
            game["terminal"] = json!(self.terminal);
        }
        game
    }

    fn region_rows(&self) -> Vec<Vec<Vec<i64>>> {
        self.regions.iter().map(|region| region.rows().to_vec()).collect()
    }

    /// The text of a lattice game file.
    pub fn to_toml(&self) -> String {
        let mut text = String::from("kind = \"lattice\"\n");
        if let Some(name) = &self.name {
            let _ = writeln!(text, "name = {}", toml::Value::from(name.as_str()));
        }
        let _ = writeln!(text, "rules = {:?}\nrays = {:?}", self.rules, self.rays);
        if !self.regions.is_empty() {
            let _ = writeln!(text, "regions = {:?}", self.region_rows());
        }
        let _ = match (&self.written, self.play) {
            (Some(points), _) => writeln!(text, "defeated = {points:?}"),
            (None, Some(play)) => writeln!(text, "play = \"{play}\""),
            (None, None) => Ok(()),
        };
        if !self.terminal.is_empty() {
            let _ = writeln!(text, "terminal = {:?}", self.terminal);
        }
        text
    }

    /// The game's name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The number of coordinates.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The vectors that a move may subtract once, sorted.
    pub fn rules(&self) -> &[Vec<i64>] {
        &self.rules
    }

    /// The vectors that a move may subtract any positive number of times, sorted.
    pub fn rays(&self) -> &[Vec<i64>] {
        &self.rays
    }

    /// The regions of moves, sorted.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// Every defeated position, sorted.
    pub fn defeated(&self) -> &[Vec<i64>] {
        &self.defeated
    }

    /// The positions of the board at which play ends although moves would be left, sorted.
    pub fn terminal(&self) -> &[Vec<i64>] {
        &self.terminal
    }

    /// The play that is written down, if any.
    pub fn own_play(&self) -> Option<Play> {
        self.play.or_else(|| (self.play() == Play::Misere).then_some(Play::Misere))
    }

    /// Misère when exactly 0 is defeated, else normal.
    pub fn play(&self) -> Play {
        match self.defeated.as_slice() {
            [point] if point.iter().all(|&x| x == 0) => Play::Misere,
            _ => Play::Normal,
        }
    }

    /// Whether the order of the coordinates does not matter.
    pub fn is_symmetric(&self) -> bool {
        let swapped = |list: &[Vec<i64>], i: usize| {
            let mut list = list.to_vec();
            for v in &mut list {
                v.swap(i, i + 1);
            }
            list.sort();
            list
        };
        let lists = [&self.rules, &self.rays, &self.defeated, &self.terminal];
        let same_regions = |i: usize| {
            let mut regions: Vec<Region> = self.regions.iter().map(|region| region.swapped(i)).collect();
            regions.sort();
            regions == self.regions
        };
        (1..self.dimension).all(|i| same_regions(i - 1) && lists.iter().all(|list| swapped(list, i - 1) == **list))
    }

    /// Whether a vector is defeated.
    pub fn is_defeated(&self, x: &[BigUint]) -> bool {
        among(&self.defeated, x)
    }

    /// Whether play ends at a position because it is terminal.
    pub fn is_terminal(&self, x: &[BigUint]) -> bool {
        among(&self.terminal, x)
    }

    /// Every option of a small position, without repeats; `None` when there are more than `most`.
    pub fn options(&self, x: &[u64], most: usize) -> Option<Vec<Vec<u64>>> {
        let is = |p: &Vec<i64>, y: &[u64]| p.iter().zip(y).all(|(&p, &y)| u64::try_from(p) == Ok(y));
        if self.terminal.iter().any(|p| is(p, x)) {
            return Some(Vec::new());
        }
        let less = |y: &[u64], v: &[i64]| -> Option<Vec<u64>> {
            y.iter().zip(v).map(|(&y, &v)| y.checked_sub(u64::try_from(v).ok()?)).collect()
        };
        let mut options: BTreeSet<Vec<u64>> = self.rules.iter().filter_map(|rule| less(x, rule)).collect();
        for ray in &self.rays {
            let mut y = x.to_vec();
            while let Some(next) = less(&y, ray) {
                options.insert(next.clone());
                if options.len() > most {
                    return None;
                }
                y = next;
            }
        }
        if !self.regions.is_empty() {
            below(x, MOST_LOOKED_AT, &mut |m| {
                let signed: Vec<i64> = m.iter().map(|&m| m.cast_signed()).collect();
                if self.regions.iter().any(|region| region.contains(&signed)) {
                    options.insert(x.iter().zip(m).map(|(x, m)| x - m).collect());
                }
            })?;
            if options.len() > most {
                return None;
            }
        }
        Some(options.into_iter().filter(|y| !self.defeated.iter().any(|p| is(p, y))).collect())
    }
}

/// Whether a vector is one of some small ones.
fn among(points: &[Vec<i64>], x: &[BigUint]) -> bool {
    points.iter().any(|p| p.iter().zip(x).all(|(&p, x)| u64::try_from(p).is_ok_and(|p| BigUint::from(p) == *x)))
}

/// Lengths, signs and sizes of a list of vectors.
fn check(key: &str, list: &[Vec<i64>], dimension: usize, largest: i64, moves: bool) -> Result<(), LatticeError> {
    for (i, vector) in list.iter().enumerate() {
        let place = format!("{key}[{i}]");
        if vector.len() != dimension {
            let why = " (as many as in the first ray, or rule)";
            return Err(LatticeError::Length { place, found: vector.len(), expected: dimension, why });
        }
        if let Some(x) = vector.iter().find(|&&x| x < 0) {
            return Err(LatticeError::Syntax(format!(
                "{place} has the negative entry {x}: with a ray beside it, play could grow without bound or go on for ever; games with rays \
                 or terminal positions take entries of 0 and more only"
            )));
        }
        if let Some(x) = vector.iter().find(|&&x| x > largest) {
            return Err(LatticeError::Syntax(format!(
                "{place} has the entry {x}; in a game with rays it is at most {largest}"
            )));
        }
        if moves && vector.iter().all(|&x| x == 0) {
            return Err(LatticeError::Syntax(format!(
                "{place} is the zero vector: a move that changes nothing would let play go on for ever; remove it"
            )));
        }
    }
    Ok(())
}

/// The generators q and what lies below them: every p ∈ ℕᵈ with q − p a sum of moves.
fn closure(
    generators: &[Vec<i64>],
    rules: &[Vec<i64>],
    rays: &[Vec<i64>],
    regions: &[Region],
) -> Result<Vec<Vec<i64>>, LatticeError> {
    let too_large = || LatticeError::TooLarge("the defeated set has more than 100000 positions");
    let mut closed: BTreeSet<Vec<i64>> = generators.iter().cloned().collect();
    let mut open: Vec<Vec<i64>> = closed.iter().cloned().collect();
    while let Some(q) = open.pop() {
        let mut moves: Vec<Vec<i64>> = rules.iter().chain(rays).cloned().collect();
        if !regions.is_empty() {
            let end: Vec<u64> = q.iter().map(|x| x.unsigned_abs()).collect();
            let mut each = |m: &[u64]| {
                let m: Vec<i64> = m.iter().map(|&m| m.cast_signed()).collect();
                if regions.iter().any(|region| region.contains(&m)) {
                    moves.push(m);
                }
            };
            below(&end, MOST_DEFEATED, &mut each).ok_or_else(too_large)?;
        }
        for step in &moves {
            let p: Vec<i64> = q.iter().zip(step).map(|(q, s)| q - s).collect();
            if p.iter().all(|&x| x >= 0) && closed.insert(p.clone()) {
                if closed.len() > MOST_DEFEATED {
                    return Err(too_large());
                }
                open.push(p);
            }
        }
    }
    Ok(closed.into_iter().collect())
}
