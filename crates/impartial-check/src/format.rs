//! Strategy files as typed structures: the shape of the format, which `docs/strategy-files.md` describes.
//!
//! No structure takes a key that is not named here, and an optional key that is there is not null.

// Fields have the names of the keys in files.
#![allow(clippy::struct_field_names)]

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::chains::ChainsGame;
use crate::clauses::ClauseText;
use crate::json::{self, typed};
use crate::meter::{Held, Meter};
use crate::{Failure, refuse};

/// Games with a longer text are named by their digest.
const LONGEST_NAME: usize = 2000;
/// Entries beyond this size are refused, so that sums of products stay exact in 128 bits.
const LARGEST: i64 = 1 << 40;

/// A strategy file with a sound envelope.
pub(crate) struct File {
    pub form: String,
    pub misere: bool,
    pub game: Map<String, Value>,
    pub certificate: Map<String, Value>,
    /// What the file takes up.
    _held: Held,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    format: String,
    version: u64,
    form: String,
    play: Play,
    game: Map<String, Value>,
    certificate: Map<String, Value>,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Play {
    Normal,
    Misere,
}

impl File {
    pub fn read(text: &str, meter: &Meter<'_>) -> Result<Self, Failure> {
        let (value, held) = json::read(text, meter)?;
        let Value::Object(mut map) = value else { return refuse("the text is not a JSON object") };
        let claimed = map.remove("digest");
        meter.steps(text.len())?;
        if claimed.as_ref().and_then(Value::as_str) != Some(&digest(&map)) {
            return refuse("\"digest\" does not belong to the content: the file is damaged");
        }
        if map.get("version").and_then(Value::as_u64) == Some(1) {
            return refuse("version 1 is no longer read: write the file anew with `impartial solve GAME -o FILE`");
        }
        let envelope: Envelope = typed("the file", Value::Object(map))?;
        if envelope.format != "impartial-strategy" || envelope.version != 2 {
            return refuse("not \"impartial-strategy\" of version 2");
        }
        let misere = envelope.play == Play::Misere;
        let Envelope { form, game, certificate, .. } = envelope;
        Ok(Self { form, misere, game, certificate, _held: held })
    }

    /// The whole game, in the words of the file: nothing is left out. Long games are named by their digest.
    pub fn name(&self) -> String {
        let text = Value::Object(self.game.clone()).to_string();
        if text.len() <= LONGEST_NAME {
            return text;
        }
        let digest = hex(&Sha256::digest(text.as_bytes()));
        format!("SHA-256 {digest} of its {} bytes of JSON (impartial-check --game prints them)", text.len())
    }
}

/// SHA-256 of the compact text of an object.
fn digest(map: &Map<String, Value>) -> String {
    let mut hash = Sha256::new();
    // Neither the hash nor a value that was read can fail to be written.
    serde_json::to_writer(&mut hash, map).expect("writing to a hash");
    hex(&hash.finalize())
}

fn hex(bytes: &[u8]) -> String {
    let digit = |x: u8| char::from_digit(u32::from(x), 16).expect("below 16");
    bytes.iter().flat_map(|b| [digit(b >> 4), digit(b & 15)]).collect()
}

/// A key that may be left out, but is not null.
pub(crate) fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(reader: D) -> Result<Option<T>, D::Error> {
    T::deserialize(reader).map(Some)
}

/// A key that is there, perhaps with the value null.
pub(crate) fn nullable<'de, T: Deserialize<'de>, D: Deserializer<'de>>(reader: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(reader)
}

pub(crate) type Vector = Vec<i64>;
pub(crate) type Matrix = Vec<Vector>;

/// A vector of so many entries of moderate size.
pub(crate) fn vector(place: &str, v: &[i64], length: usize) -> Result<Vec<i128>, Failure> {
    if v.len() != length {
        return refuse(format!("{place}: {} entries instead of {length}", v.len()));
    }
    match v.iter().find(|x| x.unsigned_abs() > LARGEST.unsigned_abs()) {
        Some(x) => refuse(format!("{place}: {x} is not an integer between -2^40 and 2^40")),
        None => Ok(v.iter().map(|&x| x.into()).collect()),
    }
}

/// A list of such vectors.
pub(crate) fn matrix(place: &str, list: &[Vector], length: usize) -> Result<Vec<Vec<i128>>, Failure> {
    list.iter().map(|v| vector(place, v, length)).collect()
}

/// A game by its rules.
pub(crate) enum Game {
    Lattice(LatticeGame),
    Heap(HeapGame),
    Poset(PosetGame),
    Chomp(ChompGame),
    Chains(ChainsGame),
}

impl Game {
    pub fn read(mut game: Map<String, Value>) -> Result<Self, Failure> {
        let kind = game.remove("kind");
        let chomp = game.contains_key("rows");
        let game = Value::Object(game);
        Ok(match kind.as_ref().and_then(Value::as_str) {
            Some("lattice") => Self::Lattice(typed("game", game)?),
            Some("heap") => Self::Heap(typed("game", game)?),
            Some("poset") => Self::Poset(typed("game", game)?),
            Some("chomp") => Self::Chomp(typed("game", game)?),
            Some("chains") if chomp => Self::Chains(ChainsGame::Rows(typed("game", game)?)),
            Some("chains") => Self::Chains(ChainsGame::Poset(typed("game", game)?)),
            _ => return refuse("\"game\": \"kind\" is not lattice, heap, poset, chomp or chains"),
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LatticeGame {
    pub rules: Matrix,
    pub defeated: Matrix,
    #[serde(default, deserialize_with = "given")]
    pub board: Option<Matrix>,
}

/// Exactly one of the keys is there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeapGame {
    #[serde(default, deserialize_with = "given")]
    pub code: Option<String>,
    #[serde(default, deserialize_with = "given")]
    pub subtract: Option<Vec<u64>>,
    #[serde(default, deserialize_with = "given")]
    pub moves: Option<Vec<ClauseText>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PosetGame {
    pub elements: Vec<String>,
    pub covers: Vec<(usize, usize)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChompGame {
    pub rows: Vec<u64>,
}

/// y = Mx + s maps the board into ℕᵈ; a bound is a scale and one multiplier for each row.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chart {
    pub matrix: Matrix,
    pub inverse: Matrix,
    pub shift: Vector,
    pub bounds: Matrix,
    pub functional_bound: Vector,
}

/// An automaton of a set.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetTable {
    pub transitions: Vec<u32>,
    pub accepting: Vec<u32>,
}

/// An automaton of a function.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ValueTable {
    pub transitions: Vec<u32>,
    pub values: Vec<Option<u32>>,
}

/// Form "automaton" (with `SetTable`) and "grundy-automaton" (with `ValueTable`).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Automaton<T> {
    pub functional: Vector,
    #[serde(default, deserialize_with = "given")]
    pub chart: Option<Chart>,
    pub automaton: T,
}

/// F + ℕ{v₁, …, v_r}, with automata of F, F + ℕv₁, F + ℕ{v₁, v₂}, …
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Module {
    pub generators: Matrix,
    pub bases: Matrix,
    #[serde(default, deserialize_with = "given")]
    pub automata: Option<Vec<SetTable>>,
}

/// Form "stratification": the unions are those of the first two, three, … modules.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stratification {
    pub functional: Vector,
    #[serde(default, deserialize_with = "given")]
    pub chart: Option<Chart>,
    pub modules: Vec<Module>,
    #[serde(default, deserialize_with = "given")]
    pub unions: Option<Vec<SetTable>>,
}

/// Form "series".
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Series {
    pub functional: Vector,
    #[serde(default, deserialize_with = "given")]
    pub chart: Option<Chart>,
    pub modules: Vec<Module>,
    pub unions: Vec<SetTable>,
    pub terms: Vec<Term>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Term {
    pub coefficient: (i64, i64),
    pub exponent: Vector,
    pub denominators: Matrix,
}

/// Form "parity-kernel" of a lattice game; with characters, form "series" of one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ParityKernel {
    pub values: Vec<u64>,
    pub functional: Vec<Natural>,
    #[serde(default, deserialize_with = "given")]
    pub characters: Option<Vec<Vec<i8>>>,
}

/// A natural number; beyond 2⁵³ its decimal digits.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Natural {
    Small(u64),
    Digits(String),
}

/// Form "parity-kernel" of a heap game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeapValues {
    pub values: Vec<u64>,
    pub max_heap: usize,
}

/// Form "nim-sequence".
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NimSequence {
    pub theorem: Theorem,
    pub preperiod: usize,
    pub period: usize,
    pub saltus: u64,
    pub values: Vec<u64>,
    #[serde(default, deserialize_with = "given")]
    pub space: Option<Space>,
    #[serde(default, deserialize_with = "given")]
    pub base: Option<usize>,
    #[serde(default, deserialize_with = "given")]
    pub block: Option<usize>,
}

#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Theorem {
    GuySmith,
    Induction,
}

/// A hint.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Space {
    pub mask: u64,
    pub parity: bool,
}

/// Form "quotient".
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Quotient {
    pub generators: Vec<usize>,
    pub steps: Vec<Vec<u32>>,
    pub p: Vec<usize>,
    pub values: Vec<usize>,
    #[serde(deserialize_with = "nullable")]
    pub period: Option<Period>,
    #[serde(default, deserialize_with = "given")]
    pub kernel: Option<NimSequence>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Period {
    pub preperiod: usize,
    pub period: usize,
}

/// Form "counters".
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Counters {
    pub generators: Vec<usize>,
    pub steps: Vec<Vec<u32>>,
    pub counters: Vec<usize>,
    /// Null for a counter, the element of a heap, or a [`Follower`].
    pub values: Vec<Value>,
    pub slices: Vec<Vec<usize>>,
    pub next: Vec<Vec<u32>>,
    pub output: Vec<u32>,
    #[serde(deserialize_with = "nullable")]
    pub infinite: Option<Infinite>,
}

/// A heap that follows counters, with the sums that it is like: lists of heaps and how often each.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Follower {
    pub element: usize,
    pub counts: Vec<u32>,
    pub like: Vec<Vec<(usize, u32)>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Infinite {
    pub step: Vec<u32>,
    pub from: Vec<u32>,
    pub counter: usize,
    pub at: Vec<u32>,
    pub period: u32,
    pub far: u32,
}

/// Form "table".
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Values {
    pub width: usize,
    pub values: String,
}
