//! Chains games as TOML files (`docs/chains-files.md`) and as the `game` of a strategy file.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Board, ChainsError, ChainsGame, Cross, LARGEST, Meeting, Skeleton};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[allow(dead_code)] // the caller has read it
    kind: Option<String>,
    name: Option<String>,
    #[allow(dead_code)] // for people
    source: Option<String>,
    chains: Option<u8>,
    rows: Option<Vec<u64>>,
    elements: Option<Vec<String>>,
    relations: Option<Vec<(String, String)>>,
    c: Option<ChainText>,
    d: Option<ChainText>,
    cross: Option<CrossText>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChainText {
    #[serde(default)]
    first_above: BTreeMap<String, u64>,
    #[serde(default)]
    below: BTreeMap<String, Count>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a natural number, or \"all\" for the whole chain")]
enum Count {
    Number(u64),
    Word(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CrossText {
    d_below_c: Option<Vec<u64>>,
    period: Option<u64>,
    step: Option<u64>,
    #[serde(default)]
    then_all: bool,
    c_below_d: Option<toml::Value>,
}

fn shape(message: impl Into<String>) -> ChainsError {
    ChainsError::Shape(message.into())
}

impl ChainsGame {
    /// Reads the text of a game file with `kind = "chains"`.
    ///
    /// ```
    /// use impartial::poset::chains::ChainsGame;
    /// let game = ChainsGame::from_toml("
    ///     kind = 'chains'
    ///     elements = ['a', 'b']
    ///     relations = [['a', 'b']]
    ///     c.first_above = { a = 2 }
    ///     d.below = { b = 1 }
    ///     cross = { d_below_c = [0, 1], period = 1, step = 1 }
    /// ").unwrap();
    /// assert_eq!(game.chains(), 2);
    /// ```
    pub fn from_toml(text: &str) -> Result<Self, ChainsError> {
        let text: Text = toml::from_str(text).map_err(|error| shape(error.to_string()))?;
        let chains = text.chains.unwrap_or(2);
        if !matches!(chains, 1 | 2) {
            return Err(shape(format!("chains = {chains}; a chains game has 1 or 2 chains")));
        }
        if let Some(rows) = text.rows {
            if text.elements.is_some() || text.relations.is_some() || text.c.is_some() || text.d.is_some() {
                return Err(shape("`rows` (Chomp) and `elements` (any poset) exclude each other; keep one of them"));
            }
            if text.cross.is_some() {
                return Err(shape("`rows` (Chomp) fixes how the chains lie to each other; remove [cross]"));
            }
            let mut game = Self::chomp_board(&rows, chains)?;
            if let Some(name) = text.name {
                game.name = name;
            }
            return Ok(game);
        }
        let names = text.elements.unwrap_or_default();
        for (i, name) in names.iter().enumerate() {
            let fine = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_.'-".contains(c));
            if !fine {
                return Err(ChainsError::BadName(name.clone()));
            }
            if names[..i].contains(name) {
                return Err(ChainsError::TwiceNamed(name.clone()));
            }
        }
        let index = |place: &str, name: &str| {
            names
                .iter()
                .position(|known| known == name)
                .ok_or_else(|| ChainsError::UnknownElement { place: place.to_owned(), name: name.to_owned() })
        };
        let relations = text
            .relations
            .unwrap_or_default()
            .iter()
            .map(|(a, b)| Ok((index("relations", a)?, index("relations", b)?)))
            .collect::<Result<Vec<_>, ChainsError>>()?;
        if chains == 1 && (text.d.is_some() || text.cross.is_some()) {
            return Err(shape("chains = 1: the only chain is C; remove [d] and [cross], or write chains = 2"));
        }
        let meetings = |chain: char, given: Option<ChainText>| {
            let given = given.unwrap_or_default();
            let mut all = vec![Meeting::FREE; names.len()];
            for (name, first) in &given.first_above {
                all[index(&format!("[{chain}] first_above"), name)?].first_above = Some(*first);
            }
            for (name, below) in &given.below {
                all[index(&format!("[{chain}] below"), name)?].below = match below {
                    Count::Number(below) => Some(*below),
                    Count::Word(word) if word == "all" => None,
                    Count::Word(word) => {
                        return Err(shape(format!(
                            "[{chain}] below: {name} = \"{word}\"; write a number of elements, or \"all\""
                        )));
                    }
                };
            }
            Ok(all)
        };
        let c = meetings('c', text.c)?;
        let d = meetings('d', text.d)?;
        let cross = text.cross.map_or(Ok(Cross::none()), CrossText::cross)?;
        let skeleton = Skeleton::new(names.clone(), &relations, c, d, cross)?;
        Ok(Self { name: text.name.unwrap_or_else(|| "chains game".into()), board: Board::Poset(skeleton), chains })
    }

    /// The `game` value of strategy files: the whole game without its name.
    pub fn to_json(&self) -> Value {
        match &self.board {
            Board::Chomp(rows) => json!({"kind": "chains", "chains": self.chains, "rows": rows}),
            Board::Poset(skeleton) => {
                let range = 0..skeleton.len();
                let column = |f: &dyn Fn(usize) -> Value| range.clone().map(f).collect::<Vec<_>>();
                let below = |b: usize| range.clone().filter(|&a| skeleton.less(a, b)).collect::<Vec<_>>();
                json!({
                    "kind": "chains",
                    "chains": self.chains,
                    "elements": skeleton.names(),
                    "below": column(&|b| json!(below(b))),
                    "c_first_above": column(&|a| json!(skeleton.meets_c(a).0)),
                    "c_below": column(&|a| json!(skeleton.meets_c(a).1)),
                    "d_first_above": column(&|a| json!(skeleton.meets_d(a).0)),
                    "d_below": column(&|a| json!(skeleton.meets_d(a).1)),
                    "cross": {"prefix": skeleton.cross().prefix(), "rule": skeleton.cross().rule()},
                })
            }
        }
    }

    /// Reads the `game` value of a strategy file.
    pub fn from_json(value: &Value) -> Result<Self, ChainsError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Explicit {
            #[allow(dead_code)] // checked by the caller
            kind: String,
            chains: u8,
            elements: Vec<String>,
            below: Vec<Vec<usize>>,
            c_first_above: Vec<Option<u64>>,
            c_below: Vec<u64>,
            d_first_above: Vec<Option<u64>>,
            d_below: Vec<u64>,
            cross: Cross,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Chomp {
            #[allow(dead_code)] // checked by the caller
            kind: String,
            chains: u8,
            rows: Vec<u64>,
        }
        let damaged = |error: serde_json::Error| shape(format!("game: {error}; solve the game again"));
        if value.get("rows").is_some() {
            let text: Chomp = serde_json::from_value(value.clone()).map_err(damaged)?;
            if !matches!(text.chains, 1 | 2) {
                return Err(shape("game: `chains` is neither 1 nor 2"));
            }
            return Self::chomp_board(&text.rows, text.chains);
        }
        let text: Explicit = serde_json::from_value(value.clone()).map_err(damaged)?;
        let size = text.elements.len();
        let lengths = [
            text.below.len(),
            text.c_first_above.len(),
            text.c_below.len(),
            text.d_first_above.len(),
            text.d_below.len(),
        ];
        if !matches!(text.chains, 1 | 2) || lengths != [size; 5] || text.below.iter().flatten().any(|&a| a >= size) {
            return Err(shape("game: the lists of a chains game do not fit each other; solve the game again"));
        }
        let cross = match text.cross.rule() {
            Some((period, step)) => Cross::regular(text.cross.prefix().to_vec(), period, step)?,
            None => Cross::all_after(text.cross.prefix().to_vec())?,
        };
        let relations: Vec<_> =
            text.below.iter().enumerate().flat_map(|(b, below)| below.iter().map(move |&a| (a, b))).collect();
        let meetings = |first: &[Option<u64>], below: &[u64]| -> Vec<Meeting> {
            first.iter().zip(below).map(|(&first_above, &below)| Meeting { first_above, below: Some(below) }).collect()
        };
        let c = meetings(&text.c_first_above, &text.c_below);
        let d = meetings(&text.d_first_above, &text.d_below);
        let skeleton = Skeleton::new(text.elements, &relations, c, d, cross)?;
        Ok(Self { name: "chains game".into(), board: Board::Poset(skeleton), chains: text.chains })
    }
}

impl CrossText {
    fn cross(self) -> Result<Cross, ChainsError> {
        if self.c_below_d.is_some() {
            return Err(ChainsError::CBelowD);
        }
        let prefix = self.d_below_c.unwrap_or_default();
        if self.then_all {
            if self.period.is_some() || self.step.is_some() {
                return Err(shape("[cross]: `then_all` and `period`/`step` exclude each other; keep one of them"));
            }
            return Ok(Cross::all_after(prefix)?);
        }
        let (Some(period), Some(step)) = (self.period, self.step) else {
            return Err(shape(format!(
                "[cross]: `period` and `step` are missing; add them (φ(i + period) = φ(i) + step, each at most \
                 {LARGEST}), or then_all = true when the next c lies above all of D"
            )));
        };
        Ok(Cross::regular(prefix, period, step)?)
    }
}
