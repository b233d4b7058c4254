//! Lattice games with rays, and sets in the digits of a numeration system.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::{Point, ints, list, mex, rows, size};

/// Where a word leads in a table, or nowhere.
fn reads(table: &Value, letters: usize, word: impl Iterator<Item = usize>) -> Option<usize> {
    let next = ints(&table["transitions"]);
    let mut state = 0;
    for letter in word {
        state = usize::try_from(next[state * letters + letter]).ok()?;
    }
    Some(state)
}

fn accepts(table: &Value, letters: usize, word: impl Iterator<Item = usize>) -> bool {
    reads(table, letters, word).is_some_and(|state| list(&table["accepting"]).iter().any(|s| size(s) == state))
}

/// The strings of `length` digits that the system calls valid, with their numbers.
fn strings(system: &Value, weights: &[i64], base: usize, length: usize) -> Vec<(i64, Vec<usize>)> {
    let mut found = vec![vec![]];
    for _ in 0..length {
        let longer = |word: &Vec<usize>| (0..base).map(|d| [word.as_slice(), &[d]].concat()).collect::<Vec<_>>();
        found = found
            .iter()
            .flat_map(longer)
            .filter(|w| reads(&system["valid"], base, w.iter().copied()).is_some())
            .collect();
    }
    found.retain(|word| accepts(&system["valid"], base, word.iter().copied()));
    let number =
        |word: &Vec<usize>| word.iter().rev().zip(weights).map(|(&d, w)| i64::try_from(d).expect("a digit") * w).sum();
    found.into_iter().map(|word| (number(&word), word)).collect()
}

struct Played {
    rules: Vec<Point>,
    rays: Vec<Point>,
    regions: Vec<Vec<Point>>,
    defeated: BTreeSet<Point>,
    terminal: BTreeSet<Point>,
    known: HashMap<Point, u64>,
}

impl Played {
    fn value(&mut self, x: &Point) -> u64 {
        if let Some(&known) = self.known.get(x) {
            return known;
        }
        // Nobody moves from there.
        if self.terminal.contains(x) {
            return 0;
        }
        let largest = x.iter().copied().max().unwrap_or(0);
        let once = self.rules.iter().cloned();
        let often = self.rays.iter().flat_map(|ray| {
            (1..=largest).map(move |t| ray.iter().map(|r| t * r).collect::<Point>()).collect::<Vec<_>>()
        });
        // Every m up to x, for the regions.
        let boxed = if self.regions.is_empty() { vec![] } else { x.clone() };
        let all = boxed.iter().fold(vec![vec![]], |all: Vec<Point>, &x| {
            all.iter().flat_map(|m| (0..=x).map(move |e| [m.as_slice(), &[e]].concat())).collect()
        });
        let holds = |m: &Point, row: &Point| m.iter().zip(row).map(|(m, a)| m * a).sum::<i64>() + row[m.len()] >= 0;
        let within = |m: &Point| self.regions.iter().any(|region| region.iter().all(|row| holds(m, row)));
        let regions = all.into_iter().filter(within);
        let ends: Vec<Point> =
            once.chain(often).chain(regions).map(|m| x.iter().zip(m).map(|(x, m)| x - m).collect()).collect();
        let mut options = BTreeSet::new();
        for end in ends {
            if end.iter().all(|&y| y >= 0) && !self.defeated.contains(&end) {
                options.insert(self.value(&end));
            }
        }
        let value = mex(&options);
        self.known.insert(x.clone(), value);
        value
    }
}

pub fn numeration(game: &Value, certificate: &Value, misere: bool) -> Result<bool, String> {
    let [rules, rays, defeated] = ["rules", "rays", "defeated"].map(|key| rows(&game[key]));
    let regions = game.get("regions").map_or(vec![], |regions| list(regions).iter().map(rows).collect());
    let defeated: BTreeSet<Point> = defeated.into_iter().collect();
    let terminal: BTreeSet<Point> = game.get("terminal").map_or(vec![], rows).into_iter().collect();
    let Some(dimension) = rays.first().or(rules.first()).map(Vec::len) else { return Err("no move".into()) };
    if misere != (defeated == BTreeSet::from([vec![0; dimension]])) {
        return Err("the play".into());
    }
    let system = &certificate["system"];
    let base = size(&system["digits"]);
    let recurrence = ints(&system["recurrence"]);
    let mut weights = ints(&system["initial"]);
    while weights.len() < 12 {
        let next = recurrence.iter().enumerate().map(|(i, a)| a * weights[weights.len() - 1 - i]).sum();
        weights.push(next);
    }
    // Long enough for all numbers of the box, and some more.
    let box_size: i64 = if dimension == 1 { 60 } else { 14 };
    let length = weights.iter().position(|&w| w > 2 * box_size).unwrap_or(weights.len());
    let words = strings(system, &weights, base, length);
    let mut digits: HashMap<i64, Vec<usize>> = HashMap::new();
    for (number, word) in words {
        if digits.insert(number, word).is_some() {
            return Err(format!("the two strings of {number}"));
        }
    }
    let letters = (0..dimension).fold(1, |all, _| all * base);
    let mut game = Played { rules, rays, regions, defeated, terminal, known: HashMap::new() };
    let tables = list(&certificate["values"]);
    let mut x: Point = vec![0; dimension];
    loop {
        let strings: Option<Vec<&Vec<usize>>> = x.iter().map(|n| digits.get(n)).collect();
        let Some(strings) = strings else { return Err(format!("a number without a string in {x:?}")) };
        let letter = |i: usize| strings.iter().fold(0, |letter, word| letter * base + word[i]);
        let claimed: Vec<usize> =
            (0..tables.len()).filter(|&g| accepts(&tables[g], letters, (0..length).map(letter))).collect();
        let actual = (!game.defeated.contains(&x)).then(|| game.value(&x));
        let actual = actual.and_then(|g| usize::try_from(g).ok()).filter(|&g| g < tables.len());
        if claimed != actual.into_iter().collect::<Vec<_>>() {
            return Err(format!("the position {x:?}"));
        }
        let Some(i) = (0..dimension).find(|&i| x[i] + 1 < box_size) else { return Ok(true) };
        x[i] += 1;
        x[..i].fill(0);
    }
}
