//! The longest play, against plain recursion; closed forms at the front door.

use impartial::prelude::*;

fn longest(game: &Game, position: &Position) -> u64 {
    let options = game.options(position).unwrap();
    options.iter().map(|option| 1 + longest(game, option)).max().unwrap_or(0)
}

#[test]
fn longest_plays_agree_with_recursion() {
    let graph = "kind = \"graph\"\n[moves]\na = [\"b\", \"c\"]\nb = [\"c\"]\nc = []";
    let sum = "kind = \"sum\"\nparts = [\"kayles\", \"subtract:2,3\"]";
    let lattice = "kind = \"lattice\"\nrules = [[1, 0], [-2, 1]]\ndefeated = [[0, 0]]";
    let cases = [
        ("kayles".parse::<Game>().unwrap(), vec!["0", "3", "2+3", "5"]),
        ("laskers-nim".parse().unwrap(), vec!["4", "1+3", "2+2+1"]),
        ("chomp:3x3".parse().unwrap(), vec!["3,3,3", "3,1"]),
        (Game::from_toml(graph).unwrap(), vec!["a", "b", "c"]),
        (Game::from_toml(sum).unwrap(), vec!["3|5", "0|1", "2|7"]),
        (Game::from_toml(lattice).unwrap(), vec!["(3,2)", "(1,0)", "(0,3)"]),
        ("wythoff".parse().unwrap(), vec!["2+3"]),
    ];
    for (game, positions) in cases {
        for text in positions {
            let position = game.position(text).unwrap();
            let info = game.info_at(&position, &Ask::new()).unwrap();
            assert_eq!(info.facts["longest_play"], longest(&game, &position), "{} {text}", game.name());
        }
    }
    // Lasker's bound: all beans and all gaps between them.
    let lasker: Game = "laskers-nim".parse().unwrap();
    let info = lasker.info_at(&lasker.position("20+9+1").unwrap(), &Ask::new()).unwrap();
    assert_eq!(info.facts["longest_play"], 39 + 17 + 1);
}

/// Heaps of any size of "fewer than n/2 + 1" and "at most half": moves lead to value 0, and small ones agree with the sequence.
#[test]
fn closed_forms_answer_for_any_heap() {
    let ask = Ask::new();
    for name in ["fewer-than-half-plus-one", "at-most-half"] {
        let game: Game = name.parse().unwrap();
        let values = game.values(60, false, None, &ask).unwrap().values;
        for (heap, value) in values.iter().enumerate() {
            let found = game.grundy(&game.position(&heap.to_string()).unwrap(), &ask).unwrap();
            assert_eq!(found.grundy.to_string(), value.to_string(), "{name} {heap}");
        }
        let far = format!("1{}", "0".repeat(60));
        let position = game.position(&format!("{far}+17+8")).unwrap();
        let moves = game.winning_moves(&position, &ask).unwrap().moves;
        assert!(!moves.is_empty());
        for to in &moves {
            assert_eq!(game.grundy(to, &ask).unwrap().grundy.to_string(), "0", "{name}");
        }
        for text in ["5+7", "3+4+9", "14", "6+6"] {
            let position = game.position(text).unwrap();
            let mut right: Vec<Position> = game.options(&position).unwrap();
            right.retain(|p| game.grundy(p, &ask).unwrap().grundy.to_string() == "0");
            let mut found = game.winning_moves(&position, &ask).unwrap().moves;
            right.sort_by_key(ToString::to_string);
            right.dedup();
            found.sort_by_key(ToString::to_string);
            assert_eq!(found, right, "{name} {text}");
        }
    }
}

/// Congruence of sums, graphs, posets by Grundy values; of graphs in misère play by their lattice games.
#[test]
fn congruence_of_sums_and_graphs() {
    let ask = Ask::new();
    let graph =
        Game::from_toml("kind = \"graph\"\n[moves]\na = [\"b\", \"c\"]\nb = [\"c\"]\nc = []\nd = [\"b\"]\ne = [\"d\"]")
            .unwrap();
    let congruent = |p: &str, q: &str, ask: &Ask| {
        let (p, q) = (graph.position(p).unwrap(), graph.position(q).unwrap());
        graph.congruent(&p, &q, ask).unwrap()
    };
    // Values: c 0, b 1, a 2, d 0, e 1.
    assert!(congruent("c", "d", &ask).congruent && congruent("b", "e", &ask).congruent);
    assert_eq!(congruent("a", "b", &ask).witness.as_deref(), Some("a"));
    let misere = ask.play(Play::Misere);
    // In misère play c is an N-position and b a P-position.
    assert!(!congruent("c", "b", &misere).congruent);
    assert!(congruent("b", "e", &misere).congruent);
    let sum = Game::from_toml("kind = \"sum\"\nparts = [\"nim\", \"kayles\"]").unwrap();
    let (p, q) = (sum.position("3|1").unwrap(), sum.position("2|0").unwrap());
    assert!(sum.congruent(&p, &q, &ask).unwrap().congruent);
    assert!(matches!(sum.congruent(&p, &q, &misere), Err(Error::Input(_))));
}
