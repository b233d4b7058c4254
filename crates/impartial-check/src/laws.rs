//! The laws of sets of positions, each asked at every vector of ℕᵈ by a walk: the outcome law, the mex law, and those of finite sets, sums
//! A + ℕv and unions. Forms "automaton", "grundy-automaton" and "stratification".

use crate::format::{Automaton, Module, SetTable, Stratification, ValueTable, matrix};
use crate::lattice::{Inner, Lattice, distinct};
use crate::meter::Meter;
use crate::sectors::modules_are_p;
use crate::sets::rule_by_rule;
use crate::walk::{Label, Law, Part, Table, Walk, explore, walk};
use crate::words::{counted, written, wrong};
use crate::{Checked, Failure, refuse};

/// Combinations of all rules at once may take up so many numbers before a longer way is taken.
pub(crate) const SHORT: usize = 1 << 22;

/// The automaton of a set.
pub(crate) fn set(dimension: usize, file: &SetTable) -> Checked<Table> {
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

/// Form "automaton".
pub(crate) fn automaton(game: &Lattice, file: &Automaton<SetTable>, meter: &Meter<'_>) -> Checked<String> {
    let inner = game.inner(&file.functional, file.chart.as_ref(), meter)?;
    let set = set(game.dimension, &file.automaton)?;
    outcome(&inner, &set, meter)?;
    let (game, states) = (game.words(), set.states());
    Ok(format!("the P-positions of {game} are exactly the vectors that the automaton with {states} states accepts"))
}

/// The defeated positions and the rows: how [`on_board`] knows the positions.
pub(crate) fn board<'a>(inner: &Inner) -> Vec<Part<'a>> {
    let d = inner.dimension;
    let rows = inner.rows.iter().map(|row| Part::half_space(&row[..d], row[d]));
    std::iter::once(Part::finite(d, &inner.defeated)).chain(rows).collect()
}

/// Whether a vector is a position, by the labels of [`board`].
pub(crate) fn on_board(labels: &[Label]) -> bool {
    labels[0] == 0 && labels[1..].iter().all(|&satisfied| satisfied == 1)
}

/// Asks a law at every vector: of its own label, whether it is a position, and of the labels at the ends of its moves.
fn everywhere(
    inner: &Inner,
    table: &Table,
    law: &dyn Fn(Label, bool, &[Label]) -> bool,
    most: usize,
    meter: &Meter<'_>,
) -> Checked<Walk> {
    let mut parts = board(inner);
    let own = parts.len();
    parts.push(Part::set(table));
    parts.extend(inner.rules.iter().map(|rule| Part::moved(table, rule)));
    let asked = |labels: &[Label]| law(labels[own], on_board(&labels[..own]), &labels[own + 1..]);
    explore(inner.dimension, &mut parts, &mut |labels| Ok(asked(labels).then_some(false)), most, meter)
}

/// The outcome law: x ∈ S exactly when x ∈ B and no x − γ ∈ S. By induction along the functional the P-positions are the only such S.
pub(crate) fn outcome(inner: &Inner, set: &Table, meter: &Meter<'_>) -> Checked {
    let law =
        |own: Label, on_board: bool, options: &[Label]| (own != 0) == (on_board && options.iter().all(|&l| l == 0));
    let most = if inner.dimension < 3 { usize::MAX } else { SHORT };
    let failure = match everywhere(inner, set, &law, most, meter)? {
        Walk::Holds(_) => None,
        Walk::Fails(y) => Some(y),
        Walk::TooLong => rule_by_rule(inner, set, meter)?,
    };
    failure.map_or(Ok(()), |y| Err(wrong(inner, set, &y)))
}

/// Form "grundy-automaton", by the mex law: a position has a value k, no option has it, and each smaller value is that of an option;
/// other vectors have none. By induction along the functional there is one such function only.
pub(crate) fn grundy(game: &Lattice, file: &Automaton<ValueTable>, meter: &Meter<'_>) -> Checked<String> {
    let inner = game.inner(&file.functional, file.chart.as_ref(), meter)?;
    let values = &file.automaton.values;
    let (largest, rules) = (values.iter().filter_map(|value| value.0).max().unwrap_or(0), game.rules.len());
    if largest as usize > rules {
        let rules = counted(rules, "rule");
        return refuse(format!("certificate.automaton.values: {largest} is no value that {rules} can give"));
    }
    // The label of value k is k + 1.
    let labels = values.iter().map(|value| value.0.map_or(0, |k| k + 1)).collect();
    let table = Table::new(game.dimension, &file.automaton.transitions, labels)?;
    let law = |own: Label, on_board: bool, options: &[Label]| {
        if own == 0 { !on_board } else { on_board && !options.contains(&own) && (1..own).all(|k| options.contains(&k)) }
    };
    if let Walk::Fails(y) = everywhere(&inner, &table, &law, usize::MAX, meter)? {
        let x = inner.own(&y);
        let reason = format!("these are not the Grundy values: the mex equation fails at {}", written(&x));
        return Err(Failure::At(reason, x));
    }
    let (game, states) = (game.words(), table.states());
    Ok(format!(
        "the Grundy values of {game} are exactly those that the automaton with {states} states gives; they are at most {largest}"
    ))
}

/// Generators and bases of a module in the chart's coordinates.
pub(crate) type Vectors = (Vec<Vec<i128>>, Vec<Vec<i128>>);

/// The modules in the chart's coordinates, where they lie in ℕᵈ.
pub(crate) fn vectors(inner: &Inner, modules: &[Module]) -> Checked<Vec<Vectors>> {
    let one = |(i, module): (usize, &Module)| {
        let place = format!("certificate.modules[{i}]");
        let generators = matrix(&place, &module.generators, inner.dimension)?;
        let bases = matrix(&place, &module.bases, inner.dimension)?;
        refuse_if!(bases.is_empty(), "{place}.bases: a module without elements");
        distinct(&format!("{place}.bases"), &bases)?;
        let generators: Vec<Vec<i128>> = generators.iter().map(|v| inner.vector(v)).collect();
        let bases: Vec<Vec<i128>> = bases.iter().map(|f| inner.point(f)).collect();
        refuse_if!(generators.iter().any(|v| v.iter().all(|&x| x == 0)), "{place}.generators: the zero vector");
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
    unions: &[SetTable],
    once: bool,
    meter: &Meter<'_>,
) -> Checked<Table> {
    let d = inner.dimension;
    let ask = |parts: &mut [Part<'_>], law: Law<'_>, wrong: String| match walk(d, parts, law, meter)? {
        None => Ok(()),
        Some(y) => refuse(format!("{wrong}: it is wrong at {}", written(&inner.own(&y)))),
    };
    refuse_if!(unions.len() + 1 != modules.len().max(1), "certificate.unions: not one for each module after the first");
    let mut union: Option<Table> = None;
    for (i, (module, (generators, bases))) in modules.iter().zip(vectors(inner, modules)?).enumerate() {
        let place = format!("certificate.modules[{i}].automata");
        let Some(automata) = module.automata.as_ref().filter(|list| list.len() == generators.len() + 1) else {
            return refuse(format!("{place}: not one for the bases and one for each generator"));
        };
        let mut own = set(d, &automata[0])?;
        let mut parts = [Part::set(&own), Part::finite(d, &bases)];
        ask(&mut parts, &|l| l[0] == l[1], format!("{place}[0]: it does not hold exactly the bases"))?;
        for (k, (v, table)) in generators.iter().zip(&automata[1..]).enumerate() {
            let sum = set(d, table)?;
            let law = |l: &[Label]| l[0] == l[1] | l[2] && !(once && l[1] + l[2] == 2);
            let wrong = format!("{place}[{}]: it does not add the generator {}", k + 1, written(v));
            ask(&mut [Part::set(&sum), Part::set(&own), Part::moved(&sum, v)], &law, wrong)?;
            own = sum;
        }
        let Some(before) = union.take() else {
            union = Some(own);
            continue;
        };
        let after = set(d, &unions[i - 1])?;
        let mut parts = [Part::set(&before), Part::set(&own), Part::set(&after)];
        if let Some(y) = walk(d, &mut parts[..2], &|l| l[0] + l[1] < 2, meter)? {
            let x = inner.own(&y);
            return Err(Failure::At(format!("the modules are not disjoint: two of them hold {}", written(&x)), x));
        }
        ask(&mut parts, &|l| l[2] == l[0] | l[1], format!("certificate.unions[{}]: it is not the union", i - 1))?;
        union = Some(after);
    }
    // Without modules nothing is in the set: its automaton goes round the coordinates.
    let following = (1..d).chain([0]).map(|s| u32::try_from(s).expect("few coordinates"));
    let nothing = || Table::new(d, &following.flat_map(|s| [s, s]).collect::<Vec<_>>(), vec![0; d]);
    union.map_or_else(nothing, Ok)
}

/// Form "stratification".
pub(crate) fn stratification(game: &Lattice, file: &Stratification, meter: &Meter<'_>) -> Checked<String> {
    let inner = game.inner(&file.functional, file.chart.as_ref(), meter)?;
    let modules = &file.modules;
    match &file.unions {
        Some(unions) => outcome(&inner, &union(&inner, modules, unions, false, meter)?, meter)?,
        None if modules.iter().any(|module| module.automata.is_some()) => {
            return refuse("certificate.unions: they are missing beside automata of modules");
        }
        // In the plane a finite box often proves it all, where automata would be large.
        None => modules_are_p(&inner, &vectors(&inner, modules)?, meter)?,
    }
    let (game, count) = (game.words(), modules.len());
    Ok(format!("the P-positions of {game} are exactly the disjoint union of the {count} modules F + NV"))
}
