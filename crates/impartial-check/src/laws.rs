//! The laws of sets of positions, each asked at every vector of ℕᵈ by a walk: the outcome law, the mex law, and those of finite sets, sums
//! A + ℕv and unions. Forms "automaton", "grundy-automaton" and "stratification".

use crate::format::{Automaton, LatticeGame, Module, SetTable, Stratification, ValueTable, matrix};
use crate::lattice::{Inner, Lattice, MOST_COORDINATES, distinct, written};
use crate::meter::Meter;
use crate::sectors::modules_are_p;
use crate::walk::{Label, Part, Table, Walk, selection, short_walk, walk};
use crate::{Failure, refuse};

/// The automaton of a set.
pub(crate) fn set(dimension: usize, file: &SetTable) -> Result<Table, Failure> {
    let mut labels = vec![0; file.transitions.len() / 2];
    for &s in &file.accepting {
        match labels.get_mut(s as usize) {
            Some(label) if *label == 0 => *label = 1,
            Some(_) => return refuse(format!("automaton: \"accepting\" names state {s} twice")),
            None => return refuse(format!("automaton: there is no state {s}")),
        }
    }
    Table::new(dimension, &file.transitions, labels)
}

pub(crate) fn automaton(
    game: &LatticeGame,
    misere: bool,
    certificate: &Automaton<SetTable>,
    meter: &Meter<'_>,
) -> Result<String, Failure> {
    let game = Lattice::new(MOST_COORDINATES, game, misere)?;
    let inner = game.inner(&certificate.functional, certificate.chart.as_ref(), meter)?;
    let set = set(game.dimension, &certificate.automaton)?;
    outcome(&inner, &set, meter)?;
    Ok(format!(
        "the P-positions of {} are exactly the vectors that the automaton with {} states accepts",
        game.words(),
        set.states()
    ))
}

/// The defeated positions and the rows: how [`on_board`] knows the positions.
fn board<'a>(inner: &Inner) -> Vec<Part<'a>> {
    let d = inner.dimension;
    let rows = inner.rows.iter().map(|row| Part::half_space(&row[..d], row[d]));
    std::iter::once(Part::finite(d, &inner.defeated)).chain(rows).collect()
}

/// Whether a vector is a position, by the labels of [`board`].
fn on_board(labels: &[Label]) -> bool {
    labels[0] == 0 && labels[1..].iter().all(|&satisfied| satisfied == 1)
}

/// The outcome law: x ∈ S exactly when x ∈ B and no x − γ ∈ S. By induction along the functional the P-positions are the only such S.
pub(crate) fn outcome(inner: &Inner, set: &Table, meter: &Meter<'_>) -> Result<(), Failure> {
    let d = inner.dimension;
    let mut parts = board(inner);
    let rules = parts.len() + 1;
    parts.push(Part::set(set));
    parts.extend(inner.rules.iter().map(|rule| Part::moved(set, rule)));
    let law = |labels: &[Label]| {
        let some_option_in_set = labels[rules..].iter().any(|&label| label != 0);
        (labels[rules - 1] != 0) == (on_board(&labels[..rules - 1]) && !some_option_in_set)
    };
    let failure = match short_walk(d, &mut parts, &law, meter)? {
        Walk::Holds(_) => None,
        Walk::Fails(y) => Some(y),
        Walk::TooLong if d < 3 => walk(d, &mut parts, &law, meter)?,
        Walk::TooLong => rule_by_rule(inner, set, meter)?,
    };
    failure.map_or(Ok(()), |y| Err(wrong(inner, set, &y)))
}

/// Says how the outcome law fails at y.
fn wrong(inner: &Inner, set: &Table, y: &[i128]) -> Failure {
    let x = inner.own(y);
    let minus = |rule: &Vec<i128>| -> Vec<i128> { y.iter().zip(rule).map(|(y, g)| y.saturating_sub(*g)).collect() };
    let claimed = |y: &[i128]| y.iter().all(|&y| y >= 0) && set.label_from(0, y) != 0;
    let option = inner.rules.iter().map(minus).find(|option| claimed(option));
    let at = written(&x);
    let how = match (claimed(y), option) {
        (true, Some(option)) => {
            let option = written(&inner.own(&option));
            format!("{at} is claimed P, but a move from it reaches {option}, which is claimed P")
        }
        (true, None) => format!("{at} is claimed P, but it is not on the board"),
        (false, _) => format!("{at} is claimed N, but no move from it reaches a claimed P-position"),
    };
    Failure::At(format!("these are not the P-positions: the equation fails at {at}: {how}"), x)
}

/// The outcome law with few combinations in many dimensions: for each rule that no x of S has x − γ in S, and what of
/// B∖S is left without an x − γ in S by the rules so far; in the end nothing may be left.
fn rule_by_rule(inner: &Inner, set: &Table, meter: &Meter<'_>) -> Result<Option<Vec<i128>>, Failure> {
    let d = inner.dimension;
    let mut parts = board(inner);
    parts.push(Part::set(set));
    let last = parts.len() - 1;
    let positions = |labels: &[Label]| labels[last] == 0 || on_board(&labels[..last]);
    let others = |labels: &[Label]| labels[last] == 0 && on_board(&labels[..last]);
    let mut left = match selection(d, &mut parts, &positions, &others, meter)? {
        Ok(left) => left,
        Err(y) => return Ok(Some(y)),
    };
    for rule in &inner.rules {
        let mut parts = [Part::set(set), Part::moved(set, rule), Part::set(&left)];
        let never_both = |labels: &[Label]| labels[0] == 0 || labels[1] == 0;
        let without = |labels: &[Label]| labels[2] != 0 && labels[1] == 0;
        left = match selection(d, &mut parts, &never_both, &without, meter)? {
            Ok(left) => left,
            Err(y) => return Ok(Some(y)),
        };
    }
    // A vector that is left, with as few digits as possible.
    if left.is_empty() { Ok(None) } else { walk(d, &mut [Part::set(&left)], &|labels| labels[0] == 0, meter) }
}

/// Form "grundy-automaton", by the mex law: a position has a value k, no option has it, and each smaller value is that of an option;
/// other vectors have none. By induction along the functional there is one such function only.
pub(crate) fn grundy(
    game: &LatticeGame,
    misere: bool,
    certificate: &Automaton<ValueTable>,
    meter: &Meter<'_>,
) -> Result<String, Failure> {
    let game = Lattice::new(MOST_COORDINATES, game, misere)?;
    let inner = game.inner(&certificate.functional, certificate.chart.as_ref(), meter)?;
    let values = &certificate.automaton.values;
    let largest = values.iter().flatten().max().copied().unwrap_or(0);
    if largest as usize > game.rules.len() {
        return refuse(format!(
            "certificate.automaton.values: {largest} is no value that {} rules can give",
            game.rules.len()
        ));
    }
    // The label of value k is k + 1.
    let labels = values.iter().map(|value| value.map_or(0, |k| k + 1)).collect();
    let table = Table::new(game.dimension, &certificate.automaton.transitions, labels)?;
    let mut parts = board(&inner);
    let rules = parts.len() + 1;
    parts.push(Part::set(&table));
    parts.extend(inner.rules.iter().map(|rule| Part::moved(&table, rule)));
    let law = |labels: &[Label]| match labels[rules - 1] {
        0 => !on_board(&labels[..rules - 1]),
        own => {
            let reached = |label: Label| labels[rules..].contains(&label);
            on_board(&labels[..rules - 1]) && !reached(own) && (1..own).all(reached)
        }
    };
    if let Some(y) = walk(game.dimension, &mut parts, &law, meter)? {
        let x = inner.own(&y);
        let reason = format!("these are not the Grundy values: the mex equation fails at {}", written(&x));
        return Err(Failure::At(reason, x));
    }
    Ok(format!(
        "the Grundy values of {} are exactly those that the automaton with {} states gives; they are at most {largest}",
        game.words(),
        table.states(),
    ))
}

/// Generators and bases of a module in the chart's coordinates.
pub(crate) type Vectors = (Vec<Vec<i128>>, Vec<Vec<i128>>);

/// The modules in the chart's coordinates, where they lie in ℕᵈ.
pub(crate) fn vectors(inner: &Inner, modules: &[Module]) -> Result<Vec<Vectors>, Failure> {
    let one = |(i, module): (usize, &Module)| {
        let place = format!("certificate.modules[{i}]");
        let generators = matrix(&place, &module.generators, inner.dimension)?;
        let bases = matrix(&place, &module.bases, inner.dimension)?;
        if bases.is_empty() {
            return refuse(format!("{place}.bases: a module without elements"));
        }
        distinct(&format!("{place}.bases"), &bases)?;
        let generators: Vec<Vec<i128>> = generators.iter().map(|v| inner.vector(v)).collect();
        let bases: Vec<Vec<i128>> = bases.iter().map(|f| inner.point(f)).collect();
        if generators.iter().any(|v| v.iter().all(|&x| x == 0)) {
            return refuse(format!("{place}.generators: the zero vector"));
        }
        if generators.iter().chain(&bases).flatten().any(|&x| x < 0) {
            return refuse(format!("{place}: it leaves the board (a negative entry in the chart's coordinates)"));
        }
        Ok((generators, bases))
    };
    modules.iter().enumerate().map(one).collect()
}

/// The union of modules, when no vector lies in two of them: the last automaton of the certificate, by the laws of finite sets, of sums
/// and of unions. Each v of ℕᵈ lowers the sum of the coordinates, so that A + ℕv is the only solution of its law. With `once`, every
/// vector of a module is f + Σ λᵥv in one way only.
pub(crate) fn union(
    inner: &Inner,
    modules: &[Module],
    vectors: &[Vectors],
    unions: &[SetTable],
    once: bool,
    meter: &Meter<'_>,
) -> Result<Table, Failure> {
    let d = inner.dimension;
    let holds = |y: Option<Vec<i128>>, wrong: String| match y {
        None => Ok(()),
        Some(y) => refuse(format!("{wrong}: it is wrong at {}", written(&inner.own(&y)))),
    };
    let mut union: Option<Table> = None;
    if unions.len() + 1 != modules.len().max(1) {
        return refuse("certificate.unions: not one for each module after the first");
    }
    for (i, (module, (generators, bases))) in modules.iter().zip(vectors).enumerate() {
        let place = format!("certificate.modules[{i}].automata");
        let Some(automata) = module.automata.as_ref().filter(|list| list.len() == generators.len() + 1) else {
            return refuse(format!("{place}: not one for the bases and one for each generator"));
        };
        let mut own = set(d, &automata[0])?;
        let same = |labels: &[Label]| labels[0] == labels[1];
        let y = walk(d, &mut [Part::set(&own), Part::finite(d, bases)], &same, meter)?;
        holds(y, format!("{place}[0]: it does not hold exactly the bases"))?;
        for (k, (v, table)) in generators.iter().zip(&automata[1..]).enumerate() {
            let sum = set(d, table)?;
            let law = |labels: &[Label]| {
                let (whole, before, moved) = (labels[0] != 0, labels[1] != 0, labels[2] != 0);
                whole == (before || moved) && !(once && before && moved)
            };
            let y = walk(d, &mut [Part::set(&sum), Part::set(&own), Part::moved(&sum, v)], &law, meter)?;
            holds(y, format!("{place}[{}]: it does not add the generator {}", k + 1, written(v)))?;
            own = sum;
        }
        let Some(before) = union.take() else {
            union = Some(own);
            continue;
        };
        let after = set(d, &unions[i - 1])?;
        let mut parts = [Part::set(&before), Part::set(&own), Part::set(&after)];
        let y = walk(d, &mut parts[..2], &|labels| labels[0] == 0 || labels[1] == 0, meter)?;
        if let Some(x) = y.map(|y| inner.own(&y)) {
            return Err(Failure::At(format!("the modules are not disjoint: two of them hold {}", written(&x)), x));
        }
        let y = walk(d, &mut parts, &|labels| (labels[2] != 0) == (labels[0] != 0 || labels[1] != 0), meter)?;
        holds(y, format!("certificate.unions[{}]: it is not the union", i - 1))?;
        union = Some(after);
    }
    // Without modules nothing is in the set.
    union.map_or_else(|| set(d, &empty(d)), Ok)
}

/// The automaton of the empty set.
fn empty(dimension: usize) -> SetTable {
    let states = 0..u32::try_from(dimension).expect("few coordinates");
    let following = states.map(|s| if s as usize + 1 == dimension { 0 } else { s + 1 });
    SetTable { transitions: following.flat_map(|s| [s, s]).collect(), accepting: vec![] }
}

pub(crate) fn stratification(
    game: &LatticeGame,
    misere: bool,
    certificate: &Stratification,
    meter: &Meter<'_>,
) -> Result<String, Failure> {
    let game = Lattice::new(MOST_COORDINATES, game, misere)?;
    let inner = game.inner(&certificate.functional, certificate.chart.as_ref(), meter)?;
    let modules = &certificate.modules;
    let vectors = vectors(&inner, modules)?;
    match &certificate.unions {
        Some(unions) => outcome(&inner, &union(&inner, modules, &vectors, unions, false, meter)?, meter)?,
        None if modules.iter().any(|module| module.automata.is_some()) => {
            return refuse("certificate.unions: they are missing beside automata of modules");
        }
        // In the plane a finite box often proves it all, where automata would be large.
        None => modules_are_p(&inner, &vectors, meter)?,
    }
    Ok(format!(
        "the P-positions of {} are exactly the disjoint union of the {} modules F + NV",
        game.words(),
        modules.len()
    ))
}
