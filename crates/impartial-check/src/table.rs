//! The form "table": the value of every position of a finite poset game.
//!
//! Positions are the order ideals of a poset; a move chooses an element and removes it with everything
//! above it. The checker lists all order ideals on its own and recomputes each value from the values of
//! its options, so nothing in the table is taken on trust.

use std::collections::{HashMap, HashSet};

use crate::format::{ChompGame, PosetGame, Values};
use crate::meter::{Held, Meter};
use crate::{Failure, refuse};

/// An ideal as bits.
type Bits = Box<[u64]>;

/// A board: for every element, itself with everything below it and with everything above it.
struct Board {
    words: usize,
    down: Vec<Vec<usize>>,
    up: Vec<Bits>,
    name: String,
    /// What the relations take up.
    _held: Held,
}

/// How many values the text holds.
fn positions(values: &Values) -> Result<usize, Failure> {
    if !(1..=3).contains(&values.width) {
        return refuse("\"width\" is not 1, 2 or 3");
    }
    if values.values.is_empty() || !values.values.len().is_multiple_of(values.width) {
        return refuse("\"values\" is empty or no multiple of \"width\" long");
    }
    Ok(values.values.len() / values.width)
}

/// The values of all ideals, each from those before it.
fn check(board: &Board, misere: bool, certificate: &Values, meter: &Meter<'_>) -> Result<String, Failure> {
    let (text, width) = (certificate.values.as_bytes(), certificate.width);
    let positions = text.len() / width;
    let n = board.up.len();
    let mut known: HashMap<Bits, u32> = HashMap::with_capacity(positions.min(1 << 24));
    let mut ideal = vec![0_u64; board.words];
    let mut zeros = 0_usize;
    let mut seen: Vec<usize> = vec![usize::MAX; n + 2];
    let mut held = meter.hold(0)?;
    for (number, digits) in text.chunks(width).enumerate() {
        meter.steps((n + 1).saturating_mul(board.words + 1))?;
        held.grow(8 * board.words as u64 + 60)?;
        let mut claimed = 0_u32;
        for &digit in digits {
            let Some(value) = digit_value(digit) else {
                return refuse(format!("\"values\": position {number} has a character that is no digit"));
            };
            claimed = 64 * claimed + value;
        }
        // The values of the options, all of which are smaller ideals and were listed before.
        let mut winning = false;
        let mut options = 0;
        for x in members(&ideal) {
            let option: Bits = ideal.iter().zip(board.up[x].iter()).map(|(a, b)| a & !b).collect();
            let Some(&value) = known.get(&option) else {
                return refuse(format!("position {number}: an option was not listed before it"));
            };
            options += 1;
            winning |= value == 0;
            if let Some(mark) = seen.get_mut(value as usize) {
                *mark = number;
            }
        }
        let actual = if misere {
            u32::from(options == 0 || winning)
        } else {
            let mex = seen.iter().position(|&mark| mark != number).unwrap_or(seen.len());
            u32::try_from(mex).map_err(|_| Failure::Refused("a value is too large".into()))?
        };
        if claimed != actual {
            return refuse(format!("position {number}: the table says {claimed}, the options give {actual}"));
        }
        zeros += usize::from(actual == 0);
        known.insert(ideal.clone().into_boxed_slice(), actual);
        let last = number + 1 == positions;
        let more = next(board, &mut ideal);
        if last && more {
            return refuse(format!("\"values\" ends after {positions} positions, but there are more"));
        }
        if !last && !more {
            return refuse(format!("\"values\" goes on after the last of {} positions", number + 1));
        }
    }
    let play = if misere { "misère" } else { "normal" };
    let what = if misere { "outcomes" } else { "Grundy values" };
    Ok(format!("{what} of all {positions} positions of {} in {play} play; {zeros} of them are P-positions", board.name))
}

fn digit_value(digit: u8) -> Option<u32> {
    match digit {
        b'0'..=b'9' => Some(u32::from(digit - b'0')),
        b'A'..=b'Z' => Some(u32::from(digit - b'A') + 10),
        b'a'..=b'z' => Some(u32::from(digit - b'a') + 36),
        b'-' => Some(62),
        b'_' => Some(63),
        _ => None,
    }
}

/// A poset from its covers; elements are in the order of a linear extension.
pub(crate) fn poset(game: &PosetGame, misere: bool, values: &Values, meter: &Meter<'_>) -> Result<String, Failure> {
    let n = game.elements.len();
    let mut names = HashSet::new();
    if !game.elements.iter().all(|name| names.insert(name)) {
        return refuse("\"elements\": a name occurs twice");
    }
    // Each element alone with what is below it is an ideal: there are at least as many positions as elements.
    if n >= positions(values)? {
        return refuse("there are more elements than positions in the table");
    }
    if game.covers.iter().any(|&(x, y)| x >= y || y >= n) {
        return refuse("\"covers\": a pair is not of the form [x, y] with x < y, both numbers of elements");
    }
    let held = room(n, meter)?;
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); n];
    game.covers.iter().for_each(|&(x, y)| below[y].push(x));
    let words = n.div_ceil(64);
    let mut down: Vec<Bits> = Vec::with_capacity(n);
    for (y, lower) in below.iter().enumerate() {
        meter.steps(words.saturating_mul(lower.len() + 1))?;
        let mut set = vec![0_u64; words].into_boxed_slice();
        set[y / 64] |= 1 << (y % 64);
        for &x in lower {
            set.iter_mut().zip(down[x].iter()).for_each(|(a, b)| *a |= b);
        }
        down.push(set);
    }
    check(&board(words, &down, format!("the poset game on {n} elements"), held), misere, values, meter)
}

/// The squares of a Young diagram, row by row, without the poisoned one.
pub(crate) fn chomp(game: &ChompGame, misere: bool, values: &Values, meter: &Meter<'_>) -> Result<String, Failure> {
    let rows = &game.rows;
    if rows.is_empty() || rows.contains(&0) || rows.windows(2).any(|pair| pair[1] > pair[0]) {
        return refuse("\"rows\" are not positive and decreasing");
    }
    let squares = rows.iter().fold(0_u64, |sum, &row| sum.saturating_add(row));
    if squares > positions(values)? as u64 {
        return refuse("there are more squares than positions in the table");
    }
    let held = room(usize::try_from(squares).unwrap_or(usize::MAX), meter)?;
    let mut cells = Vec::new();
    for (i, &row) in rows.iter().enumerate() {
        cells.extend((0..row).map(|j| (i, j)).filter(|&cell| cell != (0, 0)));
    }
    let words = cells.len().div_ceil(64);
    let below = |&(i, j): &(usize, u64)| {
        let mut set = vec![0_u64; words].into_boxed_slice();
        for (x, _) in cells.iter().enumerate().filter(|(_, (a, b))| *a <= i && *b <= j) {
            set[x / 64] |= 1 << (x % 64);
        }
        set
    };
    let down: Vec<Bits> = cells.iter().map(below).collect();
    check(&board(words, &down, format!("Chomp on rows {rows:?}"), held), misere, values, meter)
}

/// What the relations of so many elements take up: a list of pairs, and bits both ways.
fn room(elements: usize, meter: &Meter<'_>) -> Result<Held, Failure> {
    let pairs = (elements as u64).saturating_mul(elements as u64);
    meter.work(pairs)?;
    meter.hold(pairs.saturating_mul(5).saturating_add(100 * elements as u64))
}

fn board(words: usize, down: &[Bits], name: String, held: Held) -> Board {
    let mut up = vec![vec![0_u64; words].into_boxed_slice(); down.len()];
    let lists: Vec<Vec<usize>> = down.iter().map(|set| members(set).collect()).collect();
    for (y, list) in lists.iter().enumerate() {
        for &x in list {
            up[x][y / 64] |= 1 << (y % 64);
        }
    }
    Board { words, down: lists, up, name, _held: held }
}

fn members(bits: &[u64]) -> impl Iterator<Item = usize> + '_ {
    bits.iter().enumerate().flat_map(|(i, &word)| {
        std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)))
            .take_while(|&rest| rest != 0)
            .map(move |rest| 64 * i + rest.trailing_zeros() as usize)
    })
}

/// The next ideal as an integer Σ 2^x, by trying the integers in a smart order: count up in binary, and
/// whenever a bit is set, set the bits below it that it needs.
fn next(board: &Board, ideal: &mut [u64]) -> bool {
    let has = |set: &[u64], x: usize| set[x / 64] >> (x % 64) & 1 == 1;
    let Some(x) = (0..board.up.len()).find(|&x| !has(ideal, x)) else { return false };
    let kept: Vec<usize> = members(ideal).filter(|&y| y > x).chain([x]).collect();
    ideal.fill(0);
    for y in kept {
        for &z in &board.down[y] {
            ideal[z / 64] |= 1 << (z % 64);
        }
    }
    true
}
