//! Form "stratification": the P-positions of a lattice game as a disjoint union of modules F + ℕV.

use num_bigint::{BigInt, BigUint};
use serde_json::Value;
use thiserror::Error;

use super::modules::ModuleProof;
use super::{AutomatonStrategy, Envelope, Proved, SectorStrategy, Unchecked, board_proof};
use crate::error::{Error, Result};
use crate::lattice::{Chart, Description, LatticeError, LatticeGame};
use crate::outcome::Outcome;
use crate::solve::sector::{Sectors, Stratum, proof};
use semilinear::run::{Monitor, StopReason};
use semilinear::semigroup::{Module, Stratification, StratificationError, stratification_of};
use semilinear::vectorset::{BoxTooLarge, Effort, VectorSet};

/// A lattice game with a stratification of its P-positions, in the user's coordinates.
///
/// ```
/// use impartial::lattice::{Description, LatticeGame};
/// use semilinear::run::Unlimited;
/// use impartial::solve::learn::{Limits, p_positions};
/// use impartial::strategy::{AutomatonStrategy, StratificationStrategy};
/// use semilinear::vectorset::Effort;
/// let game = Description::from_toml("rules = [[1, 0], [0, 1], [2, 2]]").unwrap();
/// let game = LatticeGame::new(&game, &Unlimited).unwrap();
/// let effort = Effort::unlimited();
/// let set = p_positions(&game, &Limits::default(), &Unlimited).finished()?;
/// let automaton = AutomatonStrategy::proved(game, set, &effort)?;
/// let strategy = StratificationStrategy::from_automaton(&automaton, &effort)?;
/// assert_eq!(strategy.strata().modules().len(), 2);
/// # Ok::<(), impartial::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct StratificationStrategy {
    game: LatticeGame,
    strata: Stratification,
    /// What the checker needs; strata by sectors in the plane do without.
    proof: Option<ModuleProof>,
}

/// Why a strategy file of this form cannot be read.
#[derive(Debug, Error)]
pub enum StratificationFileError {
    /// The certificate has another shape.
    #[error("strategy file: certificate.modules: {0}; solve the game again")]
    Shape(#[from] serde_json::Error),
    /// The modules are none.
    #[error("strategy file: {0}")]
    Modules(#[from] StratificationError),
    /// The game is not sound.
    #[error("strategy file: {0}")]
    Game(#[from] LatticeError),
}

impl From<StratificationFileError> for Error {
    fn from(error: StratificationFileError) -> Self {
        match error {
            StratificationFileError::Game(LatticeError::Stopped(why))
            | StratificationFileError::Modules(StratificationError::Stopped(why)) => why.into(),
            error => Self::input(error),
        }
    }
}

impl StratificationStrategy {
    /// Extracts a stratification from a proved automaton; exact, see [`stratification_of`].
    pub fn from_automaton(automaton: &Proved<AutomatonStrategy>, effort: &Effort<'_>) -> Result<Proved<Self>> {
        let inner = stratification_of(automaton.set(), effort)?;
        let chart = automaton.game().chart();
        let too_large = StopReason::Size { what: "bits of a stratum's entries", limit: 63 };
        let strata = if chart.is_identity() { Some(inner) } else { outer(&inner, chart) };
        Ok(Proved::by_check(Self::of_strata(automaton.game().clone(), strata.ok_or(too_large)?, effort)?))
    }

    /// The strata of a strategy by sectors, if they are disjoint modules. The finite box of the sector method proves both that
    /// they are the P-positions and that they are disjoint (`docs/theory/sectors.md`); no automaton is made.
    ///
    /// Inside one module translates may meet; modules may not, as in Guo–Miller's definition.
    pub fn from_sectors(sectors: &Proved<SectorStrategy>, monitor: &dyn Monitor) -> Result<Proved<Self>> {
        let sectors = SectorStrategy::p_positions(sectors);
        match proof::overlap(sectors.game(), sectors.sectors(), monitor)? {
            Ok(None) => {}
            Ok(Some(x)) => {
                return Err(Error::Input(format!("two modules meet at {x:?}; convert to an automaton first")));
            }
            Err(why) => return Err(Error::input(why)),
        }
        let found = sectors.sectors();
        let ray = |&i: &usize| found.rays()[i].to_vec();
        let modules = found
            .strata()
            .iter()
            .filter(|stratum| !stratum.points.is_empty())
            .map(|stratum| Module {
                generators: stratum.generators.iter().map(ray).collect(),
                bases: stratum.points.iter().map(|f| f.to_vec()).collect(),
            })
            .collect();
        let inner = Stratification::new(2, modules).map_err(Error::input)?;
        let too_large = StopReason::Size { what: "bits of a stratum's entries", limit: 63 };
        let strata = outer(&inner, sectors.game().chart()).ok_or(too_large)?;
        Ok(Proved::by_check(Self::without_automata(sectors.game().clone(), strata)))
    }

    /// Strata as somebody claims them, without the automata that the checker needs elsewhere than in the plane.
    pub(crate) fn without_automata(game: LatticeGame, strata: Stratification) -> Self {
        Self { game, strata, proof: None }
    }

    /// P₀ + 2ℕᵈ of a squarefree game in normal play, with P₀ taken from its parity kernel (erratum, Theorem 3).
    pub(crate) fn of_kernel(game: LatticeGame, p0: Vec<Vec<u8>>, effort: &Effort<'_>) -> Result<Proved<Self>> {
        let d = game.dimension();
        let module = Module {
            generators: (0..d).map(|i| (0..d).map(|j| 2 * i64::from(i == j)).collect()).collect(),
            bases: p0.into_iter().map(|x| x.into_iter().map(i64::from).collect()).collect(),
        };
        let strata = Stratification::new(d, vec![module]).map_err(Error::input)?;
        Ok(Proved::by_check(Self::of_strata(game, strata, effort)?))
    }

    /// Strata as somebody claims them, with the automata that the checker needs.
    pub(crate) fn of_strata(
        game: LatticeGame,
        strata: Stratification,
        effort: &Effort<'_>,
    ) -> Result<Self, StopReason> {
        let chart = Some(game.chart()).filter(|chart| !chart.is_identity());
        let proof = ModuleProof::new(strata.modules(), chart, effort)?;
        Ok(Self { game, strata, proof })
    }

    /// The game.
    pub fn game(&self) -> &LatticeGame {
        &self.game
    }

    /// The strata in the user's coordinates.
    pub fn strata(&self) -> &Stratification {
        &self.strata
    }

    /// The outcome of a position of any size; `None` when the point is not a position.
    ///
    /// # Complexity
    /// O(strata · d²) operations on integers with as many digits as the position.
    pub fn outcome(&self, x: &[BigInt]) -> Option<Outcome> {
        self.game.is_position_big(x).then(|| Outcome::p_if(self.strata.contains(x)))
    }

    /// The options of a position that are P-positions, in the order of the rules.
    pub fn winning_moves(&self, x: &[BigInt]) -> Vec<Vec<BigInt>> {
        let mut moves = self.game.options_big(x);
        moves.retain(|option| self.outcome(option) == Some(Outcome::P));
        moves
    }

    /// The same strategy as an automaton, proved anew.
    pub fn automaton(&self, effort: &Effort<'_>) -> Result<Proved<AutomatonStrategy>> {
        AutomatonStrategy::proved(self.game.clone(), self.vector_set(effort)?, effort)
    }

    /// The number of P-positions with 0 ≤ xᵢ < sizes\[i\]: in the plane translate by translate where they are disjoint,
    /// else by way of the automaton.
    pub fn count(&self, sizes: &[BigUint], monitor: &dyn Monitor) -> Result<BigUint, BoxTooLarge> {
        if let (2, true, [width, height]) = (self.strata.dimension(), self.game.chart().is_identity(), sizes) {
            let sectors = sectors_of(self.strata.modules());
            if matches!(proof::repeated(&self.game, &sectors, monitor)?, Ok(None)) {
                return Ok(sectors.count(&[width.clone(), height.clone()]));
            }
        }
        let set = self.vector_set(&Effort::new(1 << 24, monitor))?;
        AutomatonStrategy::claimed(self.game.clone(), set).claim().count(sizes, monitor)
    }

    /// The union of the strata in inner coordinates.
    pub(super) fn vector_set(&self, effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
        let too_large = StopReason::Size { what: "bits of a stratum's entries", limit: 63 };
        inner(&self.strata, self.game.chart()).ok_or(too_large)?.vector_set(effort)
    }

    /// The strategy file.
    pub fn to_envelope(&self) -> Envelope {
        let mut certificate = board_proof(&self.game);
        self.write_modules(&mut certificate);
        Envelope {
            form: "stratification".into(),
            play: self.game.play(),
            game: self.game.to_json(),
            certificate: Value::Object(certificate),
        }
    }

    /// The modules with their automata, as certificates have them.
    pub(super) fn write_modules(&self, certificate: &mut serde_json::Map<String, Value>) {
        ModuleProof::write(self.proof.as_ref(), self.strata.modules(), certificate);
    }

    /// Reads a strategy file; the claim itself is the checker's business. Modules with dependent generators are split into free ones.
    pub fn from_envelope(
        envelope: &Envelope,
        monitor: &dyn Monitor,
    ) -> Result<Unchecked<Self>, StratificationFileError> {
        let game = LatticeGame::new(&Description::from_json(&envelope.game)?, monitor)?;
        let (modules, proof) = ModuleProof::read(&envelope.certificate)?;
        let strata = Stratification::of_modules(game.dimension(), modules.clone(), monitor)?;
        // Automata belong to the modules in the order of the file.
        let proof = proof.filter(|_| strata.modules() == modules);
        Ok(Unchecked::new(Self { game, strata, proof }))
    }
}

/// Modules of the plane, in inner coordinates, as strata along the rays that their generators are, counterclockwise.
pub(crate) fn sectors_of(modules: &[Module]) -> Sectors {
    let pairs = |list: &[Vec<i64>]| -> Vec<[i64; 2]> { list.iter().map(|v| [v[0], v[1]]).collect() };
    let mut rays: Vec<[i64; 2]> = modules.iter().flat_map(|module| pairs(&module.generators)).collect();
    // No entry is negative.
    let slope = |u: &[i64; 2], v: &[i64; 2]| i128::from(u[1]) * i128::from(v[0]);
    rays.sort_by(|u, v| slope(u, v).cmp(&slope(v, u)).then(u.cmp(v)));
    rays.dedup();
    let strata = modules.iter().map(|module| {
        let own = pairs(&module.generators);
        let generators = (0..rays.len()).filter(|&i| own.contains(&rays[i])).collect();
        Stratum { value: 0, generators, points: pairs(&module.bases) }
    });
    Sectors::new(rays.clone(), strata.collect())
}

/// The strata in other coordinates.
fn mapped(
    strata: &Stratification,
    vector: impl Fn(&[i64]) -> Option<Vec<i64>>,
    point: impl Fn(&[i64]) -> Option<Vec<i64>>,
) -> Option<Stratification> {
    let modules: Option<Vec<Module>> = strata
        .modules()
        .iter()
        .map(|module| {
            let generators = module.generators.iter().map(|v| vector(v)).collect::<Option<_>>()?;
            let bases = module.bases.iter().map(|f| point(f)).collect::<Option<_>>()?;
            Some(Module { generators, bases })
        })
        .collect();
    Stratification::new(strata.dimension(), modules?).ok()
}

fn outer(strata: &Stratification, chart: &Chart) -> Option<Stratification> {
    let origin = chart.outer(&vec![0; strata.dimension()])?;
    // A vector is the difference of two points.
    let vector = |v: &[i64]| {
        let end = chart.outer(v)?;
        end.iter().zip(&origin).map(|(e, o)| e.checked_sub(*o)).collect()
    };
    mapped(strata, vector, |f| chart.outer(f))
}

fn inner(strata: &Stratification, chart: &Chart) -> Option<Stratification> {
    let inner = mapped(strata, |v| chart.inner_vector(v), |f| chart.inner(f))?;
    let natural = inner.modules().iter().flat_map(|m| m.generators.iter().chain(&m.bases)).flatten().all(|&x| x >= 0);
    natural.then_some(inner)
}
