//! What is known: the exact recursion on a region {f(y) ≤ L}, where no move raises f.

use crate::game::InnerGame;
use crate::outcome::Outcome;
use crate::product::dot;
use crate::recursion::{GrundyTable, Recursion, Region};
use semilinear::integer::{Affine, Int, LinearProgram, Optimum, Rat, vector};
use semilinear::run::{Monitor, StopReason};

use super::table::Oracle;

/// Positive weights, as equal as possible, that no rule raises: they shape regions that contain large cubes with few
/// positions around them. All weights are 1 for games like Nim where a move never makes more heaps.
pub(super) fn weights(game: &InnerGame, monitor: &dyn Monitor) -> Result<Vec<i64>, StopReason> {
    let d = game.dimension();
    let mut inequalities: Vec<Affine> = (0..d)
        .map(|i| {
            let unit: Vec<i64> = (0..d).map(|j| i64::from(i == j)).collect();
            Affine::new(vector(&unit), -1)
        })
        .collect();
    inequalities.extend(game.inner_rules().iter().map(|rule| Affine::new(vector(rule), 0)));
    let program = LinearProgram { dimension: d, inequalities, equations: vec![] };
    let solved = match program.minimum(&vector(&vec![1; d]), monitor)? {
        Optimum::Attained { point, .. } => integers(&point),
        _ => None,
    };
    // The game's own functional is positive on the rules; it may have entries that are not on the orthant.
    let too_large = StopReason::Size { what: "bits of a functional on the positions", limit: 63 };
    solved.or_else(|| game.small_inner_functional()).ok_or(too_large)
}

/// A rational point times its common denominator.
fn integers(point: &[Rat]) -> Option<Vec<i64>> {
    let scale = point.iter().fold(Int::from(1i64), |scale, x| scale.lcm(x.denominator()));
    point.iter().map(|x| (x * &Rat::from(&scale)).to_int().and_then(|x| x.to_i64())).collect()
}

/// What is learned of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Label 1 for P-positions, 0 for all other vectors.
    Outcomes,
    /// Label k + 1 for positions of Grundy value k, 0 for vectors that are no positions.
    Values,
}

impl Target {
    /// The exact condition on a vector's label: whether it is on the board, its label, the labels of what the rules
    /// make of it (`None` for vectors with a negative entry).
    pub fn holds(self, on_board: bool, label: u8, options: &[Option<u8>]) -> bool {
        match self {
            Self::Outcomes => on_board && (label == 1) != options.contains(&Some(1)) || !on_board && label == 0,
            Self::Values => label == if on_board { excluded(options) } else { 0 },
        }
    }
}

/// The least label ≥ 1 that is none of the options': the mex, counted from 1.
pub(super) fn excluded(options: &[Option<u8>]) -> u8 {
    let mut label = 1;
    // At most 254 rules: a label that is not among theirs exists.
    while options.contains(&Some(label)) {
        label += 1;
    }
    label
}

/// The most rules of a game whose values are learned: labels have 8 bits.
const MOST_RULES: usize = 250;

/// Vectors and their labels.
pub(super) struct Sample {
    dimension: usize,
    /// The entries of all vectors, one vector after the other.
    entries: Vec<i64>,
    labels: Vec<u8>,
}

impl Sample {
    fn new(dimension: usize) -> Self {
        Self { dimension, entries: Vec::new(), labels: Vec::new() }
    }

    fn push(&mut self, y: &[i64], label: u8) {
        self.entries.extend_from_slice(y);
        self.labels.push(label);
    }

    /// The vectors with their labels.
    pub fn iter(&self) -> impl Iterator<Item = (&[i64], u8)> {
        self.entries.chunks_exact(self.dimension).zip(self.labels.iter().copied())
    }

    /// The same vectors by increasing largest entry; equal ones stay in their order.
    fn by_largest_entry(&self) -> Self {
        let mut order: Vec<(i64, &[i64], u8)> =
            self.iter().map(|(y, label)| (y.iter().copied().max().unwrap_or(0), y, label)).collect();
        order.sort_by_key(|known| known.0);
        let mut sorted = Self::new(self.dimension);
        for (_, y, label) in order {
            sorted.push(y, label);
        }
        sorted
    }
}

enum Data {
    Outcomes(Recursion),
    Values(GrundyTable),
}

/// Outcomes or values on a region.
pub(super) struct Known<'a> {
    game: &'a InnerGame,
    data: Data,
    weights: &'a [i64],
    level: i64,
}

impl<'a> Known<'a> {
    /// A region with about `positions` positions.
    pub fn new(
        game: &'a InnerGame,
        weights: &'a [i64],
        positions: u64,
        target: Target,
        monitor: &dyn Monitor,
    ) -> Result<Self, StopReason> {
        let d = weights.len();
        // {f ≤ L} has about Lᵈ/(d!·∏fᵢ) points.
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
        let level = {
            let mut volume = positions as f64;
            for (i, &w) in weights.iter().enumerate() {
                volume *= w.max(1) as f64 * (i + 1) as f64;
            }
            (volume.powf(1.0 / d as f64)) as i64
        };
        let too_large = StopReason::Size { what: "positions of the region", limit: positions };
        let region = Region::bounded_by(game, &[(weights.to_vec(), level)])
            .or_else(|| Region::level(game, level))
            .ok_or(too_large)?;
        // Short rows fill their words badly in many dimensions: allow several bytes a position.
        let bytes = positions.saturating_mul(8).clamp(1 << 30, 4 << 30);
        let data = match target {
            Target::Outcomes => Data::Outcomes(Recursion::new(game, &region, bytes, monitor)?),
            Target::Values if game.inner_rules().len() > MOST_RULES => {
                return Err(StopReason::Size { what: "rules (learning Grundy values)", limit: MOST_RULES as u64 });
            }
            Target::Values => Data::Values(GrundyTable::new(game, &region, bytes, monitor)?),
        };
        Ok(Self { game, data, weights, level })
    }

    pub fn positions(&self) -> u64 {
        match &self.data {
            Data::Outcomes(recursion) => recursion.positions(),
            Data::Values(table) => table.positions(),
        }
    }

    pub fn level(&self) -> i64 {
        self.level
    }

    /// An automaton with more states than the data can support is not worth a certificate.
    pub fn trusted_states(&self) -> usize {
        usize::try_from(self.positions() / 4).unwrap_or(usize::MAX)
    }

    fn in_region(&self, y: &[i64]) -> bool {
        dot(self.weights, y).is_some_and(|value| value <= self.level)
    }

    /// Known vectors to compare with, and their labels: all small ones, and some spread over the region.
    pub fn sample(&self) -> Sample {
        const SMALL: usize = 20_000;
        const SPREAD: usize = 20_000;
        let d = self.weights.len();
        let mut sample = Sample::new(d);
        let mut side = 1i64;
        // The largest cube with at most SMALL points, cut to the region.
        while usize::try_from(side + 1).unwrap_or(usize::MAX).saturating_pow(u32::try_from(d).unwrap_or(u32::MAX))
            <= SMALL
        {
            side += 1;
        }
        let mut y = vec![0i64; d];
        'cube: loop {
            if self.in_region(&y)
                && let Some(label) = self.label(&y)
            {
                sample.push(&y, label);
            }
            for yi in &mut y {
                *yi += 1;
                if *yi < side {
                    continue 'cube;
                }
                *yi = 0;
            }
            break;
        }
        let mut sample = sample.by_largest_entry();
        // A fixed sequence of pseudo-random vectors (Lehmer's generator), so that runs repeat.
        let mut seed = 1u64;
        let mut random = |bound: i64| -> i64 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i64::try_from((seed >> 33) % u64::try_from(bound.max(1)).unwrap_or(1)).unwrap_or(0)
        };
        for _ in 0..SPREAD {
            let mut rest = self.level;
            let offset = usize::try_from(random(64)).unwrap_or(0);
            for i in 0..d {
                let i = (i + offset) % d;
                let w = self.weights[i].max(1);
                y[i] = random(rest / w + 1);
                rest -= y[i] * w;
            }
            if let Some(label) = self.label(&y) {
                sample.push(&y, label);
            }
        }
        sample
    }
}

impl Oracle for Known<'_> {
    fn label(&self, y: &[i64]) -> Option<u8> {
        if !self.game.is_inner_position(y) {
            return Some(0);
        }
        match &self.data {
            Data::Outcomes(recursion) => recursion.outcome(y).map(|outcome| u8::from(outcome == Outcome::P)),
            Data::Values(table) => table.grundy(y).map(|value| u8::try_from(value + 1).expect("at most the rules")),
        }
    }
}
