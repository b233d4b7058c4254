//! Conversions between forms: a graph of steps, and the shortest way through it that works.

use semilinear::run::StopReason;
use semilinear::vectorset::{Effort, MAX_DIMENSION, VectorSet};

use super::Ask;
use super::form::{Body, Form, KernelGame, KernelStrategy, SetStrategy};
use super::lattice::quotient::of_automaton;
use super::strategy::Strategy;
use crate::error::{Error, Result};
use crate::lattice::{HeapLattice, LatticeGame};
use crate::outcome::Play;
use crate::solve::blocks::Target;
use crate::solve::parity_kernel::ParityKernel;
use crate::strategy::{
    AutomatonStrategy, ChainsSet, CharacterStrategy, Fibres, Proved, SectorStrategy, SeriesStrategy,
    StratificationStrategy,
};

/// Automata on the way may have this many states.
const STATES: usize = 1 << 23;
/// A parity kernel with at most this many points in P₀ becomes P₀ + 2ℕᵈ.
const MOST_POINTS: usize = 1 << 16;

/// Where a strategy stands in the graph: its form, and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Automaton,
    Stratification,
    Series,
    Characters,
    Sectors(Target),
    Blocks(Target),
    Grundy,
    Presentation,
    LatticeKernel,
    HeapKernel,
    NimSequence,
    LongPeriod,
    Quotient,
    Counters,
    Dominance,
    Ranks,
    Chains,
    ChainsSet(Form),
    Table,
    Numeration,
}

impl Node {
    fn of(body: &Body) -> Self {
        match body {
            Body::Automaton(_) => Self::Automaton,
            Body::Stratification(_) => Self::Stratification,
            Body::Series(_) => Self::Series,
            Body::Characters(_) => Self::Characters,
            Body::Sectors(sectors) => Self::Sectors(sectors.target()),
            Body::Blocks(blocks) => Self::Blocks(blocks.target()),
            Body::Grundy(_) => Self::Grundy,
            Body::Presentation(_) => Self::Presentation,
            Body::Kernel(KernelStrategy { game: KernelGame::Lattice(_), .. }) => Self::LatticeKernel,
            Body::Kernel(KernelStrategy { game: KernelGame::Heap(_), .. }) => Self::HeapKernel,
            Body::NimSequence(_) => Self::NimSequence,
            Body::LongPeriod(_) => Self::LongPeriod,
            Body::Quotient(_) => Self::Quotient,
            Body::Counters(_) => Self::Counters,
            Body::Dominance(_) => Self::Dominance,
            Body::Ranks(_) => Self::Ranks,
            Body::Chains(_) => Self::Chains,
            Body::ChainsSet(set) => Self::ChainsSet(set.form),
            Body::Table(_) => Self::Table,
            Body::Numeration(_) => Self::Numeration,
        }
    }

    fn form(self) -> Form {
        match self {
            Self::Automaton => Form::Automaton,
            Self::Stratification => Form::Stratification,
            Self::Series | Self::Characters => Form::Series,
            Self::Sectors(Target::Outcomes) => Form::Sectors,
            Self::Sectors(Target::Values) => Form::GrundySectors,
            Self::Blocks(Target::Outcomes) => Form::Blocks,
            Self::Blocks(Target::Values) => Form::GrundyBlocks,
            Self::Grundy => Form::GrundyAutomaton,
            Self::Presentation => Form::Presentation,
            Self::LatticeKernel | Self::HeapKernel => Form::ParityKernel,
            Self::NimSequence | Self::LongPeriod => Form::NimSequence,
            Self::Quotient => Form::Quotient,
            Self::Counters => Form::Counters,
            Self::Dominance => Form::Dominance,
            Self::Ranks => Form::Ranks,
            Self::Chains => Form::Chains,
            Self::ChainsSet(form) => form,
            Self::Table => Form::Table,
            Self::Numeration => Form::Numeration,
        }
    }

    /// Whether a strategy here is of the form that is wanted. A presentation is the quotient of a lattice game.
    fn is(self, form: Form) -> bool {
        self.form() == form || self == Self::Presentation && form == Form::Quotient
    }
}

type Step = fn(&Strategy, &Ask) -> Result<Strategy>;

/// The steps, in the order in which ways of the same length are tried.
const STEPS: &[(Node, Node, Step)] = &[
    (Node::LatticeKernel, Node::Characters, kernel_to_characters),
    (Node::LatticeKernel, Node::Stratification, kernel_to_stratification),
    (Node::LatticeKernel, Node::Automaton, kernel_to_automaton),
    (Node::Characters, Node::LatticeKernel, |strategy, _| Ok(characters_to_kernel(strategy))),
    (Node::HeapKernel, Node::LatticeKernel, heaps_to_lattice),
    (Node::NimSequence, Node::HeapKernel, sequence_to_kernel),
    (Node::LongPeriod, Node::NimSequence, |strategy, ask| strategy.listed(ask)),
    (Node::Sectors(Target::Outcomes), Node::Stratification, sectors_to_stratification),
    (Node::Sectors(Target::Outcomes), Node::Automaton, sectors_to_automaton),
    (Node::Sectors(Target::Values), Node::Sectors(Target::Outcomes), |strategy, _| Ok(values_to_sectors(strategy))),
    (Node::Blocks(Target::Outcomes), Node::Automaton, blocks_to_automaton),
    (Node::Blocks(Target::Values), Node::Automaton, blocks_to_automaton),
    (Node::Grundy, Node::Automaton, grundy_to_automaton),
    (Node::Presentation, Node::Automaton, presentation_to_automaton),
    (Node::Quotient, Node::Stratification, misere_to_stratification),
    (Node::Quotient, Node::Automaton, misere_to_automaton),
    (Node::Counters, Node::Stratification, misere_to_stratification),
    (Node::Counters, Node::Automaton, misere_to_automaton),
    (Node::Series, Node::Stratification, |strategy, _| Ok(series_to_stratification(strategy))),
    (Node::Series, Node::Automaton, series_to_automaton),
    (Node::Stratification, Node::Series, stratification_to_series),
    (Node::Stratification, Node::Automaton, stratification_to_automaton),
    (Node::Automaton, Node::Stratification, automaton_to_stratification),
    (Node::Automaton, Node::Presentation, automaton_to_presentation),
    (Node::Chains, Node::ChainsSet(Form::Stratification), |strategy, _| Ok(chains_set(strategy, Form::Stratification))),
    (Node::Chains, Node::ChainsSet(Form::Series), |strategy, _| Ok(chains_set(strategy, Form::Series))),
    (Node::Chains, Node::ChainsSet(Form::Automaton), |strategy, _| Ok(chains_set(strategy, Form::Automaton))),
    (Node::ChainsSet(Form::Stratification), Node::Chains, |strategy, _| Ok(chains_of(strategy))),
    (Node::ChainsSet(Form::Series), Node::Chains, |strategy, _| Ok(chains_of(strategy))),
    (Node::ChainsSet(Form::Automaton), Node::Chains, |strategy, _| Ok(chains_of(strategy))),
];

/// The strategy in another form. Ways through the graph are tried by length; the first error is told when none works.
pub(super) fn convert(strategy: &Strategy, to: Form, ask: &Ask) -> Result<Strategy> {
    let start = Node::of(&strategy.body);
    if start.is(to) {
        return Ok(strategy.clone().unnamed());
    }
    let mut ways = ways(start, to);
    ways.sort_by_key(Vec::len);
    if ways.is_empty() {
        return Err(impossible(start, to));
    }
    let mut first = None;
    for way in ways {
        let mut at = Ok(strategy.clone());
        for step in way {
            at = at.and_then(|strategy| step(&strategy, ask));
        }
        match at {
            Ok(converted) => return Ok(converted.unnamed()),
            // Another way may be open where this one is too long or does not apply.
            Err(error @ (Error::Input(_) | Error::Stopped { why: StopReason::Size { .. }, .. })) => {
                first.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
    }
    Err(first.expect("some way was tried"))
}

/// Every way without repeats.
fn ways(start: Node, to: Form) -> Vec<Vec<Step>> {
    fn walk(at: Node, to: Form, seen: &mut Vec<Node>, way: &mut Vec<Step>, found: &mut Vec<Vec<Step>>) {
        if at.is(to) {
            found.push(way.clone());
            return;
        }
        seen.push(at);
        for &(from, next, step) in STEPS {
            if from == at && !seen.contains(&next) {
                way.push(step);
                walk(next, to, seen, way, found);
                way.pop();
            }
        }
        seen.pop();
    }
    let mut found = Vec::new();
    walk(start, to, &mut Vec::new(), &mut Vec::new(), &mut found);
    found
}

/// Why a form cannot be had from another.
fn impossible(from: Node, to: Form) -> Error {
    let form = from.form();
    let why = match (from, to) {
        (Node::Table, _) => "a table lists the positions of a finite poset, which are no lattice points",
        (_, Form::Table) => "a table is for finite poset games",
        (Node::Chains | Node::ChainsSet(_), _) => {
            "a chains strategy converts to automaton, stratification, series or chains"
        }
        (_, Form::Chains) => "chains are for poset games with infinite chains",
        (Node::Dominance | Node::Ranks, _) => {
            "its positions have one coordinate for each of infinitely many heaps; solve the game with --max-heap for the first ones"
        }
        (
            _,
            Form::NimSequence
            | Form::Counters
            | Form::Dominance
            | Form::Ranks
            | Form::ParityKernel
            | Form::GrundyAutomaton
            | Form::GrundyBlocks
            | Form::GrundySectors,
        ) => "it says more than the P-positions of this strategy do; solve the game for it",
        (_, Form::Blocks) => "blocks are found with the game; solve it with --method blocks",
        (_, Form::Sectors) => "sectors are found with the game; solve it with --method sector",
        _ => "no conversion leads there",
    };
    Error::Input(format!("a strategy of form \"{form}\" is not converted to \"{to}\": {why}"))
}

/// The form of a strategy that a step starts from.
macro_rules! taken {
    ($strategy:expr, $variant:ident) => {
        $strategy
            .proved(|body| if let Body::$variant(form) = body { Some(form) } else { None })
            .expect("a step starts from its own form")
    };
}

fn effort<'a>(ask: &Ask<'a>) -> Effort<'a> {
    Effort::new(STATES, ask.monitor)
}

fn automaton_to_stratification(strategy: &Strategy, ask: &Ask) -> Result<Strategy> {
    let automaton = taken!(strategy, Automaton);
    Ok(Strategy::stratification(StratificationStrategy::from_automaton(&automaton, &effort(ask))?))
}

fn automaton_to_presentation(strategy: &Strategy, ask: &Ask) -> Result<Strategy> {
    of_automaton("strategy", taken!(strategy, Automaton), ask)?.into_strategy()
}

fn stratification_to_automaton(strategy: &Strategy, ask: &Ask) -> Result<Strategy> {
    Ok(Strategy::automaton(taken!(strategy, Stratification).automaton(&effort(ask))?))
}

fn stratification_to_series(strategy: &Strategy, ask: &Ask) -> Result<Strategy> {
    Ok(Strategy::series(SeriesStrategy::from_strata(&taken!(strategy, Stratification), ask.monitor)?))
}

/// The strata that a series has as its certificate.
fn series_to_stratification(strategy: &Strategy) -> Strategy {
    Strategy::stratification(Proved::by_check(taken!(strategy, Series).strata().clone()))
}

fn series_to_automaton(strategy: &Strategy, ask: &Ask) -> Result<Strategy> {
    Ok(Strategy::automaton(taken!(strategy, Series).strata().automaton(&effort(ask))?))
}

fn sectors_to_stratification(strategy: &Strategy, ask: &Ask) -> Result<Strategy> {
    let sectors = taken!(strategy, Sectors);
    Ok(Strategy::stratification(StratificationStrategy::from_sectors(&sectors, ask.monitor)?))
}

fn sectors_to_automaton(strategy: &Strategy, ask: &Ask) -> Result<Strategy> {
    let sectors = taken!(strategy, Sectors);
    let effort = Effort::new(1 << 22, ask.monitor);
    let set = sectors.vector_set(&effort)?;
    Ok(Strategy::automaton(AutomatonStrategy::proved(sectors.game().clone(), set, &effort)?))
}

fn values_to_sectors(strategy: &Strategy) -> Strategy {
    Strategy::sectors(SectorStrategy::p_positions(&taken!(strategy, Sectors)))
}

fn blocks_to_automaton(strategy: &Strategy, ask: &Ask) -> Result<Strategy> {
    let blocks = taken!(strategy, Blocks);
    let effort = Effort::new(1 << 20, ask.monitor);
    let set = blocks.vector_set(&effort)?;
    Ok(Strategy::automaton(AutomatonStrategy::proved(blocks.game().clone(), set, &effort)?))
}

fn grundy_to_automaton(strategy: &Strategy, ask: &Ask) -> Result<Strategy> {
    let p = taken!(strategy, Grundy).p_positions(&effort(ask))?.into_claim();
    Ok(Strategy::automaton(AutomatonStrategy::proved(p.game().clone(), p.set().clone(), &effort(ask))?))
}

fn presentation_to_automaton(strategy: &Strategy, ask: &Ask) -> Result<Strategy> {
    let presentation = taken!(strategy, Presentation);
    let automaton = presentation.automaton();
    let proved = AutomatonStrategy::proved(automaton.game().clone(), automaton.set().clone(), &effort(ask))?;
    Ok(Strategy::automaton(proved))
}

/// The kernel of a lattice game.
fn lattice_kernel(strategy: &Strategy) -> (LatticeGame, ParityKernel) {
    let KernelStrategy { game, kernel } = taken!(strategy, Kernel).into_inner();
    let KernelGame::Lattice(game) = game else { unreachable!("a step starts from its own form") };
    (*game, kernel)
}

/// One congruence modulo 2 for each binary digit of the values g(eᵢ).
fn kernel_to_automaton(strategy: &Strategy, ask: &Ask) -> Result<Strategy> {
    let (game, kernel) = lattice_kernel(strategy);
    if game.dimension() > MAX_DIMENSION {
        return Err(Error::Input(format!(
            "{} coordinates: sets of vectors have at most {MAX_DIMENSION}; ask the parity kernel itself",
            game.dimension()
        )));
    }
    let effort = Effort::new(1 << 22, ask.monitor);
    let mut set = VectorSet::full(game.dimension());
    let digits = kernel.values().iter().fold(0, |all, g| all | g);
    for digit in (0..64).filter(|digit| digits >> digit & 1 == 1) {
        let row: Vec<i64> = kernel.values().iter().map(|g| i64::from(g >> digit & 1 == 1)).collect();
        set = set.intersection(&VectorSet::congruence(&row, 0, 2, &effort)?, &effort)?;
    }
    Ok(Strategy::automaton(AutomatonStrategy::proved(game, set, &effort)?))
}

/// P = P₀ + 2ℕᵈ (erratum, Theorem 3).
fn kernel_to_stratification(strategy: &Strategy, ask: &Ask) -> Result<Strategy> {
    let (game, kernel) = lattice_kernel(strategy);
    let p0 = kernel.p0(MOST_POINTS).ok_or(StopReason::Size { what: "points of P0", limit: MOST_POINTS as u64 })?;
    Ok(Strategy::stratification(StratificationStrategy::of_kernel(game, p0, &effort(ask))?))
}

/// A sum over characters where P₀ has more points than there are characters.
fn kernel_to_characters(strategy: &Strategy, ask: &Ask) -> Result<Strategy> {
    let (game, kernel) = lattice_kernel(strategy);
    if 2 * kernel.rank() >= game.dimension() {
        return Err(Error::input("the sum over characters is longer than the series of P0 + 2N^d"));
    }
    Ok(Strategy::characters(CharacterStrategy::new(game, &kernel, ask.monitor)?))
}

fn characters_to_kernel(strategy: &Strategy) -> Strategy {
    let characters = taken!(strategy, Characters);
    let kernel = ParityKernel::from_values(characters.values().to_vec());
    Strategy::lattice_kernel(characters.game().clone(), kernel)
}

/// The heaps up to the bound as a lattice game: sizes without a move have no coordinate.
fn heaps_to_lattice(strategy: &Strategy, ask: &Ask) -> Result<Strategy> {
    let KernelStrategy { game, kernel } = taken!(strategy, Kernel).into_inner();
    let KernelGame::Heap(rules) = game else { unreachable!("a step starts from its own form") };
    let reach = kernel.values().len() as u64;
    let lattice = HeapLattice::new(&rules, ask.max_heap.unwrap_or(reach).min(reach), Some(Play::Normal), ask.monitor)?;
    let game = LatticeGame::new(&lattice.description, ask.monitor)?;
    let kernel = ParityKernel::of_lattice(&game)
        .ok_or_else(|| Error::input("the lattice game of the heaps is not squarefree; solve it by itself"))?;
    Ok(Strategy::lattice_kernel(game, kernel))
}

/// A sequence is for heaps of every size; a kernel for those up to a bound.
fn sequence_to_kernel(strategy: &Strategy, ask: &Ask) -> Result<Strategy> {
    let max_heap = ask.max_heap.ok_or_else(|| {
        Error::input(
            "a set of vectors has a coordinate for each heap size, and this strategy is for all of them; bound them with \
             --max-heap, e.g. 12",
        )
    })?;
    let rules = taken!(strategy, NimSequence).rules().clone();
    Ok(Strategy::heap_kernel(&rules, ParityKernel::of_heaps(&rules, max_heap, ask.monitor)?))
}

/// What is missing when heaps of all sizes are to have a coordinate each.
fn unbounded() -> Error {
    Error::input(
        "an automaton has a coordinate for each heap size, and this strategy is for all of them; bound them with --max-heap, e.g. 12",
    )
}

/// The lattice game of the heaps of a misère strategy, and its P-positions.
fn with_fibres<T>(strategy: &Strategy, ask: &Ask, then: impl FnOnce(&Fibres<'_>) -> Result<T>) -> Result<T> {
    match &*strategy.body {
        Body::Quotient(quotient) => {
            let known = quotient.quotient().heaps() as u64;
            let max_heap = match (ask.max_heap, quotient.period()) {
                (Some(n), _) if n <= known => n,
                (Some(n), _) => {
                    return Err(Error::Input(format!(
                        "--max-heap {n}: this file lists heaps up to {known}; solve the game with --max-heap {n} first"
                    )));
                }
                (None, None) => known,
                (None, Some(_)) => return Err(unbounded()),
            };
            then(&Fibres::of_quotient(quotient, max_heap, ask.monitor)?)
        }
        Body::Counters(counters) => {
            let reach = counters.reach().and_then(|reach| u64::try_from(reach).ok());
            let max_heap = ask.max_heap.or(reach).ok_or_else(unbounded)?;
            then(&Fibres::of_counters(counters, max_heap, ask.monitor)?)
        }
        _ => unreachable!("a step starts from its own form"),
    }
}

fn misere_to_automaton(strategy: &Strategy, ask: &Ask) -> Result<Strategy> {
    with_fibres(strategy, ask, |fibres| Ok(Strategy::automaton(fibres.automaton(&effort(ask))?)))
}

fn misere_to_stratification(strategy: &Strategy, ask: &Ask) -> Result<Strategy> {
    with_fibres(strategy, ask, |fibres| Ok(Strategy::stratification(fibres.stratification(&effort(ask))?)))
}

fn chains_set(strategy: &Strategy, form: Form) -> Strategy {
    let set = ChainsSet::new(taken!(strategy, Chains).into_inner());
    Strategy::chains_set(Proved::by_check(SetStrategy { set, form }))
}

fn chains_of(strategy: &Strategy) -> Strategy {
    Strategy::chains(Proved::by_check(taken!(strategy, ChainsSet).set.solution().clone()))
}
