//! Claims of strategy files judged by plain recursion over small positions. Nothing here is shared with the checker or the library.
//!
//! Files come from the checker's "valid", so that their shape may be taken for granted.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;

/// What plain recursion says of a claim.
#[derive(Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Right at every small position.
    Right,
    /// Wrong, and where.
    Wrong(String),
    /// Nothing was compared.
    Unjudged,
}

type Point = Vec<i64>;

fn int(value: &Value) -> i64 {
    value.as_i64().expect("an integer")
}

fn size(value: &Value) -> usize {
    usize::try_from(int(value)).expect("a natural number")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn ints(value: &Value) -> Vec<i64> {
    list(value).iter().map(int).collect()
}

fn rows(value: &Value) -> Vec<Point> {
    list(value).iter().map(ints).collect()
}

/// Judges the claim of a file.
pub fn judge(file: &Value) -> Judgement {
    let misere = file["play"] == "misere";
    let (game, certificate) = (&file["game"], &file["certificate"]);
    let form = file["form"].as_str().expect("a form");
    let result = match (game["kind"].as_str(), form) {
        (Some("heap"), "nim-sequence") => nim_sequence(game, certificate),
        (Some("heap"), "parity-kernel") => heap_values(game, certificate),
        (Some("heap"), "quotient") => quotient(game, certificate),
        (Some("heap"), "counters") => counters(game, certificate),
        (Some("lattice"), _) => lattice(game, certificate, form, misere),
        (Some("poset" | "chomp"), "table") => table(game, certificate, misere),
        (Some("chains"), _) => chains(game, certificate, form),
        _ => Err("no such claim".into()),
    };
    match result {
        Ok(true) => Judgement::Right,
        Ok(false) => Judgement::Unjudged,
        Err(reason) => Judgement::Wrong(reason),
    }
}

fn mex(values: &BTreeSet<u64>) -> u64 {
    (0..=values.len() as u64).find(|v| !values.contains(v)).expect("one of them is missing")
}

// Heaps.

/// All ways to write n as a sum of `parts` positive numbers, smallest first.
fn partitions(n: usize, parts: usize, least: usize) -> Vec<Vec<usize>> {
    if parts == 0 {
        return if n == 0 { vec![vec![]] } else { vec![] };
    }
    let mut all = Vec::new();
    for first in least..=n / parts {
        for mut rest in partitions(n - first, parts - 1, first) {
            rest.insert(0, first);
            all.push(rest);
        }
    }
    all
}

/// `3`, `1..3`, `1..`: whether n is in one of the ranges; nothing for other words.
fn ranges(text: &str, n: usize) -> Option<bool> {
    let mut inside = false;
    for item in text.split(", ") {
        let (first, last) = match item.split_once("..") {
            None => (item.parse().ok()?, item.parse().ok()?),
            Some((first, "")) => (first.parse().ok()?, usize::MAX),
            Some((first, last)) => (first.parse().ok()?, last.parse().ok()?),
        };
        inside |= (first..=last).contains(&n);
    }
    Some(inside)
}

/// The options of a heap; nothing for clauses that are not plain ranges.
fn options(game: &Value, n: usize) -> Option<Vec<Vec<usize>>> {
    let mut found = Vec::new();
    for taken in 0..=n {
        for parts in 0..=n - taken {
            let mut add = |distinct: bool, equal: bool| {
                for heaps in partitions(n - taken, parts, 1) {
                    let same = heaps.windows(2).any(|w| w[0] == w[1]);
                    let differ = heaps.windows(2).any(|w| w[0] != w[1]);
                    if !(distinct && same || equal && differ) {
                        found.push(heaps);
                    }
                }
            };
            if let Some(code) = game["code"].as_str() {
                let mut digits: Vec<u32> = Vec::new();
                let mut block = None;
                for c in code.chars() {
                    match c {
                        '[' => block = Some(digits.len()),
                        c => digits.extend(c.to_digit(16)),
                    }
                }
                let digit = match (digits.get(taken), block) {
                    (Some(&digit), _) => digit,
                    (None, Some(start)) => digits[start + (taken - start) % (digits.len() - start)],
                    (None, None) => 0,
                };
                if parts < 4 && digit >> parts & 1 == 1 {
                    add(false, false);
                }
            } else if let Some(set) = game["subtract"].as_array() {
                if parts < 2 && set.iter().any(|k| size(k) == taken) {
                    add(false, false);
                }
            } else {
                for clause in list(&game["moves"]) {
                    if clause.as_object()?.keys().any(|k| !["take", "leave", "heaps"].contains(&k.as_str())) {
                        return None;
                    }
                    let fits = ranges(clause["take"].as_str()?, taken)? && ranges(clause["leave"].as_str()?, parts)?;
                    if fits && (taken > 0 || parts > 1) {
                        add(clause["heaps"] == "unequal", clause["heaps"] == "equal");
                    }
                }
            }
        }
    }
    Some(found)
}

fn grundy_values(game: &Value, most: usize) -> Option<Vec<u64>> {
    let mut values: Vec<u64> = Vec::new();
    for n in 0..=most {
        let options = options(game, n)?;
        values.push(mex(&options.iter().map(|heaps| heaps.iter().fold(0, |sum, &h| sum ^ values[h])).collect()));
    }
    Some(values)
}

fn nim_sequence(game: &Value, certificate: &Value) -> Result<bool, String> {
    let listed = ints(&certificate["values"]);
    let (from, period, saltus) =
        (size(&certificate["preperiod"]), size(&certificate["period"]), int(&certificate["saltus"]));
    let mut claimed = listed;
    while claimed.len() < (from + 3 * period).max(26) {
        claimed.push(claimed[claimed.len() - period] + saltus);
    }
    let Some(values) = grundy_values(game, 25) else { return Ok(false) };
    for (n, &value) in values.iter().enumerate() {
        if claimed[n] != i64::try_from(value).expect("small") {
            return Err(format!("heap {n} has the value {value}"));
        }
    }
    let repeats = |from: usize, period: usize| {
        let rise = claimed[from + period] - claimed[from];
        (from..claimed.len() - period).all(|n| claimed[n + period] == claimed[n] + rise)
    };
    if (1..period).any(|p| repeats(from, p)) || from > 0 && repeats(from - 1, period) {
        return Err("not the least period".into());
    }
    Ok(true)
}

fn heap_values(game: &Value, certificate: &Value) -> Result<bool, String> {
    let claimed = ints(&certificate["values"]);
    let Some(values) = grundy_values(game, claimed.len().min(20)) else { return Ok(false) };
    for (n, &value) in values.iter().enumerate().skip(1) {
        if claimed[n - 1] != i64::try_from(value).expect("small") {
            return Err(format!("heap {n} has the value {value}"));
        }
    }
    Ok(true)
}

/// Misère outcomes of sums of heaps.
struct Misere {
    options: Vec<Vec<Vec<usize>>>,
    known: HashMap<Vec<usize>, bool>,
}

impl Misere {
    /// Whether the previous player wins.
    fn is_p(&mut self, sum: &[usize]) -> bool {
        if let Some(&known) = self.known.get(sum) {
            return known;
        }
        let (mut moves, mut wins) = (false, false);
        for i in 0..sum.len() {
            for o in 0..self.options[sum[i]].len() {
                let mut next: Vec<usize> = sum.to_vec();
                next.remove(i);
                next.extend(&self.options[sum[i]][o]);
                next.sort_unstable();
                moves = true;
                wins |= self.is_p(&next);
            }
        }
        let p = moves && !wins;
        self.known.insert(sum.to_vec(), p);
        p
    }
}

/// Compares a prediction with the outcomes of all sums of few heaps.
fn sums(game: &Value, most: usize, predicted: &dyn Fn(&[usize]) -> bool) -> Result<bool, String> {
    let Some(options) = (0..=most).map(|n| options(game, n)).collect::<Option<Vec<_>>>() else { return Ok(false) };
    let mut misere = Misere { options, known: HashMap::new() };
    let mut open: Vec<Vec<usize>> = vec![vec![]];
    while let Some(sum) = open.pop() {
        if misere.is_p(&sum) != predicted(&sum) {
            return Err(format!("the sum {sum:?}"));
        }
        let beans: usize = sum.iter().sum();
        if sum.len() < 5 {
            for h in sum.last().copied().unwrap_or(1)..=most {
                if beans + h <= 16 {
                    open.push(sum.iter().copied().chain([h]).collect());
                }
            }
        }
    }
    Ok(true)
}

/// A commutative monoid by the maps of its generators.
struct Monoid {
    steps: Vec<Vec<usize>>,
    words: Vec<Vec<usize>>,
}

impl Monoid {
    fn read(certificate: &Value) -> Self {
        let steps: Vec<Vec<usize>> =
            list(&certificate["steps"]).iter().map(|row| list(row).iter().map(size).collect()).collect();
        let order = steps.first().map_or(1, Vec::len);
        let mut words: Vec<Option<Vec<usize>>> = vec![None; order];
        words[0] = Some(vec![]);
        let mut queue = vec![0];
        while let Some(x) = queue.pop() {
            for (i, map) in steps.iter().enumerate() {
                if words[map[x]].is_none() {
                    let mut word = words[x].clone().expect("reached");
                    word.push(i);
                    words[map[x]] = Some(word);
                    queue.push(map[x]);
                }
            }
        }
        let words = words.into_iter().map(|word| word.expect("every element is a product")).collect();
        Self { steps, words }
    }

    fn times(&self, x: usize, y: usize) -> usize {
        self.words[y].iter().fold(x, |x, &i| self.steps[i][x])
    }
}

fn quotient(game: &Value, certificate: &Value) -> Result<bool, String> {
    let monoid = Monoid::read(certificate);
    let order = monoid.words.len();
    let p: BTreeSet<usize> = list(&certificate["p"]).iter().map(size).collect();
    let mut values: Vec<usize> = list(&certificate["values"]).iter().map(size).collect();
    if let Some(period) = certificate["period"].as_object() {
        let (from, period) = (size(&period["preperiod"]), size(&period["period"]));
        while values.len() <= 16 {
            let n = values.len();
            assert!(n >= from + period);
            values.push(values[n - period]);
        }
    }
    // With a kernel the values beyond the list follow from Grundy values; the list itself is long.
    let most = (values.len() - 1).min(12);
    let value = |sum: &[usize]| sum.iter().fold(0, |x, &h| monoid.times(x, values[h]));
    for x in 0..order {
        for y in 0..x {
            if (0..order).all(|z| p.contains(&monoid.times(x, z)) == p.contains(&monoid.times(y, z))) {
                return Err(format!("elements {x} and {y} are the same"));
            }
        }
    }
    sums(game, most, &|sum| p.contains(&value(sum)))
}

fn counters(game: &Value, certificate: &Value) -> Result<bool, String> {
    let monoid = Monoid::read(certificate);
    let counters: Vec<usize> = list(&certificate["counters"]).iter().map(size).collect();
    let next: Vec<Vec<usize>> =
        list(&certificate["next"]).iter().map(|row| list(row).iter().map(size).collect()).collect();
    let slices: Vec<BTreeSet<usize>> =
        list(&certificate["slices"]).iter().map(|row| list(row).iter().map(size).collect()).collect();
    let values = list(&certificate["values"]);
    let most = (values.len() - 1).min(12);
    let predicted = |sum: &[usize]| {
        let (mut element, mut counts) = (0, vec![0_usize; counters.len()]);
        for &h in sum {
            if let Some(i) = counters.iter().position(|&c| c == h) {
                counts[i] += 1;
            } else if let Some(follower) = values[h].as_object() {
                element = monoid.times(element, size(&follower["element"]));
                for (count, more) in counts.iter_mut().zip(list(&follower["counts"])) {
                    *count += size(more);
                }
            } else {
                element = monoid.times(element, size(&values[h]));
            }
        }
        let mut state = 0;
        while counts.iter().any(|&n| n > 0) {
            let digits: usize = counts.iter().enumerate().map(|(i, n)| (n & 1) << i).sum();
            state = next[state][digits];
            for n in &mut counts {
                *n /= 2;
            }
        }
        slices[size(&certificate["output"][state])].contains(&element)
    };
    sums(game, most, &predicted)
}

// Lattice games.

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

fn accepts(automaton: &Value, x: &[i64]) -> bool {
    x.iter().all(|&x| x >= 0) && list(&automaton["accepting"]).iter().any(|s| size(s) == state(automaton, x))
}

/// Whether modules hold a point; an error when two of them do.
fn in_modules(modules: &Value, x: &[i64], functional: &[i64]) -> Result<bool, String> {
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
fn in_series(terms: &Value, x: &[i64], functional: &[i64]) -> Result<bool, String> {
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

fn lattice(game: &Value, certificate: &Value, form: &str, misere: bool) -> Result<bool, String> {
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
            "sectors" => list(&certificate["strata"]).iter().any(|stratum| {
                let generators: Vec<Point> =
                    list(&stratum["generators"]).iter().map(|g| rays[size(g)].clone()).collect();
                rows(&stratum["points"]).iter().any(|f| ways(&minus(&inner(&x), f), &generators, &ones) > 0)
            }),
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

// Posets.

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

fn table(game: &Value, certificate: &Value, misere: bool) -> Result<bool, String> {
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

fn chains(game: &Value, certificate: &Value, form: &str) -> Result<bool, String> {
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
