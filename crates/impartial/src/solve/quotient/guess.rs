//! Guesses of counter forms from a finite box.

use rustc_hash::FxHashMap;

use super::OptionTable;
use super::bits::Bits;
use super::candidate::{Candidate, Free, mark};
use super::counters::{Counters, HeapValue};
use super::digits::automaton;
use super::infinity::Infinity;
use super::monoid::{Monoid, NONE, Word, enumerate, index};
use super::shift::Shift;
use semilinear::run::{Monitor, StopReason};

/// The box of a first guess has at most this many elements: it must be quick, since most are none.
pub(super) const QUICK: usize = 1 << 20;
/// The box of a repaired guess has at most this many elements.
pub(super) const LARGE: usize = 1 << 23;
/// No box is wider.
pub(super) const WIDEST: usize = 44;
/// The box has at least so many values of each counter.
const LEAST_SIDE: usize = 12;

/// The outcomes in a box: a finite monoid, and its slices for few copies of the counters.
pub(super) struct Boxed {
    /// The form without its automaton.
    pub form: Counters,
    /// The slice at each vector of counts in the box, in the order of [`points`].
    colours: Vec<u32>,
    /// The number of values of each count in the box.
    width: usize,
    /// Counts below this are not touched by the end of the box.
    pub side: usize,
}

impl Boxed {
    /// The box of a candidate with `counters` and the heaps of `more` free: as large as `most` elements and `widest`
    /// allow.
    pub fn new(
        candidate: &Candidate,
        more: &[Free],
        (most, widest): (usize, usize),
        table: &OptionTable,
        counters: &[u32],
        monitor: &dyn Monitor,
    ) -> Result<Option<Self>, StopReason> {
        let r = counters.len();
        let old = &candidate.monoid;
        let is_free = |h: &u32| counters.contains(h) || more.iter().any(|f| f.heap == *h);
        let kept: Vec<usize> = (0..old.letters().len()).filter(|&l| !is_free(&old.letters()[l])).collect();
        let sub = enumerate(old.order(), kept.len(), 0, |l, x| old.step(kept[l], x), monitor)?;
        let powers: usize = more.iter().map(|f| (f.index + f.period) as usize).product();
        let elements = sub.order.len().saturating_mul(powers);
        let room = |side: &usize| elements.saturating_mul((side + 2).pow(index(r))) <= most;
        let least = if more.is_empty() { LEAST_SIDE } else { LEAST_SIDE - 3 };
        let Some(side) = (least..=widest).rev().find(room) else {
            monitor.trace(&|| format!("counters {counters:?}: no room for {elements} elements in a box"));
            return Ok(None);
        };
        let counted = counters.iter().map(|&heap| Free { heap, index: index(side), period: 2 });
        let free: Vec<Free> = counted.chain(more.iter().copied()).collect();
        let (unfolded, values, words) = match candidate.unfold(&free, monitor) {
            Err(StopReason::Size { .. }) => return Ok(None),
            other => other?,
        };
        let p = mark(&unfolded, &values, table, monitor)?;
        // The elements without counters, and the outcomes of each in the box.
        let letters: Vec<usize> =
            counters.iter().map(|&h| unfolded.letter(h)).collect::<Option<_>>().expect("free heaps are letters");
        let divisors = unfolded.divisors(monitor)?;
        let plain: Vec<u32> = (0..index(unfolded.order()))
            .filter(|&x| letters.iter().all(|&l| divisors[l][x as usize] == NONE))
            .collect();
        let points = points(r, side);
        // Each point is its largest counter times an earlier point.
        let before: Vec<Option<(usize, usize)>> = points
            .iter()
            .enumerate()
            .map(|(i, a)| (0..r).rev().find(|&k| a[k] > 0).map(|k| (letters[k], i - side.pow(index(k)))))
            .collect();
        monitor.phase("outcomes of small sums");
        let mut outcomes: Vec<Bits> = Vec::with_capacity(plain.len());
        for &g in &plain {
            let mut at: Vec<u32> = Vec::with_capacity(points.len());
            let mut bits = Bits::empty(points.len());
            for (i, before) in before.iter().enumerate() {
                if i % 4096 == 0 {
                    monitor.check(outcomes.len() as u64, Some(plain.len() as u64))?;
                }
                let x = before.map_or(g, |(letter, from)| unfolded.step(letter, at[from]));
                at.push(x);
                if p.has(x as usize) {
                    bits.insert(i);
                }
            }
            outcomes.push(bits);
        }
        let Some((monoid, place)) = reduced(&unfolded, &plain, &letters, &outcomes, monitor)? else { return Ok(None) };
        // One slice for each point of the box, as subsets of the reduced monoid.
        let mut members = vec![NONE; monoid.order()];
        for (i, &x) in plain.iter().enumerate() {
            members[place[x as usize] as usize] = index(i);
        }
        let mut slices: Vec<Bits> = Vec::new();
        let mut names: FxHashMap<Bits, u32> = FxHashMap::default();
        let mut colours: Vec<u32> = Vec::with_capacity(points.len());
        for i in 0..points.len() {
            monitor.check(i as u64, Some(points.len() as u64))?;
            let slice = Bits::of(monoid.order(), |g| outcomes[members[g] as usize].has(i));
            let fresh = index(slices.len());
            let name = *names.entry(slice.clone()).or_insert(fresh);
            if name == fresh {
                slices.push(slice);
            }
            colours.push(name);
        }
        let values = words
            .iter()
            .enumerate()
            .map(|(heap, word)| {
                if let Some(i) = counters.iter().position(|&c| c as usize == heap) {
                    return HeapValue::Counter(i);
                }
                let plain: Word = word.iter().copied().filter(|(h, _)| !counters.contains(h)).collect();
                let element = place[unfolded.value(&plain) as usize];
                if plain.len() == word.len() {
                    return HeapValue::Element(element);
                }
                let copies = |c: &u32| word.iter().find(|(h, _)| h == c).map_or(0, |&(_, n)| n);
                let counts: Vec<u32> = counters.iter().map(copies).collect();
                let like = vec![spelled(&monoid, counters, element, &counts)];
                HeapValue::Follower { element, counts, like }
            })
            .collect();
        monitor
            .trace(&|| format!("counters {counters:?}: {} elements, {} slices in a box", monoid.order(), slices.len()));
        // The outermost layers know of the end of the box.
        let form = Counters {
            monoid,
            counters: counters.to_vec(),
            values,
            slices,
            next: vec![vec![0; 1 << r]],
            output: vec![0],
            infinity: None,
            shape: None,
        };
        Ok(Some(Self { form, colours, width: side, side: side - 2 }))
    }

    /// The number of the slice at a vector of counts in the box.
    pub fn name(&self, a: &[u32]) -> Option<u32> {
        a.iter().all(|&n| (n as usize) < self.width).then(|| self.colour(a.iter().map(|&n| n as usize)))
    }

    fn colour(&self, a: impl DoubleEndedIterator<Item = usize>) -> u32 {
        self.colours[a.rfold(0, |place, n| place * self.width + n)]
    }

    /// The counter form, when the slices show how they go on: as in the shape of a guess `before`, or in one found anew.
    pub fn fitted(&self, before: Option<&Shift>, monitor: &dyn Monitor) -> Result<Option<Counters>, StopReason> {
        let (form, side) = (&self.form, self.side);
        let r = form.counters.len();
        let colour = |a: &[usize]| self.colour(a.iter().copied());
        let inner = points(r, side);
        let fits = |shape: &Shift| {
            inner.iter().all(|a| shape.at(&a.iter().map(|&n| n as u64).collect::<Vec<_>>()) == colour(a))
        };
        let shape = match before.and_then(|shape| shape.refilled(side, &colour)).filter(fits) {
            Some(shape) => Some(shape),
            None => Shift::fit(&vec![side; r], before.is_some(), &colour, monitor)?,
        };
        let found = shape.as_ref().map(|shape| automaton(r, shape, monitor)).transpose()?.flatten();
        let (Some(shape), Some((next, output))) = (shape, found) else {
            monitor.trace(&|| "the slices show no step".to_owned());
            return Ok(None);
        };
        monitor.trace(&|| format!("{} states", next.len()));
        let infinity = Infinity::find(&shape, monitor)?;
        Ok(Some(Counters { next, output, infinity, shape: Some(shape), ..form.clone() }))
    }
}

/// The least word of an element times powers of the counters.
pub(super) fn spelled(monoid: &Monoid, counters: &[u32], element: u32, counts: &[u32]) -> Word {
    let mut word = monoid.word(element);
    word.extend(counters.iter().copied().zip(counts.iter().copied()).filter(|&(_, n)| n > 0));
    word.sort_unstable();
    word
}

/// All vectors with r entries below `side`, in the order of their entries, the last the most significant.
pub(super) fn points(r: usize, side: usize) -> Vec<Vec<usize>> {
    let mut points = vec![vec![]];
    for _ in 0..r {
        points = (0..side).flat_map(|k| points.iter().map(move |p: &Vec<usize>| [&p[..], &[k]].concat())).collect();
    }
    points
}

/// The coarsest quotient of the elements without counters that keeps their outcomes; `place` maps them to it.
fn reduced(
    unfolded: &Monoid,
    plain: &[u32],
    counters: &[usize],
    outcomes: &[Bits],
    monitor: &dyn Monitor,
) -> Result<Option<(Monoid, Vec<u32>)>, StopReason> {
    let kept: Vec<usize> = (0..unfolded.letters().len()).filter(|l| !counters.contains(l)).collect();
    let mut at = vec![NONE; unfolded.order()];
    for (i, &x) in plain.iter().enumerate() {
        at[x as usize] = index(i);
    }
    let mut names: FxHashMap<&Bits, u32> = FxHashMap::default();
    let mut class: Vec<u32> = Vec::new();
    for o in outcomes {
        let fresh = index(names.len());
        class.push(*names.entry(o).or_insert(fresh));
    }
    let mut count = names.len();
    loop {
        let before = count;
        for &l in &kept {
            let mut names: FxHashMap<(u32, u32), u32> = FxHashMap::default();
            let mut new = Vec::with_capacity(class.len());
            for (i, &x) in plain.iter().enumerate() {
                if i % 4096 == 0 {
                    monitor.check(i as u64, None)?;
                }
                let y = at[unfolded.step(l, x) as usize];
                if y == NONE {
                    return Ok(None);
                }
                let fresh = index(names.len());
                new.push(*names.entry((class[i], class[y as usize])).or_insert(fresh));
            }
            class = new;
            count = names.len();
        }
        if count == before {
            break;
        }
    }
    let mut member = vec![NONE; count];
    for (i, &c) in class.iter().enumerate().rev() {
        member[c as usize] = index(i);
    }
    let heaps: Vec<u32> = kept.iter().map(|&l| unfolded.letters()[l]).collect();
    let step =
        |l: usize, c: u32| class[at[unfolded.step(kept[l], plain[member[c as usize] as usize]) as usize] as usize];
    let first = class[at[0] as usize];
    let e = enumerate(count, heaps.len(), first, step, monitor)?;
    let monoid = Monoid::new(&e, &heaps, step, monitor)?;
    let mut place = vec![NONE; unfolded.order()];
    for (i, &x) in plain.iter().enumerate() {
        place[x as usize] = e.place[class[i] as usize];
    }
    Ok(Some((monoid, place)))
}
