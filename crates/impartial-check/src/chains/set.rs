//! Forms "automaton", "stratification" and "series" of a chains game: the functions, and the P-positions among A_(m,n) as a set.

use super::game::{ChainsGame, Game};
use super::{Chains, Function, Functions, verified};
use crate::format::{Module, SetTable, Term};
use crate::json::objects;
use crate::lattice::Inner;
use crate::laws::{set, union};
use crate::meter::Meter;
use crate::monoid::Set;
use crate::series::identity;
use crate::walk::{Label, Part, walk};
use crate::words::written;
use crate::{Checked, Failure, refuse};

objects! {
    /// The certificate: the functions, and the set as an automaton or as modules.
    ChainsSet {
        chains: Chains, automaton: Option<SetTable>, modules: Option<Vec<Module>>, unions: Option<Vec<SetTable>>,
        terms: Option<Vec<Term>>,
    }
}

/// The pairs (m, n) with A_{m,n} a P-position: some points, and some that are repeated along a step for ever.
struct Graph {
    listed: Vec<Vec<i128>>,
    cycle: Vec<Vec<i128>>,
    step: [i128; 2],
}

fn point(m: u64, n: u64) -> Vec<i128> {
    vec![m.into(), n.into()]
}

/// The pairs of Chomp: the function of the fixed rows, the poisoned square counted in row 1.
fn drawn(game: &Game, functions: &Functions<'_>) -> Checked<Graph> {
    let function = first(functions, &game.whole())?;
    let (dm, dn) = if game.chains == 2 { (0, 1) } else { (1, 0) };
    let points = |from: u64, to: u64| (from..to).filter_map(|m| Some(point(m + dm, function.at(m)? + dn))).collect();
    let period = i128::from(function.period);
    Ok(Graph {
        listed: points(function.first, function.settled().max(function.first)),
        cycle: points(function.settled().max(function.first), function.end()),
        step: [period, period],
    })
}

/// The pairs of an explicit poset. The elements of A that A_{m,n} has change at the numbers of elements below them only: between
/// two such numbers of m, and of n, one function has the P-positions.
fn reduced(game: &Game, functions: &Functions<'_>, meter: &Meter<'_>) -> Checked<Graph> {
    let (columns, rows) = game.thresholds();
    let whole = game.whole();
    let mut table: Vec<Vec<&Function>> = Vec::new();
    for &m in &columns {
        meter.work((rows.len() * (64 * whole.len() + 1)) as u64)?;
        let left = game.cut_c(&whole, m);
        table.push(rows.iter().map(|&n| first(functions, &game.cut_d(&left, n))).collect::<Checked<_>>()?);
    }
    let (last_column, last_row) = (columns[columns.len() - 1], rows[rows.len() - 1]);
    let settled = table[columns.len() - 1].iter().map(|f| f.end() + f.period + last_row).max().unwrap_or(0);
    let (settled, period) = (settled.max(last_column), table[columns.len() - 1][rows.len() - 1].period);
    let mut held = meter.hold(0)?;
    let (mut graph, mut before, mut column) =
        (Graph { listed: vec![], cycle: vec![], step: [period.into(); 2] }, None, 0);
    for m in 0..=settled + period {
        meter.work(rows.len() as u64)?;
        column += usize::from(columns.get(column + 1) == Some(&m));
        let least = game.phi.at(m);
        // c_m is not left beside n elements of D: A_{m,n} is A_{m−1,n}, and so for ever.
        let same = before.filter(|&n| least.is_none_or(|least| n < least));
        let within = |j: usize, n: u64| n >= rows[j] && rows.get(j + 1).is_none_or(|&next| n < next);
        let fresh =
            |j: usize| table[column][j].at(m).filter(|&n| within(j, n) && least.is_some_and(|least| n >= least));
        before = same.or_else(|| (0..rows.len()).find_map(fresh));
        if m == settled && same.is_some() {
            graph.step = [1, 0];
        }
        let Some(n) = before else { continue };
        held.grow(80)?;
        if m < settled {
            graph.listed.push(point(m, n));
        } else if m < settled + period || graph.step == [1, 0] {
            graph.cycle.push(point(m, n));
        }
        if graph.step == [1, 0] {
            break;
        }
    }
    Ok(graph)
}

fn first<'a>(functions: &Functions<'a>, ideal: &Set) -> Checked<&'a Function> {
    match functions.get(ideal).and_then(|(_, list)| list.first()) {
        Some(function) => Ok(function),
        None => refuse("certificate: an ideal that A_(m,n) has is not among the ideals"),
    }
}

/// Verifies the functions as form "chains" does, then that the set is exactly that of the pairs (m, n) with A_{m,n} a P-position.
pub(crate) fn check(game: &ChainsGame, form: &str, certificate: &ChainsSet, meter: &Meter<'_>) -> Checked<String> {
    let (game, functions) = verified(game, &certificate.chains, meter)?;
    let ChainsSet { automaton, modules, unions, terms, .. } = certificate;
    let inner = Inner::orthant(2);
    let claimed = match (form, automaton, modules, unions, terms) {
        ("automaton", Some(table), None, None, None) => set(2, table)?,
        ("stratification", None, Some(modules), Some(unions), None) => union(&inner, modules, unions, false, meter)?,
        ("series", None, Some(modules), Some(unions), Some(terms)) => {
            identity(2, &[1, 1], modules, terms, meter)?;
            union(&inner, modules, unions, true, meter)?
        }
        _ => return refuse(format!("certificate: not the keys of form \"{form}\" of a chains game")),
    };
    let Graph { listed, cycle, step } =
        if game.rows.is_some() { drawn(&game, &functions)? } else { reduced(&game, &functions, meter)? };
    let further: Vec<Vec<i128>> = listed.iter().map(|x| vec![x[0] + step[0], x[1] + step[1]]).collect();
    let mut parts = [
        Part::set(&claimed),
        Part::finite(2, &listed),
        Part::finite(2, &cycle),
        Part::moved(&claimed, &step),
        Part::finite(2, &further),
    ];
    // The listed points are in the set, and the rest R of it is the cycle + ℕs, s the step: x ∈ R ⇔ x is in the cycle or x − s ∈ R.
    let law = |labels: &[Label]| {
        let (here, listed, cycle) = (labels[0] == 1, labels[1] == 1, labels[2] == 1);
        let again = step[0] > 0 && labels[3] == 1 && labels[4] == 0;
        (here || !listed) && (here && !listed) == (cycle || again)
    };
    if let Some(x) = walk(2, &mut parts, &law, meter)? {
        return Err(Failure::At(format!("the set differs from the functions at {}", written(&x)), x));
    }
    Ok(format!("{}: the pairs (m, n) with A_(m,n) a P-position are exactly the given set", game.words()))
}
