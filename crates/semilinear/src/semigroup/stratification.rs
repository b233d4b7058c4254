//! Affine stratifications: finite disjoint unions of modules F + ℕV (Guo–Miller 2011, Definition 4.1).

use num_bigint::{BigInt, BigUint};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Frame;
use crate::run::StopReason;
use crate::vectorset::{Effort, VectorSet};

/// The module F + ℕV over the free semigroup ℕV: V linearly independent, F finite.
///
/// Guo–Miller allow any affine semigroup. Free ones lose nothing (every module over an affine semigroup is
/// a finite disjoint union of translates of free ones) and make every question below a matter of linear algebra.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Module {
    /// V, sorted.
    pub generators: Vec<Vec<i64>>,
    /// F, sorted.
    pub bases: Vec<Vec<i64>>,
}

impl Module {
    /// The module as a vector set. All vectors must be non-negative.
    pub fn vector_set(&self, effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
        let mut chain = self.chain(effort)?;
        Ok(chain.pop().expect("the bases are there"))
    }

    /// F, F + ℕv₁, F + ℕ{v₁, v₂}, …: the module itself is the last. All vectors must be non-negative.
    ///
    /// # Complexity
    /// One projection a generator: A + ℕv = {x : x − nv ∈ A for some n}.
    pub fn chain(&self, effort: &Effort<'_>) -> Result<Vec<VectorSet>, StopReason> {
        let dimension = self.bases.first().map_or(0, Vec::len);
        let natural = |x: i64| BigUint::try_from(x).expect("bases of a vector set are non-negative");
        let bases: Vec<Vec<BigUint>> = self.bases.iter().map(|b| b.iter().map(|&x| natural(x)).collect()).collect();
        let mut set = VectorSet::finite(dimension, &bases, effort)?;
        let mut chain = vec![set.clone()];
        for generator in &self.generators {
            let mut columns = vec![generator.iter().map(|x| -x).collect::<Vec<i64>>()];
            columns.extend((0..dimension).map(|i| (0..dimension).map(|j| i64::from(i == j)).collect()));
            set = set.preimage(&vec![BigInt::ZERO; dimension], &columns, effort)?.exists(&[0], effort)?;
            chain.push(set.clone());
        }
        Ok(chain)
    }
}

/// A set of ℤᵈ as a disjoint union of modules, in canonical order: higher rank first, then by generators.
///
/// ```
/// use semilinear::semigroup::{Module, Stratification};
/// // Γ = {(1,0),(0,2)}: the P-positions of Guo's Remark 4.12.
/// let module = Module {
///     generators: vec![vec![0, 4], vec![2, 0]],
///     bases: vec![vec![0, 0], vec![0, 1], vec![1, 2], vec![1, 3]],
/// };
/// let p = Stratification::new(2, vec![module]).unwrap();
/// assert!(p.contains(&[1_000_001.into(), 6.into()]));
/// assert!(!p.contains(&[1_000_000.into(), 6.into()]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stratification {
    dimension: usize,
    modules: Vec<Module>,
}

/// Why a list of modules is no stratification.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StratificationError {
    /// A vector of the wrong length.
    #[error("module {module}: {vector:?} has {} entries instead of {dimension}; give every vector one entry a coordinate", vector.len())]
    Length {
        /// Index of the module, from 1.
        module: usize,
        /// The vector.
        vector: Vec<i64>,
        /// The dimension.
        dimension: usize,
    },
    /// Linearly dependent generators.
    #[error("module {module}: its generators are linearly dependent; split it into translates of free semigroups")]
    Dependent {
        /// Index of the module, from 1.
        module: usize,
    },
    /// Generators that some sum of them takes back to 0.
    #[error("module {module}: no linear function is positive on all its generators; leave out inverses")]
    NotPointed {
        /// Index of the module, from 1.
        module: usize,
    },
    /// Entries beyond 64 bits.
    #[error(
        "module {module}: split into translates of free semigroups its entries leave 64-bit integers; give smaller ones"
    )]
    Large {
        /// Index of the module, from 1.
        module: usize,
    },
    /// A run that was stopped.
    #[error("{0}")]
    Stopped(StopReason),
    /// A module without bases.
    #[error("module {module} has no bases; leave it out")]
    Empty {
        /// Index of the module, from 1.
        module: usize,
    },
}

impl Stratification {
    /// Sorts the modules, joins those with the same generators, and checks that generators are linearly independent
    /// ([`Stratification::of_modules`] takes any).
    /// Whether different modules are disjoint is a question for vector sets: [`Stratification::overlap`].
    pub fn new(dimension: usize, modules: Vec<Module>) -> Result<Self, StratificationError> {
        let mut joined: Vec<Module> = Vec::new();
        for (index, mut module) in modules.into_iter().enumerate() {
            for vector in module.generators.iter().chain(&module.bases) {
                if vector.len() != dimension {
                    return Err(StratificationError::Length { module: index + 1, vector: vector.clone(), dimension });
                }
            }
            if module.bases.is_empty() {
                return Err(StratificationError::Empty { module: index + 1 });
            }
            module.generators.sort();
            match joined.iter_mut().find(|m| m.generators == module.generators) {
                Some(same) => same.bases.append(&mut module.bases),
                None => joined.push(module),
            }
        }
        for (index, module) in joined.iter_mut().enumerate() {
            module.bases.sort();
            module.bases.dedup();
            if Frame::new(&module.generators).is_none() {
                return Err(StratificationError::Dependent { module: index + 1 });
            }
        }
        joined.sort_by(|a, b| b.generators.len().cmp(&a.generators.len()).then_with(|| a.cmp(b)));
        Ok(Self { dimension, modules: joined })
    }

    /// The dimension d.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The modules in canonical order.
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// The number of translates f + ℕV over all modules.
    pub fn strata(&self) -> usize {
        self.modules.iter().map(|m| m.bases.len()).sum()
    }

    /// Whether x lies in one of the strata.
    ///
    /// # Complexity
    /// O(strata · d²) operations on integers with as many digits as x.
    pub fn contains(&self, x: &[BigInt]) -> bool {
        self.modules.iter().any(|module| {
            let frame = Frame::new(&module.generators).expect("generators are independent by construction");
            module.bases.iter().any(|base| {
                let difference: Vec<BigInt> = x.iter().zip(base).map(|(x, b)| x - b).collect();
                frame.contains(&difference)
            })
        })
    }

    /// Whether the translates f + ℕV are pairwise disjoint inside each module; if not, two that meet.
    ///
    /// Two translates f + ℕV and f' + ℕV of a free semigroup meet if and only if f − f' ∈ ℤV.
    pub fn meeting_translates(&self) -> Option<(Vec<i64>, Vec<i64>)> {
        self.modules.iter().find_map(|module| {
            let frame = Frame::new(&module.generators).expect("generators are independent by construction");
            equal_cosets(&frame, &module.bases)
        })
    }

    /// The smallest point that two different modules share, if there is one: a stratification has none.
    pub fn overlap(&self, effort: &Effort<'_>) -> Result<Option<Vec<BigUint>>, StopReason> {
        let mut union = VectorSet::empty(self.dimension);
        for module in &self.modules {
            let set = module.vector_set(effort)?;
            let common = union.intersection(&set, effort)?;
            if !common.is_empty() {
                return common.smallest(effort);
            }
            union = union.union(&set, effort)?;
        }
        Ok(None)
    }

    /// The set as a vector set. All vectors must be non-negative.
    ///
    /// # Complexity
    /// One projection a generator: F + ℕv = {x : x − nv ∈ F for some n}.
    pub fn vector_set(&self, effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
        let mut union = VectorSet::empty(self.dimension);
        for module in &self.modules {
            union = union.union(&module.vector_set(effort)?, effort)?;
        }
        Ok(union)
    }

    /// The complexity of the stratification (Guo–Miller 2011, Definition 4.9): 1 + log₂|x| summed over all entries x of
    /// generators and bases. The paper's log₂|x| is −∞ at 0; as elsewhere we take log₂ max(|x|, 1).
    pub fn complexity(&self) -> f64 {
        let bits = |v: &Vec<i64>| -> f64 {
            #[allow(clippy::cast_precision_loss)] // a measure, not a count
            v.iter().map(|x| 1.0 + (x.unsigned_abs().max(1) as f64).log2()).sum()
        };
        self.modules.iter().flat_map(|m| m.generators.iter().chain(&m.bases)).map(bits).sum()
    }
}

/// Two bases in the same coset of the group of the frame, if there are any.
fn equal_cosets(frame: &Frame, bases: &[Vec<i64>]) -> Option<(Vec<i64>, Vec<i64>)> {
    let mut seen = std::collections::HashMap::new();
    for base in bases {
        let x: Vec<BigInt> = base.iter().map(|&b| b.into()).collect();
        if let Some(other) = seen.insert(frame.coset(&x), base) {
            return Some((other.clone(), base.clone()));
        }
    }
    None
}
