//! Random lattice games: how many are solved and proved within ten seconds of processor time each.
//!
//! `cargo bench -p impartial --bench games [-- [games=N] [seconds=S] DIMENSION … ]` takes 20 games (or N) of three to five rules with entries
//! from 0 to 4 in each dimension (2, 3, 4 unless others are named), each for 10 seconds (or S), and prints a line a game, then how many were
//! proved. The games with one number are the same whatever N is.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use impartial::Method;
use impartial::game::lattice_strategy;
use impartial::lattice::{Description, LatticeGame};
use semilinear::run::{Monitor, StopReason, Unlimited};

/// Games in each dimension, and seconds for each, unless others are named.
const GAMES: u32 = 20;
const SECONDS: u32 = 10;
/// The largest entry of a rule.
const LARGEST: u64 = 4;

/// Seconds of processor time that this thread has used, where Linux tells; else those of the clock.
fn seconds(start: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let processor = text.split(' ').next().and_then(|n| n.parse::<f64>().ok());
    processor.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// A limit of processor time: the machine may be busy.
struct Limit {
    start: Instant,
    end: f64,
    /// Milliseconds of the clock at which the processor time is looked at again.
    next: AtomicU64,
}

impl Monitor for Limit {
    fn tick(&self, _done: u64, _total: Option<u64>) -> ControlFlow<StopReason> {
        let now = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        if now < self.next.load(Relaxed) {
            return ControlFlow::Continue(());
        }
        self.next.store(now + 20, Relaxed);
        if seconds(self.start) > self.end { ControlFlow::Break(StopReason::Time) } else { ControlFlow::Continue(()) }
    }
}

/// The rules of a game: three to five different vectors other than 0, from a fixed pseudo-random sequence (Lehmer's generator).
fn rules(dimension: usize, game: u32) -> Vec<Vec<u64>> {
    let mut seed = 1000 * dimension as u64 + u64::from(game);
    let mut random = |n: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % n
    };
    // The first numbers of near seeds are alike.
    for _ in 0..8 {
        random(2);
    }
    let count = 3 + random(3);
    let mut rules: Vec<Vec<u64>> = vec![];
    while (rules.len() as u64) < count {
        let rule: Vec<u64> = (0..dimension).map(|_| random(LARGEST + 1)).collect();
        if rule.iter().any(|&x| x > 0) && !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    rules
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let option = |key: &str| words.iter().find_map(|word| word.strip_prefix(key)).map(str::parse::<u32>);
    let number = |key: &str, otherwise: u32| option(key).map_or(otherwise, |number| number.expect("a number"));
    let (games, allowed) = (number("games=", GAMES), number("seconds=", SECONDS));
    let named: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let dimensions = if named.is_empty() { vec![2, 3, 4] } else { named };
    for dimension in dimensions {
        let mut proved = 0_u32;
        for game in 0..games {
            let rules = format!("{:?}", rules(dimension, game));
            let description = Description::from_toml(&format!("rules = {rules}")).expect("a game");
            let lattice = LatticeGame::new(&description, &Unlimited).expect("a game");
            let start = Instant::now();
            let begun = seconds(start);
            let limit = Limit { start, end: begun + f64::from(allowed), next: AtomicU64::new(0) };
            let found = lattice_strategy(&lattice, Method::Auto, &limit);
            let said = match &found {
                Ok(found) => format!("proved, {}", found.envelope().form),
                Err((why, _)) => why.to_string(),
            };
            println!("{dimension}-D {rules}: {said}, {:.2} s", seconds(start) - begun);
            proved += u32::from(found.is_ok());
        }
        println!("{dimension}-D: {proved} of {games} proved within {allowed} s each");
    }
}
