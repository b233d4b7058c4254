//! Poset games.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::lattice::{accepts, in_modules, in_series};
use super::{ints, list, mex, size};

/// Grundy values or misère outcomes (0 for P, 1 for N) of order ideals as bits.
fn ideal_values(up: &[u64], misere: bool, ideal: u64, known: &mut BTreeMap<u64, u64>) -> u64 {
    if let Some(&value) = known.get(&ideal) {
        return value;
    }
    let options: BTreeSet<u64> = (0..up.len())
        .filter(|x| ideal >> x & 1 == 1)
        .map(|x| ideal_values(up, misere, ideal & !up[x], known))
        .collect();
    let value = if misere { u64::from(options.is_empty() || options.contains(&0)) } else { mex(&options) };
    known.insert(ideal, value);
    value
}

/// For each element the elements above it and itself, from a transitive relation.
fn above(count: usize, less: &dyn Fn(usize, usize) -> bool) -> Vec<u64> {
    (0..count).map(|x| (0..count).filter(|&y| x == y || less(x, y)).map(|y| 1_u64 << y).sum()).collect()
}

pub fn table(game: &Value, certificate: &Value, misere: bool) -> Result<bool, String> {
    let up = if game["kind"] == "chomp" {
        let mut cells = Vec::new();
        for (i, row) in list(&game["rows"]).iter().enumerate() {
            cells.extend((0..size(row)).map(|j| (i, j)).filter(|&cell| cell != (0, 0)));
        }
        above(cells.len(), &|x, y| cells[x].0 <= cells[y].0 && cells[x].1 <= cells[y].1)
    } else {
        let n = list(&game["elements"]).len();
        let mut less = vec![vec![false; n]; n];
        for cover in list(&game["covers"]) {
            less[size(&cover[0])][size(&cover[1])] = true;
        }
        for k in 0..n {
            for x in 0..n {
                for y in 0..n {
                    less[x][y] |= less[x][k] && less[k][y];
                }
            }
        }
        above(n, &|x, y| less[x][y])
    };
    if up.len() > 18 {
        return Ok(false);
    }
    let digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
    let width = size(&certificate["width"]);
    let text: Vec<usize> =
        certificate["values"].as_str().expect("a text").chars().filter_map(|c| digits.find(c)).collect();
    let claimed: Vec<u64> = text.chunks(width).map(|c| c.iter().fold(0, |n, &d| 64 * n + d as u64)).collect();
    let closed = |ideal: &u64| (0..up.len()).all(|x| ideal >> x & 1 == 1 || ideal & up[x] == 0);
    let ideals: Vec<u64> = (0..1_u64 << up.len()).filter(closed).collect();
    let mut known = BTreeMap::new();
    let values: Vec<u64> = ideals.iter().map(|&ideal| ideal_values(&up, misere, ideal, &mut known)).collect();
    if values == claimed { Ok(true) } else { Err("the values are others".into()) }
}

/// How many elements of each chain are looked at.
const CHAIN: usize = 6;

pub fn chains(game: &Value, certificate: &Value, form: &str) -> Result<bool, String> {
    let two = game["chains"] == 2;
    // The elements: first A, then c₁, c₂, …, then d₁, d₂, ….
    let fixed = list(&game["rows"]);
    let rows_of_a = game["rows"].is_array();
    let cells: Vec<(usize, usize)> = {
        let first = if two { 3 } else { 2 };
        let mut cells: Vec<(usize, usize)> = Vec::new();
        for (i, row) in fixed.iter().enumerate() {
            cells.extend((1..=size(row)).map(|j| (first + i, j)));
        }
        let size_of_a = cells.len();
        let c = |i: usize| if two { (2, i) } else { (1, i + 1) };
        cells.extend((1..=CHAIN).map(c));
        // With one chain D lies apart: in a corner that nothing is comparable with.
        cells.extend((1..=CHAIN).map(|j| if two { (1, j + 1) } else { (0, j) }));
        assert_eq!(cells.len(), size_of_a + 2 * CHAIN);
        cells
    };
    let a = if rows_of_a { cells.len() - 2 * CHAIN } else { list(&game["elements"]).len() };
    if a + 2 * CHAIN > 24 {
        return Ok(false);
    }
    let phi = |i: usize| -> usize {
        let prefix = ints(&game["cross"]["prefix"]);
        let mut i = i;
        let mut more = 0;
        while i > prefix.len() {
            let Some(rule) = game["cross"]["rule"].as_array() else { return usize::MAX };
            i -= size(&rule[0]);
            more += size(&rule[1]);
        }
        usize::try_from(prefix[i - 1]).expect("a natural number") + more
    };
    let kind = |x: usize| {
        if x < a {
            (0, x)
        } else if x < a + CHAIN {
            (1, x - a + 1)
        } else {
            (2, x - a - CHAIN + 1)
        }
    };
    let less = |x: usize, y: usize| -> bool {
        if x == y {
            return false;
        }
        if rows_of_a {
            let ((r, c), (s, d)) = (cells[x], cells[y]);
            return r <= s && c <= d && (r == 0) == (s == 0);
        }
        let first = |key: &str, a: usize, i: usize| game[key][a].as_u64().is_some_and(|first| i as u64 >= first);
        match (kind(x), kind(y)) {
            ((0, x), (0, y)) => list(&game["below"][y]).iter().any(|b| size(b) == x),
            ((0, x), (1, i)) => first("c_first_above", x, i),
            ((0, x), (_, j)) => first("d_first_above", x, j),
            ((1, i), (0, y)) => i <= size(&game["c_below"][y]),
            ((_, j), (0, y)) => j <= size(&game["d_below"][y]),
            ((2, j), (1, i)) => j <= phi(i),
            ((1, _), (2, _)) => false,
            ((_, i), (_, k)) => i < k,
        }
    };
    let up = above(a + 2 * CHAIN, &less);
    let mut known = BTreeMap::new();
    // The value of (B, m, n), when that is a position.
    let mut value = |ideal: u64, m: usize, n: usize| -> Option<u64> {
        let bits = ideal | ((1 << m) - 1) << a | ((1 << n) - 1) << (a + CHAIN);
        let closed = (0..up.len()).all(|x| bits >> x & 1 == 1 || bits & up[x] == 0);
        closed.then(|| ideal_values(&up, false, bits, &mut known))
    };
    let at = |function: &Value, m: usize| -> Option<usize> {
        let (first, period, values) = (size(&function["first"]), size(&function["period"]), list(&function["values"]));
        let mut index = m.checked_sub(first)?;
        let mut turns = 0;
        while index >= values.len() {
            if period == 0 {
                return None;
            }
            index -= period;
            turns += period;
        }
        values[index].as_u64().map(|n| usize::try_from(n).expect("small") + turns)
    };
    let functions = if form == "chains" { certificate } else { &certificate["chains"] };
    for entry in list(&functions["ideals"]) {
        let members = list(&entry["ideal"]);
        let ideal: u64 = if rows_of_a {
            let top = if two { 3 } else { 2 };
            let inside = |x: &usize| members.get(cells[*x].0 - top).is_some_and(|row| cells[*x].1 <= size(row));
            (0..a).filter(inside).map(|x| 1 << x).sum()
        } else {
            members.iter().map(|x| 1 << size(x)).sum()
        };
        for m in 0..CHAIN {
            if !two {
                if value(ideal, m, 0) != at(&entry["functions"][0], m).map(|n| n as u64) {
                    return Err(format!("ideal {members:?}, m = {m}"));
                }
                continue;
            }
            for n in 0..CHAIN {
                let actual = value(ideal, m, n);
                for (j, function) in list(&entry["functions"]).iter().enumerate() {
                    if (actual == Some(j as u64)) != (at(function, m) == Some(n)) {
                        return Err(format!("ideal {members:?}, m = {m}, n = {n}: {actual:?}"));
                    }
                }
            }
        }
    }
    if form != "chains" {
        let whole = (1_u64 << a) - 1;
        let (dm, dn) = match (rows_of_a, two) {
            (true, true) => (0, 1),
            (true, false) => (1, 0),
            _ => (0, 0),
        };
        for m in 0..CHAIN {
            for n in 0..CHAIN {
                let x = [i64::try_from(m + dm).expect("small"), i64::try_from(n + dn).expect("small")];
                let claimed = match form {
                    "automaton" => accepts(&certificate["automaton"], &x),
                    "series" => in_series(&certificate["terms"], &x, &[1, 1])?,
                    _ => in_modules(&certificate["modules"], &x, &[1, 1])?,
                };
                let actual = if two { value(whole, m, n) == Some(0) } else { value(whole, m, 0) == Some(n as u64) };
                if claimed != actual {
                    return Err(format!("the set at {x:?}"));
                }
            }
        }
    }
    Ok(true)
}
