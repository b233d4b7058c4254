//! Stratifications against published ones, through files and the independent checker.

use std::fmt::Write as _;

use impartial::lattice::{Description, LatticeGame};
use impartial::outcome::Outcome;
use impartial::solve::sector::{Sectors, Stratum, sectors};
use impartial::strategy::{
    AutomatonStrategy, Envelope, ModuleProof, SectorStrategy, StratificationStrategy, board_proof,
};
use impartial_check::{Verdict, check};
use num_bigint::BigInt;
use semilinear::run::{Run, Unlimited};
use semilinear::semigroup::{Module, Stratification, stratification_of};
use semilinear::vectorset::Effort;
use serde_json::{Value, json};

fn table(name: &str) -> Value {
    let path = format!("{}/../../testdata/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn vectors(value: &Value) -> Vec<Vec<i64>> {
    serde_json::from_value(value.clone()).unwrap()
}

fn game(row: &Value) -> LatticeGame {
    let mut text = format!("rules = {}\n", row["rules"]);
    if row["defeated"].as_array().is_some_and(|d| !d.is_empty()) {
        let _ = writeln!(text, "defeated = {}", row["defeated"]);
    }
    if let Some(board) = row.get("board").filter(|board| !board.is_null()) {
        let _ = writeln!(text, "[board]\ninequalities = {}", board["inequalities"]);
    }
    LatticeGame::new(&Description::from_toml(&text).unwrap(), &Unlimited).unwrap()
}

/// The file of modules with their automata.
fn envelope(game: &LatticeGame, modules: &[Module]) -> Envelope {
    let proof = ModuleProof::new(modules, Some(game.chart()), &Effort::unlimited()).unwrap();
    written(game, modules, proof.as_ref())
}

/// The file of modules alone, which the sector method proves.
fn without_automata(game: &LatticeGame, modules: &[Module]) -> Envelope {
    written(game, modules, None)
}

fn written(game: &LatticeGame, modules: &[Module], proof: Option<&ModuleProof>) -> Envelope {
    let mut certificate = board_proof(game);
    ModuleProof::write(proof, modules, &mut certificate);
    Envelope {
        form: "stratification".into(),
        play: game.play(),
        game: game.to_json(),
        certificate: Value::Object(certificate),
    }
}

fn verdict(envelope: &Envelope) -> Verdict {
    check(&envelope.to_text(), &|| true)
}

fn published(row: &Value) -> Vec<Module> {
    let modules = row["stratification"].as_array().unwrap();
    modules.iter().map(|m| Module { generators: vectors(&m["A"]), bases: vectors(&m["F"]) }).collect()
}

/// Outcomes and all winning moves of the large positions in the table; how many there are.
fn large_positions_agree(row: &Value, strategy: &StratificationStrategy) -> usize {
    let big = |x: &Value| -> Vec<BigInt> { x.as_array().unwrap().iter().map(|x| x.as_i64().unwrap().into()).collect() };
    let list = row["big_positions"].as_array().map_or(&[][..], Vec::as_slice);
    for entry in list {
        let x = big(&entry["x"]);
        let expected = Outcome::p_if(entry["outcome"] == "P");
        assert_eq!(strategy.outcome(&x), Some(expected), "{} {x:?}", row["id"]);
        let rules = entry["winning_moves"].as_array().map_or(&[][..], Vec::as_slice);
        let mut expected: Vec<Vec<BigInt>> =
            rules.iter().map(|g| x.iter().zip(big(g)).map(|(x, g)| x - g).collect()).collect();
        let mut found = strategy.winning_moves(&x);
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{} {x:?}", row["id"]);
    }
    list.len()
}

/// Games whose automata are large, or whose board is not the orthant: proved by sectors.
const BY_SECTORS: [&str; 3] = ["cone_pm", "three_five", "long173"];

#[test]
fn published_stratifications_are_accepted_and_ours_are_not_longer_than_twice() {
    let games = table("lattice-games.json");
    let (mut seen, mut positions) = (0, 0);
    for row in games["games"].as_array().unwrap() {
        let id = row["id"].as_str().unwrap();
        if row["stratification"].is_null() || BY_SECTORS.contains(&id) {
            continue;
        }
        seen += 1;
        let game = game(row);
        let published = published(row);
        let file = envelope(&game, &published);
        assert!(matches!(verdict(&file), Verdict::Valid { .. }), "{id}: {:?}", verdict(&file));

        let effort = Effort::unlimited();
        let set = Stratification::new(game.dimension(), published).unwrap().vector_set(&effort).unwrap();
        let automaton = AutomatonStrategy::proved(game.clone(), set, &effort).expect(id);
        let ours = StratificationStrategy::from_automaton(&automaton, &effort).unwrap();
        let known = row["strata_known"].as_u64().unwrap();
        assert!(ours.strata().strata() as u64 <= 2 * known, "{id}: {} strata, {known} known", ours.strata().strata());
        assert!(matches!(verdict(&ours.to_envelope()), Verdict::Valid { .. }), "{id}");
        assert_eq!(ours.automaton(&effort).unwrap().set(), automaton.set(), "{id}");
        positions += large_positions_agree(row, &ours);
    }
    assert!(seen >= 18, "only {seen} games");
    assert!(positions >= 80, "only {positions} large positions");
}

/// The published stratifications with long rays: accepted by the finite box of the sector method, and refused when changed.
#[test]
fn long_rays_are_proved_by_a_finite_box() {
    let games = table("lattice-games.json");
    for row in games["games"].as_array().unwrap().iter().filter(|row| BY_SECTORS.iter().any(|id| row["id"] == *id)) {
        let id = row["id"].as_str().unwrap();
        let game = game(row);
        let mut modules = published(row);
        let file = without_automata(&game, &modules);
        assert!(matches!(verdict(&file), Verdict::Valid { .. }), "{id}: {:?}", verdict(&file));
        let strategy = StratificationStrategy::from_envelope(&file, &Unlimited).unwrap().into_claim();
        assert_eq!(large_positions_agree(row, &strategy), 6, "{id}");
        // A base twice, in two modules: the union is the same, the modules are not disjoint.
        let base = modules[0].bases[0].clone();
        modules.push(Module { generators: vec![], bases: vec![base] });
        match verdict(&without_automata(&game, &modules)) {
            Verdict::Refused { reason } => assert!(reason.contains("not disjoint"), "{id}: {reason}"),
            other => panic!("{id}: {other:?}"),
        }
        modules.pop();
        modules[0].bases.pop();
        match verdict(&without_automata(&game, &modules)) {
            Verdict::Refused { reason } => assert!(reason.contains("equation"), "{id}: {reason}"),
            other => panic!("{id}: {other:?}"),
        }
    }
}

/// Sectors become a stratification without automata, and the checker accepts it; overlapping ones do not.
#[test]
fn sectors_become_stratifications() {
    let games = table("lattice-games.json");
    for id in ["cone_pm", "exotic22", "diag33"] {
        let row = games["games"].as_array().unwrap().iter().find(|row| row["id"] == id).unwrap();
        let game = game(row);
        let Run::Finished(found) = sectors(&game, 1024, &Unlimited) else { panic!("{id}") };
        let strategy = SectorStrategy::proved(game.clone(), found.clone(), &Unlimited).unwrap();
        let ours = StratificationStrategy::from_sectors(&strategy, &Unlimited).expect(id);
        assert!(matches!(verdict(&ours.to_envelope()), Verdict::Valid { .. }), "{id}");
        assert!(ours.strata().strata() as u64 <= 2 * row["strata_known"].as_u64().unwrap(), "{id}");
        assert_eq!(large_positions_agree(row, &ours), 6);
        // A point of the plane that a module holds already, once more on its own.
        let mut strata = found.strata().to_vec();
        strata.push(Stratum { value: 0, generators: vec![], points: vec![strata[0].points[0]] });
        let doubled = Sectors::new(found.rays().to_vec(), strata);
        let doubled = SectorStrategy::proved(game, doubled, &Unlimited).unwrap();
        let why = StratificationStrategy::from_sectors(&doubled, &Unlimited).unwrap_err().to_string();
        assert!(why.contains("two modules meet"), "{id}: {why}");
    }
}

#[test]
fn the_printed_table_of_example_6_4_is_wrong_and_the_corrected_one_right() {
    let example = table("example-6.4.json");
    let games = table("lattice-games.json");
    let row = games["games"].as_array().unwrap().iter().find(|g| g["id"] == "ex64").unwrap();
    let game = game(row);
    let modules = |bases: &dyn Fn(&str) -> Vec<Vec<i64>>, a: &Value| -> Vec<Module> {
        ["1", "2", "3", "4", "5", "6", "7"]
            .iter()
            .map(|&i| Module { generators: vectors(&a[i]), bases: bases(i) })
            .collect()
    };
    let corrected = modules(&|i| vectors(&example["corrected"]["F"][i]), &example["corrected"]["A"]);
    let file = envelope(&game, &corrected);
    assert!(matches!(verdict(&file), Verdict::Valid { .. }), "{:?}", verdict(&file));

    // Columns of the printed matrices; rows that lost entries are read as far as they go.
    let columns = |i: &str| {
        let rows = vectors(&example["printed"]["F_rows"][i]);
        let width = rows.iter().map(Vec::len).min().unwrap();
        (0..width).map(|c| rows.iter().map(|row| row[c]).collect()).collect()
    };
    let printed = modules(&columns, &example["printed"]["A"]);
    match verdict(&envelope(&game, &printed)) {
        Verdict::Refused { reason } => assert!(reason.contains("disjoint") || reason.contains("equation"), "{reason}"),
        other => panic!("{other:?}"),
    }

    let effort = Effort::unlimited();
    let set = Stratification::new(5, corrected).unwrap().vector_set(&effort).unwrap();
    let ours = stratification_of(&set, &effort).unwrap();
    assert!(ours.modules().len() <= 10, "{} modules", ours.modules().len());
}

#[test]
fn changed_certificates_are_refused() {
    let games = table("lattice-games.json");
    let row = games["games"].as_array().unwrap().iter().find(|g| g["id"] == "exotic22").unwrap();
    let game = game(row);
    let modules = published(row);
    let file = envelope(&game, &modules);
    assert!(matches!(verdict(&file), Verdict::Valid { .. }));
    let refused = |modules: &[Module]| {
        assert!(matches!(verdict(&envelope(&game, modules)), Verdict::Refused { .. }), "{modules:?}");
    };
    for m in 0..modules.len() {
        for (list, length) in [(0, modules[m].generators.len()), (1, modules[m].bases.len())] {
            for i in 0..length {
                for coordinate in 0..2 {
                    for step in [-1, 1, 2] {
                        let mut changed = modules.clone();
                        let vector = if list == 0 { &mut changed[m].generators[i] } else { &mut changed[m].bases[i] };
                        vector[coordinate] += step;
                        refused(&changed);
                    }
                }
            }
        }
        let mut fewer = modules.clone();
        fewer[m].bases.pop();
        refused(&fewer);
        let mut fewer = modules.clone();
        fewer.remove(m);
        refused(&fewer);
    }
    let mut other = file.clone();
    other.game["rules"][2] = json!([2, 3]);
    assert!(matches!(verdict(&other), Verdict::Refused { .. }));
    let mut other = file;
    other.certificate["surprise"] = json!(1);
    assert!(matches!(verdict(&other), Verdict::Refused { .. }));
}
