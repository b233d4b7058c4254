//! The recursion against a plain search, on random games with random boards and defeated sets.

use std::collections::HashMap;

use impartial::lattice::{Description, LatticeError, LatticeGame};
use impartial::outcome::Outcome;
use impartial::solve::recursion::{GrundyTable, Recursion, Region};
use proptest::prelude::*;
use semilinear::run::Unlimited;

/// Plain search with memory, in the user's coordinates and straight from the definition.
struct Search<'a> {
    rules: &'a [Vec<i64>],
    rows: Vec<Vec<i64>>,
    defeated: &'a [Vec<i64>],
    values: HashMap<Vec<i64>, usize>,
}

impl<'a> Search<'a> {
    fn new(game: &'a LatticeGame) -> Self {
        let d = game.dimension();
        let orthant = (0..d).map(|i| (0..=d).map(|j| i64::from(i == j)).collect()).collect();
        let rows = game.board().map_or(orthant, <[_]>::to_vec);
        Self { rules: game.rules(), rows, defeated: game.defeated(), values: HashMap::new() }
    }

    fn is_position(&self, x: &[i64]) -> bool {
        self.rows.iter().all(|row| x.iter().zip(row).map(|(x, a)| x * a).sum::<i64>() + row[x.len()] >= 0)
            && !self.defeated.iter().any(|point| point == x)
    }

    fn grundy(&mut self, x: &[i64]) -> usize {
        if let Some(&value) = self.values.get(x) {
            return value;
        }
        let mut seen = Vec::new();
        for rule in self.rules {
            let option: Vec<i64> = x.iter().zip(rule).map(|(x, g)| x - g).collect();
            if self.is_position(&option) {
                seen.push(self.grundy(&option));
            }
        }
        let value = (0..=seen.len()).find(|value| !seen.contains(value)).expect("one more value than options");
        self.values.insert(x.to_vec(), value);
        value
    }
}

fn point(d: usize, entries: std::ops::Range<i64>) -> impl Strategy<Value = Vec<i64>> {
    prop::collection::vec(entries, d)
}

/// Rules, perhaps a board with the orthant's facets tilted and shifted, perhaps defeated generators.
fn description() -> impl Strategy<Value = Description> {
    (1usize..=4).prop_flat_map(|d| {
        let rules = prop::collection::vec(point(d, -2..4), 1..6);
        let board = prop::option::of(prop::collection::vec(point(d + 1, -2..4), d..d + 2));
        let defeated = prop::option::of(prop::collection::vec(point(d, 0..4), 0..3));
        (rules, board, defeated).prop_filter_map("a well-formed description", |(rules, board, defeated)| {
            Description::new(None, rules, board, defeated, None).ok()
        })
    })
}

/// A game near a random description: on random boards the defeated positions rarely lie on the board, so they are dropped.
fn game() -> impl Strategy<Value = LatticeGame> {
    description().prop_filter_map("axioms hold and the board is one", |description| {
        match LatticeGame::new(&description, &Unlimited) {
            Err(LatticeError::DefeatedOutside { .. }) => {
                let (rules, board) = (description.rules().to_vec(), description.board().map(<[_]>::to_vec));
                let without = Description::new(None, rules, board, None, None).ok()?;
                LatticeGame::new(&without, &Unlimited).ok()
            }
            other => other.ok(),
        }
    })
}

fn size_for(d: usize) -> u64 {
    [40, 14, 7, 4][d - 1]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, max_global_rejects: 1_000_000, ..ProptestConfig::default() })]

    #[test]
    fn recursion_is_search(game in game()) {
        let d = game.dimension();
        let mut search = Search::new(&game);
        let region = Region::around_box(&game, &vec![size_for(d); d]).unwrap();
        let Ok(recursion) = Recursion::new(&game, &region, 1 << 24, &Unlimited) else { return Ok(()) };
        let table = GrundyTable::new(&game, &region, 1 << 28, &Unlimited).unwrap();
        let mut p_positions = 0;
        let mut corner = vec![0i64; d];
        'box_points: loop {
            let x = game.chart().outer(&corner).unwrap();
            let expected = search.is_position(&x).then(|| search.grundy(&x));
            let found = recursion.outcome(&corner);
            prop_assert_eq!(found, expected.map(|value| Outcome::p_if(value == 0)), "{:?} {:?}", &game, &x);
            prop_assert_eq!(table.grundy(&corner), expected.map(|value| value as u64));
            prop_assert_eq!(game.is_inner_position(&corner), expected.is_some());
            p_positions += u64::from(found == Some(Outcome::P));
            for entry in &mut corner {
                *entry += 1;
                if entry.unsigned_abs() < size_for(d) {
                    continue 'box_points;
                }
                *entry = 0;
            }
            break;
        }
        let most = i64::try_from(size_for(d)).unwrap() - 1;
        let rows: Vec<Vec<i64>> = (0..d)
            .map(|i| (0..=d).map(|j| if j == d { most } else { -i64::from(i == j) }).collect())
            .collect();
        prop_assert_eq!(recursion.count_where(&rows), p_positions);
        let mut visited = 0;
        recursion.for_each_p(|y| {
            visited += 1;
            assert_eq!(recursion.outcome(y), Some(Outcome::P));
            true
        });
        prop_assert_eq!(visited, recursion.count());
    }

    #[test]
    fn levels_are_closed(game in game(), level in 0i64..60) {
        let region = Region::level(&game, level).unwrap();
        let Ok(recursion) = Recursion::new(&game, &region, 1 << 22, &Unlimited) else { return Ok(()) };
        // The equation (P + Γ) ∩ B = N of Theorem 3.6, on the region.
        let mut checked = 0;
        recursion.for_each_p(|y| {
            checked += 1;
            for option in game.inner_options(y) {
                assert_eq!(recursion.outcome(&option), Some(Outcome::N), "{game:?} {y:?}");
            }
            for rule in game.inner_rules() {
                let above: Vec<i64> = y.iter().zip(rule).map(|(y, g)| y + g).collect();
                assert_ne!(recursion.outcome(&above), Some(Outcome::P), "{game:?} {y:?}");
            }
            checked < 2000
        });
    }

    #[test]
    fn a_unimodular_change_of_coordinates_changes_nothing(
        game in game(),
        shears in prop::collection::vec((0usize..4, 0usize..4, -2i64..3), 0..5),
        shift in point(4, -3..4),
    ) {
        let d = game.dimension();
        // x ↦ M·x + s by elementary shears, applied to rules, rows and defeated positions.
        let moved = |x: &[i64]| {
            let mut x = x.to_vec();
            for &(i, j, c) in &shears {
                if i % d != j % d {
                    x[i % d] += c * x[j % d];
                }
            }
            x
        };
        let back = |row: &[i64]| {
            let mut row = row.to_vec();
            // a·x = a·M⁻¹·(M·x): the transposed shears, so that values stay the same.
            for &(i, j, c) in &shears {
                if i % d != j % d {
                    row[j % d] -= c * row[i % d];
                }
            }
            let constant: i64 = row[..d].iter().zip(&shift).map(|(a, s)| a * s).sum();
            row[d] -= constant;
            row
        };
        let plus = |x: Vec<i64>| x.iter().zip(&shift).map(|(x, s)| x + s).collect::<Vec<i64>>();
        let orthant = (0..d).map(|i| (0..=d).map(|j| i64::from(i == j)).collect()).collect::<Vec<Vec<i64>>>();
        let board = game.board().map_or(orthant, <[_]>::to_vec).iter().map(|row| back(row)).collect();
        let defeated = game.defeated().iter().map(|x| plus(moved(x))).collect();
        let rules = game.rules().iter().map(|rule| moved(rule)).collect();
        let other = Description::new(None, rules, Some(board), Some(defeated), None).unwrap();
        let other = LatticeGame::new(&other, &Unlimited).unwrap();
        let region = Region::around_box(&game, &vec![size_for(d) / 2; d]).unwrap();
        let Ok(recursion) = Recursion::new(&game, &region, 1 << 22, &Unlimited) else { return Ok(()) };
        let mut seen = 0;
        recursion.for_each_p(|y| {
            seen += 1;
            let x = game.chart().outer(y).unwrap();
            let image = other.chart().inner(&plus(moved(&x))).unwrap();
            let region = Region::around_point(&other, &image).unwrap();
            if let Ok(there) = Recursion::new(&other, &region, 1 << 22, &Unlimited) {
                assert_eq!(there.outcome(&image), Some(Outcome::P), "{game:?} {other:?} {x:?}");
            }
            seen < 6
        });
    }
}

#[test]
fn regions_too_large_are_refused_before_memory_is_taken() {
    let description = Description::from_toml("rules = [[1, 0], [0, 1], [2, 2]]").unwrap();
    let game = LatticeGame::new(&description, &Unlimited).unwrap();
    for sizes in [[1 << 20, 1 << 20], [1 << 40, 1 << 40], [1 << 59, 1 << 59]] {
        let Some(region) = Region::around_box(&game, &sizes) else { continue };
        assert!(Recursion::new(&game, &region, 1 << 28, &Unlimited).is_err());
    }
}
