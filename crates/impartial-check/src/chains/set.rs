//! Forms "automaton", "stratification" and "series" of a chains game: the functions, and their graph as a set.

use super::game::ChainsGame;
use super::{Chains, verified};
use crate::format::{Module, SetTable, Term};
use crate::json::objects;
use crate::lattice::Inner;
use crate::laws::{set, union};
use crate::meter::Meter;
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

/// Verifies the functions as form "chains" does, then that the set is exactly the graph of F_{A,0}.
pub(crate) fn check(game: &ChainsGame, form: &str, certificate: &ChainsSet, meter: &Meter<'_>) -> Checked<String> {
    let (game, functions) = verified(game, &certificate.chains, meter)?;
    let Some(function) = functions.get(&game.whole()).and_then(|(_, list)| list.first()) else {
        return refuse("certificate: the whole of A is not among the ideals");
    };
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
    // In drawn coordinates: in Chomp the poisoned square counts in row 1.
    let (dm, dn) = match (&game.rows, game.chains) {
        (Some(_), 2) => (0, 1),
        (Some(_), _) => (1, 0),
        (None, _) => (0, 0),
    };
    let period = i128::from(function.period);
    let points = |from: u64, to: u64, by: i128| -> Vec<Vec<i128>> {
        let point = |m: u64| function.at(m).map(|n| vec![i128::from(m + dm) + by, i128::from(n + dn) + by]);
        (from..to).filter_map(point).collect()
    };
    let (first, settled, end) = (function.first, function.settled().max(function.first), function.end());
    let listed = points(first, settled, 0);
    let mut parts = [
        Part::set(&claimed),
        Part::finite(2, &listed),
        Part::finite(2, &points(settled, end, 0)),
        Part::moved(&claimed, &[period, period]),
        Part::finite(2, &points(first, settled, period)),
    ];
    // The listed points are in the set, and the rest R of it is the cycle + ℕ(p, p): x ∈ R ⇔ x is in the cycle or x − (p, p) ∈ R.
    let law = |labels: &[Label]| {
        let (here, listed, cycle) = (labels[0] == 1, labels[1] == 1, labels[2] == 1);
        let again = period > 0 && labels[3] == 1 && labels[4] == 0;
        (here || !listed) && (here && !listed) == (cycle || again)
    };
    if let Some(x) = walk(2, &mut parts, &law, meter)? {
        return Err(Failure::At(format!("the set differs from the functions at {}", written(&x)), x));
    }
    Ok(format!("{}: the P-positions (m, n) with all of the fixed part left are exactly the given set", game.words()))
}
