//! Sums of heaps.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::{int, ints, list, mex, size};

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

pub fn nim_sequence(game: &Value, certificate: &Value) -> Result<bool, String> {
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

pub fn nim_period(game: &Value, certificate: &Value) -> Result<bool, String> {
    let (from, period) = (size(&certificate["preperiod"]), size(&certificate["period"]));
    let far = from + 3 * period;
    let Some(values) = (far <= 150).then(|| grundy_values(game, far)).flatten() else { return Ok(false) };
    let repeats = |from: usize, period: usize| (from..=far - period).all(|n| values[n + period] == values[n]);
    if !repeats(from, period) {
        return Err("no period".into());
    }
    if (1..period).any(|p| repeats(from, p)) || from > 0 && repeats(from - 1, period) {
        return Err("not the least period".into());
    }
    Ok(true)
}

pub fn heap_values(game: &Value, certificate: &Value) -> Result<bool, String> {
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
                if beans + h <= 16.max(most) {
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

pub fn quotient(game: &Value, certificate: &Value) -> Result<bool, String> {
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

pub fn counters(game: &Value, certificate: &Value) -> Result<bool, String> {
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

/// The state of a sum by its definition: values, weights, and the heap that outweighs all others.
pub fn dominance(game: &Value, certificate: &Value) -> Result<bool, String> {
    let number = |key: &str| int(&certificate[key]);
    let (first, period, gain, cap, top) =
        (number("first"), number("period"), number("gain"), number("cap"), number("top"));
    let (values, weights) = (ints(&certificate["values"]), ints(&certificate["weights"]));
    let p: BTreeSet<Vec<i64>> = list(&certificate["p"]).iter().map(ints).collect();
    let class = |h: usize| {
        let h = i64::try_from(h).expect("small");
        if h < first + period { h } else { first + (h - first) % period }
    };
    let at = |list: &[i64], h: usize| list[usize::try_from(class(h)).expect("small")];
    let gained = |h: usize| (i64::try_from(h).expect("small") - class(h)) / period * gain;
    let weight = |h: usize| at(&weights, h) + gained(h);
    let predicted = |sum: &[usize]| {
        let value = sum.iter().fold(0, |v, &h| v ^ at(&values, h));
        let total: i64 = sum.iter().map(|&h| weight(h)).sum();
        let heaviest = sum.iter().copied().max_by_key(|&h| weight(h));
        let excess = heaviest.map_or(0, |h| 2 * weight(h) - total).clamp(0, top);
        let dominating = if excess > 0 { heaviest.map_or(0, class) } else { 0 };
        p.contains(&vec![value, total % 2, total.min(cap), excess, dominating])
    };
    sums(game, 30, &predicted)
}

/// The state of a sum by its definition: its letters, from the largest rank down.
pub fn ranks(game: &Value, certificate: &Value) -> Result<bool, String> {
    let (first, period) = (size(&certificate["first"]), size(&certificate["period"]));
    let place = |h: usize| {
        if h < first { (0, h) } else { (1 + (h - first) / period, first + (h - first) % period) }
    };
    let next = |state: usize, letter: usize| size(&certificate["next"][state][letter]);
    let accepting: BTreeSet<i64> = ints(&certificate["accepting"]).into_iter().collect();
    let predicted = |sum: &[usize]| {
        let largest = sum.iter().map(|&h| place(h).0).max().unwrap_or(0);
        let mut state = 0;
        for rank in (0..=largest).rev() {
            for heap in sum.iter().filter(|&&h| place(h).0 == rank) {
                let letter = size(&certificate["letters"][place(*heap).1]);
                state = if letter == 0 { state } else { next(state, letter) };
            }
            state = if rank == 0 { state } else { next(state, 0) };
        }
        accepting.contains(&i64::try_from(state).expect("small"))
    };
    sums(game, 30, &predicted)
}
