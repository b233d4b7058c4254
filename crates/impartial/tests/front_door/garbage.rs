//! Random text, dimensions and sizes at every entry of the front door: errors, never panics.

use impartial::game::{catalogue, sizes, verified};
use impartial::num_bigint::BigUint;
use impartial::prelude::{Ask, Form, Game, Method, Play, Position, Strategy};
use impartial::run::TickLimit;
use impartial::{PlotAsk, Solution};
use proptest::prelude::{ProptestConfig, any, prop, proptest};
use proptest::strategy::Strategy as _;

/// Texts that are nearly games, positions or files.
fn text() -> impl proptest::strategy::Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "0.",
        "77",
        "3",
        "137",
        "[3]",
        "4.7",
        "0.[",
        "subtract:",
        "1,2",
        ",",
        "+",
        "(",
        ")",
        "-",
        "0",
        "99999999999999999999",
        "chomp:",
        "3x4",
        "x",
        "divisors:",
        "360",
        "subsets:",
        "chomp-chains:",
        "5,3",
        "nim-poset:",
        "kayles",
        "exotic",
        "wythoff",
        "|",
        "{",
        "}",
        "a",
        "\n",
        "kind = \"lattice\"\n",
        "kind = \"heap\"\n",
        "kind = \"sum\"\n",
        "rules = [[1, 0]]\n",
        "rules = [[1], [2, 3]]\n",
        "code = \"0.77\"\n",
        "parts = [\"0.77\", \"nim\"]\n",
        "defeated = [[0, 0]]\n",
        "é",
        "∞",
        "{\"format\":\"impartial-strategy\",\"version\":1}",
        " ",
    ]);
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn ask(monitor: &TickLimit, play: bool, bound: u64, method: usize) -> Ask<'_> {
    let methods = [Method::Auto, Method::Learn, Method::Sector, Method::Kernel, Method::Table, Method::Quotient];
    let play = if play { Play::Misere } else { Play::Normal };
    Ask::new().play(play).max_heap(bound).to(bound).method(methods[method]).memory(1 << 24).monitor(monitor)
}

/// Every question to a strategy.
fn ask_solution(solution: &Solution, texts: &[String], sizes: &[BigUint], ask: &Ask) {
    let _ = solution.report(ask).to_string();
    let _ = solution.show(None, ask);
    let _ = solution.count(sizes, ask);
    let _ = solution.plot(
        "x",
        &PlotAsk { sizes: texts.first().cloned(), slice: texts.get(1).cloned(), grundy: true, ..PlotAsk::default() },
        ask,
    );
    for text in texts {
        if let Ok(position) = solution.position(text) {
            let _ = solution.outcome(&position, ask);
            let _ = solution.grundy(&position, ask);
            let _ = solution.winning_moves(&position, ask);
            let _ = solution.congruent(&position, &position, ask);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nothing_panics(
        texts in prop::collection::vec(text(), 3),
        known in prop::sample::select(vec!["kayles", "0.123", "exotic", "nim", "chomp:2x3", "divisors:12", "chomp-chains:1", "wythoff", "small-nim-lattice"]),
        numbers in prop::collection::vec(0_u64..30, 0..4),
        misere in any::<bool>(),
        bound in 0_u64..6,
        method in 0_usize..6,
    ) {
        let limit = TickLimit::new(400);
        let ask = ask(&limit, misere, bound, method);
        let boxes: Vec<BigUint> = numbers.iter().map(|&n| n.into()).collect();
        let _ = sizes(&texts[0], numbers.len());
        let _ = verified(&texts[0], &ask);
        let _ = catalogue::games(Some(&texts[0]));
        let _ = Strategy::load(&texts[0], &ask);
        let games: Vec<Game> = [texts[0].parse::<Game>(), Game::from_toml(&texts[1]), known.parse()].into_iter().flatten().collect();
        let positions: Vec<Position> =
            games.iter().flat_map(|game| texts.iter().filter_map(|text| game.position(text).ok()).chain(game.start().ok())).collect();
        for game in &games {
            let _ = game.info(&ask);
            let _ = game.values(bound, misere, None, &ask);
            let _ = game.period(&ask);
            let _ = game.count(&boxes, &ask);
            let _ = game.chains(bound, boxes.first(), &ask);
            let _ = game.quotient(&ask).map(|quotient| quotient.report().to_string());
            let _ = game.lattice_toml(&ask);
            let _ = game.plot(&PlotAsk { sizes: Some(bound.to_string()), slice: Some(texts[2].clone()), grundy: misere, ..PlotAsk::default() }, &ask);
            for position in &positions {
                let _ = game.outcome(position, &ask);
                let _ = game.grundy(position, &ask);
                let _ = game.winning_moves(position, &ask);
                let _ = game.explain(position, &ask).map(|why| why.to_string());
                let _ = game.read_move(position, &texts[2]);
                let _ = game.options(position);
                let _ = game.move_names(position);
                let _ = game.drawing(position);
                let _ = game.congruent(position, position, &ask);
            }
            if let Ok(strategy) = game.solve(&ask) {
                ask_solution(&strategy, &texts, &boxes, &ask);
                for form in Form::ALL {
                    if let Ok(converted) = strategy.convert(form, &ask) {
                        ask_solution(&converted, &texts, &boxes, &ask);
                    }
                }
                let claimed = Strategy::load(&strategy.to_text(), &ask);
                if let Ok(claimed) = claimed {
                    let _ = claimed.belongs_to(game, &ask);
                    ask_solution(&claimed, &texts, &boxes, &ask);
                }
            }
        }
    }
}
