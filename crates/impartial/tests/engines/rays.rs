//! Games with rays: learned sets against the recursion, published pairs, and the independent checker.

use std::sync::Arc;

use impartial::game::Claim;
use impartial::heap::Wythoff;
use impartial::lattice::RayGame;
use impartial::num_bigint::BigUint;
use impartial::outcome::{Outcome, Play};
use impartial::prelude::{Ask, Claimed, Error, Game, Strategy};
use impartial::render::Syntax;
use impartial::run::Unlimited;
use impartial::solve::rays::{Limits, Pairs, Recursion, values};
use impartial::strategy::{Envelope, NumerationStrategy, PairsOf, verdict};
use impartial::vectorset::Effort;
use semilinear::numeration::{DigitSet, System};

fn game(text: &str) -> RayGame {
    RayGame::from_toml(text).unwrap()
}

/// Solves a game in a system and compares every value with the recursion on a box.
fn solved(text: &str, system: &str, top: usize, side: u64) -> NumerationStrategy {
    let game = game(text);
    let system = System::named(system).unwrap();
    let strategy = NumerationStrategy::learned(&game, &system, top, &Limits::default(), &Unlimited)
        .unwrap_or_else(|(why, seen)| panic!("{text}: {why} {seen:?}"))
        .into_inner();
    let d = game.dimension();
    let table = Recursion::new(&game, &vec![side; d], 1 << 24, &Unlimited).unwrap();
    let table = table.up_to(u16::try_from(top).unwrap(), &Unlimited).unwrap();
    let mut x = vec![0_u64; d];
    loop {
        let big: Vec<BigUint> = x.iter().map(|&x| x.into()).collect();
        let found = strategy.grundy(&big);
        let expected = table.value(&x).map(usize::from);
        assert_eq!(found.flatten(), expected, "{text} at {x:?}");
        let Some(i) = (0..d).rev().find(|&i| x[i] + 1 < side) else { break };
        x[i] += 1;
        x[i + 1..].fill(0);
    }
    verdict(&strategy.to_envelope(), &Unlimited).unwrap();
    strategy
}

const QUEEN: &str = "rays = [[1, 0], [0, 1], [1, 1]]";

/// Take i from one heap and j from the other, |i − j| < 2.
const R_WYTHOFF: &str = "rays = [[1, 0], [0, 1], [1, 1]]\nregions = [[[1, 0, -1], [0, 1, -1], [1, -1, 1], [-1, 1, 1]]]";
/// Take i from one heap and j from the other, 0 < i ≤ j < 2i + 1.
const ST_WYTHOFF: &str = "rays = [[1, 0], [0, 1], [1, 1]]\n\
    regions = [[[1, 0, -1], [-1, 1, 0], [2, -1, 0]], [[0, 1, -1], [1, -1, 0], [-1, 2, 0]]]";

#[test]
fn the_recursion_follows_the_definition() {
    let games = [
        R_WYTHOFF,
        ST_WYTHOFF,
        "rays = [[1, 0]]\nregions = [[[1, 0, 0], [-2, 3, -4]]]\ndefeated = [[0, 2]]",
        "rays = [[1, 0], [0, 1], [1, 1]]",
        "rays = [[2, 1]]\nrules = [[0, 3], [1, 1]]",
        "rays = [[1, 0]]\ndefeated = [[2, 0]]",
        "rays = [[1, 0], [0, 1], [1, 1]]\nterminal = [[1, 1], [0, 4], [12, 3]]",
        "rays = [[1, 0], [0, 1]]\nregions = [[[1, 0, -1], [0, 1, -1], [1, -1, 1], [-1, 1, 1]]]\nterminal = [[0, 2], [3, 3]]",
        "rays = [[1, 2]]\nrules = [[1, 0]]\ndefeated = [[1, 1]]\nterminal = [[2, 2], [40, 3]]",
        "rules = [[1, 0], [0, 1], [2, 1]]\nterminal = [[2, 3], [1, 0]]",
    ];
    for text in games {
        let game = game(text);
        let table = Recursion::new(&game, &[13, 13], 1000, &Unlimited).unwrap().up_to(30, &Unlimited).unwrap();
        for x in 0..13 {
            for y in 0..13 {
                if game.is_defeated(&[x.into(), y.into()]) {
                    assert_eq!(table.value(&[x, y]), None);
                    continue;
                }
                let options = game.options(&[x, y], 1000).unwrap();
                assert!(options.is_empty() || !game.is_terminal(&[x.into(), y.into()]));
                let options: Vec<u16> = options.iter().map(|o| table.value(o).unwrap()).collect();
                let mex = (0..=u16::MAX).find(|g| !options.contains(g));
                assert_eq!(table.value(&[x, y]), mex, "{text} at ({x},{y})");
            }
        }
    }
}

#[test]
fn strips_agree_with_the_recursion() {
    let games = [
        QUEEN,
        "rays = [[1, 0], [0, 1], [1, 1]]\nrules = [[2, 1], [3, 7]]",
        R_WYTHOFF,
        ST_WYTHOFF,
        "rays = [[1, 0], [0, 1], [1, 2]]\nplay = 'misere'",
        "rays = [[1, 0], [0, 1], [2, 2]]\ndefeated = [[1, 3]]",
    ];
    for text in games {
        let game = game(text);
        let pairs = Pairs::new(&game, 40, 3, &Unlimited).unwrap().unwrap();
        let table = Recursion::new(&game, &[180, 180], 1 << 20, &Unlimited).unwrap().up_to(3, &Unlimited).unwrap();
        for g in 0..=3 {
            for x in 0..40 {
                let y = (0..180).find(|&y| table.value(&[x as u64, y]) == u16::try_from(g).ok());
                assert_eq!(y, pairs.column_of(g, x).map(|y| y as u64), "{text}: value {g} in row {x}");
                let y = (0..180).find(|&y| table.value(&[y, x as u64]) == u16::try_from(g).ok());
                assert_eq!(y, pairs.row_of(g, x).map(|y| y as u64), "{text}: value {g} in column {x}");
            }
        }
    }
}

#[test]
fn wythoff_pairs_near_and_far() {
    for play in [Play::Normal, Play::Misere] {
        let text = format!("{QUEEN}\nplay = '{play}'");
        let strategy = solved(&text, "fibonacci", 0, 120);
        // ⌊kφ⌋ for k around a googol, by square roots.
        let googol = BigUint::from(10_u8).pow(100);
        for i in 0..40_u32 {
            let k = &googol + i - 20_u32;
            let a = (&k + (&k * &k * 5_u8).sqrt()) / 2_u8;
            let pair = [a.clone(), &a + &k];
            assert_eq!(strategy.outcome(&pair), Some(Outcome::P));
            assert_eq!(strategy.outcome(&[pair[1].clone(), pair[0].clone()]), Some(Outcome::P));
            let other = [&pair[0] + i, pair[1].clone()];
            let formula = Wythoff::new(other[0].clone(), other[1].clone());
            assert_eq!(strategy.outcome(&other), Some(formula.outcome(play)));
            let (moves, complete) = strategy.winning_moves(&other, 100);
            let mut moves: Vec<Wythoff> = moves.iter().map(|m| Wythoff::new(m[0].clone(), m[1].clone())).collect();
            moves.sort();
            moves.dedup();
            assert!(complete);
            assert_eq!(moves, formula.winning_moves(play));
        }
    }
}

#[test]
fn every_pair_to_a_million() {
    let game = RayGame::wythoff(None);
    let system = Arc::new(System::fibonacci());
    let sets = values(&game, &system, 0, &Limits::default(), &Unlimited).unwrap();
    // As many elements in every box as Beatty's sequences have: one for each k with ⌊kφ²⌋ below the side, twice, and (0, 0) once.
    for n in [1_u64, 2, 3, 10, 1000, 999_999, 1_000_000] {
        let pairs = (1_u64..).take_while(|k| {
            let k = BigUint::from(*k);
            (&k + (&k * &k * 5_u8).sqrt()) / 2_u8 + &k < BigUint::from(n)
        });
        assert_eq!(sets[0].count(&[n.into(), n.into()]), BigUint::from(2 * pairs.count() + 1));
    }
    // Every pair, and by the count there are no others.
    for k in 0_u64.. {
        let a = (u64::midpoint(k, (k * k * 5).isqrt()), k);
        if a.0 + a.1 >= 1_000_000 {
            break;
        }
        assert!(sets[0].contains_small(&[a.0, a.0 + a.1]) && sets[0].contains_small(&[a.0 + a.1, a.0]), "{k}");
    }
    // A pair of 1000 digits.
    let k = BigUint::from(7_u8).pow(1180);
    let a = (&k + (&k * &k * 5_u8).sqrt()) / 2_u8;
    assert!(sets[0].contains(&[a.clone(), &a + &k]) && !sets[0].contains(&[a.clone(), &a + &k + 1_u8]));
}

#[test]
fn wythoff_of_value_one() {
    let strategy = solved(QUEEN, "fibonacci", 1, 400);
    assert_eq!(strategy.sets().iter().map(DigitSet::states).collect::<Vec<_>>(), [7, 825]);
    // Blass–Fraenkel 1990: the first pairs of value 1.
    for pair in [[0, 1], [2, 2], [3, 6], [4, 8], [5, 7], [9, 14], [10, 16], [11, 19], [12, 21], [13, 20]] {
        assert!(strategy.sets()[1].contains_small(&pair), "{pair:?}");
    }
}

/// `cargo test --release -p impartial --test engines wythoff_of_value_two -- --ignored`
#[test]
#[ignore = "long"]
fn wythoff_of_value_two() {
    let strategy = solved(QUEEN, "fibonacci", 2, 3000);
    for value in 0..=2 {
        offsets_agree(&strategy, value, 1 << 16);
    }
    // The strip that `plot wythoff --what function` draws.
    assert_eq!(strategy.offsets(2, &Effort::unlimited()).unwrap(), Some((-5, 3)));
    // Some flipped transitions of value 2.
    let file = strategy.to_envelope();
    let next = file.certificate["values"][2]["transitions"].as_array().unwrap().clone();
    for i in [5, 1000, next.len() / 2, next.len() - 3] {
        let mut certificate = file.certificate.clone();
        let new = if next[i].as_i64() == Some(7) { 8 } else { 7 };
        certificate["values"][2]["transitions"][i] = new.into();
        let wrong = Envelope { certificate, ..file.clone() };
        assert!(matches!(verdict(&wrong, &Unlimited), Err(Error::Refused { .. })), "transition {i}");
    }
}

/// The proved range of y − ⌊φx⌋ contains that of a table, and the pairs of a row and of a difference are those of the table.
fn offsets_agree(strategy: &NumerationStrategy, value: usize, rows: usize) {
    let effort = Effort::unlimited();
    let pairs = Pairs::new(strategy.game(), rows, value, &Unlimited).unwrap().unwrap();
    let floor = |x: usize| i64::try_from(usize::midpoint(x, (x * x * 5).isqrt())).unwrap();
    let offset = |x: usize| {
        let y = pairs.column_of(value, x).unwrap();
        (y >= x).then(|| i64::try_from(y).unwrap() - floor(x))
    };
    let (least, largest) = strategy.offsets(value, &effort).unwrap().unwrap();
    let seen: Vec<i64> = (0..rows).filter_map(offset).collect();
    assert!(least <= *seen.iter().min().unwrap() && *seen.iter().max().unwrap() <= largest, "value {value}");
    for x in (0..rows).step_by(997) {
        let y = pairs.column_of(value, x).unwrap();
        let [a, b] = [x.min(y), x.max(y)].map(BigUint::from);
        let of = |of: PairsOf| strategy.pairs(value, &of, 10, &effort).unwrap().unwrap();
        assert_eq!(of(PairsOf::Row(x.into())), (vec![vec![x.into(), y.into()]], true));
        assert_eq!(of(PairsOf::Column(x.into())), (vec![vec![y.into(), x.into()]], true));
        assert_eq!(of(PairsOf::Difference(&b - &a)), (vec![vec![a, b]], true));
    }
}

#[test]
fn pairs_and_offsets() {
    let game = RayGame::wythoff(None);
    let learned = NumerationStrategy::learned(&game, &System::fibonacci(), 1, &Limits::default(), &Unlimited);
    let strategy = learned.unwrap().into_inner();
    for value in 0..=1 {
        offsets_agree(&strategy, value, 1 << 14);
    }
    // The pair whose number has 1000 digits.
    let k = BigUint::from(7_u8).pow(1180);
    let a = (&k + (&k * &k * 5_u8).sqrt()) / 2_u8;
    let (found, all) = strategy.pairs(0, &PairsOf::Difference(k.clone()), 5, &Effort::unlimited()).unwrap().unwrap();
    assert_eq!((found, all), (vec![vec![a.clone(), &a + &k]], true));
    let (found, _) = strategy.pairs(1, &PairsOf::Difference(k), 5, &Effort::unlimited()).unwrap().unwrap();
    assert!(found.len() == 1 && strategy.grundy(&found[0]) == Some(Some(1)));
    assert!(strategy.pairs(2, &PairsOf::Row(1_u8.into()), 5, &Effort::unlimited()).unwrap().is_none());
    // Another game has other offsets, and nothing is said of them.
    let learned = NumerationStrategy::learned(
        &RayGame::wythoff(Some(Play::Misere)),
        &System::fibonacci(),
        0,
        &Limits::default(),
        &Unlimited,
    );
    assert_eq!(learned.unwrap().offsets(0, &Effort::unlimited()).unwrap(), None);
}

#[test]
fn walnut_both_ways() {
    let ask = Ask::new();
    let game: Game = "wythoff".parse().unwrap();
    let strategy = game.solve_grundy(&ask.up_to(1)).unwrap();
    let text = strategy.show(Some(Syntax::Walnut), &ask).unwrap().text;
    assert!(text.contains("eval s1_equation \"?msd_fib A x0,x1 $s1(x0,x1) <=> $s1_left_2(x0,x1)\":"));
    let claim = |automaton: &str| {
        let claim = format!("game = 'wythoff'\nform = 'automaton'\nautomaton = '''\n{automaton}'''\n");
        Claim::open("claim.toml", &claim, &|_, _| Ok(None)).unwrap().prove(&ask)
    };
    assert_eq!(claim(&text).unwrap().to_text(), strategy.to_text());
    // The diagonal is another game's.
    let wrong = claim("msd_fib msd_fib\n\n0 1\n0 0 -> 0\n1 1 -> 0\n");
    assert!(matches!(wrong, Err(Error::Refused { position: Some(_), .. })));
    let unknown = claim("msd_golden msd_golden\n\n0 1\n0 0 -> 0\n");
    assert!(unknown.unwrap_err().to_string().contains("msd_fib"));
}

#[test]
fn variants_and_other_systems() {
    // Nim on two heaps, as rook moves; P is the diagonal.
    let nim = solved("rays = [[1, 0], [0, 1]]", "binary", 2, 40);
    assert!(nim.sets()[0].contains_small(&[1 << 40, 1 << 40]));
    // Rook moves with an extra rule, in normal and misère play.
    solved("rays = [[1, 0], [0, 1]]\nrules = [[1, 1]]", "binary", 0, 60);
    solved("rays = [[1, 0], [0, 1]]\nplay = 'misere'", "binary", 0, 60);
    // Three heaps of Nim.
    solved("rays = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]", "binary", 0, 16);
    // One heap, one heap of even steps, steps of two.
    solved("rays = [[1]]", "fibonacci", 3, 200);
    solved("rays = [[2]]", "binary", 2, 100);
    solved("rays = [[2]]\nrules = [[3]]\ndefeated = [[1]]", "fibonacci", 1, 100);
    // Regions of moves: |i − j| < 2, and i ≤ j < 2i + 1 or j ≤ i < 2j + 1.
    let difference = solved(R_WYTHOFF, "pell", 0, 60);
    assert!(difference.sets()[0].contains_small(&[1, 3]) && difference.sets()[0].contains_small(&[2, 6]));
    solved(&format!("{R_WYTHOFF}\nplay = 'misere'"), "pell", 0, 40);
    solved(ST_WYTHOFF, "recurrence:2,2", 0, 40);
    // A queen with a blocked corner.
    solved(&format!("{QUEEN}\ndefeated = [[1, 1]]"), "fibonacci", 0, 100);
}

#[test]
fn games_with_terminal_positions() {
    let strategy = solved(&format!("{QUEEN}\nterminal = [[0, 2], [2, 0]]"), "fibonacci", 0, 150);
    let at = |x: u32, y: u32| strategy.outcome(&[x.into(), y.into()]);
    // (0, 0) is in the row of (0, 2), and is no option of it.
    assert_eq!(
        (at(0, 0), at(0, 1), at(0, 2), at(0, 3)),
        (Some(Outcome::P), Some(Outcome::N), Some(Outcome::P), Some(Outcome::N))
    );
    assert_eq!(strategy.winning_moves(&[0_u8.into(), 2_u8.into()], 10), (vec![], true));
    let wins = vec![vec![0_u8.into(), 0_u8.into()], vec![0_u8.into(), 2_u8.into()]];
    assert_eq!(strategy.winning_moves(&[0_u8.into(), 5_u8.into()], 10), (wins, true));
    // One side alone, a value of 1, another system, a blocked corner beside it, regions, no ray, one and three coordinates.
    solved(&format!("{QUEEN}\nterminal = [[1, 1]]"), "fibonacci", 0, 150);
    solved("rays = [[1, 0], [0, 1]]\nterminal = [[1, 3], [2, 2]]", "binary", 1, 60);
    solved("rays = [[1, 0], [0, 1]]\nterminal = [[0, 3]]\ndefeated = [[0, 1]]", "fibonacci", 0, 60);
    solved(&format!("{R_WYTHOFF}\nterminal = [[1, 1]]"), "pell", 0, 40);
    solved("rules = [[1, 0], [0, 1], [2, 1]]\nterminal = [[2, 3], [1, 0]]", "binary", 0, 60);
    solved("rays = [[2]]\nrules = [[3]]\nterminal = [[4], [7]]", "fibonacci", 2, 100);
    solved("rays = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\nterminal = [[1, 1, 0]]", "binary", 0, 16);

    // The file is read back, and says no more than it proves: another terminal set is another game.
    let file = strategy.to_envelope();
    assert_eq!(RayGame::from_json(&file.game).unwrap(), *strategy.game());
    assert_eq!(RayGame::from_toml(&strategy.game().to_toml()).unwrap(), *strategy.game());
    for terminal in [serde_json::json!([]), serde_json::json!([[0, 2]]), serde_json::json!([[0, 2], [2, 0], [5, 9]])] {
        let mut wrong = file.clone();
        wrong.game["terminal"] = terminal;
        assert!(matches!(verdict(&wrong, &Unlimited), Err(Error::Refused { .. })), "{}", wrong.game);
    }
    let sets = vec![strategy.sets()[0].clone()];
    let refused = NumerationStrategy::proved(RayGame::wythoff(None), sets, &Effort::unlimited());
    assert!(matches!(refused, Err(Error::Refused { position: Some(_), .. })));
    let table = file.certificate["values"][0]["transitions"].as_array().unwrap().clone();
    for (i, old) in table.iter().enumerate() {
        let mut certificate = file.certificate.clone();
        certificate["values"][0]["transitions"][i] = if old.as_i64() == Some(3) { 4 } else { 3 }.into();
        let wrong = Envelope { certificate, ..file.clone() };
        assert!(matches!(verdict(&wrong, &Unlimited), Err(Error::Refused { .. })), "transition {i}");
    }
}

#[test]
fn flipped_transitions_are_refused() {
    let game = RayGame::wythoff(None);
    let strategy = NumerationStrategy::learned(&game, &System::fibonacci(), 0, &Limits::default(), &Unlimited).unwrap();
    let file = strategy.to_envelope();
    let table = file.certificate["values"][0]["transitions"].as_array().unwrap().clone();
    let states = i64::try_from(table.len() / 4).unwrap();
    for (i, old) in table.iter().enumerate() {
        for new in -1..states {
            if old.as_i64() == Some(new) {
                continue;
            }
            let mut certificate = file.certificate.clone();
            certificate["values"][0]["transitions"][i] = new.into();
            let wrong = Envelope { certificate, ..file.clone() };
            assert!(matches!(verdict(&wrong, &Unlimited), Err(Error::Refused { .. })), "{i}: {old} to {new}");
        }
    }
    // Another recurrence, another board, another set of rays.
    let change = |change: &dyn Fn(&mut Envelope)| {
        let mut wrong = file.clone();
        change(&mut wrong);
        assert!(verdict(&wrong, &Unlimited).is_err());
    };
    change(&|file| file.certificate["system"]["recurrence"] = serde_json::json!([2, 1]));
    change(&|file| file.certificate["system"]["initial"] = serde_json::json!([1, 3]));
    change(&|file| file.certificate["system"]["valid"]["transitions"] = serde_json::json!([0, 0]));
    change(&|file| file.certificate["system"]["valid"]["accepting"] = serde_json::json!([0]));
    change(&|file| file.certificate["system"]["digits"] = 3.into());
    change(&|file| file.certificate["values"] = serde_json::json!([]));
    change(&|file| file.game["rays"] = serde_json::json!([[0, 1], [1, 0]]));
    change(&|file| file.game["rays"] = serde_json::json!([[0, 1], [1, 0], [1, 1], [1, 2]]));
    change(&|file| file.game["rules"] = serde_json::json!([[1, 2]]));
    change(&|file| file.game["defeated"] = serde_json::json!([[0, 0]]));
    change(&|file| file.play = Play::Misere);
}

#[test]
fn wrong_sets_are_refuted_with_a_position() {
    let effort = Effort::unlimited();
    let system = Arc::new(System::fibonacci());
    let few = DigitSet::finite(&system, &[vec![0_u8.into(), 0_u8.into()]], 2, &effort).unwrap();
    let refused = NumerationStrategy::proved(RayGame::wythoff(None), vec![few], &effort);
    assert!(matches!(refused, Err(Error::Refused { position: Some(_), .. })));
}

#[test]
fn the_front_door_solves_wythoff() {
    let ask = Ask::new();
    let game: Game = "wythoff".parse().unwrap();
    let strategy = game.solve(&ask).unwrap();
    let claimed: Claimed = Strategy::load(&strategy.to_text(), &ask).unwrap();
    let strategy = claimed.verify(&ask).unwrap();
    strategy.belongs_to(&game, &ask).unwrap();
    assert!(strategy.belongs_to(&game, &ask.play(Play::Misere)).is_err());
    let position = game.position("8+13").unwrap();
    assert_eq!(strategy.outcome(&position, &ask).unwrap().outcome, Outcome::P);
    assert_eq!(strategy.count(&[1000_u32.into()], &ask).unwrap().to_string(), "763");
    let (p, q) = (game.position("1+2").unwrap(), game.position("0").unwrap());
    assert!(!strategy.congruent(&p, &q, &ask).unwrap().congruent);
    assert!(strategy.congruent(&p, &p, &ask).unwrap().congruent);
    let values = game.solve_grundy(&ask.up_to(1)).unwrap();
    assert_eq!(values.grundy(&game.position("9+14").unwrap(), &ask).unwrap().to_string(), "1");
    assert!(values.grundy(&game.position("9+9").unwrap(), &ask).is_err());
    assert!(game.solve(&ask.numeration("golden")).is_err());
    assert!(game.solve_grundy(&ask).is_err());
}

#[test]
fn bad_games_are_refused() {
    for (text, expected) in [
        ("rays = []", "`rays` is empty"),
        ("rays = [[1, 0], [1]]", "rays[1] has 1 entries, but 2"),
        ("rays = [[1, -1]]", "rays[0] has the negative entry -1"),
        ("rays = [[1, 0]]\nrules = [[1, -1]]", "rules[0] has the negative entry -1"),
        ("rays = [[0, 0]]", "rays[0] is the zero vector"),
        ("rays = [[1000]]", "at most 100"),
        ("rays = [[1]]\n[board]\ninequalities = [[1, 0]]", "leave [board] out"),
        ("rays = [[1]]\ndefeated = [[0]]\nplay = 'normal'", "contradicts"),
        ("rays = [[1]]\ncolour = 3", "colour"),
        ("rays = [[1]]\nregions = [[]]", "regions[0] has 0 inequalities"),
        ("rays = [[1]]\nregions = [[[1, 2, 3]]]", "regions[0][0] has 3 entries, but 2"),
        ("rays = [[1]]\nregions = [[[1, 0], [2, 5]]]", "regions[0] has the move 0"),
        ("rays = [[1]]\nregions = [[[101, -1]]]", "regions[0][0] is too large"),
        ("rays = [[1]]\nterminal = [[1, 2]]", "terminal[0] has 2 entries, but 1"),
        ("rays = [[1]]\nterminal = [[-1]]", "terminal[0] has the negative entry -1"),
        ("rays = [[1]]\nterminal = [[3], [1]]\ndefeated = [[2]]", "terminal[1] is defeated"),
        ("rays = [[1]]\nterminal = [[3]]\nplay = 'misere'", "contradicts `terminal`"),
        ("rays = [[1]]\nterminal = 3", "terminal"),
        ("terminal = [[3]]", "there is no move"),
        ("rules = [[1, -1]]\nterminal = [[3, 1]]", "rules[0] has the negative entry -1"),
    ] {
        let message = RayGame::from_toml(text).unwrap_err().to_string();
        assert!(message.contains(expected), "{text}: {message}");
    }
}
