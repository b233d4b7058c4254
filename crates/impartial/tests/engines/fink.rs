//! Fink's game: P-positions that no rational function lists.

use impartial::prelude::*;

/// In layer z = 1 the point (6i, 6j) is a P-position iff C(i + j, i) is odd: Sierpiński's triangle, which is not semilinear. In layer 0
/// P is {(0,0), (1,0), (2,0), (0,1)} + 6ℕ².
#[test]
fn the_layers_of_finks_game() {
    let game: Game = "finks-game".parse().unwrap();
    let text = game.lattice_toml(&Ask::new()).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let rules: Vec<Vec<i64>> = table["rules"].clone().try_into().unwrap();
    assert_eq!(rules.len(), 28);
    // x + y + 3z goes down with every rule, so that this part of the board is closed.
    let top = 135_usize;
    let side = i64::try_from(top).unwrap();
    let mut p = vec![vec![vec![false; 2]; top + 1]; top + 1];
    let mut points: Vec<(i64, i64, i64)> = (0..2)
        .flat_map(|z| (0..=side).flat_map(move |x| (0..=side).map(move |y| (x, y, z))))
        .filter(|(x, y, z)| x + y + 3 * z <= side)
        .collect();
    points.sort_by_key(|(x, y, z)| x + y + 3 * z);
    let index = |n: i64| usize::try_from(n).unwrap();
    for (x, y, z) in points {
        let wins = rules.iter().any(|r| {
            let (a, b, c) = (x - r[0], y - r[1], z - r[2]);
            a >= 0 && b >= 0 && c >= 0 && p[index(a)][index(b)][index(c)]
        });
        p[index(x)][index(y)][index(z)] = !wins;
    }
    for (i, j) in (0..12_usize).flat_map(|i| (0..12_usize).map(move |j| (i, j))).filter(|(i, j)| 6 * (i + j) + 3 <= top)
    {
        // C(i + j, i) is odd iff i and j share no binary digit (Kummer).
        assert_eq!(p[6 * i][6 * j][1], i & j == 0, "({i},{j})");
    }
    for (x, y) in (0..60_usize).flat_map(|x| (0..60_usize).map(move |y| (x, y))) {
        let right = [(0, 0), (1, 0), (2, 0), (0, 1)].contains(&(x % 6, y % 6));
        assert_eq!(p[x][y][0], right, "({x},{y},0)");
    }
    // The program's own answers.
    for (x, y, z) in [(6, 6, 1), (6, 12, 1), (0, 18, 1), (12, 12, 1), (2, 0, 0), (5, 7, 1)] {
        let position = game.position(&format!("({x},{y},{z})")).unwrap();
        let outcome = game.outcome(&position, &Ask::new()).unwrap().outcome;
        assert_eq!(outcome.is_p(), p[x][y][z], "({x},{y},{z})");
    }
}
