//! Rational strategies of lattice games: made from proved strata, read back, checked, mutated, asked.

use impartial::lattice::{Description, LatticeGame};
use impartial::outcome::{Outcome, Play};
use impartial::solve::congruence::relation;
use impartial::solve::learn::{Limits, p_positions};
use impartial::solve::parity_kernel::ParityKernel;
use impartial::strategy::{
    AutomatonStrategy, CharacterStrategy, Congruence, Envelope, SeriesStrategy, StratificationStrategy,
};
use impartial_check::{Verdict, check};
use num_bigint::BigInt;
use semilinear::run::Unlimited;
use semilinear::vectorset::Effort;
use serde_json::Value;

const GAMES: [&str; 6] = [
    "rules = [[1, 0], [0, 1]]",
    "rules = [[1, 0], [0, 2]]",
    "rules = [[1, 0], [0, 1], [2, 2]]",
    "rules = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]",
    "rules = [[1, 0], [-1, 1], [0, 1]]\ndefeated = [[0, 0]]",
    "rules = [[1, 0], [0, 1]]\n[board]\ninequalities = [[1, 0, 0], [-1, 2, 1]]",
];

fn solved(text: &str) -> (AutomatonStrategy, SeriesStrategy) {
    let game = LatticeGame::new(&Description::from_toml(text).unwrap(), &Unlimited).unwrap();
    let effort = Effort::unlimited();
    let set = p_positions(&game, &Limits::default(), &Unlimited).finished().unwrap();
    let automaton = AutomatonStrategy::proved(game, set, &effort).unwrap();
    let strata = StratificationStrategy::from_automaton(&automaton, &effort).unwrap();
    let series = SeriesStrategy::from_strata(&strata, &Unlimited).unwrap();
    (automaton.into_inner(), series.into_inner())
}

/// A pseudo-random number with the given number of digits.
fn number(state: &mut u64, digits: u32) -> BigInt {
    let mut n = BigInt::from(0);
    for _ in 0..digits {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        n = n * 10 + *state % 10;
    }
    n
}

#[test]
fn series_and_automaton_agree_at_every_size() {
    for text in GAMES {
        let (automaton, series) = solved(text);
        let envelope = series.to_envelope();
        assert!(matches!(check(&envelope.to_text(), &|| true), Verdict::Valid { .. }), "{text}");
        let read = SeriesStrategy::from_envelope(&envelope, &Unlimited).unwrap().into_claim();
        assert_eq!(read.series().terms(), series.series().terms());
        let mut state = 88_172_645_463_325_252;
        let d = series.game().dimension();
        for digits in [1, 1, 1, 1, 2, 2, 2, 3, 5, 10, 20, 30] {
            for _ in 0..8 {
                let x: Vec<BigInt> = (0..d).map(|_| number(&mut state, digits)).collect();
                let outcome = automaton.outcome(&x);
                assert_eq!(read.outcome(&x, &Unlimited).unwrap(), outcome, "{x:?} in {text}");
                if outcome.is_some() {
                    let moves = read.winning_moves(&x, &Unlimited).unwrap();
                    assert_eq!(moves, automaton.winning_moves(&x));
                    assert_eq!(moves.is_empty(), outcome == Some(Outcome::P));
                }
            }
        }
    }
}

/// Whether both positions have the same outcome class with every r of a box added: congruence, as far as a box shows it.
fn congruent_on_box(automaton: &AutomatonStrategy, p: &[i64], q: &[i64], size: i64) -> bool {
    let in_p = |x: &[i64], r: &[i64]| {
        let sum: Vec<BigInt> = x.iter().zip(r).map(|(x, r)| BigInt::from(x + r)).collect();
        automaton.outcome(&sum) == Some(Outcome::P)
    };
    cube(p.len(), size).iter().all(|r| in_p(p, r) == in_p(q, r))
}

/// The points with coordinates below a size.
fn cube(d: usize, size: i64) -> Vec<Vec<i64>> {
    let count = size.pow(u32::try_from(d).unwrap());
    let point = |mut n: i64| {
        let mut x = Vec::new();
        for _ in 0..d {
            x.push(n % size);
            n /= size;
        }
        x
    };
    (0..count).map(point).collect()
}

fn big(x: &[i64]) -> Vec<BigInt> {
    x.iter().map(|&x| x.into()).collect()
}

/// By series, by automaton, by strata, by the relation, and by brute force on a box.
#[test]
fn congruence_agrees_on_all_roads() {
    let effort = Effort::unlimited();
    for (number, text) in GAMES.iter().enumerate() {
        let (automaton, series) = solved(text);
        let game = series.game();
        let d = game.dimension();
        let relation = game.board().is_none().then(|| relation(automaton.set(), &effort).unwrap());
        let positions: Vec<Vec<i64>> =
            cube(d, if d == 2 { 4 } else { 2 }).into_iter().filter(|x| game.is_position_big(&big(x))).collect();
        for (i, p) in positions.iter().enumerate() {
            // Of games with many terms not every pair: the exact comparison takes its time.
            let step = if series.series().terms().len() > 6 { 5 } else { 1 };
            for q in positions.iter().skip(i).step_by(step) {
                let found = series.congruence(&big(p), &big(q), &Unlimited).unwrap();
                assert_eq!(
                    automaton.congruence(&big(p), &big(q), &effort).unwrap(),
                    found,
                    "{p:?} and {q:?} in {text}"
                );
                if number < 2 {
                    assert_eq!(series.strata().congruence(&big(p), &big(q), &effort).unwrap(), found);
                }
                let congruent = found == Congruence::Congruent;
                if let Some(relation) = &relation {
                    let pair: Vec<u64> = p.iter().zip(q).flat_map(|(p, q)| [*p, *q].map(i64::cast_unsigned)).collect();
                    assert_eq!(relation.contains_small(&pair), congruent, "{p:?} and {q:?} in {text}");
                    let on_box = congruent_on_box(&automaton, p, q, if d == 2 { 16 } else { 8 });
                    assert_eq!(congruent, on_box, "{p:?} and {q:?} in {text}");
                }
                if let Congruence::Different { witness } = found {
                    let add = |x: &[i64]| -> Vec<BigInt> { x.iter().zip(&witness).map(|(x, r)| x + r).collect() };
                    let in_p = |x: &[i64]| automaton.outcome(&add(x)) == Some(Outcome::P);
                    assert_ne!(in_p(p), in_p(q), "witness {witness:?} for {p:?} and {q:?} in {text}");
                }
            }
        }
    }
}

/// Random rule sets in the plane, normal and misère: series, automaton and brute force agree on pairs of positions.
#[test]
fn congruence_agrees_on_random_games() {
    const MOVES: [&str; 8] = ["[1,0]", "[0,1]", "[1,1]", "[2,0]", "[0,2]", "[2,1]", "[1,2]", "[0,3]"];
    let effort = Effort::unlimited();
    let mut state = 0x2545_f491_4f6c_dd1d;
    let (mut games, mut congruent_pairs) = (0, 0);
    for _ in 0..40 {
        let mut draw = |n: u64| u64::try_from(number(&mut state, 6)).unwrap() % n;
        let mut rules = vec!["[1,0]", if draw(2) == 0 { "[0,1]" } else { "[0,2]" }];
        rules.extend((0..draw(3)).map(|_| MOVES[usize::try_from(draw(8)).unwrap()]));
        rules.sort_unstable();
        rules.dedup();
        let defeated = if draw(2) == 0 { "" } else { "\ndefeated = [[0, 0]]" };
        let text = format!("rules = [{}]{defeated}", rules.join(","));
        let game = LatticeGame::new(&Description::from_toml(&text).unwrap(), &Unlimited).unwrap();
        let limits = Limits { states: 60, positions: 1 << 14, ..Limits::default() };
        let Ok(set) = p_positions(&game, &limits, &Unlimited).finished() else { continue };
        let automaton = AutomatonStrategy::proved(game, set, &effort).unwrap();
        let strata = StratificationStrategy::from_automaton(&automaton, &effort).unwrap();
        let series = SeriesStrategy::from_strata(&strata, &Unlimited).unwrap();
        if series.series().terms().len() > 8 || games == 12 {
            continue;
        }
        games += 1;
        for _ in 0..6 {
            let [p, q] = [0, 1].map(|_| [0, 1].map(|_| i64::try_from(draw(5)).unwrap()).to_vec());
            let found = series.congruence(&big(&p), &big(&q), &Unlimited).unwrap();
            assert_eq!(automaton.congruence(&big(&p), &big(&q), &effort).unwrap(), found, "{p:?} and {q:?} in {text}");
            let congruent = found == Congruence::Congruent;
            assert_eq!(congruent, congruent_on_box(&automaton, &p, &q, 24), "{p:?} and {q:?} in {text}");
            congruent_pairs += usize::from(congruent && p != q);
        }
    }
    assert!(games >= 8 && congruent_pairs > 0, "{games} games, {congruent_pairs} pairs");
}

/// Every number below a JSON value, changed by one; each changed copy of the root is passed on.
fn changes(root: &Value, path: &mut Vec<String>, at: &Value, see: &mut impl FnMut(Value, &[String])) {
    match at {
        Value::Array(list) => {
            for (i, x) in list.iter().enumerate() {
                path.push(i.to_string());
                changes(root, path, x, see);
                path.pop();
            }
        }
        Value::Object(map) => {
            for (key, x) in map {
                path.push(key.clone());
                changes(root, path, x, see);
                path.pop();
            }
        }
        Value::Number(n) => {
            let mut copy = root.clone();
            *copy.pointer_mut(&format!("/{}", path.join("/"))).unwrap() = (n.as_i64().unwrap() + 1).into();
            see(copy, path);
        }
        _ => {}
    }
}

#[test]
fn every_changed_number_is_refused() {
    for text in &GAMES[..5] {
        let (_, series) = solved(text);
        let envelope = series.to_envelope();
        let mut tried = 0;
        for key in ["terms", "modules"] {
            let value = envelope.certificate[key].clone();
            changes(&value.clone(), &mut Vec::new(), &value, &mut |changed, path| {
                let mut certificate = envelope.certificate.clone();
                certificate[key] = changed;
                let file = Envelope { certificate, ..envelope.clone() };
                let verdict = check(&file.to_text(), &|| true);
                assert!(matches!(verdict, Verdict::Refused { .. }), "{key} {path:?} in {text}");
                tried += 1;
            });
        }
        assert!(tried > 4);
        // A missing term, a term twice, an unknown key.
        for change in 0..3 {
            let mut certificate = envelope.certificate.clone();
            let terms = certificate["terms"].as_array_mut().unwrap();
            match change {
                0 => drop(terms.pop()),
                1 => terms.push(terms[0].clone()),
                _ => terms[0]["more"] = 1.into(),
            }
            let file = Envelope { certificate, ..envelope.clone() };
            assert!(matches!(check(&file.to_text(), &|| true), Verdict::Refused { .. }), "change {change} in {text}");
        }
    }
}

/// Nim with heaps up to n as a lattice game: rank about log n, so that characters are fewer than points of P0.
fn nim(n: usize) -> String {
    let mut rules = Vec::new();
    for i in 0..n {
        let unit = |j: usize| i64::from(i == j);
        rules.push((0..n).map(unit).collect::<Vec<i64>>());
        rules.extend((0..i).map(|k| (0..n).map(|j| unit(j) - i64::from(k == j)).collect::<Vec<i64>>()));
    }
    format!("rules = {}", serde_json::to_string(&rules).unwrap())
}

#[test]
fn characters_are_proved_and_changed_ones_refused() {
    let game = LatticeGame::new(&Description::from_toml(&nim(7)).unwrap(), &Unlimited).unwrap();
    let kernel = ParityKernel::of_lattice(&game).unwrap();
    let strategy = CharacterStrategy::new(game, &kernel, &Unlimited).unwrap();
    assert_eq!(strategy.sum().signs().len(), 8);
    let envelope = strategy.to_envelope();
    assert!(matches!(check(&envelope.to_text(), &|| true), Verdict::Valid { .. }));
    let read = CharacterStrategy::from_envelope(&envelope, &Unlimited).unwrap().into_claim();
    assert_eq!(read.sum(), strategy.sum());
    let mut state = 99;
    for digits in [1, 1, 2, 3, 10, 30] {
        for _ in 0..20 {
            let [p, q]: [Vec<BigInt>; 2] = [0, 1].map(|_| (0..7).map(|_| number(&mut state, digits)).collect());
            assert_eq!(read.outcome(&p), Some(kernel.outcome(&p)));
            match read.congruence(&p, &q) {
                Congruence::Congruent => assert_eq!(kernel.grundy(&p), kernel.grundy(&q)),
                Congruence::Different { witness } => {
                    let plus = |x: &[BigInt]| -> Vec<BigInt> { x.iter().zip(&witness).map(|(x, r)| x + r).collect() };
                    assert_ne!(read.outcome(&plus(&p)), read.outcome(&plus(&q)));
                }
            }
        }
    }
    let refused = |certificate: Value, play: Play| {
        let file = Envelope { certificate, play, ..envelope.clone() };
        assert!(matches!(check(&file.to_text(), &|| true), Verdict::Refused { .. }));
    };
    for key in ["values", "characters"] {
        let value = envelope.certificate[key].clone();
        changes(&value.clone(), &mut Vec::new(), &value, &mut |changed, _| {
            let mut certificate = envelope.certificate.clone();
            certificate[key] = changed;
            refused(certificate, Play::Normal);
        });
    }
    // Every sign turned round; a character missing, twice, or from another group; misère play.
    let list = envelope.certificate["characters"].as_array().unwrap().clone();
    let with = |list: Vec<Value>| {
        let mut certificate = envelope.certificate.clone();
        certificate["characters"] = list.into();
        certificate
    };
    for k in 0..list.len() {
        for i in 0..7 {
            let mut turned = list.clone();
            turned[k][i] = (-turned[k][i].as_i64().unwrap()).into();
            refused(with(turned), Play::Normal);
        }
    }
    refused(with(list[1..].to_vec()), Play::Normal);
    refused(with([&list[..], &list[..1]].concat()), Play::Normal);
    refused(with(vec![]), Play::Normal);
    refused(envelope.certificate.clone(), Play::Misere);
}

/// A folder with the game, its automaton and its series.
fn files(text: &str) -> (tempfile::TempDir, [String; 3]) {
    let (folder, game) = crate::common::file("game.toml", &format!("kind = \"lattice\"\n{text}\n"));
    let [automaton, series] =
        ["automaton.json", "series.json"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    crate::common::out(&["solve", &game, "--method", "learn", "-o", &automaton], "");
    crate::common::out(&["convert", &automaton, "--to", "series", "-o", &series], "");
    (folder, [game, automaton, series])
}

/// The P-positions below a size in the plane, by the definition: no option is one. Rules have no negative entries.
fn p_below(size: usize, rules: &[[usize; 2]]) -> Vec<Vec<bool>> {
    let mut p = vec![vec![false; size]; size];
    for x in 0..size {
        for y in 0..size {
            let to_p = |r: &[usize; 2]| x >= r[0] && y >= r[1] && p[x - r[0]][y - r[1]];
            p[x][y] = !rules.iter().any(to_p);
        }
    }
    p
}

/// `congruent` with the file of the series and with that of the automaton; the answers by brute force, witnesses too.
#[test]
fn the_command_tells_congruence_from_a_series() {
    for rules in [&[[1, 0], [0, 1], [2, 2]][..], &[[1, 0], [0, 2]], &[[1, 0], [0, 1], [1, 1]]] {
        let text = format!("rules = {}", serde_json::to_string(rules).unwrap());
        let (_folder, [game, automaton, series]) = files(&text);
        let p = p_below(40, rules);
        let mut answers = [0, 0];
        for (a, b) in
            [([0, 0], [2, 2]), ([0, 0], [6, 6]), ([1, 0], [0, 1]), ([2, 1], [1, 2]), ([0, 3], [4, 1]), ([5, 4], [1, 0])]
        {
            let point = |x: [usize; 2]| format!("({},{})", x[0], x[1]);
            let ask = |file: &str| {
                let output = crate::common::impartial(
                    &["congruent", &game, &point(a), &point(b), "--strategy", file, "--json"],
                    "",
                );
                let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
                let code = i32::from(answer["congruent"] != true);
                assert_eq!(output.status.code(), Some(code), "{a:?} and {b:?} in {text}");
                answer
            };
            let found = ask(&series);
            assert_eq!(found["method"], "series");
            let by_automaton = ask(&automaton);
            assert_eq!(by_automaton["method"], "automaton");
            assert_eq!(found["congruent"], by_automaton["congruent"], "{a:?} and {b:?} in {text}");
            assert_eq!(found["witness"], by_automaton["witness"], "{a:?} and {b:?} in {text}");
            let differ = |r: [usize; 2]| p[a[0] + r[0]][a[1] + r[1]] != p[b[0] + r[0]][b[1] + r[1]];
            let by_hand = (0..24).all(|r| (0..24).all(|s| !differ([r, s])));
            assert_eq!(found["congruent"], by_hand, "{a:?} and {b:?} in {text}");
            answers[usize::from(by_hand)] += 1;
            if let Some(witness) = found["witness"].as_str() {
                let r: Vec<usize> = witness.trim_matches(['(', ')']).split(',').map(|x| x.parse().unwrap()).collect();
                assert!(differ([r[0], r[1]]), "witness {witness} for {a:?} and {b:?} in {text}");
            }
        }
        assert!(answers.iter().all(|&n| n > 0), "both answers occur in {text}: {answers:?}");
    }
}

/// `quotient FILE` (Theorem 8.3 and Corollary 8.12): the series and the automaton give the same quotient, and classes counted
/// by brute force are as many.
#[test]
fn the_command_gives_the_quotient_of_a_normal_semigroup() {
    for (rules, group) in [
        (&[[1, 0], [0, 1]][..], "[2]"),
        (&[[1, 0], [0, 1], [1, 1]], "[2,2]"),
        (&[[1, 0], [0, 1], [2, 0], [0, 2], [1, 1]], "[3]"),
    ] {
        let text = format!("rules = {}", serde_json::to_string(rules).unwrap());
        let (_folder, [game, automaton, series]) = files(&text);
        let ask = |file: &str| -> Value {
            serde_json::from_str(&crate::common::out(&["quotient", file, "--json"], "")).unwrap()
        };
        let (found, by_automaton) = (ask(&series), ask(&automaton));
        assert_eq!(found["group"].to_string(), group, "{text}");
        assert_eq!(found["proved"], true);
        for key in ["finite", "order", "p_portion"] {
            assert_eq!(found[key], by_automaton[key], "{key} of {text}");
        }
        // The relations hold: every aᵢ is congruent to 0.
        for relation in found["relations"].as_array().unwrap() {
            let a = relation.as_str().unwrap().strip_suffix(" = 0").unwrap();
            assert_eq!(crate::common::out(&["congruent", &game, a, "(0,0)", "--strategy", &series], ""), "congruent");
        }
        let p = p_below(40, rules);
        let mut classes: Vec<Vec<bool>> = Vec::new();
        for (x, y) in (0..12).flat_map(|x| (0..12).map(move |y| (x, y))) {
            let class = (0..24).flat_map(|r| (0..24).map(move |s| (r, s))).map(|(r, s)| p[x + r][y + s]).collect();
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        assert_eq!(found["order"], classes.len(), "{text}");
    }
    // P is no semigroup here: the quotient comes from the automaton.
    let (_folder, [_, _, series]) = files("rules = [[1], [3]]\nplay = \"misere\"");
    let found: Value = serde_json::from_str(&crate::common::out(&["quotient", &series, "--json"], "")).unwrap();
    assert_eq!(found["form"], "presentation");
}
