//! A ruleset of one's own: take 1, 3 or 4 beans, but never leave a multiple of 7.
use impartial::prelude::*;
use impartial::ruleset::Ruleset;
use impartial::solve::search::Search;

struct NoSevens;

impl Ruleset for NoSevens {
    type Component = u64;

    fn options(&self, heap: &u64) -> Vec<Vec<u64>> {
        let left = [1, 3, 4].iter().filter_map(|k| heap.checked_sub(*k));
        left.filter(|left| left % 7 != 0).map(|left| vec![left]).collect()
    }
}

fn main() -> Result<(), Error> {
    let mut search = Search::new(&NoSevens, &Unlimited);
    println!("g(20) = {}", search.grundy(&[20])?);
    println!("20 + 11 in misère play: {}", search.outcome(Play::Misere, &[20, 11])?);
    Ok(())
}
