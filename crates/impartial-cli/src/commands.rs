//! Each command: opens its game or file, asks the library, and makes the report.

use clap::CommandFactory as _;
use impartial::game::{Claim, Keep, catalogue, sizes, verified};
use impartial::num_bigint::BigUint;
use impartial::render::Syntax;
use impartial::{Ask, Error, Form, Game, PlotAsk, Solution, Strategy};

use crate::args::{self, Args, Command, PositionArgs, Trust};
use crate::context::Context;
use crate::files::{self, Checkpoint};
use crate::play;
use crate::proved;
use crate::raster;
use crate::report::{Answer, Report};
use crate::set;

/// Runs a command.
pub fn run(command: &Command, cx: &Context) -> Answer {
    let ask = cx.ask();
    match command {
        Command::Info(args) => Ok(Report::of(&game(&args.game)?.info(&bounded(ask, args.max_heap))?)),
        Command::Values(args) => {
            let mut file = args.checkpoint.as_deref().map(Checkpoint);
            let keep = file.as_mut().map(|file| file as &mut dyn Keep);
            let ask = ask.engine(args.engine.into());
            Ok(Report::of(&game(&args.game)?.values(args.to, args.no_proof_stop, keep, &ask)?))
        }
        Command::Period(args) => {
            let mut file = args.checkpoint.as_deref().map(Checkpoint);
            let keep = file.as_mut().map(|file| file as &mut dyn Keep);
            let ask = far(ask, args.to).engine(args.engine.into());
            Ok(Report::of(&game(&args.game)?.period_kept(keep, &ask)?))
        }
        Command::Grundy(args) => asked(
            args,
            &ask,
            |game, position| Ok(Report::of(&game.grundy(position, &ask)?)),
            |file, position| Ok(Report::of(&file.grundy(position, &ask)?)),
        ),
        Command::Outcome(args) => asked(
            args,
            &ask,
            |game, position| Ok(Report::of(&game.outcome(position, &ask)?)),
            |file, position| Ok(Report::of(&file.outcome(position, &ask)?)),
        ),
        Command::Move(args) => {
            let moves = |report: impartial::game::report::MovesReport| {
                if !report.complete {
                    cx.say(
                        "these are not all winning moves: the parts of a heap that is broken stand for their residue \
                         classes modulo the period",
                    );
                }
                Report::of(&report)
            };
            asked(
                args,
                &ask,
                |game, position| game.winning_moves(position, &ask).map(moves),
                |file, position| file.winning_moves(position, &ask).map(moves),
            )
        }
        Command::Solve(args) => solve(args, &ask),
        Command::Verify(args) if args.proved => proved::verify(&args.file, &files::read(&args.file)?, cx),
        Command::Verify(args) => {
            let report = verified(&files::read(&args.file)?, &ask)?;
            Ok(Report::of(&report).with("file", args.file.as_str()).no_if(!report.valid))
        }
        Command::Prove(args) => {
            let claim = Claim::open(&args.claim, &files::read(&args.claim)?, &files::opener)?;
            let (report, strategy) = claim.report(&ask)?;
            let refuted = strategy.is_none();
            match strategy {
                Some(strategy) => kept(Report::of(&report), args.output.as_deref(), &strategy.to_text()),
                None => Ok(Report::of(&report)),
            }
            .map(|answer| answer.no_if(refuted))
        }
        Command::Set(args) => set::run(args, &ask),
        Command::Convert(args) => convert(args, &ask),
        Command::Show(args) => {
            let file = loaded(&files::read(&args.file)?, &args.file, args.trust, &ask)?;
            Ok(Report::of(&file.show(args.syntax.rendered(), &ask)?))
        }
        Command::Count(args) => match opened(&args.game, args.trust, &ask)? {
            Opened::Game(game) => Ok(Report::of(&game.count(&box_of(&args.sizes)?, &ask)?)),
            Opened::Strategy(file) => Ok(Report::of(&file.count(&box_of(&args.sizes)?, &ask)?)),
        },
        Command::Congruent(args) => {
            let ask = bounded(ask, args.max_heap);
            let game = game(&args.game)?;
            let (p, q) = (game.position(&args.p)?, game.position(&args.q)?);
            let report = match &args.strategy {
                Some(path) => strategy_for(&game, path, args.trust, &ask)?.congruent(&p, &q, &ask)?,
                None => game.congruent(&p, &q, &ask)?,
            };
            Ok(Report::of(&report).with("game", args.game.as_str()).no_if(!report.congruent))
        }
        Command::Quotient(args) => quotient(args, &bounded(ask, args.max_heap)),
        Command::Chains(args) => {
            let at = args.at.as_deref().map(natural).transpose()?;
            Ok(Report::of(&game(&args.game)?.chains(args.value, at.as_ref(), &ask)?))
        }
        Command::Play(args) => play::play(cx, args),
        Command::Plot(args) => plot(args, &ask),
        Command::Games(args) => Ok(Report::of(&catalogue::games(args.filter.as_deref())?)),
        #[cfg(feature = "survey")]
        Command::Survey(args) => crate::survey::run(cx, &args.what),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Args::command(), "impartial", &mut script);
            let script = String::from_utf8_lossy(&script).into_owned();
            Ok(Report::default().said(script.clone()).with("script", script))
        }
        Command::Man => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Args::command()).render(&mut page).map_err(Error::input)?;
            let page = String::from_utf8_lossy(&page).into_owned();
            Ok(Report::default().said(page.clone()).with("man", page))
        }
    }
}

/// GAME: a name, a notation, or a game file.
pub fn game(text: &str) -> Result<Game, Error> {
    Game::open(text, &files::opener)
}

fn bounded(ask: Ask<'_>, max_heap: Option<u64>) -> Ask<'_> {
    max_heap.map_or(ask, |heap| ask.max_heap(heap))
}

fn far(ask: Ask<'_>, to: Option<u64>) -> Ask<'_> {
    to.map_or(ask, |heap| ask.to(heap))
}

/// `--box`: sizes, or none.
pub fn box_of(text: &str) -> Result<Vec<BigUint>, Error> {
    if text.is_empty() { Ok(Vec::new()) } else { sizes(text, text.split(',').count()) }
}

/// A natural number of any size.
fn natural(text: &str) -> Result<BigUint, Error> {
    sizes(text, 1)
        .ok()
        .and_then(|mut number| number.pop())
        .ok_or_else(|| Error::Input(format!("--at {text}: expected a natural number such as 1000")))
}

/// What answers from a file: a proved strategy, or with `--trust` what the file claims.
fn loaded(text: &str, path: &str, trust: Trust, ask: &Ask) -> Result<Solution, Error> {
    let claimed = Strategy::load(text, ask).map_err(|error| error.at(path))?;
    if trust.trust { Ok((*claimed).clone()) } else { checked(claimed, path, ask).map(|strategy| (*strategy).clone()) }
}

fn checked(claimed: impartial::Claimed, path: &str, ask: &Ask) -> Result<Strategy, Error> {
    claimed.verify(ask).map_err(|error| error.at(path))
}

enum Opened {
    Game(Game),
    Strategy(Solution),
}

/// Whether a text is a strategy file rather than a game file.
fn is_strategy(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// The text of GAME|FILE when it is a file that is there.
fn content(text: &str) -> Result<Option<String>, Error> {
    if text == "-" || std::path::Path::new(text).is_file() { files::read(text).map(Some) } else { Ok(None) }
}

/// GAME|FILE: a strategy file when the path holds one, else a game.
fn opened(text: &str, trust: Trust, ask: &Ask) -> Result<Opened, Error> {
    match content(text)? {
        Some(content) if is_strategy(&content) => loaded(&content, text, trust, ask).map(Opened::Strategy),
        Some(content) => Game::from_file(text, &content, &files::opener).map(Opened::Game),
        None => game(text).map(Opened::Game),
    }
}

/// The strategy file at `path`, refused when it belongs to another game or play.
fn strategy_for(game: &Game, path: &str, trust: Trust, ask: &Ask) -> Result<Solution, Error> {
    let text = files::read(path)?;
    let claimed = Strategy::load(&text, ask).map_err(|error| error.at(path))?;
    claimed.belongs_to(game, ask).map_err(|error| error.at(path))?;
    if trust.trust { Ok((*claimed).clone()) } else { checked(claimed, path, ask).map(|strategy| (*strategy).clone()) }
}

/// A question about a position, to the game or to a strategy file of it.
fn asked(
    args: &PositionArgs,
    ask: &Ask,
    of_game: impl FnOnce(&Game, &impartial::Position) -> Answer,
    of_file: impl FnOnce(&Solution, &impartial::Position) -> Answer,
) -> Answer {
    let game = game(&args.game)?;
    let position = game.position(&args.position)?;
    match &args.strategy {
        Some(path) => {
            Ok(of_file(&strategy_for(&game, path, args.trust, ask)?, &position)?.with("game", args.game.as_str()))
        }
        None => of_game(&game, &position),
    }
}

/// Writes a file, if one is named, and says so.
pub fn kept(report: Report, output: Option<&str>, text: &str) -> Answer {
    let Some(path) = output else { return Ok(report) };
    files::write(path, text.as_bytes())?;
    Ok(report.with("file", path).line(format_args!("wrote {path}")).silent_if(path == "-"))
}

fn solve(args: &args::SolveArgs, ask: &Ask) -> Answer {
    let mut ask = far(bounded(*ask, args.max_heap), args.to);
    if let Some(method) = &args.method {
        ask = ask.method(method.parse()?);
    }
    if let Some(k) = args.up_to {
        ask = ask.up_to(k);
    }
    if let Some(name) = &args.numeration {
        ask = ask.numeration(name);
    }
    let form = args.form.as_deref().map(Form::from_str_or_syntax).transpose()?;
    let game = game(&args.game)?;
    let found = if args.grundy { game.solve_grundy(&ask) } else { game.solve(&ask) };
    let strategy = match found {
        // What is known of a part is a strategy too.
        Err(Error::Stopped { why, known: Some(known) }) if known.file.is_some() => {
            let file = known.file.clone().unwrap_or_default();
            return kept(Report::from(*known).stopped(Some(why)), args.output.as_deref(), &file);
        }
        found => found?,
    };
    match form {
        Some(Err(syntax)) => {
            let report = strategy.written_in(syntax, &ask)?;
            kept(Report::of(&report), args.output.as_deref(), &format!("{}\n", report.text))
        }
        Some(Ok(form)) => converted(&strategy.convert(form, &ask)?, args.output.as_deref(), &ask),
        None => {
            let report = Report::of(&strategy.report(&ask));
            match args.output.as_deref() {
                Some(path) => kept(report, Some(path), &strategy.to_text()),
                None => Ok(report.line("(solve with -o FILE keeps it)")),
            }
        }
    }
}

fn converted(strategy: &Strategy, output: Option<&str>, ask: &Ask) -> Answer {
    kept(Report::of(&strategy.report(ask)), output, &strategy.to_text())
}

fn convert(args: &args::ConvertArgs, ask: &Ask) -> Answer {
    let ask = bounded(*ask, args.max_heap);
    if args.to == "lattice" {
        let text = game(&args.file)?.lattice_toml(&ask)?;
        let report = Report::default().with("game", args.file.as_str()).with("form", "lattice");
        return match args.output.as_deref() {
            Some(path) => {
                files::write(path, text.as_bytes())?;
                Ok(report.with("file", path).said(format!("wrote {path}")).silent_if(path == "-"))
            }
            None => Ok(report.with("text", text.as_str()).said(text)),
        };
    }
    let to: Form = args.to.parse().map_err(|error: Error| error.at("--to"))?;
    let strategy = match content(&args.file)? {
        Some(text) if is_strategy(&text) => {
            checked(Strategy::load(&text, &ask).map_err(|error| error.at(&args.file))?, &args.file, &ask)?
        }
        Some(text) => Game::from_file(&args.file, &text, &files::opener)?.solve(&ask)?,
        None => game(&args.file)?.solve(&ask)?,
    };
    converted(&strategy.convert(to, &ask).map_err(|error| error.at(&args.file))?, args.output.as_deref(), &ask)
}

fn quotient(args: &args::QuotientArgs, ask: &Ask) -> Answer {
    let quotient = match content(&args.game)? {
        Some(text) if is_strategy(&text) => {
            let claimed = Strategy::load(&text, ask).map_err(|error| error.at(&args.game))?;
            checked(claimed, &args.game, ask)?.quotient(&args.game, ask)?
        }
        Some(text) => Game::from_file(&args.game, &text, &files::opener)?.quotient(ask)?,
        None => game(&args.game)?.quotient(ask)?,
    };
    let mut report = Report::of(quotient.report()).stopped(quotient.stopped().cloned());
    if let Some(path) = &args.output {
        files::write(path, quotient.strategy().to_text().as_bytes())?;
        report = report.with("file", path.as_str()).with("file_form", quotient.strategy().form().name());
    }
    Ok(report.silent_if(args.output.as_deref() == Some("-")))
}

fn plot(args: &args::PlotArgs, ask: &Ask) -> Answer {
    let plot = PlotAsk { sizes: args.sizes.clone(), slice: args.slice.clone(), grundy: args.grundy };
    raster::check_name(&args.output)?;
    let picture = match opened(&args.game, args.trust, ask)? {
        Opened::Game(game) => game.plot(&plot, ask)?,
        Opened::Strategy(file) => file.plot(&args.game, &plot, ask)?,
    };
    files::write(&args.output, &raster::picture(&args.output, &picture.drawing)?)?;
    let report = Report::of(&picture).with("file", args.output.as_str());
    Ok(report.said(format!("wrote {} ({})", args.output, picture.shows)).silent_if(args.output == "-"))
}

/// `--as` of `solve`: a form, or a syntax in which the strategy is written out.
trait FormOrSyntax: Sized {
    fn from_str_or_syntax(text: &str) -> Result<Result<Self, Syntax>, Error>;
}

impl FormOrSyntax for Form {
    fn from_str_or_syntax(text: &str) -> Result<Result<Self, Syntax>, Error> {
        match text {
            "text" => Ok(Err(Syntax::Text)),
            "latex" => Ok(Err(Syntax::Latex)),
            "sage" => Ok(Err(Syntax::Sage)),
            "mathematica" => Ok(Err(Syntax::Mathematica)),
            "macaulay2" => Ok(Err(Syntax::Macaulay2)),
            form => form.parse().map(Ok).map_err(|error: Error| {
                Error::Input(format!("--as {text}: {error}; or text, latex, sage, mathematica, macaulay2"))
            }),
        }
    }
}
