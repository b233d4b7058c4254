//! Sets that belong to no game, against brute force on boxes.

use impartial::game::{HilbertSeriesReport, Set};
use impartial::num_bigint::{BigInt, BigUint};
use impartial::prelude::Ask;
use proptest::prelude::{ProptestConfig, prop, prop_assert_eq, proptest};
use proptest::strategy::Strategy;

const SIDE: usize = 9;

type Module = (Vec<Vec<i64>>, Vec<Vec<i64>>);

/// Modules with bases and generators that may repeat, overlap, depend on each other, or be 0.
fn modules() -> impl Strategy<Value = Vec<Module>> {
    let vectors =
        |most: i64, count: std::ops::Range<usize>| prop::collection::vec(prop::collection::vec(0..most, 2), count);
    prop::collection::vec((vectors(5, 1..4), vectors(4, 0..4)), 1..3)
}

fn toml(modules: &[Module]) -> String {
    let list: Vec<String> = modules
        .iter()
        .map(|(bases, generators)| format!("{{ bases = {bases:?}, generators = {generators:?} }}"))
        .collect();
    format!("kind = \"stratification\"\nmodules = [{}]", list.join(", "))
}

/// The points of the modules in a box, by walking.
fn brute(modules: &[Module]) -> Vec<Vec<bool>> {
    let mut grid = vec![vec![false; SIDE]; SIDE];
    for (bases, generators) in modules {
        let mut open: Vec<Vec<i64>> = bases.clone();
        let mut seen = std::collections::HashSet::new();
        while let Some(x) = open.pop() {
            let inside = x.iter().all(|&x| usize::try_from(x).is_ok_and(|x| x < SIDE));
            if inside && seen.insert(x.clone()) {
                grid[usize::try_from(x[0]).unwrap()][usize::try_from(x[1]).unwrap()] = true;
                open.extend(generators.iter().map(|v| vec![x[0] + v[0], x[1] + v[1]]));
            }
        }
    }
    grid
}

fn grid(set: &Set, ask: &Ask) -> Vec<Vec<bool>> {
    let mut grid = vec![vec![false; SIDE]; SIDE];
    for x in set.members(&[BigUint::from(SIDE), BigUint::from(SIDE)], ask).unwrap().members {
        let place = |i: usize| usize::try_from(&x[i].0).unwrap();
        grid[place(0)][place(1)] = true;
    }
    grid
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn operations_agree_with_brute_force(a in modules(), b in modules(), by in prop::collection::vec(-3_i64..4, 2)) {
        let ask = Ask::new();
        let (first, second) = (Set::open(&toml(&a), &ask).unwrap(), Set::open(&toml(&b), &ask).unwrap());
        let (x, y) = (brute(&a), brute(&b));
        prop_assert_eq!(&grid(&first, &ask), &x);
        let combined = |f: fn(bool, bool) -> bool| -> Vec<Vec<bool>> {
            (0..SIDE).map(|i| (0..SIDE).map(|j| f(x[i][j], y[i][j])).collect()).collect()
        };
        prop_assert_eq!(grid(&first.union(&second, &ask).unwrap(), &ask), combined(|a, b| a || b));
        prop_assert_eq!(grid(&first.intersection(&second, &ask).unwrap(), &ask), combined(|a, b| a && b));
        prop_assert_eq!(grid(&first.difference(&second, &ask).unwrap(), &ask), combined(|a, b| a && !b));
        prop_assert_eq!(grid(&first.complement(&ask).unwrap(), &ask), combined(|a, _| !a));
        let equal = first.equal(&second, &ask).unwrap();
        if x != y {
            prop_assert_eq!(equal.equal, false);
        }
        let count = x.iter().flatten().filter(|&&inside| inside).count();
        prop_assert_eq!(first.count(&[BigUint::from(SIDE)], &ask).unwrap().count.to_string(), count.to_string());
        // A written result is read back as the same set.
        let again = Set::open(&first.report(&ask).unwrap().to_toml(), &ask).unwrap();
        prop_assert_eq!(again.equal(&first, &ask).unwrap().equal, true);
        // Moved there and back: what did not leave the orthant is there again.
        let there: Vec<_> = by.iter().map(|&v| v.into()).collect();
        let moved = grid(&first.translate(&there, &ask).unwrap(), &ask);
        for (i, j) in (0..SIDE).flat_map(|i| (0..SIDE).map(move |j| (i, j))) {
            let from = |k: usize, v: i64| usize::try_from(i64::try_from(k).unwrap() - v).ok();
            if let (Some(p), Some(q)) = (from(i, by[0]), from(j, by[1]))
                && p < SIDE
                && q < SIDE
            {
                prop_assert_eq!(moved[i][j], x[p][q]);
            }
        }
        // The second coordinate of some element.
        let shadow = first.project(&[2], &ask).unwrap();
        let inside = shadow.members(&[BigUint::from(SIDE)], &ask).unwrap().members;
        for j in (0..SIDE).filter(|&j| x.iter().any(|column| column[j])) {
            prop_assert_eq!(inside.iter().any(|v| v[0].0 == BigUint::from(j)), true);
        }
    }
}

/// The first coefficients of a Hilbert series.
fn expanded(series: &HilbertSeriesReport, to: usize) -> Vec<i64> {
    let mut coefficients: Vec<i64> = series.numerator.iter().map(|c| c.to_i64().unwrap()).collect();
    coefficients.resize(to, 0);
    for &e in &series.denominator {
        for n in e..to {
            coefficients[n] += coefficients[n - e];
        }
    }
    coefficients
}

#[test]
fn hilbert_series_count_the_members_of_each_degree() {
    let ask = Ask::new();
    for (text, grading) in [
        ("kind = \"semigroup\"\ngenerators = [[2, 0], [3, 0], [1, 1], [0, 5]]", Some(vec![1, 1])),
        ("kind = \"semigroup\"\ngenerators = [[2, 1], [2, 1], [4, 2], [0, 3]]", Some(vec![1, 2])),
        ("kind = \"semigroup\"\ngenerators = [[3], [5], [7]]", None),
        ("kind = \"cone\"\nrays = [[2, 0], [1, 3], [2, 2]]\nlattice = \"generated\"", None),
        ("kind = \"cone\"\nrays = [[2, 2, 0], [0, 2, 2]]\nlattice = \"generated\"", Some(vec![1, 1, 3])),
        ("kind = \"cone\"\nrays = [[2, 2, 0], [0, 2, 2]]", None),
    ] {
        let set = Set::open(text, &ask).unwrap();
        let dimension = text.split('[').nth(2).unwrap().split(']').next().unwrap().split(',').count();
        let degrees: Vec<i64> = grading.clone().unwrap_or_else(|| vec![1; dimension]);
        let grading: Option<Vec<BigInt>> = grading.map(|g| g.into_iter().map(Into::into).collect());
        let series = set.hilbert_series(grading.as_deref(), &ask).unwrap();
        let mut counted = vec![0; 24];
        for member in set.members(&vec![24_u32.into(); dimension], &ask).unwrap().members {
            let degree: i64 = member.iter().zip(&degrees).map(|(x, d)| i64::try_from(&x.0).unwrap() * d).sum();
            if let Some(count) = usize::try_from(degree).ok().and_then(|n| counted.get_mut(n)) {
                *count += 1;
            }
        }
        assert_eq!(expanded(&series, 24), counted, "{text}");
    }
}

#[test]
fn hilbert_bases_and_series_of_cones() {
    let ask = Ask::new();
    let cone = Set::open("kind = \"cone\"\nrays = [[1, 0], [1, 3]]", &ask).unwrap();
    let basis = cone.hilbert_basis(&ask).unwrap();
    assert_eq!(serde_json::to_string(&basis.basis).unwrap(), "[[1,0],[1,1],[1,2],[1,3]]");
    let same = Set::open("kind = \"cone\"\ninequalities = [[0, 1], [3, -1]]", &ask).unwrap();
    assert_eq!(same.hilbert_basis(&ask).unwrap().basis, basis.basis);
    let generated = Set::open("kind = \"cone\"\nrays = [[1, 0], [1, 3]]\nlattice = \"generated\"", &ask).unwrap();
    assert_eq!(serde_json::to_string(&generated.hilbert_basis(&ask).unwrap().basis).unwrap(), "[[1,0],[1,3]]");
    // The coefficient of t^n is the number of points of degree n: 3n + 1.
    let series = cone.hilbert_series(Some(&[1.into(), 0.into()]), &ask).unwrap();
    let coefficients = expanded(&series, 20);
    assert_eq!(coefficients, (0..20).map(|n| 3 * n + 1).collect::<Vec<i64>>());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// The union of two semigroups as a series with signs: a + b − (what both hold).
    #[test]
    fn series_with_signs(steps in prop::collection::vec(1_i64..6, 2), by in 0_i64..7) {
        let ask = Ask::new();
        let (a, b) = (steps[0], steps[1]);
        let both = num_integer::lcm(a, b);
        let text = format!(
            "kind = \"series\"\nterms = [{{ coefficient = 1, numerator = [{by}], denominators = [[{a}]] }}, \
             {{ coefficient = 1, numerator = [{by}], denominators = [[{b}]] }}, \
             {{ coefficient = -1, numerator = [{by}], denominators = [[{both}]] }}]"
        );
        let set = Set::open(&text, &ask).unwrap();
        for x in 0..60_i64 {
            let inside = x >= by && ((x - by) % a == 0 || (x - by) % b == 0);
            prop_assert_eq!(set.contains(&[x.into()], &ask).unwrap().contains, inside);
        }
    }

    /// Holes: multiples of the gcd that are no sums.
    #[test]
    fn holes_of_numerical_semigroups(generators in prop::collection::vec(1_usize..12, 1..4)) {
        let ask = Ask::new();
        let list: Vec<String> = generators.iter().map(|g| format!("[{g}]")).collect();
        let set = Set::open(&format!("kind = \"semigroup\"\ngenerators = [{}]", list.join(", ")), &ask).unwrap();
        let mut sums = [false; 130];
        sums[0] = true;
        for x in 0..sums.len() {
            sums[x] = sums[x] || generators.iter().any(|&g| x >= g && sums[x - g]);
        }
        let gcd = generators.iter().fold(0, |d, &g| num_integer::gcd(d, g));
        let holes = set.holes(&ask).unwrap();
        for (x, &inside) in sums.iter().enumerate() {
            prop_assert_eq!(set.contains(&[x.into()], &ask).unwrap().contains, inside);
            prop_assert_eq!(holes.contains(&[x.into()], &ask).unwrap().contains, x % gcd == 0 && !inside);
        }
    }
}

/// The N-positions are the rest of the board, defeated positions left out.
#[test]
fn n_positions() {
    let ask = Ask::new();
    let text = "kind = \"lattice\"\nplay = \"misere\"\nrules = [[1, 0], [0, 1], [-1, 1]]";
    let strategy = impartial::Game::from_toml(text).unwrap().solve(&ask).unwrap();
    let (p, n) = (Set::of_strategy(&strategy, &ask).unwrap(), Set::of_n_positions(&strategy, &ask).unwrap());
    let (p, n) = (grid(&p, &ask), grid(&n, &ask));
    for (i, j) in (0..SIDE).flat_map(|i| (0..SIDE).map(move |j| (i, j))) {
        assert_eq!(n[i][j], !p[i][j] && (i, j) != (0, 0), "({i},{j})");
    }
}

#[test]
fn bad_sets_are_told() {
    let ask = Ask::new();
    for (text, words) in [
        ("kind = \"semigroup\"", "needs `generators`"),
        ("kind = \"ball\"", "is not known"),
        ("kind = \"semigroup\"\ngenerators = [[1, 2], [3]]", "another number of entries"),
        ("kind = \"semigroup\"\ngenerators = [[-1], [1]]", "not pointed"),
        ("kind = \"cone\"", "no vector at all"),
        ("kind = \"polyhedron\"\ninequalities = [[1]]", "constant"),
        ("kind = \"series\"\nterms = [{ coefficient = -1, numerator = [0] }]", "is -1; in the series of a set"),
        (
            "kind = \"series\"\nterms = [{ coefficient = 1, numerator = [0], denominators = [[1], [2]] }]",
            "independent denominators",
        ),
        (
            "kind = \"series\"\nterms = [{ coefficient = 1, numerator = [0] }, { coefficient = 1, numerator = [0] }]",
            "is 2",
        ),
        ("nonsense", "line 1"),
    ] {
        let error = Set::open(text, &ask).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
    let lines = Set::open("kind = \"cone\"\ninequalities = [[1, 0]]", &ask).unwrap();
    assert!(lines.hilbert_basis(&ask).unwrap_err().to_string().contains("contains a line"));
    let down = Set::open("kind = \"semigroup\"\ngenerators = [[1, -1], [0, 1]]", &ask).unwrap();
    assert_eq!(down.hilbert_basis(&ask).unwrap().size, 2);
    assert!(down.count(&[3_u32.into(), 3_u32.into()], &ask).unwrap_err().to_string().contains("negative entry"));
}

/// What an operation writes can be read, also without a vector.
#[test]
fn empty_sets_are_read_again() {
    let ask = Ask::new();
    let open = |text: &str| Set::open(text, &ask);
    let evens = open("kind = \"semigroup\"\ngenerators = [[2, 0], [0, 2]]").unwrap();
    let text = evens.difference(&evens, &ask).unwrap().report(&ask).unwrap().to_toml();
    let empty = open(&text).unwrap();
    assert_eq!(empty.dimension(), 2, "{text}");
    assert!(!grid(&empty, &ask).concat().contains(&true));
    assert!(evens.union(&empty, &ask).unwrap().equal(&evens, &ask).unwrap().equal);
    // The number of coordinates may be stated with vectors, too, but not wrongly; and without both nothing says it.
    assert!(open("kind = \"semigroup\"\ndimension = 2\ngenerators = [[2, 0]]").is_ok());
    for text in [
        "kind = \"semigroup\"\ndimension = 3\ngenerators = [[2, 0]]",
        "kind = \"stratification\"\nmodules = []",
        "kind = \"stratification\"\ndimension = 0\nmodules = []",
        "kind = \"stratification\"\ndimension = 1000000000000\nmodules = []",
    ] {
        assert!(open(text).is_err(), "{text}");
    }
}
