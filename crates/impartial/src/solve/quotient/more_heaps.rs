//! Larger heaps with the counters of a counter form.

use super::OptionTable;
use super::bits::Bits;
use super::build::options;
use super::counters::{Counters, HeapValue};
use super::guess::{points, spelled};
use super::monoid::index;
use crate::heap::HeapRules;
use semilinear::run::{Monitor, StopReason};

/// A heap may follow each counter fewer times than this.
const SHIFTS: usize = 3;

impl Counters {
    /// The counter form with one more heap, worth an element of the monoid or one beside a few counters, or with a larger monoid, if `accept` confirms one.
    pub fn extended(
        &self,
        rules: &HeapRules,
        accept: &dyn Fn(&Self) -> Result<bool, StopReason>,
        monitor: &dyn Monitor,
    ) -> Result<Option<Self>, StopReason> {
        let r = self.counters.len();
        let heap = self.values.len();
        let all = options(rules, heap)?;
        let with = |value: HeapValue| {
            let mut more = self.clone();
            more.values.push(value);
            more
        };
        if all.is_empty() {
            let more = with(HeapValue::Element(0));
            return Ok(accept(&more)?.then_some(more));
        }
        // Values of the options, as element and counts.
        let mut values: Vec<(u32, Vec<u32>)> = all.iter().map(|parts| self.sum(parts)).collect();
        values.sort_unstable();
        values.dedup();
        let empty = Bits::empty(self.monoid.order());
        let rows = super::monoid::Rows::new(&self.monoid, &empty);
        let slice = |a: &[u32]| self.slice(32, |i, j| a[i] >> j & 1 == 1);
        let plus = |a: &[u32], b: &[u32]| a.iter().zip(b).map(|(a, b)| a + b).collect::<Vec<_>>();
        let near: Vec<Vec<u32>> =
            points(r, if r > 2 { 4 } else { 6 }).iter().map(|a| a.iter().map(|&n| index(n)).collect()).collect();
        let mut reached = Vec::new();
        for a in &near {
            monitor.check(0, None)?;
            reached.push(self.reaching(&rows, &values, a));
        }
        let mut table = OptionTable::default();
        for heap in 1..=heap {
            table.push(&options(rules, heap)?);
        }
        // Elements first, then those that follow few counters.
        let mut shifts: Vec<Vec<u32>> =
            points(r, SHIFTS).iter().map(|k| k.iter().map(|&n| index(n)).collect()).collect();
        shifts.sort_by_key(|k| k.iter().sum::<u32>());
        for counts in shifts {
            let mut fitting: Vec<(usize, u32)> = Vec::new();
            for g in 0..index(self.monoid.order()) {
                monitor.check(u64::from(g), None)?;
                let row = rows.row(g);
                let mut size = 0;
                let fits = near.iter().zip(&reached).all(|(a, reached)| {
                    let there = slice(&plus(a, &counts));
                    let own = Bits::of(row.len(), |c| there.has(row[c] as usize));
                    size += own.count();
                    own.first_common(reached).is_none()
                });
                if fits {
                    fitting.push((size, g));
                }
            }
            // The value that is P most often leaves the fewest sums without a winning move.
            fitting.sort_unstable_by_key(|&(size, g)| (std::cmp::Reverse(size), g));
            for &(_, g) in fitting.iter().take(2) {
                let more = with(if counts.iter().all(|&n| n == 0) {
                    HeapValue::Element(g)
                } else {
                    let word = spelled(&self.monoid, &self.counters, g, &counts);
                    let options = self.options_of(&word, &table);
                    // Wherever neither the heap nor an option of it is in P, no option of the word may be.
                    let like = near.iter().zip(&reached).all(|(a, reached)| {
                        let mut loud = self.reaching(&rows, &[(g, counts.clone())], a);
                        loud.unite(reached);
                        self.reaching(&rows, &options, a).within(&loud)
                    });
                    if !like {
                        continue;
                    }
                    HeapValue::Follower { element: g, counts: counts.clone(), like: vec![word] }
                });
                if accept(&more)? {
                    return Ok(Some(more));
                }
            }
        }
        self.with_next_heap(&table, accept, monitor)
    }
}
