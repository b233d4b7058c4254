//! Every engine asks its monitor often, and stops when it is told to.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use impartial::heap::HeapRules;
use impartial::lattice::{Description, LatticeGame};
use impartial::outcome::Play;
use impartial::poset::Poset;
use impartial::poset::chains::ChainsGame;
use impartial::solve::chains::{Solution, ThreeRows};
use impartial::solve::congruence;
use impartial::solve::learn::{Limits, grundy_values, p_positions};
use impartial::solve::parity_kernel::ParityKernel;
use impartial::solve::poset::chomp::{GrundyTable as ChompValues, Sieve, four_rows, three_rows};
use impartial::solve::poset::{Solver, ideals};
use impartial::solve::presentation::{Rewriting, SetOutcomes, cone_basis, presentation};
use impartial::solve::quotient::Builder;
use impartial::solve::recursion::{GrundyTable, Recursion, Region};
use impartial::solve::search::Search;
use impartial::solve::sector::sectors;
use impartial::solve::sequence::{Engine, Sequence};
use impartial::solve::wythoff;
use semilinear::integer::{Int, vector};
use semilinear::polyhedron::{Cone, hilbert_basis};
use semilinear::run::{Monitor, Run, StopReason, Unlimited};
use semilinear::semigroup::{AffineSemigroup, NormalSet, stratification_of};
use semilinear::vectorset::{Effort, Relation, VectorSet};

/// The longest time between two questions to the monitor, in processor time of one thread. The aim is 20 ms in release
/// builds; tests run slower code on busy machines.
const LONGEST: Duration = Duration::from_millis(250);
/// Each engine is watched for so long.
const WATCHED: Duration = Duration::from_millis(1500);

type Watched = dyn Fn(&dyn Monitor) -> bool;

/// An engine at work on something hard; says whether it stopped before its answer.
struct Case {
    name: &'static str,
    run: Box<Watched>,
}

fn case<T, E: 'static>(name: &'static str, run: impl Fn(&dyn Monitor) -> Result<T, E> + 'static) -> Case {
    Case { name, run: Box::new(move |monitor| run(monitor).is_err()) }
}

fn rules(code: &str) -> HeapRules {
    code.parse().unwrap()
}

fn description(rules: &str) -> Description {
    Description::from_toml(&format!("rules = {rules}")).unwrap()
}

fn lattice(rules: &str) -> LatticeGame {
    LatticeGame::new(&description(rules), &Unlimited).unwrap()
}

/// Rules that turn a heap of kind i into up to three heaps of each smaller kind.
fn squarefree(d: usize) -> Vec<Vec<i64>> {
    let mut seed = 1u64;
    let mut rules = Vec::new();
    for i in 0..d {
        for _ in 0..3 {
            let mut rule = vec![0i64; d];
            rule[i] = 1;
            for entry in &mut rule[..i] {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *entry = -i64::try_from((seed >> 33) % 4).unwrap();
            }
            rules.push(rule);
        }
    }
    rules
}

fn finished<T, P>(run: Run<T, P>) -> Result<T, StopReason> {
    run.finished()
}

fn sequences() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let codes = [
        ("sequence of an octal code", "0.106"),
        ("sequence of a hexadecimal code", "0.1F0F"),
        ("sequence of an endless code", "4.[07]"),
        ("sequence of heaps that are only taken from", "0.3[033]"),
    ];
    for (name, code) in codes {
        let rules = rules(code);
        cases.push(case(name, move |m| Sequence::new(rules.clone(), Engine::Auto).extend(300_000, m)));
    }
    let plain = rules("0.106");
    cases.push(case("plain sequence", move |m| Sequence::new(plain.clone(), Engine::Plain).extend(100_000, m)));
    let kayles = rules("0.77");
    cases.push(case("proof of a period", move |m| Sequence::new(kayles.clone(), Engine::Auto).search(100_000, m)));
    let guiles = rules("0.1F");
    cases.push(case("proof by induction", move |m| Sequence::new(guiles.clone(), Engine::Auto).search(3_000, m)));
    let heaps = rules("0.77");
    cases.push(case("parity kernel of heaps", move |m| ParityKernel::of_heaps(&heaps, 1_000, m)));
    let any = rules("0.77");
    cases.push(case("search of a ruleset", move |m| Search::new(&any, m).outcome(Play::Misere, &[60, 61])));
    cases.push(case("wythoff", |m| wythoff::grundy(3_000, 4_000, m)));
    cases
}

fn lattice_games() -> Vec<Case> {
    let mut cases = vec![
        case("positivity, forty kinds of heaps", |m| {
            LatticeGame::new(&description(&format!("{:?}", squarefree(40))), m)
        }),
        case("positivity by a linear program", |m| {
            // Two positive entries each, and no order of the coordinates: x₀ and x₁ feed each other.
            let mut rules = squarefree(30);
            for rule in &mut rules {
                rule[0] = rule[0].max(1);
            }
            rules.push((0..30).map(|i| [3, -1].get(i).copied().unwrap_or(0)).collect());
            rules.push((0..30).map(|i| [-1, 3].get(i).copied().unwrap_or(0)).collect());
            LatticeGame::new(&description(&format!("{rules:?}")), m)
        }),
    ];
    let game = lattice("[[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 2, 0], [0, -1, 2]]");
    let region = Region::around_box(&game, &[250, 250, 250]).unwrap();
    let (g, r) = (game.clone(), region.clone());
    cases.push(case("recursion", move |m| Recursion::new(&g, &region, 1 << 28, m)));
    cases.push(case("table of Grundy values", move |m| GrundyTable::new(&game, &r, 1 << 28, m)));
    let learned = lattice("[[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 1, 0], [0, -1, 1], [1, -1, 1]]");
    let values = lattice("[[1, 0], [0, 1], [1, 1], [2, 1]]");
    cases.push(case("learner", move |m| finished(p_positions(&learned, &Limits::default(), m))));
    cases.push(case("learner of values", move |m| finished(grundy_values(&values, &Limits::default(), m))));
    let plane = lattice("[[2, 0], [0, 2], [1, 3], [3, 1], [-1, 2]]");
    cases.push(case("sectors", move |m| finished(sectors(&plane, 1 << 12, m))));
    let basis = lattice("[[1, 0, 0], [0, 1, 0], [0, 0, 1]]");
    cases.push(case("basis of a board", move |m| cone_basis(&basis, m)));
    cases
}

fn effort(monitor: &dyn Monitor) -> Effort<'_> {
    Effort::new(1 << 26, monitor)
}

fn semilinear_sets() -> Vec<Case> {
    let unlimited = Effort::unlimited();
    let set = VectorSet::congruence(&[1, 3, 5], 2, 11, &unlimited).unwrap();
    let half = VectorSet::linear(&[3, -2, -1], 4, Relation::AtLeastZero, &unlimited).unwrap();
    let set = set.intersection(&half, &unlimited).unwrap();
    let (a, b, c) = (set.clone(), set.clone(), set.clone());
    vec![
        case("stratification", move |m| stratification_of(&set, &effort(m))),
        case("congruence of a set", move |m| congruence::relation(&a, &effort(m))),
        case("projection", move |m| b.exists(&[2], &effort(m))),
        case("presentation", move |m| finished(presentation(&SetOutcomes::new(&c, effort(m)), Rewriting::new(3), m))),
        case("pieces", |m| {
            let unlimited = Effort::unlimited();
            let rows = VectorSet::linear(&[5, -3, 2], 7, Relation::AtLeastZero, &unlimited).unwrap();
            let strata = stratification_of(&rows, &unlimited).unwrap();
            NormalSet::of_strata(&strata, m)?.complement(m)
        }),
        case("Hilbert basis", |m| {
            let rays = [[1, 0, 0, 0], [1, 17, 0, 0], [1, 3, 19, 0], [1, 5, 7, 23]].map(|r| vector(&r));
            hilbert_basis(&Cone::from_generators(4, &rays, &[], m)?, m)
        }),
        case("series", |m| {
            let generators = [[3, 0, 1], [0, 5, 1], [2, 2, 0], [7, 1, 0], [1, 0, 4]].map(|v| vector(&v));
            let semigroup = AffineSemigroup::new(3, generators.to_vec()).unwrap();
            let series = semigroup.series(m)?;
            series.coefficient(&[Int::from(100), Int::from(120), Int::from(90)], m)
        }),
    ]
}

fn misere() -> Vec<Case> {
    let (search, counters) = (rules("0.07"), rules("0.3102"));
    vec![
        case("quotient", move |m| Builder::new().extend_to(&search, 40, m)),
        case("quotient with counters", move |m| {
            let mut builder = Builder::new();
            for heap in 1..30 {
                builder.extend_or_count(&counters, heap, &|_| Ok(false), m)?;
            }
            Ok::<_, StopReason>(())
        }),
    ]
}

fn posets() -> Vec<Case> {
    let large = || Poset::divisors(128 * 2187 * 78125).unwrap();
    vec![
        case("search of a poset", |m| {
            let poset = Poset::divisors(32 * 27 * 25 * 7).unwrap();
            Solver::by_search(poset.clone()).grundy(&poset.all(), m)
        }),
        case("symmetry of a poset", move |m| {
            let poset = large();
            Solver::by_search(poset.clone()).outcome(&poset.all(), Play::Misere, m)
        }),
        case("subset takeaway", |m| {
            let poset = Poset::subsets(6, 4).unwrap();
            Solver::new(poset.clone()).grundy(&poset.all(), m)
        }),
        case("table of ideals", |m| ideals::values(&Poset::divisors(32 * 27 * 25).unwrap(), Play::Normal, m)),
        case("Chomp sieve", |m| Sieve::new(12, 12, m)),
        case("Chomp values", |m| ChompValues::new(&"12,12,12,12,12,12".parse().unwrap(), m)),
        case("Chomp with three rows", |m| three_rows(20_000, None, m, |_, _, _| {})),
        case("Chomp with four rows", |m| four_rows(2_000, 2_000, 2_000, m, |_| {})),
        case("three rows as chains", |m| {
            let mut rows = ThreeRows::new();
            for _ in 0..2_000 {
                rows.next(m)?;
            }
            Ok::<_, StopReason>(())
        }),
        case("chains", |m| Solution::new(ChainsGame::chomp(&[40]).unwrap(), 0, m)),
    ]
}

fn cases() -> Vec<Case> {
    [sequences(), lattice_games(), semilinear_sets(), misere(), posets()].into_iter().flatten().collect()
}

/// Stops a run at the first question after `after` of them, and counts those that come later.
struct Stopper {
    asked: AtomicU64,
    after: u64,
}

impl Monitor for Stopper {
    fn tick(&self, _done: u64, _total: Option<u64>) -> ControlFlow<StopReason> {
        if self.asked.fetch_add(1, Ordering::Relaxed) < self.after {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(StopReason::Interrupted)
        }
    }
}

#[test]
fn every_engine_stops_when_it_is_told_to() {
    for case in cases() {
        for after in [0, 1, 7, 100] {
            let monitor = Stopper { asked: AtomicU64::new(0), after };
            let stopped = (case.run)(&monitor);
            let asked = monitor.asked.load(Ordering::Relaxed);
            assert!(asked > 0, "{}: asks nobody", case.name);
            assert_eq!(stopped, asked > after, "{} after {after} questions of {asked}", case.name);
            // Threads that work side by side may each ask once more.
            assert!(asked <= after + 64, "{}: asks {asked} times, was stopped after {after}", case.name);
        }
    }
}

/// Processor time of this thread, where the system tells.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

thread_local! {
    /// The watch that this thread was last seen by, and when: by the clock and in processor time.
    static SEEN: Cell<Option<(u64, Instant, Duration)>> = const { Cell::new(None) };
}

/// Measures the longest processor time between two questions of a thread, to a millisecond; stops the run in the end.
struct Watch {
    number: u64,
    start: Instant,
    longest: Mutex<Duration>,
}

impl Watch {
    /// Takes note of the time since the last question.
    fn look(&self) -> ControlFlow<StopReason> {
        let now = Instant::now();
        let seen = SEEN.get().filter(|seen| seen.0 == self.number);
        // Reading processor time costs more than most questions are apart.
        if seen.is_none_or(|seen| now - seen.1 > Duration::from_millis(1)) {
            let time = processor_time().unwrap_or_default();
            if let Some((_, _, before)) = seen {
                let mut longest = self.longest.lock().unwrap();
                *longest = longest.max(time.saturating_sub(before));
            }
            SEEN.set(Some((self.number, now, time)));
        }
        if now - self.start > WATCHED { ControlFlow::Break(StopReason::Time) } else { ControlFlow::Continue(()) }
    }
}

impl Monitor for Watch {
    fn tick(&self, _done: u64, _total: Option<u64>) -> ControlFlow<StopReason> {
        self.look()
    }
}

#[test]
fn no_engine_is_silent_for_long() {
    if processor_time().is_none() {
        return;
    }
    let mut silent = Vec::new();
    for (case, number) in cases().into_iter().zip(0..) {
        let watch = Watch { number, start: Instant::now(), longest: Mutex::default() };
        let _ = watch.look();
        (case.run)(&watch);
        let _ = watch.look();
        let longest = *watch.longest.lock().unwrap();
        println!(
            "{:7.1} ms {:7.1} ms {}",
            longest.as_secs_f64() * 1e3,
            watch.start.elapsed().as_secs_f64() * 1e3,
            case.name
        );
        if longest > LONGEST {
            silent.push(format!("{} ({longest:?})", case.name));
        }
    }
    assert!(silent.is_empty(), "silent for more than {LONGEST:?} of processor time: {}", silent.join(", "));
}
