//! Every game of `testdata/lattice-games.json` against the recursion.

use impartial::lattice::{Description, LatticeGame};
use impartial::outcome::Outcome;
use impartial::solve::recursion::{Recursion, Region};
use semilinear::integer::vector;
use semilinear::run::Unlimited;
use serde_json::Value;

fn vectors(value: &Value) -> Vec<Vec<i64>> {
    serde_json::from_value(value.clone()).expect("a list of integer vectors")
}

fn games() -> Vec<(Value, LatticeGame)> {
    let text = include_str!("../../../../testdata/lattice-games.json");
    let table: Value = serde_json::from_str(text).expect("the table is JSON");
    let games = table["games"].as_array().expect("a list of games").clone();
    assert!(games.len() >= 27);
    games
        .into_iter()
        .map(|row| {
            let board = row.get("board").map(|board| vectors(&board["inequalities"]));
            let defeated = vectors(&row["defeated"]);
            let description = Description::new(None, vectors(&row["rules"]), board, Some(defeated.clone()), None);
            let game = LatticeGame::new(&description.unwrap(), &Unlimited).unwrap();
            let mut defeated = defeated;
            defeated.sort();
            assert_eq!(game.defeated(), defeated, "{}", row["id"]);
            (row, game)
        })
        .collect()
}

/// "[0,64)^2" as box sizes.
fn boxed(region: &str, dimension: usize) -> Option<Vec<u64>> {
    let rest = region.strip_prefix("[0,")?;
    let (size, _) = rest.split_once(')')?;
    Some(vec![size.parse().ok()?; dimension])
}

/// "sum i*x_i <= 30", "x+y < 50", "x+y+3z <= 20", "x1+..+x5 <= 40", "board, ell<=10": coefficients and bound.
fn bounded(region: &str, row: &Value) -> Option<(Vec<i64>, i64)> {
    let dimension = i64::try_from(row["functional"].as_array()?.len()).ok()?;
    let (left, bound, strict) = match region.split_once("<=") {
        Some((left, bound)) => (left, bound, 0),
        None => region.split_once('<').map(|(left, bound)| (left, bound, 1))?,
    };
    let bound: i64 = bound.trim().parse().ok()?;
    let coefficients = match left.trim() {
        "sum i*x_i" => (1..=dimension).collect(),
        "x+y" => vec![1, 1],
        "x+y+3z" => vec![1, 1, 3],
        "x1+..+x5" => vec![1; 5],
        "board, ell" => serde_json::from_value(row["functional"].clone()).ok()?,
        other => panic!("unknown region {other}"),
    };
    Some((coefficients, bound - strict))
}

#[test]
fn counts_and_positions_agree() {
    for (row, game) in games() {
        let id = &row["id"];
        let d = game.dimension();
        let solve = |region: &Region| Recursion::new(&game, region, 1 << 30, &Unlimited).unwrap();
        for count in row["counts"].as_array().unwrap() {
            let region = count["region"].as_str().unwrap();
            let expected = count["P"].as_u64().unwrap();
            if count["points"].as_u64().is_some_and(|points| points > 10_000_000) {
                continue; // the benchmark's
            }
            if let Some(sizes) = boxed(region, d) {
                let recursion = solve(&Region::around_box(&game, &sizes).unwrap());
                let mut found = 0;
                recursion.for_each_p(|y| {
                    found += u64::from(y.iter().zip(&sizes).all(|(y, n)| y.unsigned_abs() < *n));
                    true
                });
                assert_eq!(found, expected, "{id} {region}");
            } else {
                let (coefficients, bound) = bounded(region, &row).unwrap();
                // The tables speak of the user's coordinates.
                let inner = game.chart().inner_functional(&vector(&coefficients));
                let inner: Vec<i64> = inner.iter().map(|x| x.to_i64().unwrap()).collect();
                let shifted = inner.iter().zip(game.chart().shift()).map(|(f, s)| f * s).sum::<i64>();
                let region_of_it = Region::bounded_by(&game, &[(inner, bound + shifted)]).unwrap();
                let recursion = solve(&region_of_it);
                assert_eq!(recursion.count(), expected, "{id} {region}");
                if let Some(points) = count["points"].as_u64() {
                    // Tables count the defeated positions too.
                    assert_eq!(recursion.positions() + game.defeated().len() as u64, points, "{id} {region}");
                }
            }
        }
        for (key, outcome) in [("P_positions", Outcome::P), ("N_positions", Outcome::N)] {
            for point in row.get(key).map(vectors).unwrap_or_default() {
                let inner = game.chart().inner(&point).unwrap();
                let recursion = solve(&Region::around_point(&game, &inner).unwrap());
                assert_eq!(recursion.outcome(&inner), Some(outcome), "{id} {point:?}");
            }
        }
    }
}

/// Thesis, Example 6.4 (algorithms paper, Example 4.7): the corrected table is P, each point covered once.
#[test]
fn example_6_4_agrees_with_the_corrected_table() {
    let table: Value = serde_json::from_str(include_str!("../../../../testdata/example-6.4.json")).unwrap();
    let (_, game) = games().into_iter().find(|(row, _)| row["id"] == "ex64").unwrap();
    let bound = 22;
    let region = Region::bounded_by(&game, &[(vec![1; 5], bound)]).unwrap();
    let recursion = Recursion::new(&game, &region, 1 << 26, &Unlimited).unwrap();
    let mut covered = 0;
    for piece in table["pieces"].as_array().unwrap() {
        let start: Vec<i64> = serde_json::from_value(piece["f"].clone()).unwrap();
        let mut seen = std::collections::HashSet::new();
        let mut stack = vec![start];
        while let Some(x) = stack.pop() {
            if x.iter().sum::<i64>() > bound || !seen.insert(x.clone()) {
                continue;
            }
            assert_eq!(recursion.outcome(&x), Some(Outcome::P), "{x:?}");
            for step in vectors(&piece["A"]) {
                stack.push(x.iter().zip(&step).map(|(x, s)| x + s).collect());
            }
        }
        covered += seen.len() as u64;
    }
    // All covered points are P; as many as there are, so each exactly once.
    assert_eq!(covered, recursion.count());
}
