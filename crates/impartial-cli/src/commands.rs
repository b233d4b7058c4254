//! Each command: opens its game or file, asks the family or form, and makes the report.

use clap::CommandFactory as _;
use impartial::outcome::Play;
use impartial_check::{Verdict, check};
use semilinear::run::{Monitor as _, StopReason};
use serde_json::json;

use crate::args::{Args, Command, PositionArgs};
use crate::context::Context;
use crate::forms::{self, Solved};
use crate::report::{Answer, Failure, Report, bad_input};
use crate::{catalogue, files, game, play, survey};

/// Runs a command.
pub fn run(command: &Command, cx: &Context) -> Answer {
    match command {
        Command::Info(args) => game::open(&args.game)?.info(cx, args),
        Command::Values(args) => game::open(&args.game)?.values(cx, args),
        Command::Period(args) => game::open(&args.game)?.period(cx, args),
        Command::Grundy(args) => grundy(cx, args),
        Command::Outcome(args) => outcome(cx, args),
        Command::Move(args) => winning_moves(cx, args),
        Command::Solve(args) => {
            let game = game::open(&args.game)?;
            // A heap game's strategy in normal play is its Grundy values already.
            let valued = game.kind() == "lattice" || game.kind() == "heap" && cx.play(game.own_play()) == Play::Normal;
            if args.grundy && !valued {
                return Err(bad_input(format!(
                    "--grundy is for lattice games and heap games in normal play, not for this {} game; leave it out",
                    game.kind()
                )));
            }
            game.solve(cx, args)
        }
        Command::Verify(args) => verify(cx, &args.file),
        Command::Convert(args) if args.to == "lattice" => {
            let text = game::open(&args.file)?.lattice_file(cx, args.max_heap)?;
            match &args.output {
                Some(path) => {
                    files::write(path, text.as_bytes())?;
                    Ok(Report::new(
                        json!({"game": args.file, "form": "lattice", "file": path}),
                        format!("wrote {path}"),
                    ))
                }
                None => Ok(Report::new(json!({"game": args.file, "form": "lattice", "text": text}), text)),
            }
        }
        Command::Convert(args) => forms::open(&files::read(&args.file)?)?.convert(cx, args),
        Command::Show(args) => forms::open(&files::read(&args.file)?)?.show(cx, args.syntax),
        Command::Count(args) => match opened(&args.game)? {
            Opened::Game(game) => game.count(cx, args),
            Opened::Strategy(strategy) => strategy.count(cx, args),
        },
        Command::Congruent(args) => match &args.strategy {
            Some(path) => strategy_for(cx, &args.game, path)?.congruent(cx, args),
            None => game::open(&args.game)?.congruent(cx, args),
        },
        Command::Quotient(args) => match opened(&args.game)? {
            Opened::Game(game) => game.quotient(cx, args),
            Opened::Strategy(strategy) => strategy.quotient(cx, args),
        },
        Command::Chains(args) => game::open(&args.game)?.chains(cx, args),
        Command::Play(args) => play::play(cx, args),
        Command::Plot(args) => match opened(&args.game)? {
            Opened::Game(game) => game.plot(cx, args),
            Opened::Strategy(strategy) => strategy.plot(cx, args),
        },
        Command::Games(args) => catalogue::games(args.filter.as_deref()),
        Command::Survey(args) => survey::run(cx, &args.what),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Args::command(), "impartial", &mut script);
            let script = String::from_utf8_lossy(&script).into_owned();
            Ok(Report::new(json!({"script": script}), script))
        }
        Command::Man => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Args::command()).render(&mut page).map_err(bad_input)?;
            let page = String::from_utf8_lossy(&page).into_owned();
            Ok(Report::new(json!({"man": page}), page))
        }
    }
}

enum Opened {
    Game(game::Game),
    Strategy(Box<dyn Solved>),
}

/// GAME|FILE: a strategy file when the path holds one, else a game.
fn opened(text: &str) -> Result<Opened, Failure> {
    if text == "-" || std::path::Path::new(text).is_file() {
        let content = files::read(text)?;
        return if forms::looks_like_strategy(&content) {
            forms::open(&content).map(Opened::Strategy)
        } else {
            game::open_file(text, &content).map(Opened::Game)
        };
    }
    game::open(text).map(Opened::Game)
}

/// The strategy file at `path`, refused when it belongs to another game or play.
fn strategy_for(cx: &Context, game: &str, path: &str) -> Result<Box<dyn Solved>, Failure> {
    let game = game::open(game)?;
    let strategy = forms::open(&files::read(path)?)?;
    if strategy.belongs_to(game.as_ref(), cx) {
        Ok(strategy)
    } else {
        let play = strategy.envelope().play;
        Err(bad_input(format!(
            "{path} holds a strategy ({play} play) that is not one for {} in {} play; solve that game first",
            game.name(),
            cx.play(game.own_play())
        )))
    }
}

fn outcome(cx: &Context, args: &PositionArgs) -> Answer {
    let (outcome, method) = match &args.strategy {
        Some(path) => {
            let strategy = strategy_for(cx, &args.game, path)?;
            (strategy.outcome(cx, &args.position)?, strategy.envelope().form.clone())
        }
        None => game::open(&args.game)?.outcome(cx, &args.position)?,
    };
    let json = json!({"game": args.game, "position": args.position, "outcome": outcome, "method": method});
    Ok(Report::new(json, outcome.to_string()))
}

fn grundy(cx: &Context, args: &PositionArgs) -> Answer {
    let (value, method) = match &args.strategy {
        Some(path) => {
            let strategy = strategy_for(cx, &args.game, path)?;
            (strategy.grundy(cx, &args.position)?, strategy.envelope().form.clone())
        }
        None => game::open(&args.game)?.grundy(cx, &args.position)?,
    };
    // Beyond 2^53 an integer is a string: programs that read numbers as doubles would round it.
    let number = match value.parse::<u64>() {
        Ok(n) if n <= 1 << 53 => json!(n),
        _ => json!(value),
    };
    let json = json!({"game": args.game, "position": args.position, "grundy": number, "method": method});
    Ok(Report::new(json, value))
}

fn winning_moves(cx: &Context, args: &PositionArgs) -> Answer {
    let (moves, complete, method) = if let Some(path) = &args.strategy {
        let strategy = strategy_for(cx, &args.game, path)?;
        let moves = strategy.winning_moves(cx, &args.position)?;
        (moves, strategy.lists_every_move(cx, &args.position)?, strategy.envelope().form.clone())
    } else {
        let game = game::open(&args.game)?;
        let (moves, method) = game.winning_moves(cx, &args.position)?;
        (moves, game.lists_every_move(cx, &args.position)?, method)
    };
    if !complete {
        cx.say(
            "these are not all winning moves: the parts of a heap that is broken stand for their residue classes \
             modulo the period",
        );
    }
    let text = if moves.is_empty() {
        "no winning move: a P-position, or no move at all".to_string()
    } else {
        moves.join("\n")
    };
    let mut json = json!({"game": args.game, "position": args.position, "moves": moves, "method": method});
    if !complete {
        json["complete"] = false.into();
    }
    Ok(Report::new(json, text))
}

fn verify(cx: &Context, path: &str) -> Answer {
    let text = files::read(path)?;
    let stopped = std::cell::RefCell::new(None::<StopReason>);
    let keep_going = || match cx.check(0, None) {
        Ok(()) => true,
        Err(why) => {
            stopped.replace(Some(why));
            false
        }
    };
    match check(&text, &keep_going) {
        Verdict::Valid { claim } => {
            Ok(Report::new(json!({"file": path, "valid": true, "claim": claim}), format!("valid: {claim}")))
        }
        Verdict::Refused { reason } => {
            let json = json!({"file": path, "valid": false, "reason": reason});
            Ok(Report::new(json, format!("refused: {reason}")).no_if(true))
        }
        Verdict::Stopped => Err(Failure::Stopped(stopped.into_inner().unwrap_or(StopReason::Interrupted))),
    }
}
