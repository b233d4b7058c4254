//! Sets of integer vectors that need belong to no game: read, combined, counted, listed.
//!
//! A set is read from a strategy file (its P-positions) or from TOML; see [`Set::open`]. Inside it is a canonical automaton, so
//! that equality is exact; results are written as stratifications (Guo–Miller 2011, Theorem 4.2 and Lemmas 3.5, 5.2).

mod hilbert;
mod report;

use num_bigint::{BigInt, BigUint};
use semilinear::integer::{Int, Matrix, Rat, Vector, hermite, solve, unit_vector, vector, zero_vector};
use semilinear::polyhedron::Cone;
use semilinear::semigroup::{AffineSemigroup, Module, Stratification, stratification_of};
use semilinear::series::{Series, Term};
use semilinear::vectorset::{Effort, Relation, VectorSet};
use serde::Deserialize;

use super::Ask;
use super::form::{Body, Form};
use super::position::point_text;
use super::report::Natural;
use super::strategy::Strategy;
use crate::error::{Error, Result};
use crate::render;

pub use report::{
    BasisReport, ContainsReport, EqualReport, HilbertSeriesReport, MembersReport, SetCountReport, SetReport,
};

/// Automata may have this many states.
const STATES: usize = 1 << 23;
/// More coordinates than this are not stated.
const MOST_COORDINATES: usize = 64;
/// A module has no more generators than this.
const MOST_GENERATORS: usize = 20;
/// No more members than this are listed.
const MOST_MEMBERS: usize = 1_000_000;

/// A set of vectors of ℕᵈ, or a cone with its lattice.
///
/// ```
/// use impartial::prelude::*;
/// use impartial::game::Set;
/// let ask = Ask::new();
/// let evens = Set::open("kind = \"semigroup\"\ngenerators = [[2, 0], [0, 2]]", &ask)?;
/// let sums = Set::open("kind = \"semigroup\"\ngenerators = [[1, 1], [2, 0], [0, 2]]", &ask)?;
/// let rest = sums.difference(&evens, &ask)?; // both coordinates odd
/// assert_eq!(rest.count(&[10_u32.into(), 10_u32.into()], &ask)?.count.to_string(), "25");
/// assert_eq!(sums.equal(&evens, &ask)?.witness.as_deref(), Some("(1,1)"));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Set {
    dimension: usize,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Vectors(VectorSet),
    Semigroup(AffineSemigroup),
    /// A cone, over ℤᵈ or over the lattice that its rays generate.
    Cone {
        cone: Cone,
        lattice: Option<Matrix>,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    kind: String,
    /// The number of coordinates, for sets without vectors.
    dimension: Option<usize>,
    modules: Option<Vec<Module>>,
    terms: Option<Vec<FileTerm>>,
    generators: Option<Vec<Vec<i64>>>,
    rays: Option<Vec<Vec<i64>>>,
    inequalities: Option<Vec<Vec<i64>>>,
    equations: Option<Vec<Vec<i64>>>,
    lattice: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTerm {
    coefficient: i64,
    numerator: Vec<i64>,
    #[serde(default)]
    denominators: Vec<Vec<i64>>,
}

fn effort<'a>(ask: &Ask<'a>) -> Effort<'a> {
    Effort::new(STATES, ask.monitor)
}

/// The common length of vectors, which is the stated one where one is stated, or bad input.
fn dimension<'a>(stated: Option<usize>, vectors: impl Iterator<Item = &'a Vec<i64>>) -> Result<usize> {
    if let Some(d) = stated.filter(|d| !(1..=MOST_COORDINATES).contains(d)) {
        return Err(Error::Input(format!("dimension = {d} is not from 1 to {MOST_COORDINATES}")));
    }
    let mut found = stated;
    for v in vectors {
        if *found.get_or_insert(v.len()) != v.len() || v.is_empty() {
            let than = if stated.is_some() { "`dimension` says" } else { "the vectors before" };
            return Err(Error::Input(format!("{} has another number of entries than {than}", point_text(v))));
        }
    }
    found.ok_or_else(|| Error::input("no vector at all; give at least one, or `dimension` for the empty set"))
}

/// Congruences a·x ≡ 0 that tell which vectors of the space of a lattice, given by its Hermite form, lie in it.
///
/// The coordinates y of x = yB are those of its entries in the pivot columns, by the inverse of that square part of B; they must
/// be integers.
fn congruences(lattice: &Matrix) -> Vec<(Vector, Int)> {
    let pivots: Vec<usize> = lattice.iter_rows().filter_map(|row| row.iter().position(|x| !x.is_zero())).collect();
    let square: Vec<Vector> = lattice.iter_rows().map(|row| pivots.iter().map(|&c| row[c].clone()).collect()).collect();
    let columns = Matrix::from_rows(pivots.len(), &square).transposed();
    let inverse: Vec<Vec<Rat>> =
        (0..pivots.len()).map(|j| solve(&columns, &unit_vector(pivots.len(), j)).expect("pivots are not 0")).collect();
    (0..pivots.len())
        .map(|i| {
            let modulus = inverse.iter().fold(Int::ONE, |m, y| m.lcm(y[i].denominator()));
            let mut row = zero_vector(lattice.columns());
            for (&c, y) in pivots.iter().zip(&inverse) {
                row[c] = y[i].numerator() * &modulus.exact_div(y[i].denominator());
            }
            (row, modulus)
        })
        .collect()
}

/// All sums of generators, which must lie in ℕᵈ.
fn generated(d: usize, generators: &[Vector], ask: &Ask) -> Result<VectorSet> {
    let small = |v: &Vector| v.iter().map(Int::to_i64).collect::<Option<Vec<i64>>>();
    let generators: Option<Vec<Vec<i64>>> = generators.iter().map(small).collect();
    let generators =
        generators.ok_or_else(|| Error::input("a generator has an entry beyond 2^63; give smaller ones"))?;
    union_of(Some(d), &[Module { generators, bases: vec![vec![0; d]] }], ask)
}

/// The union of modules in ℕᵈ.
fn union_of(stated: Option<usize>, modules: &[Module], ask: &Ask) -> Result<VectorSet> {
    let d = dimension(stated, modules.iter().flat_map(|m| m.generators.iter().chain(&m.bases)))?;
    let mut set = VectorSet::empty(d);
    for module in modules {
        if module.generators.len() > MOST_GENERATORS {
            return Err(Error::Input(format!("a module has more than {MOST_GENERATORS} generators; give fewer")));
        }
        if let Some(v) = module.generators.iter().chain(&module.bases).find(|v| v.iter().any(|&x| x < 0)) {
            return Err(Error::Input(format!(
                "{} has a negative entry; sets here are sets of vectors of N^d",
                point_text(v)
            )));
        }
        let generators: Vec<Vec<i64>> =
            module.generators.iter().filter(|v| v.iter().any(|&x| x != 0)).cloned().collect();
        for base in &module.bases {
            set = set.union(&VectorSet::image(base, &generators, &effort(ask))?, &effort(ask))?;
        }
    }
    Ok(set)
}

/// The set that a series lists: its coefficients are 0 and 1.
fn listed(series: &Series, ask: &Ask) -> Result<VectorSet> {
    let effort = effort(ask);
    let mut levels = series.level_sets(&effort)?.ok_or_else(|| {
        Error::input(
            "the terms of a series of a set have linearly independent denominators and no negative entries; split the others",
        )
    })?;
    let one = levels.remove(&Rat::ONE);
    levels.remove(&Rat::ZERO);
    if let Some((value, level)) = levels.iter().next()
        && let Some(x) = level.smallest(&effort)?
    {
        let at = point_text(&x);
        return Err(Error::Input(format!(
            "the coefficient at {at} is {value}; in the series of a set each is 0 or 1: subtract what is listed twice"
        )));
    }
    Ok(one.unwrap_or_else(|| VectorSet::empty(series.dimension())))
}

impl Set {
    /// Reads a set: a strategy file, which is checked first and gives its P-positions, or TOML with `kind` one of
    /// `stratification` (`modules`), `series` (`terms` whose sum has the coefficients 0 and 1), `semigroup` (`generators`), `cone` (`rays`, or
    /// `inequalities` and `equations`; `lattice = "generated"`), `polyhedron` (`inequalities` with a constant at the end).
    pub fn open(text: &str, ask: &Ask) -> Result<Self> {
        if text.trim_start().starts_with('{') {
            let claimed = Strategy::load(text, ask)?;
            claimed.answers_in(ask)?;
            return Self::of_strategy(&claimed.verify(ask)?, ask);
        }
        if text.trim_start().starts_with("lsd_") || text.trim_start().starts_with("msd_") {
            return Ok(Self::vectors(render::set_from_walnut(text, &Effort::new(STATES, ask.monitor))?));
        }
        let file: File = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
            Error::Input(format!("line {line}: {}; a set has kind = \"stratification\", \"series\", \"semigroup\", \"cone\" or \"polyhedron\"", error.message()))
        })?;
        let missing = |key: &str| Error::Input(format!("kind = \"{}\" needs `{key}`", file.kind));
        match file.kind.as_str() {
            "stratification" => {
                let modules = file.modules.ok_or_else(|| missing("modules"))?;
                Ok(Self::vectors(union_of(file.dimension, &modules, ask)?))
            }
            "semigroup" => {
                let generators = file.generators.ok_or_else(|| missing("generators"))?;
                let d = dimension(file.dimension, generators.iter())?;
                let kept = generators.iter().filter(|v| v.iter().any(|&x| x != 0)).map(|v| vector(v)).collect();
                let semigroup = AffineSemigroup::new(d, kept).map_err(Error::input)?;
                Ok(Self { dimension: d, content: Content::Semigroup(semigroup) })
            }
            "series" => {
                let terms = file.terms.ok_or_else(|| missing("terms"))?;
                let d =
                    dimension(file.dimension, terms.iter().flat_map(|t| t.denominators.iter().chain([&t.numerator])))?;
                let term = |t: FileTerm| Term {
                    coefficient: Rat::from(t.coefficient),
                    exponent: vector(&t.numerator),
                    denominators: t.denominators.iter().map(|a| vector(a)).collect(),
                };
                listed(&Series::new(d, terms.into_iter().map(term).collect())?, ask).map(Self::vectors)
            }
            "cone" => Self::cone(&file, ask),
            "polyhedron" => {
                let rows = file.inequalities.ok_or_else(|| missing("inequalities"))?;
                let d = dimension(file.dimension.map(|d| d.saturating_add(1)), rows.iter())?
                    .checked_sub(1)
                    .filter(|&d| d > 0)
                    .ok_or_else(|| {
                        Error::input("a row of a polyhedron has the coefficients and a constant: [a1, …, ad, b]")
                    })?;
                let mut set = VectorSet::full(d);
                for row in &rows {
                    let half = VectorSet::linear(&row[..d], row[d], Relation::AtLeastZero, &effort(ask))?;
                    set = set.intersection(&half, &effort(ask))?;
                }
                Ok(Self::vectors(set))
            }
            other => Err(Error::Input(format!(
                "kind = \"{other}\" is not known; it is stratification, series, semigroup, cone or polyhedron"
            ))),
        }
    }

    fn cone(file: &File, ask: &Ask) -> Result<Self> {
        let empty = Vec::new();
        let lists = [&file.rays, &file.inequalities, &file.equations].map(|list| list.as_ref().unwrap_or(&empty));
        let d = dimension(file.dimension, lists.into_iter().flatten())?;
        let vectors = |list: &[Vec<i64>]| list.iter().map(|v| vector(v)).collect::<Vec<Vector>>();
        let cone = match (&file.rays, &file.inequalities, &file.equations) {
            (Some(rays), None, None) => Cone::from_generators(d, &vectors(rays), &[], ask.monitor)?,
            (None, inequalities, equations) if inequalities.is_some() || equations.is_some() => {
                // Equations alone mean the part of the orthant that satisfies them.
                let rows = match inequalities {
                    Some(rows) => vectors(rows),
                    None => (0..d).map(|i| unit_vector(d, i)).collect(),
                };
                Cone::from_inequalities(d, &rows, &vectors(lists[2]), ask.monitor)?
            }
            _ => return Err(Error::input("a cone has rays, or inequalities and equations; give one of both")),
        };
        let lattice = match (file.lattice.as_deref(), &file.rays) {
            (None, _) => None,
            (Some("generated"), Some(rays)) => {
                let rows = vectors(rays);
                let rows: Vec<&[Int]> = rows.iter().map(Vec::as_slice).collect();
                let h = hermite(&Matrix::from_rows(d, &rows));
                Some(h.form.row_range(0, h.pivots.len()))
            }
            (Some(other), _) => {
                return Err(Error::Input(format!(
                    "lattice = \"{other}\": it is \"generated\", with rays, or left out"
                )));
            }
        };
        Ok(Self { dimension: d, content: Content::Cone { cone, lattice } })
    }

    /// The P-positions of a strategy of a lattice game, which must lie in ℕᵈ.
    pub fn of_strategy(strategy: &Strategy, ask: &Ask) -> Result<Self> {
        let automaton = strategy.convert(Form::Automaton, ask)?;
        match &*automaton.body {
            Body::Automaton(form) if form.game().chart().is_identity() => Ok(Self::vectors(form.set().clone())),
            Body::ChainsSet(form) => Ok(Self::vectors(form.set.vector_set(&effort(ask))?)),
            _ => Err(Error::input("the board has other coordinates than N^d; `set` works with sets of vectors of N^d")),
        }
    }

    fn vectors(set: VectorSet) -> Self {
        Self { dimension: set.dimension(), content: Content::Vectors(set) }
    }

    /// The set as an automaton; a cone is cut with ℕᵈ.
    fn automaton(&self, ask: &Ask) -> Result<VectorSet> {
        let (cone, lattice) = match &self.content {
            Content::Vectors(set) => return Ok(set.clone()),
            Content::Semigroup(semigroup) => return generated(self.dimension, semigroup.generators(), ask),
            Content::Cone { cone, lattice } => (cone, lattice),
        };
        let effort = effort(ask);
        let big = |row: &[Int]| row.iter().map(Int::to_big).collect::<Vec<BigInt>>();
        let mut set = VectorSet::full(self.dimension);
        for row in cone.facets() {
            let half = VectorSet::linear_big(&big(row), &BigInt::ZERO, Relation::AtLeastZero, &effort)?;
            set = set.intersection(&half, &effort)?;
        }
        for row in cone.equations().iter_rows() {
            let plane = VectorSet::linear_big(&big(row), &BigInt::ZERO, Relation::Zero, &effort)?;
            set = set.intersection(&plane, &effort)?;
        }
        for (row, modulus) in lattice.iter().flat_map(congruences) {
            let class = VectorSet::congruence_big(&big(&row), &BigInt::ZERO, &modulus.to_big(), &effort)?;
            set = set.intersection(&class, &effort)?;
        }
        Ok(set)
    }

    fn combined(
        &self,
        other: &Self,
        ask: &Ask,
        combine: impl FnOnce(&VectorSet, &VectorSet, &Effort<'_>) -> Result<VectorSet, semilinear::run::StopReason>,
    ) -> Result<Self> {
        if self.dimension != other.dimension {
            return Err(Error::Input(format!(
                "a set of {} coordinates and one of {}; give sets of the same dimension",
                self.dimension, other.dimension
            )));
        }
        Ok(Self::vectors(combine(&self.automaton(ask)?, &other.automaton(ask)?, &effort(ask))?))
    }

    /// The union.
    pub fn union(&self, other: &Self, ask: &Ask) -> Result<Self> {
        self.combined(other, ask, VectorSet::union)
    }

    /// The intersection: of generating functions, the Hadamard product.
    pub fn intersection(&self, other: &Self, ask: &Ask) -> Result<Self> {
        self.combined(other, ask, VectorSet::intersection)
    }

    /// What lies in this set and not in the other.
    pub fn difference(&self, other: &Self, ask: &Ask) -> Result<Self> {
        self.combined(other, ask, VectorSet::difference)
    }

    /// The rest of ℕᵈ.
    pub fn complement(&self, ask: &Ask) -> Result<Self> {
        Ok(Self::vectors(self.automaton(ask)?.complement()))
    }

    /// The vectors x + v of ℕᵈ.
    pub fn translate(&self, v: &[BigInt], ask: &Ask) -> Result<Self> {
        if v.len() != self.dimension {
            return Err(Error::Input(format!(
                "a vector of {} entries for a set of {} coordinates",
                v.len(),
                self.dimension
            )));
        }
        Ok(Self::vectors(self.automaton(ask)?.translation(v, &effort(ask))?))
    }

    /// The projection to the coordinates named, counted from 1, in this order.
    pub fn project(&self, coordinates: &[usize], ask: &Ask) -> Result<Self> {
        let sound = |&i: &usize| (1..=self.dimension).contains(&i);
        let mut kept: Vec<usize> = coordinates.to_vec();
        kept.sort_unstable();
        kept.dedup();
        if coordinates.is_empty() || kept.len() != coordinates.len() || !coordinates.iter().all(sound) {
            return Err(Error::Input(format!(
                "--to: name coordinates from 1 to {}, each once, such as 1,2",
                self.dimension
            )));
        }
        let gone: Vec<usize> = (0..self.dimension).filter(|i| !coordinates.contains(&(i + 1))).collect();
        let effort = effort(ask);
        let projected = self.automaton(ask)?.exists(&gone, &effort)?;
        // The coordinates that are left come in increasing order; place each where it was asked for.
        let order: Vec<usize> =
            coordinates.iter().map(|i| kept.iter().position(|k| k == i).expect("a coordinate that is kept")).collect();
        Ok(Self::vectors(projected.permuted(&order, &effort)?))
    }

    /// The number of coordinates.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The N-positions of a strategy of a lattice game: the board without the P-positions.
    pub fn of_n_positions(strategy: &Strategy, ask: &Ask) -> Result<Self> {
        let automaton = strategy.convert(Form::Automaton, ask)?;
        match &*automaton.body {
            Body::Automaton(form) if form.game().chart().is_identity() => {
                let (game, effort) = (form.game(), effort(ask));
                let d = game.dimension();
                let mut board = VectorSet::full(d);
                for row in game.inner_rows() {
                    let half = VectorSet::linear(&row[..d], row[d], Relation::AtLeastZero, &effort)?;
                    board = board.intersection(&half, &effort)?;
                }
                let natural = |x: &i64| BigUint::try_from(*x).unwrap_or_default();
                let defeated: Vec<Vec<BigUint>> =
                    game.inner_defeated().iter().map(|x| x.iter().map(natural).collect()).collect();
                let out = VectorSet::finite(d, &defeated, &effort)?.union(form.set(), &effort)?;
                Ok(Self::vectors(board.difference(&out, &effort)?))
            }
            _ => Err(Error::input(
                "the N-positions are given as a set for lattice games whose board lies in N^d in its own coordinates",
            )),
        }
    }

    /// Whether a vector belongs to the set.
    pub fn contains(&self, x: &[BigInt], ask: &Ask) -> Result<ContainsReport> {
        if x.len() != self.dimension {
            return Err(Error::Input(format!(
                "a vector of {} entries for a set of {} coordinates",
                x.len(),
                self.dimension
            )));
        }
        let natural: Option<Vec<BigUint>> = x.iter().map(BigInt::to_biguint).collect();
        let contains = match natural {
            Some(x) => self.automaton(ask)?.contains(&x),
            None => false,
        };
        Ok(ContainsReport { vector: point_text(x), contains })
    }

    /// The holes of a semigroup: what its saturation has (the group in the cone) and the semigroup has not.
    pub fn holes(&self, ask: &Ask) -> Result<Self> {
        let Content::Semigroup(semigroup) = &self.content else {
            return Err(Error::input("holes: give a semigroup by its generators (kind = \"semigroup\")"));
        };
        let all = generated(self.dimension, &semigroup.saturation_basis(ask.monitor)?, ask)?;
        Ok(Self::vectors(all.difference(&self.automaton(ask)?, &effort(ask))?))
    }

    /// Whether two sets are equal, with a vector in one of them only when they are not.
    pub fn equal(&self, other: &Self, ask: &Ask) -> Result<EqualReport> {
        let difference = self.combined(other, ask, VectorSet::symmetric_difference)?;
        let witness = difference.automaton(ask)?.smallest(&effort(ask))?.map(|x| point_text(&x));
        Ok(EqualReport { equal: witness.is_none(), witness })
    }

    /// The number of elements with 0 ≤ xᵢ < sizes\[i\]; one size stands for all.
    pub fn count(&self, sizes: &[BigUint], ask: &Ask) -> Result<SetCountReport> {
        let sizes = super::lattice::answer::sized(sizes, self.dimension)?;
        Ok(SetCountReport { count: self.automaton(ask)?.count(&sizes, ask.monitor)?.into() })
    }

    /// The elements with 0 ≤ xᵢ < sizes\[i\], sorted; one size stands for all.
    pub fn members(&self, sizes: &[BigUint], ask: &Ask) -> Result<MembersReport> {
        let sizes = super::lattice::answer::sized(sizes, self.dimension)?;
        let effort = effort(ask);
        let mut inside = self.automaton(ask)?;
        for (i, size) in sizes.iter().enumerate() {
            let minus: Vec<BigInt> = (0..self.dimension).map(|j| BigInt::from(-i32::from(i == j))).collect();
            let bound = BigInt::from(size.clone()) - 1;
            inside = inside
                .intersection(&VectorSet::linear_big(&minus, &bound, Relation::AtLeastZero, &effort)?, &effort)?;
        }
        let mut members: Vec<Vec<Natural>> = Vec::new();
        for x in inside.elements(&vec![1; self.dimension], &effort)? {
            ask.monitor.check(members.len() as u64, None)?;
            if members.len() == MOST_MEMBERS {
                return Err(semilinear::run::StopReason::Size { what: "members", limit: MOST_MEMBERS as u64 }.into());
            }
            members.push(x.into_iter().map(Natural::from).collect());
        }
        members.sort();
        Ok(MembersReport { count: members.len(), members })
    }

    /// The set as a stratification.
    pub fn stratification(&self, ask: &Ask) -> Result<Stratification> {
        Ok(stratification_of(&self.automaton(ask)?, &effort(ask))?)
    }

    /// What the set is: its strata, written out.
    pub fn report(&self, ask: &Ask) -> Result<SetReport> {
        let states = self.automaton(ask)?.states();
        let strata = self.stratification(ask)?;
        let text = render::stratification(&strata, render::Syntax::Text).unwrap_or_default().replacen("P = ", "", 1);
        Ok(SetReport {
            dimension: self.dimension,
            states,
            strata: strata.strata(),
            terms: strata.strata(),
            modules: strata.modules().to_vec(),
            text,
        })
    }
}
