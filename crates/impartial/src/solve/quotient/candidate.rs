//! Candidates for a quotient, their least failures, and how they are unfolded and reduced.

use rustc_hash::FxHashMap;

use super::OptionTable;
use super::bits::Bits;
use super::monoid::{Monoid, NONE, Rows, Word, colex, enumerate, index, pass, times};
use super::silent::{Search, Silent};
use semilinear::run::{Monitor, StopReason};

/// A reduced bipartite monoid with a value for each heap, and the prediction "P iff Φ(w) ∈ P".
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub monoid: Monoid,
    pub p: Bits,
    /// Φ of each heap, from heap 0 on.
    pub values: Vec<u32>,
    /// A word over letters for each heap. It has the heap's value, and the heap *follows* it when letters
    /// are made free again.
    pub words: Vec<Word>,
}

/// A letter that is made free: its powers are distinct up to `index + period`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Free {
    pub heap: u32,
    pub index: u32,
    pub period: u32,
}

/// A candidate with more elements than this before reduction is not built.
const MOST_ELEMENTS: u64 = 1 << 23;

impl Candidate {
    /// The quotient of no heaps at all.
    pub fn trivial() -> Self {
        Self { monoid: Monoid::trivial(), p: Bits::empty(1), values: vec![0], words: vec![Word::new()] }
    }

    /// The number of heaps.
    pub fn heaps(&self) -> usize {
        self.values.len() - 1
    }

    /// The distinct values of the options of a heap.
    pub fn option_values(&self, table: &OptionTable, rows: &Rows, heap: usize) -> Vec<u32> {
        let mut values: Vec<u32> = table
            .options(heap)
            .map(|option| {
                let mut parts = option.iter().map(|&h| self.values[h as usize]);
                let first = parts.next().unwrap_or(0);
                parts.fold(first, |x, v| rows.product(x, v))
            })
            .collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// The contexts in which some option with one of these values is in P.
    pub fn reached(&self, rows: &Rows, values: &[u32]) -> Bits {
        let mut reached = Bits::empty(self.monoid.order());
        for &t in values {
            reached.unite(&rows.translate(t));
        }
        reached
    }

    /// The colex-least word at which the prediction is wrong, with the finished search when there is none.
    ///
    /// Both checks together are V3 and V4 of the theory page: without failure the prediction holds for
    /// every sum of these heaps.
    pub fn failure(&self, table: &OptionTable, monitor: &dyn Monitor) -> Result<Result<Search, Word>, StopReason> {
        let rows = Rows::new(&self.monoid, &self.p);
        let mut least: Option<Word> = None;
        let mut silent: Vec<Silent> = Vec::new();
        // Heaps of equal value: only those that are more silent than all before are searched.
        let mut same_value: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for heap in 1..self.values.len() {
            if table.inert(heap) {
                continue;
            }
            monitor.check(heap as u64, None)?;
            let values = self.option_values(table, &rows, heap);
            let mut contexts = self.reached(&rows, &values);
            let own = rows.translate(self.values[heap]);
            if let Some(x) = contexts.first_common(&own) {
                let word = times(&self.monoid.word(index(x)), index(heap), 1);
                if least.as_ref().is_none_or(|l| colex(&word, l).is_lt()) {
                    least = Some(word);
                }
            }
            contexts.unite(&own);
            let contexts = contexts.complement();
            let seen = same_value.entry(self.values[heap]).or_default();
            if seen.iter().any(|&i| contexts.within(&silent[i].contexts)) {
                continue;
            }
            seen.push(silent.len());
            silent.push(Silent { heap: index(heap), value: self.values[heap], contexts });
        }
        // Words beyond the failure that is known already are not needed.
        let (largest, most) = least.as_ref().and_then(|w| w.last()).copied().unwrap_or((u32::MAX, u32::MAX));
        let mut search = Search::new(Bits::empty(self.monoid.order()).complement());
        for s in silent.iter().filter(|s| s.heap <= largest) {
            let most = if s.heap == largest { most } else { u32::MAX };
            if let Some(word) = search.extend(&rows, s, most, monitor)? {
                if least.as_ref().is_none_or(|l| colex(&word, l).is_lt()) {
                    least = Some(word);
                }
                break;
            }
        }
        Ok(match least {
            None => Ok(search),
            Some(word) => Err(word),
        })
    }

    /// The candidate in which the heaps of `free` are free generators up to their index and period, the
    /// other letters keep their relations, and the outcomes are marked anew from the least words; reduced.
    ///
    /// It maps onto the old candidate when each index and period is a multiple of the old ones, so it
    /// predicts the same for all words below the least failure of the old one.
    pub fn unfolded(&self, table: &OptionTable, free: &[Free], monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let (unfolded, values, words) = self.unfold(free, &[], monitor)?;
        let p = mark(&unfolded, &values, table, monitor)?;
        reduce(&unfolded, &p, &values, &words, monitor)
    }

    /// The period that the outcomes show along the powers of one of the free heaps when it is made free for
    /// much longer than asked; 1 when none shows. A guess that only the checks can confirm.
    pub fn period_ahead(
        &self,
        table: &OptionTable,
        free: &[Free],
        which: usize,
        monitor: &dyn Monitor,
    ) -> Result<u32, StopReason> {
        let mut longer = free.to_vec();
        longer[which].index = longer[which].index.saturating_mul(4);
        let (monoid, values, _) = match self.unfold(&longer, &[], monitor) {
            Err(StopReason::Size { .. }) => return Ok(1),
            other => other?,
        };
        let p = mark(&monoid, &values, table, monitor)?;
        let Some(letter) = monoid.letter(free[which].heap) else { return Ok(1) };
        let end = longer[which].index as usize;
        let divisor = &monoid.divisors(monitor)?[letter];
        let mut outcomes: Vec<Vec<bool>> = Vec::new();
        for g in (0..monoid.order()).filter(|&g| divisor[g] == NONE) {
            monitor.check(g as u64, None)?;
            let powers = std::iter::successors(Some(index(g)), |&x| Some(monoid.step(letter, x)));
            outcomes.push(powers.take(end).map(|x| p.has(x as usize)).collect());
        }
        let start = end / 3;
        let repeats = |d: &usize| outcomes.iter().all(|o| (start..end - d).all(|j| o[j] == o[j + d]));
        Ok((1..=end / 3).find(repeats).map_or(1, index))
    }

    /// Whether `word`, over letters that stay, is the least of its value among words over those letters;
    /// and the number of elements they generate.
    pub fn is_least_without(
        &self,
        free: &[u32],
        word: &[(u32, u32)],
        monitor: &dyn Monitor,
    ) -> Result<(bool, usize), StopReason> {
        let kept: Vec<usize> =
            (0..self.monoid.letters().len()).filter(|&l| !free.contains(&self.monoid.letters()[l])).collect();
        let e = enumerate(self.monoid.order(), kept.len(), 0, |l, x| self.monoid.step(kept[l], x), monitor)?;
        let value = self.monoid.value(word);
        let mut least = Word::new();
        let mut x = e.place[value as usize];
        while x != 0 {
            let (p, l) = e.parent[x as usize];
            least = times(&least, self.monoid.letters()[kept[l as usize]], 1);
            x = p;
        }
        Ok((least == word, e.order.len()))
    }

    /// The monoid in which the heaps of `free` are free and those `counted` are none of the letters; the values of all heaps but for
    /// the counted ones in their words, and these words.
    pub(super) fn unfold(
        &self,
        free: &[Free],
        counted: &[u32],
        monitor: &dyn Monitor,
    ) -> Result<(Monoid, Vec<u32>, Vec<Word>), StopReason> {
        let old = &self.monoid;
        let is_free = |h: u32| counted.contains(&h) || free.iter().any(|f| f.heap == h);
        let kept: Vec<usize> = (0..old.letters().len()).filter(|&l| !is_free(old.letters()[l])).collect();
        let sub = enumerate(old.order(), kept.len(), 0, |l, x| old.step(kept[l], x), monitor)?;
        let g = sub.order.len();
        let mut strides = Vec::new();
        let mut size = g as u64;
        for f in free {
            strides.push(size);
            size = size.saturating_mul(u64::from(f.index) + u64::from(f.period));
            if size > MOST_ELEMENTS {
                return Err(StopReason::Size { what: "elements of a candidate", limit: MOST_ELEMENTS });
            }
        }
        let size = usize::try_from(size).expect("below the limit");
        // Letters of the new monoid: kept ones and free ones, by heap.
        let mut letters: Vec<(u32, Result<usize, usize>)> = kept
            .iter()
            .map(|&l| (old.letters()[l], Ok(l)))
            .chain(free.iter().enumerate().map(|(i, f)| (f.heap, Err(i))))
            .collect();
        letters.sort_unstable_by_key(|&(h, _)| h);
        let mut steps: Vec<Vec<u32>> = Vec::with_capacity(letters.len());
        for (_, letter) in &letters {
            steps.push(match *letter {
                Ok(l) => pass(size, monitor, |x| index(x - x % g) + sub.place[old.step(l, sub.order[x % g]) as usize])?,
                Err(i) => {
                    let stride = usize::try_from(strides[i]).expect("below the limit");
                    let (top, period) = ((free[i].index + free[i].period) as usize, free[i].period as usize);
                    pass(size, monitor, |x| {
                        let digit = x / stride % top;
                        index(if digit + 1 < top { x + stride } else { x - (period - 1) * stride })
                    })?
                }
            });
        }
        let heaps: Vec<u32> = letters.iter().map(|&(h, _)| h).collect();
        let step = |l: usize, x: u32| steps[l][x as usize];
        let e = enumerate(size, heaps.len(), 0, step, monitor)?;
        let monoid = Monoid::new(&e, &heaps, step, monitor)?;
        let words: Vec<Word> = self
            .words
            .iter()
            .enumerate()
            .map(|(h, w)| if is_free(index(h)) { vec![(index(h), 1)] } else { w.clone() })
            .collect();
        let plain = |word: &Word| word.iter().copied().filter(|(h, _)| !counted.contains(h)).collect::<Word>();
        let values = words.iter().map(|word| monoid.value(&plain(word))).collect();
        Ok((monoid, values, words))
    }
}

/// The outcomes of all elements, each decided at its least word: P when it has a move and no option is P.
pub(super) fn mark(
    monoid: &Monoid,
    values: &[u32],
    table: &OptionTable,
    monitor: &dyn Monitor,
) -> Result<Bits, StopReason> {
    let none = Bits::empty(monoid.order());
    let rows = Rows::new(monoid, &none);
    let divisors = monoid.divisors(monitor)?;
    // Option values of each letter, as rows of the Cayley table.
    let mut moves = Vec::new();
    for &heap in monoid.letters() {
        monitor.check(u64::from(heap), None)?;
        let mut seen: Vec<u32> = table
            .options(heap as usize)
            .map(|option| option.iter().fold(0, |x, &h| monoid.product(x, values[h as usize])))
            .collect();
        seen.sort_unstable();
        seen.dedup();
        moves.push(seen);
    }
    let targets: std::collections::BTreeSet<u32> = moves.iter().flatten().copied().collect();
    // Rows are quick but large; beyond this the least words are walked instead.
    let with_rows = targets.len().saturating_mul(monoid.order()) <= 1 << 26;
    let mut p = Bits::empty(monoid.order());
    let fetched: Vec<Vec<_>> = if with_rows {
        let mut all = Vec::new();
        for m in &moves {
            all.push(m.iter().map(|&t| rows.row_within(t, monitor)).collect::<Result<_, _>>()?);
        }
        all
    } else {
        Vec::new()
    };
    monitor.phase("checks of the elements");
    for x in 1..monoid.order() {
        if x % 64 == 0 {
            monitor.check(x as u64, Some(monoid.order() as u64))?;
        }
        let winning = (0..divisors.len()).any(|l| {
            let y = divisors[l][x];
            y != NONE
                && if with_rows {
                    fetched[l].iter().any(|row| p.has(row[y as usize] as usize))
                } else {
                    moves[l].iter().any(|&t| p.has(monoid.product(y, t) as usize))
                }
        });
        if !winning {
            p.insert(x);
        }
    }
    Ok(p)
}

/// The classes of the coarsest congruence that respects `p` (Moore's partition refinement).
pub(super) fn classes(monoid: &Monoid, p: &Bits, monitor: &dyn Monitor) -> Result<Vec<u32>, StopReason> {
    let n = monoid.order();
    let mut class: Vec<u32> = (0..n).map(|x| u32::from(p.has(x))).collect();
    let mut count = 1 + usize::from(p.count() > 0 && p.count() < n);
    if count == 1 {
        return Ok(vec![0; n]);
    }
    loop {
        let before = count;
        for l in 0..monoid.letters().len() {
            let steps = monoid.steps(l);
            let mut names: FxHashMap<(u32, u32), u32> = FxHashMap::default();
            class = pass(n, monitor, |x| {
                let fresh = index(names.len());
                *names.entry((class[x], class[steps[x] as usize])).or_insert(fresh)
            })?;
            count = names.len();
        }
        if count == before {
            return Ok(class);
        }
    }
}

/// The reduction of a bipartite monoid, with its own least letters.
fn reduce(
    monoid: &Monoid,
    p: &Bits,
    values: &[u32],
    words: &[Word],
    monitor: &dyn Monitor,
) -> Result<Candidate, StopReason> {
    let class = classes(monoid, p, monitor)?;
    let count = class.iter().max().map_or(0, |&c| c as usize + 1);
    let mut member = vec![NONE; count];
    for x in (0..monoid.order()).rev() {
        member[class[x] as usize] = index(x);
    }
    let step = |l: usize, c: u32| class[monoid.step(l, member[c as usize]) as usize];
    let e = enumerate(count, monoid.letters().len(), class[0], step, monitor)?;
    let reduced = Monoid::new(&e, monoid.letters(), step, monitor)?;
    let place = |x: u32| e.place[class[x as usize] as usize];
    // Letters that are no longer least are spelled by smaller ones.
    let spelled: FxHashMap<u32, Word> = monoid
        .letters()
        .iter()
        .enumerate()
        .filter(|&(l, _)| !e.least[l])
        .map(|(l, &h)| (h, reduced.word(place(monoid.step(l, 0)))))
        .collect();
    let words = words
        .iter()
        .map(|word| {
            word.iter().fold(Word::new(), |product, &(h, n)| match spelled.get(&h) {
                None => times(&product, h, n),
                Some(w) => w.iter().fold(product, |product, &(l, k)| times(&product, l, k * n)),
            })
        })
        .collect();
    Ok(Candidate {
        p: Bits::of(count, |x| p.has(member[e.order[x] as usize] as usize)),
        values: values.iter().map(|&v| place(v)).collect(),
        words,
        monoid: reduced,
    })
}
