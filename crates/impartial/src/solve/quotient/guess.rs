//! Guesses of counter forms from a finite box.

use rustc_hash::FxHashMap;

use super::OptionTable;
use super::bits::Bits;
use super::candidate::{Candidate, Free};
use super::counters::{Counters, HeapValue};
use super::digits::automaton;
use super::grid::{Grid, MARGIN, Value};
use super::infinity::Infinity;
use super::monoid::{Monoid, NONE, Word, enumerate, index, pass};
use super::shift::{Shift, points_within};
use semilinear::run::{Monitor, StopReason};

/// The box of a first guess has at most this many words: it must be quick, since most are none.
pub(super) const QUICK: usize = 1 << 16;
/// The box of a repaired guess has at most this many words, of 8 bytes each.
pub(super) const LARGE: usize = 1 << 27;
/// The box has at least so many values of each counter.
const LEAST_WIDTH: usize = 12;

/// So many layers at the end of a box are left out at a time.
const LAYERS: usize = 2;

/// The outcomes in a box: a finite monoid, and its slices for few copies of the counters.
pub(super) struct Boxed {
    /// The form without its automaton.
    pub form: Counters,
    /// The slice at each vector of counts in the box, in the order of [`points`].
    colours: Vec<u32>,
    /// The number of values of each count in the box.
    widths: Vec<usize>,
    /// Counts below these are not touched by the end of the box.
    pub sides: Vec<usize>,
}

impl Boxed {
    /// The box of a candidate with `counters` and the heaps of `more` free: as large as `most` sums and the `widest` counts allow.
    pub fn new(
        candidate: &Candidate,
        more: &[Free],
        (most, widest): (usize, &[usize]),
        table: &OptionTable,
        counters: &[u32],
        monitor: &dyn Monitor,
    ) -> Result<Option<Self>, StopReason> {
        let r = counters.len();
        let (unfolded, values, words) = match candidate.unfold(more, counters, monitor) {
            Err(StopReason::Size { .. }) => return Ok(None),
            other => other?,
        };
        let elements = unfolded.order();
        let least = if more.is_empty() { LEAST_WIDTH } else { LEAST_WIDTH - 3 };
        let mut widths = widest.to_vec();
        // The counts of the first counter are the bits of a word.
        while widths[1..].iter().fold(elements, |size, &width| size.saturating_mul(width)) > most {
            let Some(i) = (0..r).filter(|&i| widths[i] > least).max_by_key(|&i| (widths[i], i)) else {
                monitor.trace(&|| format!("counters {counters:?}: no room for {elements} elements in a box"));
                return Ok(None);
            };
            widths[i] -= 1;
        }
        let copies = |word: &Word, c: u32| word.iter().find(|(h, _)| *h == c).map_or(0, |&(_, n)| n);
        let counts = |word: &Word| -> Vec<u32> { counters.iter().map(|&c| copies(word, c)).collect() };
        let pairs: Vec<Value> = values.iter().copied().zip(words.iter().map(counts)).collect();
        let Some(grid) = Grid::filled(&unfolded, counters, &pairs, &widths, table, monitor)? else { return Ok(None) };
        let (monoid, place) = reduced(&unfolded, &grid, monitor)?;
        // One slice for each point of the box, as subsets of the reduced monoid.
        let mut members = vec![0; monoid.order()];
        for (x, &class) in place.iter().enumerate() {
            members[class as usize] = x;
        }
        let mut slices: Vec<Bits> = Vec::new();
        let mut names: FxHashMap<Bits, u32> = FxHashMap::default();
        let mut colours: Vec<u32> = Vec::with_capacity(widths.iter().product());
        for slab in grid.slabs() {
            for n in 0..widths[0] {
                monitor.check(colours.len() as u64, None)?;
                let slice = Bits::of(monoid.order(), |g| slab[members[g]] >> n & 1 == 1);
                let name = if let Some(&name) = names.get(&slice) {
                    name
                } else {
                    let fresh = index(slices.len());
                    slices.push(slice.clone());
                    names.insert(slice, fresh);
                    fresh
                };
                colours.push(name);
            }
        }
        let values = pairs
            .into_iter()
            .enumerate()
            .map(|(heap, (element, counts))| {
                if let Some(i) = counters.iter().position(|&c| c as usize == heap) {
                    return HeapValue::Counter(i);
                }
                let element = place[element as usize];
                if counts.iter().all(|&n| n == 0) {
                    return HeapValue::Element(element);
                }
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
            infinite_to: None,
            shape: None,
        };
        let sides = widths.iter().map(|width| width - MARGIN).collect();
        Ok(Some(Self { form, colours, widths, sides }))
    }

    /// The number of the slice at a vector of counts in the box.
    pub fn name(&self, a: &[u32]) -> Option<u32> {
        a.iter()
            .zip(&self.widths)
            .all(|(&n, &width)| (n as usize) < width)
            .then(|| self.colour(&a.iter().map(|&n| n as usize).collect::<Vec<_>>()))
    }

    fn colour(&self, a: &[usize]) -> u32 {
        self.colours[a.iter().zip(&self.widths).rfold(0, |place, (&n, &width)| place * width + n)]
    }

    /// The counter form, when the slices show how they go on: as in the shape of a guess `before`, or in one found anew. Otherwise the
    /// counters along which a wider box may show it.
    pub fn fitted(
        &self,
        before: Option<&Shift>,
        monitor: &dyn Monitor,
    ) -> Result<Result<Counters, Vec<usize>>, StopReason> {
        let (form, sides) = (&self.form, &self.sides);
        let r = form.counters.len();
        let colour = |a: &[usize]| self.colour(a);
        let fits = |shape: &Shift| {
            points_within(sides).all(|a| shape.at(&a.iter().map(|&n| n as u64).collect::<Vec<_>>()) == colour(&a))
        };
        let shape = match before.and_then(|shape| shape.refilled(sides, &colour)).filter(fits) {
            Some(shape) => Ok(shape),
            None => self.shape(monitor)?,
        };
        let shape = match shape {
            Ok(shape) => shape,
            Err(narrow) => {
                monitor.trace(&|| format!("the slices show no step along {narrow:?}"));
                return Ok(Err(narrow));
            }
        };
        monitor.trace(&|| format!("a shape: {:?}", shape.steps()));
        let Some((next, output)) = automaton(r, sides, &shape, monitor)? else {
            monitor.trace(&|| "too many states".to_owned());
            return Ok(Err(Vec::new()));
        };
        monitor.trace(&|| format!("{} states", next.len()));
        let infinity = Infinity::find(&shape, monitor)?;
        Ok(Ok(Counters { next, output, infinity, shape: Some(shape), ..form.clone() }))
    }
}

impl Boxed {
    /// How the slices go on. When no step shows, a few layers more at the end of the box are left out, which options may have led out of several
    /// times; then steps that are seen twice only are taken.
    fn shape(&self, monitor: &dyn Monitor) -> Result<Result<Shift, Vec<usize>>, StopReason> {
        let mut narrow = Vec::new();
        for (bold, less) in [false, true].into_iter().flat_map(|bold| [0, LAYERS, 2 * LAYERS].map(|less| (bold, less)))
        {
            let sides: Vec<usize> = self.sides.iter().map(|side| side.saturating_sub(less)).collect();
            if less > 0 && sides.iter().any(|&side| side < LEAST_WIDTH - MARGIN) {
                continue;
            }
            match Shift::fit(&sides, bold, &|a| self.colour(a), monitor)? {
                Err(all) => narrow = all,
                found => return Ok(found),
            }
        }
        Ok(Err(narrow))
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

/// The coarsest quotient of the elements that keeps their outcomes where the end of the box does not touch them; `place` maps them to it.
fn reduced(unfolded: &Monoid, grid: &Grid, monitor: &dyn Monitor) -> Result<(Monoid, Vec<u32>), StopReason> {
    let mut class: Vec<u32> = vec![0; unfolded.order()];
    let mut count = 1;
    let (slabs, inside) = grid.inner();
    for slab in slabs {
        monitor.check(u64::from(count), None)?;
        let mut names: FxHashMap<(u32, u64), u32> = FxHashMap::default();
        for (class, &word) in class.iter_mut().zip(slab) {
            let fresh = index(names.len());
            *class = *names.entry((*class, word & inside)).or_insert(fresh);
        }
        count = index(names.len());
    }
    loop {
        let before = count;
        for l in 0..unfolded.letters().len() {
            let steps = unfolded.steps(l);
            let mut names: FxHashMap<(u32, u32), u32> = FxHashMap::default();
            class = pass(unfolded.order(), monitor, |x| {
                let fresh = index(names.len());
                *names.entry((class[x], class[steps[x] as usize])).or_insert(fresh)
            })?;
            count = index(names.len());
        }
        if count == before {
            break;
        }
    }
    let count = count as usize;
    let mut member = vec![NONE; count];
    for (x, &c) in class.iter().enumerate().rev() {
        member[c as usize] = index(x);
    }
    let step = |l: usize, c: u32| class[unfolded.step(l, member[c as usize]) as usize];
    let e = enumerate(count, unfolded.letters().len(), class[0], step, monitor)?;
    let monoid = Monoid::new(&e, unfolded.letters(), step, monitor)?;
    let place = class.iter().map(|&c| e.place[c as usize]).collect();
    Ok((monoid, place))
}
