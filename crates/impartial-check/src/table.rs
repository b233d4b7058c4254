//! The form "table": the value of every position of a finite poset game.
//!
//! Positions are the order ideals of a poset; a move chooses an element and removes it with everything
//! above it. The checker lists all order ideals on its own and recomputes each value from the values of
//! its options, so nothing in the table is taken on trust.

use std::collections::{HashMap, HashSet};

use crate::format::{ChompGame, PosetGame, Values};
use crate::json::base_64;
use crate::meter::Meter;
use crate::{Checked, refuse};

/// The numbers of two elements, the lower one first.
type Cover = (usize, usize);
/// An ideal as bits.
type Bits = Box<[u64]>;

/// A board: for every element, itself with everything below it and with everything above it.
struct Board {
    words: usize,
    down: Vec<Vec<usize>>,
    up: Vec<Bits>,
}

/// The values of all ideals, each from those before it.
fn check(board: &Board, name: &str, misere: bool, claimed: &[u32], meter: &Meter<'_>) -> Checked<String> {
    let positions = claimed.len();
    let n = board.up.len();
    let mut known: HashMap<Bits, u32> = HashMap::with_capacity(positions.min(1 << 24));
    let mut ideal = vec![0_u64; board.words];
    let mut zeros = 0_usize;
    let mut seen: Vec<usize> = vec![usize::MAX; n + 2];
    let mut held = meter.hold(0)?;
    for (number, &claimed) in claimed.iter().enumerate() {
        meter.steps((n + 1).saturating_mul(board.words + 1))?;
        held.grow(8 * board.words as u64 + 60)?;
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
            (0..).zip(&seen).find(|(_, mark)| **mark != number).map_or(u32::MAX, |(mex, _)| mex)
        };
        refuse_if!(claimed != actual, "position {number}: the table says {claimed}, the options give {actual}");
        zeros += usize::from(actual == 0);
        known.insert(ideal.clone().into_boxed_slice(), actual);
        let last = number + 1 == positions;
        let more = next(board, &mut ideal);
        refuse_if!(last && more, "\"values\" ends after {positions} positions, but there are more");
        refuse_if!(!last && !more, "\"values\" goes on after the last of {} positions", number + 1);
    }
    let (what, play) = if misere { ("outcomes", "misère") } else { ("Grundy values", "normal") };
    Ok(format!("{what} of all {positions} positions of {name} in {play} play; {zeros} of them are P-positions"))
}

/// A poset game; elements are in the order of a linear extension.
pub(crate) fn poset(game: &PosetGame, misere: bool, file: &Values, meter: &Meter<'_>) -> Checked<String> {
    let mut names = HashSet::new();
    refuse_if!(!game.elements.iter().all(|name| names.insert(name)), "\"elements\": a name occurs twice");
    let n = game.elements.len();
    ideals(n, &game.covers, &format!("the poset game on {n} elements"), misere, file, meter)
}

/// The squares of a Young diagram, row by row, without the poisoned one.
pub(crate) fn chomp(game: &ChompGame, misere: bool, file: &Values, meter: &Meter<'_>) -> Checked<String> {
    let rows = &game.rows;
    if rows.is_empty() || rows.contains(&0) || rows.windows(2).any(|pair| pair[1] > pair[0]) {
        return refuse("\"rows\" are not positive and decreasing");
    }
    let squares = rows.iter().fold(0_u64, |sum, &row| sum.saturating_add(row));
    let Some(squares) = usize::try_from(squares).ok().filter(|&n| n <= file.values.len()) else {
        return refuse("there are more squares than positions in the table");
    };
    let _held = meter.hold(64 * squares as u64)?;
    // The first square of a row has the number of all squares before it; the poisoned one has none.
    let (mut covers, mut first) = (Vec::new(), 0);
    for (i, &row) in rows.iter().enumerate() {
        let row = usize::try_from(row).expect("no more than all squares");
        covers.extend((1..row).map(|j| (first + j - 1, first + j)));
        if i > 0 {
            let above = usize::try_from(rows[i - 1]).expect("no more than all squares");
            covers.extend((0..row).map(|j| (first - above + j, first + j)));
        }
        first += row;
    }
    covers.retain(|&(x, _)| x > 0);
    let covers: Vec<Cover> = covers.into_iter().map(|(x, y)| (x - 1, y - 1)).collect();
    ideals(squares - 1, &covers, &format!("Chomp on rows {rows:?}"), misere, file, meter)
}

/// The board of n elements with these covers, and its values.
fn ideals(n: usize, covers: &[Cover], name: &str, misere: bool, file: &Values, meter: &Meter<'_>) -> Checked<String> {
    // Each element alone with what is below it is an ideal: there are at least as many positions as elements.
    let _values = meter.hold(4 * file.values.len() as u64)?;
    let values = base_64(file.width, &file.values, meter)?;
    refuse_if!(n >= values.len(), "there are more elements than positions in the table");
    if covers.iter().any(|&(x, y)| x >= y || y >= n) {
        return refuse("\"covers\": a pair is not of the form [x, y] with x < y, both numbers of elements");
    }
    // A list of pairs, and bits both ways.
    let pairs = (n as u64).saturating_mul(n as u64);
    meter.work(pairs)?;
    let _held = meter.hold(pairs.saturating_mul(9).saturating_add(100 * n as u64))?;
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); n];
    for &(x, y) in covers {
        below[y].push(x);
    }
    let words = n.div_ceil(64);
    let mut board = Board { words, down: Vec::with_capacity(n), up: vec![vec![0; words].into(); n] };
    for (y, lower) in below.iter().enumerate() {
        meter.steps(words.saturating_mul(lower.len() + 1))?;
        let mut set: Bits = vec![0; words].into();
        set[y / 64] |= 1 << (y % 64);
        for z in lower.iter().flat_map(|&x| &board.down[x]) {
            set[z / 64] |= 1 << (z % 64);
        }
        members(&set).for_each(|x| board.up[x][y / 64] |= 1 << (y % 64));
        board.down.push(members(&set).collect());
    }
    check(&board, name, misere, &values, meter)
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
