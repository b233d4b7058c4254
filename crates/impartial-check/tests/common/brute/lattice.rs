//! Lattice games.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::{Point, int, ints, list, mex, rows, size};

struct Lattice {
    rules: Vec<Point>,
    board: Vec<Point>,
    orthant: bool,
    defeated: BTreeSet<Point>,
    values: HashMap<Point, Option<u64>>,
}

fn minus(a: &[i64], b: &[i64]) -> Point {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn dot(a: &[i64], b: &[i64]) -> i64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Lattice {
    fn read(game: &Value) -> Self {
        Self {
            rules: rows(&game["rules"]),
            board: rows(&game["board"]),
            orthant: game["board"].is_null(),
            defeated: rows(&game["defeated"]).into_iter().collect(),
            values: HashMap::new(),
        }
    }

    fn on_board(&self, x: &Point) -> bool {
        let inside = if self.orthant {
            x.iter().all(|&x| x >= 0)
        } else {
            self.board.iter().all(|row| dot(row, x) + row[x.len()] >= 0)
        };
        inside && !self.defeated.contains(x)
    }

    /// The Grundy value; `None` off the board.
    fn value(&mut self, x: &Point) -> Result<Option<u64>, String> {
        if !self.on_board(x) {
            return Ok(None);
        }
        match self.values.get(x) {
            Some(Some(value)) => return Ok(Some(*value)),
            Some(None) => return Err(format!("play comes back to {x:?}")),
            None => {}
        }
        if self.values.len() > 200_000 {
            return Err("play does not seem to end".into());
        }
        self.values.insert(x.clone(), None);
        let mut options = BTreeSet::new();
        for i in 0..self.rules.len() {
            let next = minus(x, &self.rules[i]);
            options.extend(self.value(&next)?);
        }
        let value = mex(&options);
        self.values.insert(x.clone(), Some(value));
        Ok(Some(value))
    }
}

/// All points with entries from `low` on, about 2000 of them.
fn points(dimension: usize, low: i64) -> Vec<Point> {
    let side = [40, 11, 7, 4, 3, 2][dimension.clamp(1, 6) - 1];
    let mut all: Vec<Point> = vec![vec![]];
    for _ in 0..dimension.min(9) {
        all = all.iter().flat_map(|x| (low..=side).map(|c| x.iter().copied().chain([c]).collect())).collect();
    }
    if dimension > 9 {
        // Few coordinates at a time.
        all = all.into_iter().map(|x| x.into_iter().chain(std::iter::repeat(0)).take(dimension).collect()).collect();
    }
    all
}

/// How many ways there are to write `rest` as a sum of the vectors; each lowers the functional.
fn ways(rest: &[i64], vectors: &[Point], functional: &[i64]) -> u64 {
    let Some((first, others)) = vectors.split_first() else { return u64::from(rest.iter().all(|&x| x == 0)) };
    let (mut rest, mut count) = (rest.to_vec(), 0);
    while dot(&rest, functional) >= 0 {
        count += ways(&rest, others, functional);
        rest = minus(&rest, first);
    }
    count
}

/// A functional with small entries that is positive on the vectors: the file's own may be huge, and recursion along it endless.
fn small_functional(vectors: &[Point], own: &[i64]) -> Option<Point> {
    let dimension = own.len();
    let positive = |l: &Point| vectors.iter().all(|v| dot(l, v) > 0);
    let near = |l: &Point| l.iter().all(|x| x.abs() <= 20);
    let candidates = [vec![1; dimension], own.to_vec()];
    candidates.into_iter().find(|l| near(l) && positive(l)).or_else(|| {
        let few = if dimension <= 3 { points(dimension, -7) } else { vec![] };
        few.into_iter().find(positive)
    })
}

/// The state after reading a vector without negative entries.
fn state(automaton: &Value, x: &[i64]) -> usize {
    let (mut state, mut rest) = (0, x.to_vec());
    while rest.iter().any(|&x| x > 0) {
        for x in &mut rest {
            state = size(&automaton["transitions"][2 * state + usize::from(*x % 2 == 1)]);
            *x /= 2;
        }
    }
    state
}

pub fn accepts(automaton: &Value, x: &[i64]) -> bool {
    x.iter().all(|&x| x >= 0) && list(&automaton["accepting"]).iter().any(|s| size(s) == state(automaton, x))
}

/// The label of a vector by blocks; `None` where there is no position.
fn block_label(certificate: &Value, x: &[i64]) -> Option<u64> {
    if x.iter().any(|&x| x < 0) {
        return None;
    }
    let side = int(&certificate["side"]);
    let digits = x.iter().map(|x| 64 - (x / side).leading_zeros()).max().unwrap_or(0);
    let mut state = 0;
    for digit in (0..digits).rev() {
        let letter = x.iter().rev().fold(0, |letter, x| 2 * letter + (((x / side) >> digit) & 1));
        state = int(&certificate["transitions"][usize::try_from((state << x.len()) + letter).ok()?]);
    }
    let block = size(&certificate["state_blocks"][usize::try_from(state).ok()?]);
    let cell = x.iter().rev().fold(0, |cell, x| cell * side + x % side);
    let label = certificate["blocks"][block].as_str()?.chars().nth(usize::try_from(cell).ok()?)?;
    label.to_digit(36).map(u64::from)
}

/// Whether modules hold a point; an error when two of them do.
pub fn in_modules(modules: &Value, x: &[i64], functional: &[i64]) -> Result<bool, String> {
    let holds = |module: &&Value| {
        let generators = rows(&module["generators"]);
        rows(&module["bases"]).iter().any(|f| ways(&minus(x, f), &generators, functional) > 0)
    };
    match list(modules).iter().filter(holds).count() {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(format!("two modules hold {x:?}")),
    }
}

/// Whether the coefficient of t^x is 1; an error when it is neither 0 nor 1.
pub fn in_series(terms: &Value, x: &[i64], functional: &[i64]) -> Result<bool, String> {
    let (mut sum, mut scale) = (0_i128, 1_i128);
    for term in list(terms) {
        let count = ways(&minus(x, &ints(&term["exponent"])), &rows(&term["denominators"]), functional);
        let (n, m) = (i128::from(int(&term["coefficient"][0])), i128::from(int(&term["coefficient"][1])));
        sum = sum * m + n * i128::from(count) * scale;
        scale *= m;
        let common = (1..=scale.min(64)).rev().find(|d| sum % d == 0 && scale % d == 0).unwrap_or(1);
        (sum, scale) = (sum / common, scale / common);
    }
    match sum {
        0 => Ok(false),
        n if n == scale => Ok(true),
        _ => Err(format!("the coefficient at {x:?} is {sum}/{scale}")),
    }
}

pub fn lattice(game: &Value, certificate: &Value, form: &str, misere: bool) -> Result<bool, String> {
    let mut lattice = Lattice::read(game);
    let dimension = lattice.rules[0].len();
    let zero: BTreeSet<Point> = BTreeSet::from([vec![0; dimension]]);
    if misere != (lattice.defeated == zero) {
        return Err("the play is another one".into());
    }
    let mut vectors: Vec<Point> = Vec::new();
    for module in list(&certificate["modules"]) {
        vectors.extend(rows(&module["generators"]));
    }
    for term in list(&certificate["terms"]) {
        vectors.extend(rows(&term["denominators"]));
    }
    let Some(functional) = small_functional(&vectors, &ints(&certificate["functional"])) else { return Ok(false) };
    let chart = &certificate["chart"];
    let inner = |x: &[i64]| -> Point {
        if chart.is_null() {
            return x.to_vec();
        }
        let shift = ints(&chart["shift"]);
        rows(&chart["matrix"]).iter().zip(shift).map(|(row, s)| dot(row, x) + s).collect()
    };
    // Rays and points of sectors are inner vectors: their own functional is the sum of the entries.
    let rays = rows(&certificate["rays"]);
    let ones = vec![1; dimension];
    let in_stratum = |stratum: &Value, x: &[i64]| {
        let generators: Vec<Point> = list(&stratum["generators"]).iter().map(|g| rays[size(g)].clone()).collect();
        rows(&stratum["points"]).iter().any(|f| ways(&minus(&inner(x), f), &generators, &ones) > 0)
    };
    for x in points(dimension, if lattice.orthant { 0 } else { -2 }) {
        let value = lattice.value(&x)?;
        let claimed = match form {
            "automaton" | "presentation" => accepts(&certificate["automaton"], &inner(&x)),
            "stratification" => in_modules(&certificate["modules"], &x, &functional)?,
            "series" if certificate["characters"].is_null() => in_series(&certificate["terms"], &x, &functional)?,
            "series" => {
                let characters = rows(&certificate["characters"]);
                let odd =
                    |signs: &&Point| signs.iter().zip(&x).filter(|(s, x)| **s < 0 && **x % 2 == 1).count() % 2 == 1;
                match characters.iter().filter(odd).count() {
                    0 => true,
                    n if 2 * n == characters.len() => false,
                    n => return Err(format!("{n} characters are odd at {x:?}")),
                }
            }
            "sectors" => list(&certificate["strata"]).iter().any(|stratum| in_stratum(stratum, &x)),
            "grundy-sectors" => {
                let holds = |stratum: &&Value| in_stratum(stratum, &x);
                let claimed: Vec<Option<u64>> = list(&certificate["strata"])
                    .iter()
                    .filter(holds)
                    .map(|stratum| stratum["value"].as_u64())
                    .collect();
                if claimed != Vec::from_iter(value.map(Some)) {
                    return Err(format!("the value at {x:?} is {value:?}"));
                }
                continue;
            }
            "blocks" => block_label(certificate, &inner(&x)) == Some(0),
            "grundy-blocks" => {
                if block_label(certificate, &inner(&x)) != value {
                    return Err(format!("the value at {x:?} is {value:?}"));
                }
                continue;
            }
            "parity-kernel" => {
                let odd = ints(&certificate["values"]).into_iter().zip(&x).filter(|(_, x)| **x % 2 == 1);
                odd.fold(0, |sum, (value, _)| sum ^ value) == 0
            }
            "grundy-automaton" => {
                let y = inner(&x);
                let claimed = if y.iter().any(|&y| y < 0) {
                    None
                } else {
                    certificate["automaton"]["values"][state(&certificate["automaton"], &y)].as_u64()
                };
                if claimed != value {
                    return Err(format!("the value at {x:?} is {value:?}"));
                }
                continue;
            }
            _ => return Err(format!("no claim of form {form}")),
        };
        if claimed != (value == Some(0)) {
            return Err(format!("the outcome at {x:?}"));
        }
    }
    if form == "presentation" {
        let generators = rows(&certificate["generators"]);
        let word = |exponents: &[i64]| -> Point {
            let mut x = vec![0; dimension];
            for (n, h) in exponents.iter().zip(&generators) {
                x = x.iter().zip(h).map(|(x, h)| x + n * h).collect();
            }
            x
        };
        for relation in list(&certificate["relations"]) {
            let (left, right) = (word(&ints(&relation[0])), word(&ints(&relation[1])));
            for r in points(generators.len(), 0).iter().map(|r| word(r)).take(300) {
                let at = |x: &Point| -> Point { x.iter().zip(&r).map(|(x, r)| x + r).collect() };
                if (lattice.value(&at(&left))? == Some(0)) != (lattice.value(&at(&right))? == Some(0)) {
                    return Err(format!("the relation {relation} beside {r:?}"));
                }
            }
        }
    }
    Ok(true)
}
