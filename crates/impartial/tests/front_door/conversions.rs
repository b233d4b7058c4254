//! Every form to every form: converted, checked, with the same outcomes; or told why not.

use impartial::prelude::*;

/// One strategy of each form (and of each kind of game that the form serves), with positions to compare.
fn strategies() -> Vec<(&'static str, Strategy, Vec<&'static str>)> {
    let ask = Ask::new();
    let game = |text: &str| text.parse::<Game>().unwrap();
    let plane = "kind = \"lattice\"\nrules = [[1, 0], [0, 2]]\n";
    let nim = "kind = \"lattice\"\nrules = [[1, 0, 0], [-1, 1, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 1], [0, -1, 1]]\n";
    let units = "kind = \"lattice\"\nrules = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n";
    let points = vec!["(0,0)", "(1,1)", "(5,3)", "(3,4)", "(600,600)", "(7,2)"];
    let three = vec!["(0,0,0)", "(1,1,0)", "(1,1,1)", "(2,0,2)", "(1,2,3)"];
    let heaps = vec!["0", "1", "2+2", "1+2+3", "5+5", "4+3"];
    let lattice = game(plane).solve(&ask.method(Method::Learn)).unwrap();
    vec![
        ("automaton", lattice.clone(), points.clone()),
        ("stratification", lattice.convert(Form::Stratification, &ask).unwrap(), points.clone()),
        ("series", lattice.convert(Form::Series, &ask).unwrap(), points.clone()),
        ("presentation", lattice.convert(Form::Presentation, &ask).unwrap(), points.clone()),
        ("sectors", game(plane).solve(&ask.method(Method::Sector)).unwrap(), points.clone()),
        ("grundy-sectors", game(plane).solve_grundy(&ask.method(Method::Sector)).unwrap(), points.clone()),
        ("blocks", game(plane).solve(&ask.method(Method::Blocks)).unwrap(), points.clone()),
        ("grundy-blocks", game(plane).solve_grundy(&ask.method(Method::Blocks)).unwrap(), points.clone()),
        ("grundy-automaton", game(plane).solve_grundy(&ask).unwrap(), points),
        ("parity-kernel", game(nim).solve(&ask).unwrap(), three.clone()),
        ("characters", game(units).solve(&ask).unwrap().convert(Form::Series, &ask).unwrap(), three),
        ("heap kernel", game("0.77").solve(&ask.max_heap(5)).unwrap(), heaps.clone()),
        ("nim-sequence", game("0.77").solve(&ask).unwrap(), heaps.clone()),
        ("quotient", game("0.123").solve(&ask.play(Play::Misere).max_heap(5)).unwrap(), heaps.clone()),
        ("counters", game("0.3102").solve(&ask.play(Play::Misere).max_heap(12)).unwrap(), heaps),
        ("chains", game("chomp-chains:2").solve(&ask).unwrap(), vec!["3,2,1", "4,3,2", "9,8,2", "2,1"]),
        ("table", game("chomp:3x3").solve(&ask).unwrap(), vec!["3,3,3", "2,1", "1"]),
    ]
}

/// What each strategy above becomes.
const POSSIBLE: &[(&str, &[Form])] = {
    use Form::{
        Automaton, Blocks, Chains, Counters, GrundyAutomaton, GrundyBlocks, GrundySectors, NimSequence, ParityKernel,
        Presentation, Quotient, Sectors, Series, Stratification, Table,
    };
    const SETS: [Form; 5] = [Automaton, Stratification, Series, Quotient, Presentation];
    &[
        ("automaton", &SETS),
        ("stratification", &SETS),
        ("series", &SETS),
        ("presentation", &SETS),
        ("sectors", &[Automaton, Stratification, Series, Quotient, Presentation, Sectors]),
        ("grundy-sectors", &[Automaton, Stratification, Series, Quotient, Presentation, Sectors, GrundySectors]),
        ("blocks", &[Automaton, Stratification, Series, Quotient, Presentation, Blocks]),
        ("grundy-blocks", &[Automaton, Stratification, Series, Quotient, Presentation, GrundyBlocks]),
        ("grundy-automaton", &[Automaton, Stratification, Series, Quotient, Presentation, GrundyAutomaton]),
        ("parity-kernel", &[Automaton, Stratification, Series, Quotient, Presentation, ParityKernel]),
        ("characters", &[Automaton, Stratification, Series, Quotient, Presentation, ParityKernel]),
        ("heap kernel", &[Automaton, Stratification, Series, Quotient, Presentation, ParityKernel]),
        ("nim-sequence", &[Automaton, Stratification, Series, Quotient, Presentation, ParityKernel, NimSequence]),
        ("quotient", &[Automaton, Stratification, Series, Presentation, Quotient]),
        ("counters", &[Automaton, Stratification, Series, Counters]),
        ("chains", &[Automaton, Stratification, Series, Chains]),
        ("table", &[Table]),
    ]
};

#[test]
fn all_ordered_pairs() {
    for (name, strategy, positions) in strategies() {
        let ask = if name == "nim-sequence" { Ask::new().max_heap(5) } else { Ask::new() };
        let possible = POSSIBLE.iter().find(|(known, _)| *known == name).unwrap().1;
        for to in Form::ALL {
            // The presentation of so many heaps takes minutes.
            if name == "counters" && matches!(to, Form::Quotient | Form::Presentation) {
                continue;
            }
            let converted = match strategy.convert(to, &ask) {
                Ok(converted) => converted,
                Err(error) => {
                    assert!(!possible.contains(&to), "{name} to {to}: {error}");
                    assert!(error.to_string().contains("is not converted to"), "{name} to {to}: {error}");
                    continue;
                }
            };
            assert!(possible.contains(&to), "{name} to {to} was thought impossible");
            // The file is checked by code that shares nothing with the conversion.
            let again = Strategy::load(&converted.to_text(), &ask).unwrap().verify(&ask);
            let again = again.unwrap_or_else(|error| panic!("{name} to {to}: {error}"));
            for text in &positions {
                let before = strategy.position(text).unwrap();
                // Heap games become lattice games: their positions change their notation.
                let Ok(after) = again.position(text) else { continue };
                assert_eq!(
                    strategy.outcome(&before, &ask).unwrap().outcome,
                    again.outcome(&after, &ask).unwrap().outcome,
                    "{name} to {to} at {text}"
                );
            }
        }
    }
}

#[test]
fn sectors_become_series_by_way_of_strata() {
    let ask = Ask::new();
    let exotic: Game = "exotic".parse().unwrap();
    let series = exotic.solve(&ask.method(Method::Sector)).unwrap().convert(Form::Series, &ask).unwrap();
    for x in 0..12 {
        for y in 0..12 {
            let position = exotic.position(&format!("({x},{y})")).unwrap();
            let (found, right) = (series.outcome(&position, &ask).unwrap(), exotic.outcome(&position, &ask).unwrap());
            assert_eq!(found.outcome, right.outcome, "{position}");
        }
    }
}

#[test]
fn heap_games_agree_with_their_lattice_games() {
    let ask = Ask::new();
    let kayles: Game = "0.77".parse().unwrap();
    let kernel = kayles.solve(&ask.max_heap(4)).unwrap();
    let strata = kernel.convert(Form::Stratification, &ask).unwrap();
    for n in 0..3_u32.pow(4) {
        let counts: Vec<u32> = (0..4).map(|i| n / 3_u32.pow(i) % 3).collect();
        let mut heaps = vec!["0".to_owned()];
        for (size, &count) in (1_u32..).zip(&counts) {
            heaps.extend((0..count).map(|_| size.to_string()));
        }
        let point = format!("({},{},{},{})", counts[0], counts[1], counts[2], counts[3]);
        let by_heaps = kayles.outcome(&kayles.position(&heaps.join("+")).unwrap(), &ask).unwrap().outcome;
        let by_strata = strata.outcome(&strata.position(&point).unwrap(), &ask).unwrap().outcome;
        assert_eq!(by_heaps, by_strata, "{point}");
    }
}
