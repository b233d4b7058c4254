//! Q(A), T and W of Byrnes's proof, against their definitions on boxes.

use impartial::poset::chains::ChainsGame;
use impartial::prelude::*;
use impartial::run::Unlimited;
use impartial::solve::chains::{Ideals, Kind, Notions, Solution};

const GAMES: [&str; 3] = [
    "elements = [\"a\", \"b\", \"e\"]\nrelations = [[\"a\", \"b\"]]\n[c]\nfirst_above = { a = 2 }\nbelow = { b = 3 }\n[d]\nbelow = { b = 1, e = 2 }\n[cross]\nd_below_c = [0, 1, 1]\nperiod = 2\nstep = 1",
    "elements = [\"a\", \"b\"]\nrelations = []\n[c]\nfirst_above = { a = 2 }\n[d]\nfirst_above = { a = 1 }",
    "elements = [\"x\"]\nrelations = []",
];

#[test]
fn notions_are_what_they_are_defined_as() {
    let ask = Ask::new();
    for text in GAMES {
        let text = format!("kind = \"chains\"\n{text}");
        let (inside, game) = (ChainsGame::from_toml(&text).unwrap(), Game::from_toml(&text).unwrap());
        let notions = Notions::new(&inside, 3, &Unlimited).unwrap();
        let solution = Solution::new(inside.clone(), 3, &Unlimited).unwrap();
        for j in 0..=3 {
            let periodic = matches!(solution.pattern(j).unwrap().kind(), Kind::Periodic(_));
            assert_eq!(notions.q.contains(&j), !periodic, "{text} {j}");
        }
        assert_eq!(
            notions.t.iter().map(|(j, _)| *j).collect::<Vec<_>>(),
            notions.q,
            "each value of Q(A) has a T: {text}"
        );
        // From n = T on, some option of A_{m,n} has the value.
        for &(j, t) in &notions.t {
            assert!(notions.w.unwrap() >= t);
            for m in [0, 1, 2, 5, 9, 14] {
                for n in t..t + 6 {
                    let position = game.position(&format!("{m},{n}")).unwrap();
                    let options = game.options(&position).unwrap();
                    let value = |p: &Position| game.grundy(p, &ask).unwrap().grundy.to_string();
                    assert!(options.iter().any(|p| value(p) == j.to_string()), "{text}: value {j} from ({m},{n})");
                }
            }
        }
        assert_eq!(notions.ideals, Ideals::new(&inside, &Unlimited).unwrap().list().len());
    }
}

#[test]
fn one_chain_has_no_notions() {
    assert!(Notions::new(&ChainsGame::chomp_row(&[2]).unwrap(), 0, &Unlimited).is_err());
}

#[test]
fn certificates_for_larger_values() {
    let ask = Ask::new();
    let game: Game = "chomp-chains:2,1".parse().unwrap();
    let text = game.solve_up_to(3, &ask).unwrap().to_text();
    let strategy = Strategy::load(&text, &ask).unwrap().verify(&ask).unwrap();
    for rows in ["5,4,2,1", "3,3,1", "7,2,2", "6,6,2,1"] {
        let position = game.position(rows).unwrap();
        let right = game.grundy(&position, &ask).unwrap().grundy;
        match strategy.grundy(&position, &ask) {
            Ok(found) => assert_eq!(found.grundy, right, "{rows}"),
            Err(_) => assert!(right.0 > 3_u32.into(), "{rows}"),
        }
    }
    // A changed value of a function is refused.
    let mut file = impartial::strategy::Envelope::from_text(&text).unwrap();
    let ideals = file.certificate["ideals"].as_array_mut().unwrap();
    let value = ideals
        .iter_mut()
        .filter_map(|ideal| ideal["functions"].as_array_mut())
        .flatten()
        .filter_map(|function| function["values"].as_array_mut())
        .flatten()
        .filter(|value| value.is_u64())
        .last()
        .expect("a function has a value");
    *value = serde_json::json!(value.as_u64().unwrap() + 1);
    assert!(Strategy::load(&file.to_text(), &ask).unwrap().verify(&ask).is_err());
}
