//! The P-positions of a chains game as a set of vectors (m, n): the bridge from the periodicity theorem
//! to automata and stratifications.

use serde_json::{Map, Value, json};

use super::chains::{ChainsFileError, from_envelope, to_envelope};
use super::modules::ModuleProof;
use super::{Envelope, Unchecked, table_json};
use crate::solve::chains::{Kind, Solution};
use semilinear::run::{Monitor, StopReason};
use semilinear::semigroup::{Module, Stratification};
use semilinear::vectorset::{Effort, VectorSet};

/// A solved chains game with the set of the pairs (m, n) for which A_{m,n} is a P-position: the graph of its [pattern](Solution::pattern).
///
/// In Chomp with two chains m and n are the lengths of rows 2 and 1. For games with one chain the set is
/// the graph of the Grundy function: (m, g(A_m)), in Chomp with m the length of row 1.
///
/// ```
/// use impartial::{poset::chains::ChainsGame, run::Unlimited, solve::chains::Solution};
/// use impartial::strategy::ChainsSet;
/// let solution = Solution::new(ChainsGame::chomp(&[2]).unwrap(), 0, &Unlimited).unwrap();
/// let p = ChainsSet::new(solution);
/// // The P-positions (m + 2, m, 2), m ≥ 2.
/// assert_eq!(p.strata().modules()[0].bases, [[2, 4]]);
/// assert_eq!(p.strata().modules()[0].generators, [[1, 1]]);
/// ```
#[derive(Clone, Debug)]
pub struct ChainsSet {
    solution: Solution,
    strata: Stratification,
}

impl ChainsSet {
    /// The set of a solution: finitely many points, and translates of ℕ(p, p) or of ℕ(1, 0).
    pub fn new(solution: Solution) -> Self {
        let pattern = solution.pattern(0).expect("every solution has the value 0");
        let (from, point) = (pattern.preperiod(), |m: u32, n: i64| vec![i64::from(m), n]);
        let initial = pattern.initial().into_iter().map(|(m, n)| point(m, n.into())).collect();
        let (step, cycle) = match pattern.kind() {
            Kind::Finite => (vec![], vec![]),
            Kind::Constant(n) => (vec![1, 0], vec![point(from, n.into())]),
            Kind::Periodic(p) => {
                (vec![i64::from(p); 2], pattern.cycle().iter().map(|&(m, n)| point(m, n.into())).collect())
            }
        };
        let modules = [Module { generators: vec![step], bases: cycle }, Module { generators: vec![], bases: initial }];
        let modules = modules.into_iter().filter(|module| !module.bases.is_empty()).collect();
        let strata = Stratification::new(2, modules).expect("points and one generator");
        Self { solution, strata }
    }

    /// The solved game.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// The set as disjoint modules.
    pub fn strata(&self) -> &Stratification {
        &self.strata
    }

    /// The set as an automaton.
    pub fn vector_set(&self, effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
        self.strata
            .modules()
            .iter()
            .try_fold(VectorSet::empty(2), |set, module| set.union(&module.vector_set(effort)?, effort))
    }

    fn envelope(&self, form: &str, mut keys: Map<String, Value>) -> Envelope {
        let chains = to_envelope(&self.solution);
        keys.insert("chains".into(), chains.certificate);
        Envelope { form: form.into(), certificate: Value::Object(keys), play: chains.play, game: chains.game }
    }

    /// The modules with their automata.
    fn modules(&self) -> Map<String, Value> {
        let mut keys = Map::new();
        // Points and translates along one line: as many states as there are points, about.
        let proof = ModuleProof::of_natural(self.strata.modules(), &Effort::unlimited()).ok();
        ModuleProof::write(proof.as_ref(), self.strata.modules(), &mut keys);
        keys
    }

    /// The strategy file of form "stratification": the chains certificate, and the modules.
    pub fn stratification_envelope(&self) -> Envelope {
        self.envelope("stratification", self.modules())
    }

    /// The strategy file of form "series": the chains certificate, the modules, and one term t^f/(1 − t^s) for each
    /// stratum f + ℕs, or t^f for a point.
    pub fn series_envelope(&self) -> Envelope {
        let terms: Vec<Value> = self
            .strata
            .modules()
            .iter()
            .flat_map(|module| module.bases.iter().map(move |base| (base, &module.generators)))
            .map(|(base, generators)| json!({"coefficient": [1, 1], "exponent": base, "denominators": generators}))
            .collect();
        let mut keys = self.modules();
        keys.insert("terms".into(), terms.into());
        self.envelope("series", keys)
    }

    /// The strategy file of form "automaton": the chains certificate, and the automaton.
    pub fn automaton_envelope(&self, set: &VectorSet) -> Envelope {
        self.envelope("automaton", Map::from_iter([("automaton".to_owned(), table_json(set))]))
    }

    /// Reads the solution in a file of either form; its claim is the checker's business.
    pub fn from_envelope(file: &Envelope, monitor: &dyn Monitor) -> Result<Unchecked<Self>, ChainsFileError> {
        let certificate = file.certificate.get("chains").cloned().unwrap_or(Value::Null);
        Ok(Unchecked::new(Self::new(from_envelope(&Envelope { certificate, ..file.clone() }, monitor)?.into_claim())))
    }
}
