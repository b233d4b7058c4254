//! What certificates about modules carry: automata of each module, generator by generator, and of their unions.

use serde_json::{Map, Value, json};

use super::table_json;
use crate::lattice::Chart;
use semilinear::run::StopReason;
use semilinear::semigroup::Module;
use semilinear::vectorset::{Effort, MAX_DIMENSION};

/// The automata of F, F + ℕv₁, F + ℕ{v₁, v₂}, … of each module, and of the unions of the first two, three, … modules
/// (`docs/strategy-files.md`, form "stratification").
///
/// ```
/// use impartial::strategy::ModuleProof;
/// use semilinear::{semigroup::Module, vectorset::Effort};
/// let even = Module { generators: vec![vec![2]], bases: vec![vec![0]] };
/// let proof = ModuleProof::of_natural(&[even.clone()], &Effort::unlimited())?;
/// let mut certificate = serde_json::Map::new();
/// ModuleProof::write(Some(&proof), &[even], &mut certificate);
/// assert_eq!(certificate["modules"][0]["automata"][1]["transitions"].to_string(), "[1,2,1,1,2,2]");
/// # Ok::<(), semilinear::run::StopReason>(())
/// ```
#[derive(Clone, Debug)]
pub struct ModuleProof {
    automata: Vec<Value>,
    unions: Vec<Value>,
}

impl ModuleProof {
    /// The automata of modules in the order in which they are given; `None` when they are too large, or leave the board.
    ///
    /// # Complexity
    /// One projection for each generator, one union for each module.
    pub fn new(modules: &[Module], chart: Option<&Chart>, effort: &Effort<'_>) -> Result<Option<Self>, StopReason> {
        let Some(inner) = modules.iter().map(|module| inner(module, chart)).collect::<Option<Vec<Module>>>() else {
            return Ok(None);
        };
        if inner.iter().flat_map(|module| &module.bases).any(|base| base.len() > MAX_DIMENSION) {
            return Ok(None);
        }
        match Self::of_natural(&inner, effort) {
            Ok(proof) => Ok(Some(proof)),
            Err(StopReason::Size { .. }) => Ok(None),
            Err(why) => Err(why),
        }
    }

    /// The automata of modules in ℕᵈ.
    pub fn of_natural(modules: &[Module], effort: &Effort<'_>) -> Result<Self, StopReason> {
        let (mut automata, mut unions) = (Vec::new(), Vec::new());
        let mut union = None;
        for module in modules {
            let chain = module.chain(effort)?;
            automata.push(chain.iter().map(table_json).collect());
            let Some(last) = chain.into_iter().next_back() else { continue };
            union = Some(match union {
                None => last,
                Some(before) => {
                    let after = last.union(&before, effort)?;
                    unions.push(table_json(&after));
                    after
                }
            });
        }
        Ok(Self { automata, unions })
    }

    /// Puts modules and, if they are there, their automata into a certificate.
    pub fn write(proof: Option<&Self>, modules: &[Module], certificate: &mut Map<String, Value>) {
        let mut list: Vec<Value> = modules.iter().map(|module| json!(module)).collect();
        if let Some(Self { automata, unions }) = proof {
            for (module, automata) in list.iter_mut().zip(automata) {
                module["automata"] = automata.clone();
            }
            certificate.insert("unions".into(), json!(unions));
        }
        certificate.insert("modules".into(), list.into());
    }

    /// The modules of a certificate, and what it says of their automata.
    pub fn read(certificate: &Value) -> Result<(Vec<Module>, Option<Self>), serde_json::Error> {
        let mut list: Vec<Map<String, Value>> =
            serde_json::from_value(certificate.get("modules").cloned().unwrap_or_default())?;
        let automata: Option<Vec<Value>> = list.iter_mut().map(|module| module.remove("automata")).collect();
        let unions = certificate.get("unions").and_then(Value::as_array).cloned();
        let modules = serde_json::from_value(list.into_iter().map(Value::Object).collect())?;
        Ok((modules, automata.zip(unions).map(|(automata, unions)| Self { automata, unions })))
    }
}

/// The module in the chart's coordinates, if it lies in ℕᵈ.
fn inner(module: &Module, chart: Option<&Chart>) -> Option<Module> {
    let module = match chart {
        None => module.clone(),
        Some(chart) => Module {
            generators: module.generators.iter().map(|v| chart.inner_vector(v)).collect::<Option<_>>()?,
            bases: module.bases.iter().map(|f| chart.inner(f)).collect::<Option<_>>()?,
        },
    };
    let natural = module.generators.iter().chain(&module.bases).flatten().all(|&x| x >= 0);
    natural.then_some(module)
}
