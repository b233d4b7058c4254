//! Poset games with two infinite chains (Byrnes 2002): a finite poset A, chains C: c₁ < c₂ < … and
//! D: d₁ < d₂ < …, and no element of C below an element of D (condition (1) of the paper).
//!
//! A position is a finite order ideal of A ∪ C ∪ D, written (B, m, n): an order ideal B of A, the
//! first m elements of C and the first n elements of D. A move takes an element and all above it.
//! Chomp with all rows but the top two fixed is such a game: without the poisoned square, D is row 1
//! from column 2 on, C is row 2, A the rows below.

mod cross;
mod file;
mod normal;
mod position;
mod skeleton;

pub use cross::{Cross, CrossError, LARGEST, Slope};
pub use normal::{ElementType, NormalForm};
pub use position::{Position, PositionError};
pub use skeleton::{MOST_ELEMENTS, Meeting, Skeleton};

use thiserror::Error;

/// The finite part of a chains game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Board {
    /// An explicit poset with thresholds.
    Poset(Skeleton),
    /// Chomp: the lengths of the fixed rows, longest first, none of them 0. The rows above them are
    /// the chains.
    Chomp(Vec<u32>),
}

/// A poset game with one or two infinite chains.
///
/// ```
/// use impartial::poset::chains::ChainsGame;
/// let game = ChainsGame::chomp(&[5, 3]).unwrap();
/// assert_eq!(game.name(), "chomp-chains:5,3");
/// assert_eq!(game.chains(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainsGame {
    name: String,
    board: Board,
    chains: u8,
}

/// Why a description is not a chains game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChainsError {
    /// The file has another shape.
    #[error("{0}")]
    Shape(String),
    /// The relation between the chains is no such function.
    #[error(transparent)]
    Cross(#[from] CrossError),
    /// A has too many elements.
    #[error("{size} elements besides the chains; at most {limit} are allowed")]
    TooManyElements {
        /// How many there are.
        size: usize,
        /// How many may be.
        limit: usize,
    },
    /// A name that is not an element.
    #[error("{place}: \"{name}\" is not an element; add it to `elements`, or correct the name")]
    UnknownElement {
        /// Where it stands.
        place: String,
        /// The name.
        name: String,
    },
    /// A name that stands twice in `elements`.
    #[error("elements: \"{0}\" stands twice; give every element its own name")]
    TwiceNamed(String),
    /// A name that the notation of positions cannot hold.
    #[error("elements: \"{0}\" cannot be a name; use letters, digits and any of _ . ' -")]
    BadName(String),
    /// An element is below itself.
    #[error("\"{0}\" would be below itself; the relations, closed under transitivity, are no order")]
    Cycle(String),
    /// Some c is below some d.
    #[error(
        "c1 < {through} < d{d}: an element of C lies below an element of D, against condition (1) of the \
         periodicity theorem; exchange the two chains, or put the first elements of C into `elements`"
    )]
    Violates1 {
        /// The element between.
        through: String,
        /// The first d above it.
        d: u64,
    },
    /// The file says that elements of C lie below elements of D.
    #[error(
        "[cross]: c_below_d: an element of C lies below an element of D, against condition (1) of the \
         periodicity theorem; exchange the two chains (then write d_below_c), or, if only finitely many \
         elements of C are meant, put them into `elements`"
    )]
    CBelowD,
    /// d < a < c, but the relation between the chains does not say so.
    #[error(
        "d{} < {through} < c{c}, but d_below_c says that only {given} elements of D lie below c{c}; raise that entry",
        needed.map_or("∞".to_string(), |n| n.to_string())
    )]
    CrossTooSmall {
        /// The element between.
        through: String,
        /// The first c above it.
        c: u64,
        /// How many elements of D are below it; `None` for all.
        needed: Option<u64>,
        /// How many the relation says are below that c.
        given: u64,
    },
    /// Elements of a chain are counted from 1.
    #[error("[{chain}] first_above: {name} = 0; the elements of a chain are counted from 1")]
    Zero {
        /// The element.
        name: String,
        /// `c` or `d`.
        chain: char,
    },
    /// A threshold beyond [`LARGEST`].
    #[error("\"{name}\": {number} is beyond the largest number of a chains game, {LARGEST}")]
    Large {
        /// The element.
        name: String,
        /// The number.
        number: u64,
    },
    /// Chomp rows that grow.
    #[error("rows {0}: each row of a Chomp board is at most as long as the one above it; sort the lengths")]
    Rows(String),
    /// A Chomp row beyond the limit.
    #[error("row length {0} is beyond the largest number of a chains game, {LARGEST}")]
    LongRow(u64),
}

impl ChainsGame {
    /// Chomp with rows 3, 4, … of these lengths; rows 1 and 2 are the chains D and C.
    pub fn chomp(rows: &[u64]) -> Result<Self, ChainsError> {
        Self::chomp_board(rows, 2)
    }

    /// Chomp with rows 2, 3, … of these lengths; row 1 is the only chain (Corollary 4 of the paper).
    pub fn chomp_row(rows: &[u64]) -> Result<Self, ChainsError> {
        Self::chomp_board(rows, 1)
    }

    fn chomp_board(rows: &[u64], chains: u8) -> Result<Self, ChainsError> {
        let text = || rows.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        if rows.windows(2).any(|pair| pair[0] < pair[1]) {
            return Err(ChainsError::Rows(text()));
        }
        if let Some(&long) = rows.iter().find(|&&r| r > LARGEST) {
            return Err(ChainsError::LongRow(long));
        }
        let name = format!("{}:{}", if chains == 2 { "chomp-chains" } else { "chomp-row" }, text());
        let rows = rows.iter().filter(|&&r| r > 0).map(|&r| u32::try_from(r).expect("below LARGEST")).collect();
        Ok(Self { name, board: Board::Chomp(rows), chains })
    }

    /// An explicit game with two chains.
    pub fn two_chains(name: String, skeleton: Skeleton) -> Self {
        Self { name, board: Board::Poset(skeleton), chains: 2 }
    }

    /// The name: a notation such as `chomp-chains:5,3`, or the name in the game file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The finite part.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Number of chains the game has, 1 or 2. A game with one chain is solved with a second chain D
    /// that is comparable with nothing (Corollary 4): g(B_m) is then the n with g(B_{m,n}) = 0.
    pub fn chains(&self) -> u8 {
        self.chains
    }

    /// φ: how many elements of D lie below each element of C.
    pub fn cross(&self) -> Cross {
        match &self.board {
            Board::Poset(skeleton) => skeleton.cross().clone(),
            Board::Chomp(_) if self.chains == 2 => Cross::regular(vec![0], 1, 1).expect("φ(i) = i − 1"),
            Board::Chomp(_) => Cross::none(),
        }
    }

    /// The explicit poset: the game itself, or Chomp's squares named `row.column`.
    pub fn skeleton(&self) -> Result<Skeleton, ChainsError> {
        let rows = match &self.board {
            Board::Poset(skeleton) => return Ok(skeleton.clone()),
            Board::Chomp(rows) => rows,
        };
        let first_row = if self.chains == 2 { 3 } else { 2 };
        let cells: Vec<(usize, u32)> =
            rows.iter().enumerate().flat_map(|(i, &length)| (1..=length).map(move |j| (i, j))).collect();
        if cells.len() > MOST_ELEMENTS {
            return Err(ChainsError::TooManyElements { size: cells.len(), limit: MOST_ELEMENTS });
        }
        let names = cells.iter().map(|(i, j)| format!("{}.{j}", i + first_row)).collect();
        let mut relations = Vec::new();
        for (a, x) in cells.iter().enumerate() {
            for (b, y) in cells.iter().enumerate() {
                if x != y && x.0 <= y.0 && x.1 <= y.1 {
                    relations.push((a, b));
                }
            }
        }
        // Two chains: square (i, j) lies above c_1 … c_j and, the poisoned square gone, d_1 … d_{j−1}.
        // One chain: the chain is row 1 without the poisoned square.
        let below = |count: u32| Meeting { first_above: None, below: Some(count.into()) };
        let (c, d) = if self.chains == 2 {
            (cells.iter().map(|x| below(x.1)).collect(), cells.iter().map(|x| below(x.1 - 1)).collect())
        } else {
            (cells.iter().map(|x| below(x.1 - 1)).collect(), vec![Meeting::FREE; cells.len()])
        };
        Skeleton::new(names, &relations, c, d, self.cross())
    }
}
