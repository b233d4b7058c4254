//! Strategy files of form "table": valid as written, refused after any change of their meaning.

use impartial::outcome::Play;
use impartial::poset::{Board, Poset};
use impartial::strategy::{Envelope, Table};
use impartial_check::{Verdict, check};
use proptest::prelude::*;
use semilinear::run::Unlimited;

const DIGITS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

/// A random poset: relations only from smaller to larger numbers.
fn posets(most: usize) -> impl Strategy<Value = Poset> {
    (1..=most).prop_flat_map(|n| {
        prop::collection::vec((0..n, 0..n), 0..=2 * n).prop_map(move |pairs| {
            let relations: Vec<(usize, usize)> =
                pairs.into_iter().filter(|(x, y)| x != y).map(|(x, y)| (x.min(y), x.max(y))).collect();
            Poset::from_relations((0..n).map(|x| format!("e{x}")).collect(), &relations).unwrap()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn tables_are_valid_and_mutations_refused(
        poset in posets(7),
        misere in any::<bool>(),
        at in any::<prop::sample::Index>(),
        shift in 1_usize..64,
    ) {
        let play = if misere { Play::Misere } else { Play::Normal };
        let table = Table::new(Board::Finite(poset.clone()), play, &Unlimited).unwrap();
        let file = table.to_envelope();
        let valid = matches!(check(&file.to_text(), &|| true), Verdict::Valid { .. });
        prop_assert!(valid);
        let back = Table::from_envelope(&Envelope::from_text(&file.to_text()).unwrap()).unwrap().into_claim();
        prop_assert_eq!(back.outcome(&poset.all()), table.outcome(&poset.all()));
        prop_assert_eq!(back.winning_moves(&poset.all()), table.winning_moves(&poset.all()));

        // One value changed: the equation fails there or above it.
        let refused = |envelope: &Envelope| matches!(check(&envelope.to_text(), &|| true), Verdict::Refused { .. });
        let values = file.certificate["values"].as_str().unwrap().to_owned();
        let mut bytes = values.clone().into_bytes();
        let i = at.index(bytes.len());
        let old = DIGITS.iter().position(|d| *d == bytes[i]).unwrap();
        bytes[i] = DIGITS[(old + shift) % 64];
        let mut changed = file.clone();
        changed.certificate["values"] = String::from_utf8(bytes).unwrap().into();
        prop_assert!(refused(&changed));
        // One position too few or too many.
        changed.certificate["values"] = values[1..].into();
        prop_assert!(refused(&changed));
        changed.certificate["values"] = format!("{values}0").into();
        prop_assert!(refused(&changed));
        // The other play.
        let mut other = file.clone();
        other.play = if misere { Play::Normal } else { Play::Misere };
        prop_assert!(refused(&other));
        // One relation less: another game, with more positions.
        if !poset.covers().is_empty() {
            let mut other = file.clone();
            other.game["covers"].as_array_mut().unwrap().remove(0);
            prop_assert!(refused(&other));
        }
    }
}

/// A change of a strategy file.
type Change = Box<dyn Fn(&mut Envelope)>;

#[test]
fn garbage_tables_are_refused() {
    let board = Board::Chomp("4,3,1".parse().unwrap());
    let file = Table::new(board, Play::Normal, &Unlimited).unwrap().to_envelope();
    assert!(matches!(check(&file.to_text(), &|| true), Verdict::Valid { .. }));
    let with = |change: &dyn Fn(&mut Envelope)| {
        let mut file = file.clone();
        change(&mut file);
        check(&file.to_text(), &|| true)
    };
    let changes: Vec<Change> = vec![
        Box::new(|f| f.game["rows"] = serde_json::json!([4, 3, 2])),
        Box::new(|f| f.game["rows"] = serde_json::json!([u64::MAX, u64::MAX])),
        Box::new(|f| f.game["rows"] = serde_json::json!([3, 4])),
        Box::new(|f| f.game["rows"] = serde_json::json!([])),
        Box::new(|f| f.game["rows"] = serde_json::json!([4, 3, 0])),
        Box::new(|f| f.game["extra"] = 1.into()),
        Box::new(|f| f.game["kind"] = "nim".into()),
        Box::new(|f| f.certificate["width"] = 2.into()),
        Box::new(|f| f.certificate["width"] = 0.into()),
        Box::new(|f| f.certificate["values"] = "".into()),
        Box::new(|f| f.certificate["values"] = "é".repeat(20).into()),
        Box::new(|f| f.certificate["more"] = 1.into()),
        Box::new(|f| f.game = serde_json::json!({"kind": "poset", "elements": ["a", "a"], "covers": []})),
        Box::new(|f| f.game = serde_json::json!({"kind": "poset", "elements": ["a", "b"], "covers": [[1, 0]]})),
        Box::new(|f| f.game = serde_json::json!({"kind": "poset", "elements": ["a", "b"], "covers": [[0, 7]]})),
    ];
    for (i, change) in changes.iter().enumerate() {
        assert!(matches!(with(change), Verdict::Refused { .. }), "change {i}");
    }
    // A caller who wants no more is heard.
    assert_eq!(check(&file.to_text(), &|| false), Verdict::Stopped);
}
