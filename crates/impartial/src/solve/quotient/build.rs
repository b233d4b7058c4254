//! The search for partial quotients, heap by heap, by least failures.

use rustc_hash::FxHashMap;

use super::OptionTable;
use super::bits::Bits;
use super::candidate::{Candidate, Free};
use super::counted_repair::NARROW;
use super::counters::Counters;
use super::grid::WIDEST;
use super::guess::{Boxed, LARGE, QUICK};
use super::monoid::{NONE, Rows, Word, index};
use super::silent::{Search, Silent};
use crate::heap::HeapRules;
use semilinear::run::{Monitor, StopReason};

/// Builds the quotients Q₁, Q₂, … of a heap game one after another, each of them proved.
///
/// A heap that behaves like a product of old elements extends the quotient *conservatively*: nothing
/// but its value is new. Otherwise the new heap becomes a free generator, and the candidate is repaired
/// at its colex-least failure until none is left. If the quotient is infinite the repairs never end:
/// give a [`Monitor`] with a limit.
///
/// # Complexity
/// No bound is known. Each repair costs about |U|·(letters + options) for a candidate of |U| elements
/// before reduction, each check about |Q|·(states of the N-check)·heaps.
///
/// ```
/// use impartial::{run::Unlimited, solve::quotient::Builder};
/// // Nim with heaps 1 and 2: the tame quotient of order 6.
/// let mut nim = Builder::new();
/// nim.push(&[vec![]], &Unlimited).unwrap();
/// nim.push(&[vec![], vec![1]], &Unlimited).unwrap();
/// assert_eq!((nim.order(), nim.p_portion()), (6, 2));
/// ```
pub struct Builder {
    table: OptionTable,
    candidate: Candidate,
    search: Search,
    history: Vec<(usize, usize)>,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// The quotient of no heaps.
    pub fn new() -> Self {
        Self {
            table: OptionTable::default(),
            candidate: Candidate::trivial(),
            search: Search::new(Bits::empty(1).complement()),
            history: Vec::new(),
        }
    }

    /// The number of heaps whose quotient is known.
    pub fn heaps(&self) -> usize {
        self.candidate.heaps()
    }

    /// The number of elements of the quotient.
    pub fn order(&self) -> usize {
        self.candidate.monoid.order()
    }

    /// The number of elements that are P-positions.
    pub fn p_portion(&self) -> usize {
        self.candidate.p.count()
    }

    /// Order and size of the P-portion of Q₁, Q₂, …
    pub fn history(&self) -> &[(usize, usize)] {
        &self.history
    }

    /// The pretending function so far: the values of heaps 0, 1, …
    pub fn quotient_values(&self) -> &[u32] {
        &self.candidate.values
    }

    /// The options of the heaps so far.
    pub fn table(&self) -> &OptionTable {
        &self.table
    }

    pub(super) fn candidate(&self) -> &Candidate {
        &self.candidate
    }

    /// Adds the next heap, given by its options, and finds the new quotient. When the run is stopped,
    /// everything stays as it was before.
    pub fn push(&mut self, options: &[Vec<u32>], monitor: &dyn Monitor) -> Result<(), StopReason> {
        self.table.push(options);
        let result = self.absorb(None, monitor);
        if result.is_err() {
            self.table.pop();
        }
        result.map(|_| ())
    }

    /// Adds heaps of a game up to `heap`. When the run is stopped, the heaps before stay known.
    ///
    /// ```
    /// use impartial::{heap::HeapRules, run::Unlimited, solve::quotient::Builder};
    /// let dawson: HeapRules = "0.07".parse().unwrap();
    /// let mut builder = Builder::new();
    /// builder.extend_to(&dawson, 25, &Unlimited).unwrap();
    /// assert_eq!((builder.order(), builder.p_portion()), (144, 23));
    /// ```
    pub fn extend_to(&mut self, rules: &HeapRules, heap: usize, monitor: &dyn Monitor) -> Result<(), StopReason> {
        while self.heaps() < heap {
            let next = self.heaps() + 1;
            monitor.phase("quotient, heap by heap");
            monitor.check(next as u64, Some(heap as u64))?;
            self.push(&options(rules, next)?, monitor)?;
        }
        Ok(())
    }

    /// Adds the next heap as [`Builder::extend_to`] does. When the repairs go on along some heaps, these are
    /// tried as counters, and a guess that `accept` confirms is returned; the builder then stays as it was.
    pub fn extend_or_count(
        &mut self,
        rules: &HeapRules,
        heap: usize,
        accept: &dyn Fn(&Counters) -> Result<bool, StopReason>,
        monitor: &dyn Monitor,
    ) -> Result<Option<Counters>, StopReason> {
        self.table.push(&options(rules, heap)?);
        let result = self.absorb(Some(accept), monitor);
        if !matches!(result, Ok(None)) {
            self.table.pop();
        }
        result
    }

    fn absorb(&mut self, accept: Option<Accept>, monitor: &dyn Monitor) -> Result<Option<Counters>, StopReason> {
        let heap = self.table.heaps();
        if self.table.inert(heap) {
            self.candidate.values.push(0);
            self.candidate.words.push(Word::new());
        } else if let Some(value) = self.conservative(heap, monitor)? {
            self.candidate.values.push(value);
            self.candidate.words.push(self.candidate.monoid.word(value));
        } else {
            let mut repair = Repair::new(&self.candidate, &self.table, monitor)?;
            let mut tried = FxHashMap::default();
            let search = loop {
                if let Some(search) = repair.step(&self.table, monitor)? {
                    break search;
                }
                if let Some(accept) = accept
                    && let Some(counters) = repair.counted(&self.table, &mut tried, accept, monitor)?
                {
                    return Ok(Some(counters));
                }
            };
            self.candidate = repair.candidate;
            self.search = search;
        }
        self.history.push((self.order(), self.p_portion()));
        Ok(None)
    }

    /// The element that behaves like the new heap, if there is one.
    ///
    /// The outcomes of c + heap, c over the least words, follow by recursion; in a reduced monoid at most
    /// one x has the outcomes of c·x, so that no other can work. It does when both checks pass.
    fn conservative(&mut self, heap: usize, monitor: &dyn Monitor) -> Result<Option<u32>, StopReason> {
        let candidate = &self.candidate;
        let rows = Rows::new(&candidate.monoid, &candidate.p);
        let values = candidate.option_values(&self.table, &rows, heap);
        let reached = candidate.reached(&rows, &values);
        let outcomes = self.outcomes_beside(&rows, &reached, monitor)?;
        let mut found = None;
        for x in 0..index(self.order()) {
            monitor.check(u64::from(x), None)?;
            if *rows.translate(x) == outcomes {
                found = Some(x);
                break;
            }
        }
        let Some(x) = found else { return Ok(None) };
        if outcomes.first_common(&reached).is_some() {
            return Ok(None);
        }
        let mut contexts = reached;
        contexts.unite(&outcomes);
        let contexts = contexts.complement();
        if self.search.covers(x, &contexts) {
            return Ok(Some(x));
        }
        let silent = Silent { heap: index(heap), value: x, contexts };
        let before = self.search.mark();
        match self.search.extend(&rows, &silent, u32::MAX, monitor) {
            Ok(None) => Ok(Some(x)),
            failed => {
                self.search.undo(before);
                failed.map(|_| None)
            }
        }
    }

    /// {c : c + heap is a P-position}, by recursion over the least words, when heap has winning options in the
    /// contexts `reached`.
    fn outcomes_beside(&self, rows: &Rows, reached: &Bits, monitor: &dyn Monitor) -> Result<Bits, StopReason> {
        let monoid = &self.candidate.monoid;
        let divisors = monoid.divisors(monitor)?;
        let moves: Vec<Vec<_>> = monoid
            .letters()
            .iter()
            .map(|&h| {
                let values = self.candidate.option_values(&self.table, rows, h as usize);
                values.iter().map(|&t| rows.row(t)).collect()
            })
            .collect();
        let mut outcomes = Bits::empty(monoid.order());
        for c in 0..monoid.order() {
            if c % 64 == 0 {
                monitor.check(c as u64, None)?;
            }
            let winning = reached.has(c)
                || moves.iter().zip(&divisors).any(|(moves, divisor)| {
                    let y = divisor[c];
                    y != NONE && moves.iter().any(|row| outcomes.has(row[y as usize] as usize))
                });
            if !winning {
                outcomes.insert(c);
            }
        }
        Ok(outcomes)
    }
}

/// More options than this of a single heap are not listed.
const MOST_OPTIONS: u64 = 1 << 24;

/// The options of a heap of a game.
pub(super) fn options(rules: &HeapRules, heap: usize) -> Result<Vec<Vec<u32>>, StopReason> {
    let listed = rules
        .options_within(heap as u64, MOST_OPTIONS)
        .ok_or(StopReason::Size { what: "options of a heap", limit: MOST_OPTIONS })?;
    let small = |h: &u64| u32::try_from(*h).expect("options are smaller than the heap");
    Ok(listed.iter().map(|option| option.iter().map(small).collect()).collect())
}

/// Heaps with at least this many copies in a failure may be counters.
const MANY: u32 = 4;

/// Says whether a guess is proved.
type Accept<'a> = &'a dyn Fn(&Counters) -> Result<bool, StopReason>;

/// What became of a set of heaps as counters.
#[derive(Clone, Copy)]
struct Tried {
    /// The least number of copies in the failure then.
    copies: u32,
    /// Elements, slices and states of the guess.
    shape: Option<[usize; 3]>,
    /// Whether its repair was tried.
    repaired: bool,
    /// How often it was tried, each time with more copies.
    times: usize,
    /// The number of failures then.
    at: usize,
}

/// Sets of counters that were tried at none of so many failures are forgotten.
const RECENT: usize = 24;
/// Several sets are tried together when they have no more heaps than this.
const MOST_TOGETHER: usize = 5;

/// From this index on, the powers of a heap are looked at further ahead.
const LONG: u32 = 6;

/// The repairs of a candidate whose last heap is new.
pub(super) struct Repair {
    pub candidate: Candidate,
    /// The least failures met so far, in order.
    pub failures: Vec<Word>,
}

impl Repair {
    /// Begins with the new heap as a free generator of index 2 and period 2.
    pub fn new(old: &Candidate, table: &OptionTable, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let mut candidate = old.clone();
        let heap = index(candidate.values.len());
        candidate.values.push(0);
        candidate.words.push(Word::new());
        let free = Free { heap, index: 2, period: 2 };
        Ok(Self { candidate: candidate.unfolded(table, &[free], monitor)?, failures: Vec::new() })
    }

    /// Tries the heaps that the last failure has many copies of as counters, each set of heaps again only when
    /// the copies have become more by some.
    fn counted(
        &self,
        table: &OptionTable,
        tried: &mut FxHashMap<Vec<u32>, Tried>,
        accept: Accept,
        monitor: &dyn Monitor,
    ) -> Result<Option<Counters>, StopReason> {
        let Some(word) = self.failures.last() else { return Ok(None) };
        let many: Vec<(u32, u32)> = word.iter().copied().filter(|&(_, copies)| copies >= MANY).collect();
        // One counter alone repeats sooner or later: that is what the finite search finds.
        if many.len() < 2 || many.len() > 3 {
            return Ok(None);
        }
        let heaps: Vec<u32> = many.iter().map(|&(heap, _)| heap).collect();
        let copies = many.iter().map(|&(_, copies)| copies).min().unwrap_or(0);
        let before = tried.get(&heaps).copied();
        if before.is_some_and(|before| copies < before.copies + 2) {
            return Ok(None);
        }
        let times = before.map_or(1, |before| before.times + 1);
        let now = Tried { copies, shape: None, repaired: false, times, at: self.failures.len() };
        let Some(boxed) =
            Boxed::new(&self.candidate, &[], (QUICK, &vec![WIDEST; heaps.len()]), table, &heaps, monitor)?
        else {
            tried.insert(heaps, now);
            return self.together(table, tried, accept, monitor);
        };
        let guess = boxed.fitted(None, monitor)?.ok();
        if let Some(guess) = &guess
            && guess.infinity.is_some()
            && accept(guess)?
        {
            return Ok(Some(guess.clone()));
        }
        // The same guess again, or slices without a step: what is wrong has to do with other heaps.
        let guess = guess.unwrap_or(boxed.form);
        let sizes = Some(guess.sizes());
        let again = before.is_some_and(|before| before.shape == sizes);
        let repaired = before.is_some_and(|before| before.repaired && before.shape == sizes);
        tried.insert(heaps, Tried { shape: sizes, repaired: again, ..now });
        if again && !repaired {
            let found = guess.repaired(table, accept, monitor)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        self.together(table, tried, accept, monitor)
    }

    /// When failures go on along several sets of heaps by turns, the heaps of all of them are counted together, once.
    fn together(
        &self,
        table: &OptionTable,
        tried: &mut FxHashMap<Vec<u32>, Tried>,
        accept: Accept,
        monitor: &dyn Monitor,
    ) -> Result<Option<Counters>, StopReason> {
        let now = self.failures.len();
        let goes_on = |tried: &Tried| tried.times >= 2 && tried.at + RECENT >= now;
        let all: std::collections::BTreeSet<u32> =
            tried.iter().filter(|(_, tried)| goes_on(tried)).flat_map(|(heaps, _)| heaps.iter().copied()).collect();
        let all: Vec<u32> = all.into_iter().collect();
        if tried.contains_key(&all) || all.len() > MOST_TOGETHER || all.len() < 2 {
            return Ok(None);
        }
        tried.insert(all.clone(), Tried { copies: 0, shape: None, repaired: true, times: 0, at: now });
        let widths = vec![NARROW; all.len()];
        match Boxed::new(&self.candidate, &[], (LARGE, &widths), table, &all, monitor)? {
            None => Ok(None),
            Some(boxed) => boxed.form.repaired(table, accept, monitor),
        }
    }

    /// One check, and one repair when it fails; the finished N-search when it does not.
    pub fn step(&mut self, table: &OptionTable, monitor: &dyn Monitor) -> Result<Option<Search>, StopReason> {
        match self.candidate.failure(table, monitor)? {
            Ok(search) => Ok(Some(search)),
            Err(word) => {
                monitor.trace(&|| {
                    format!(
                        "heap {}: {} elements fail at {word:?}",
                        self.candidate.heaps(),
                        self.candidate.p.universe()
                    )
                });
                let mut free = choice(&self.candidate, &word, monitor)?;
                // Powers that stay distinct for long may have a long period: look further ahead for it.
                for i in 0..free.len() {
                    if free[i].index >= LONG {
                        let period = self.candidate.period_ahead(table, &free, i, monitor)?;
                        free[i].period = num_integer::lcm(free[i].period, period);
                    }
                }
                self.candidate = self.candidate.unfolded(table, &free, monitor)?;
                self.failures.push(word);
                Ok(None)
            }
        }
    }
}

/// Which heaps to make free so that `word` becomes the least word of its element.
///
/// Heaps of the word that are no letters must all be free: each is the leading monomial of a relation. Of
/// its letters as few as possible are added, and among equally many those that give the smallest monoid.
pub(super) fn choice(
    candidate: &Candidate,
    word: &[(u32, u32)],
    monitor: &dyn Monitor,
) -> Result<Vec<Free>, StopReason> {
    let monoid = &candidate.monoid;
    let (letters, forced): (Vec<_>, Vec<_>) = word.iter().partition(|(h, _)| monoid.letter(*h).is_some());
    let free = |&(heap, copies): &(u32, u32)| {
        let (least, period) = monoid.index_and_period(candidate.values[heap as usize]);
        let index = least.max(copies.saturating_sub(1));
        // An even period allows for parity.
        Free { heap, index, period: num_integer::lcm(period, 2) }
    };
    for size in 0..=letters.len() {
        let mut best: Option<(u64, Vec<(u32, u32)>)> = None;
        for chosen in subsets(letters.len(), size) {
            let (mut out, mut rest): (Vec<_>, Vec<_>) = (Vec::new(), Word::new());
            for (i, &letter) in letters.iter().enumerate() {
                if chosen.contains(&i) { out.push(letter) } else { rest.push(letter) }
            }
            let heaps: Vec<u32> = out.iter().map(|&(h, _)| h).collect();
            let (least, order) = candidate.is_least_without(&heaps, &rest, monitor)?;
            if !least {
                continue;
            }
            out.extend(&forced);
            let cost = out
                .iter()
                .map(free)
                .fold(order as u64, |cost, f| cost.saturating_mul(u64::from(f.index) + u64::from(f.period)));
            if best.as_ref().is_none_or(|(c, _)| cost < *c) {
                best = Some((cost, out));
            }
        }
        if let Some((_, out)) = best {
            return Ok(out.iter().map(free).collect());
        }
    }
    unreachable!("with all its letters free, a word is the least of its element")
}

/// The subsets of `0..n` with `size` elements.
fn subsets(n: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    (size - 1..n)
        .flat_map(|last| {
            subsets(last, size - 1).into_iter().map(move |mut s| {
                s.push(last);
                s
            })
        })
        .collect()
}
