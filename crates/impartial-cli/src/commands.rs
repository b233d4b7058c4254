//! Each command: opens its game or file, asks the library, and makes the report.

use impartial::game::{Claim, Keep, PairsOf, Set, catalogue, sizes, verified};
use impartial::num_bigint::BigUint;
use impartial::render::Syntax;
use impartial::{Ask, Error, Form, Game, PlotAsk, Solution, Strategy};

use crate::args::{self, Command, PositionArgs, Trust};
use crate::context::Context;
use crate::files::{self, Checkpoint};
use crate::play;
use crate::proved;
use crate::raster;
use crate::report::{Answer, Report};
use crate::set;
use crate::shells;

/// Runs a command.
pub fn run(command: &Command, cx: &Context) -> Answer {
    let ask = cx.ask();
    match command {
        Command::Info(args) => {
            let (game, ask) = (game(&args.game)?, bounded(ask, args.max_heap));
            let info = match &args.position {
                Some(text) => game.info_at(&position(&game, text)?, &ask)?,
                None => game.info(&ask)?,
            };
            Ok(Report::of(&info))
        }
        Command::Values(args) => values(args, cx.wants_json(), &ask.engine(args.engine.into())),
        Command::Period(args) => {
            let mut file = args.checkpoint.as_deref().map(Checkpoint);
            let keep = file.as_mut().map(|file| file as &mut dyn Keep);
            let ask = far(ask, args.to).engine(args.engine.into());
            Ok(Report::of(&game(&args.game)?.period_and_proof(keep, &ask)?.0))
        }
        Command::Grundy(args) if args.explain => {
            // The refusal of misère play comes first.
            let (game, position) = position_of(args)?;
            let report = game.grundy(&position, &ask)?;
            explained(&report, &game, &position, &ask)
        }
        Command::Grundy(args) => asked(
            args,
            &ask,
            |game, position| Ok(Report::of(&game.grundy(position, &ask)?)),
            |file, position| Ok(Report::of(&file.grundy(position, &ask)?)),
        ),
        Command::Outcome(args) if args.explain => {
            let (game, position) = position_of(args)?;
            explained(&game.outcome(&position, &ask)?, &game, &position, &ask)
        }
        Command::Outcome(args) => asked(
            args,
            &ask,
            |game, position| Ok(Report::of(&game.outcome(position, &ask)?)),
            |file, position| Ok(Report::of(&file.outcome(position, &ask)?)),
        ),
        Command::Move(args) if args.explain => {
            let (game, position) = position_of(args)?;
            explained(&game.winning_moves(&position, &ask)?, &game, &position, &ask)
        }
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
            let text = files::read(&args.file)?;
            let report = verified(&text, &ask)?;
            if let (Some(play), Some(own)) = (cx.play(), &report.play)
                && play.to_string() != *own
            {
                return Err(Error::Input(format!(
                    "{}: this file is about {own} play, which says nothing of {play} play; leave --play out",
                    args.file
                )));
            }
            let answer = Report::of(&report).with("file", args.file.as_str()).no_if(!report.valid);
            let claim = !report.valid && Claim::is_in(&text);
            let remedy =
                "it is a claim without a certificate: `impartial prove` proves it, and writes one with -o FILE";
            Ok(if claim { answer.line(remedy) } else { answer })
        }
        Command::Prove(args) => {
            let claim = Claim::open(&args.claim, &files::read(&args.claim)?, &files::opener)?;
            let ask = args.method.as_deref().map_or(Ok(ask), |method| Ok::<_, Error>(ask.method(method.parse()?)))?;
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
            let syntax = if args.syntax == "json" { None } else { Some(args.syntax.parse()?) };
            let report = file.show(syntax, &ask)?;
            match args.output.as_deref() {
                Some(path) => kept(Report::of(&report).said(""), Some(path), &lines(&report.text)).map(Report::trimmed),
                None => Ok(Report::of(&report)),
            }
        }
        Command::Count(args) => match opened(&args.game, args.trust, &ask)? {
            Opened::Game(game) => Ok(Report::of(&game.count(&box_of(&args.sizes)?, &ask)?)),
            Opened::Strategy(file) => {
                Ok(Report::of(&file.count(&box_of(&args.sizes)?, &ask)?).with("game", args.game.as_str()))
            }
        },
        Command::Pairs(args) => {
            let file = loaded(&files::read(&args.file)?, &args.file, args.trust, &ask)?;
            let args::PairsOfArgs { row, column, difference, .. } = &args.of;
            let of = match (row, column, difference) {
                (Some(n), _, _) => Some(PairsOf::Row(natural("--row", n)?)),
                (_, Some(n), _) => Some(PairsOf::Column(natural("--column", n)?)),
                (_, _, Some(n)) => Some(PairsOf::Difference(natural("--difference", n)?)),
                _ => None,
            };
            let report = match of {
                Some(of) => file.pairs(args.value, &of, &ask)?,
                None => file.offsets(args.value, &ask)?,
            };
            Ok(Report::of(&report).with("game", args.file.as_str()).with("play", file.play().to_string()))
        }
        Command::Congruent(args) => {
            let ask = bounded(ask, args.max_heap);
            let report = match (&args.strategy, opened(&args.game, args.trust, &ask)?) {
                (None, Opened::Strategy(file)) => file.congruent(
                    &position_by(&args.p, |text| file.position(text))?,
                    &position_by(&args.q, |text| file.position(text))?,
                    &ask,
                )?,
                (None, Opened::Game(game)) => {
                    game.congruent(&position(&game, &args.p)?, &position(&game, &args.q)?, &ask)?
                }
                (Some(path), _) => {
                    let game = game(&args.game)?;
                    let (p, q) = (position(&game, &args.p)?, position(&game, &args.q)?);
                    strategy_for(&game, path, args.trust, &ask)?.congruent(&p, &q, &ask)?
                }
            };
            Ok(Report::of(&report).with("game", args.game.as_str()).no_if(!report.congruent))
        }
        Command::Quotient(args) => quotient(args, &bounded(ask, args.max_heap)),
        Command::Chains(args) => {
            let at = args.at.as_deref().map(|m| natural("--at", m)).transpose()?;
            let game = game(&args.game)?;
            let report = if args.explain { Game::chains_explained } else { Game::chains };
            let report = Report::of(&report(&game, args.value, at.as_ref(), &ask)?);
            match args.output.as_deref() {
                Some(path) => kept(report, Some(path), &game.solve_up_to(args.value, &ask)?.to_text()),
                None => Ok(report),
            }
        }
        Command::Play(args) => play::play(cx, args),
        Command::Plot(args) => plot(args, &ask),
        Command::Games(args) => Ok(Report::of(&catalogue::games(args.filter.as_deref())?)),
        #[cfg(feature = "survey")]
        Command::Survey(args) => crate::survey::run(cx, &args.what),
        Command::Completions { shell } => {
            let script = shells::completions(*shell);
            Ok(Report::default().said(script.clone()).with("script", script))
        }
        Command::Man(args) => man(args),
    }
}

fn man(args: &args::ManArgs) -> Answer {
    let Some(folder) = &args.output else {
        let page = shells::man(args.command.as_deref())?;
        return Ok(Report::default().said(page.clone()).with("man", page));
    };
    std::fs::create_dir_all(folder)
        .map_err(|error| Error::Input(format!("{folder}: {error}; choose another folder")))?;
    let mut written = Vec::new();
    for name in std::iter::once(None).chain(shells::command_names().iter().map(Some)) {
        let file = name.map_or_else(|| "impartial.1".to_owned(), |name| format!("impartial-{name}.1"));
        let path = std::path::Path::new(folder).join(file).to_string_lossy().into_owned();
        files::write(&path, shells::man(name.map(String::as_str))?.as_bytes())?;
        written.push(path);
    }
    Ok(Report::default().said(format!("wrote {} pages into {folder}", written.len())).with("files", written))
}

/// `values`: N, A..B or --to N; as text, or in lines for other programs.
fn values(args: &args::ValuesArgs, json: bool, ask: &Ask) -> Answer {
    let bad = |text: &str| {
        Error::Input(format!("values: \"{text}\" is no heap and no range; write 20, or 10..20 for heaps 10 to 20"))
    };
    let (from, to) = match (args.to, args.heaps.as_deref()) {
        (Some(to), _) => (0, to),
        (None, Some(text)) => {
            let number = |part: &str| crate::number::size(part.trim()).map_err(|_| bad(text));
            match text.split_once("..") {
                None => (0, number(text)?),
                Some((from, to)) => (number(from)?, number(to)?),
            }
        }
        (None, None) => return Err(bad("")),
    };
    if from > to {
        return Err(bad(args.heaps.as_deref().unwrap_or_default()));
    }
    let mut file = args.checkpoint.as_deref().map(Checkpoint);
    let keep = file.as_mut().map(|file| file as &mut dyn Keep);
    let found = game(&args.game)?.values(to, args.no_proof_stop, keep, ask)?;
    let found = found.starting_at(usize::try_from(from).unwrap_or(usize::MAX));
    let text = match if args.csv { Some("csv") } else { args.syntax.as_deref() } {
        Some("csv") => found.csv(),
        Some("bfile") => found.b_file(),
        Some("jsonl") => found.json_lines(),
        _ => format!("{found}\n"),
    };
    // A JSON value takes many times the room of a number: only for who reads it.
    let report = if json { Report::of(&found) } else { Report::default() };
    match args.output.as_deref() {
        Some(path) => kept(report.said(String::new()), Some(path), &text).map(Report::trimmed),
        None => Ok(report.said(text)),
    }
}

/// A position as it is typed, or that of a file (`@FILE`) or of standard input (`-`), which may be long.
pub fn position(game: &Game, text: &str) -> Result<impartial::Position, Error> {
    position_by(text, |text| game.position(text))
}

/// [`position`] of a game or of a strategy, whose own words `read` knows.
fn position_by(
    text: &str,
    read: impl FnOnce(&str) -> Result<impartial::Position, Error>,
) -> Result<impartial::Position, Error> {
    match held("POSITION", text)? {
        None => read(text),
        Some((name, text)) => read(text.trim()).map_err(|error| error.at(name)),
    }
}

/// The name and the text of the file that `@FILE` or `-` stands for.
fn held<'a>(what: &str, text: &'a str) -> Result<Option<(&'a str, String)>, Error> {
    match text.strip_prefix('@') {
        Some("") => Err(Error::Input(format!("{what} @ names no file; write @FILE, or - for standard input"))),
        Some(path) => Ok(Some((path, files::read(path)?))),
        None if text == "-" => Ok(Some(("standard input", files::read(text)?))),
        None => Ok(None),
    }
}

fn position_of(args: &PositionArgs) -> Result<(Game, impartial::Position), Error> {
    let game = game(&args.game)?;
    let position = given_or_whole(&game, args)?;
    Ok((game, position))
}

/// The position that is asked about; without one, the whole board of a game that is one.
fn given_or_whole(game: &Game, args: &PositionArgs) -> Result<impartial::Position, Error> {
    match &args.position {
        Some(text) => position(game, text),
        None => game.whole_board()?.ok_or_else(|| no_position(&args.game)),
    }
}

fn no_position(game: &str) -> Error {
    Error::Input(format!(
        "no position is given, and {game} is no finite board; give POSITION (`impartial info {game}` shows one)"
    ))
}

/// An answer with its reasons: in JSON under `explanation`, as text below the answer.
fn explained(
    answer: &(impl serde::Serialize + std::fmt::Display),
    game: &Game,
    position: &impartial::Position,
    ask: &Ask,
) -> Answer {
    let why = game.explain(position, ask)?;
    let data = serde_json::to_value(&why).map_err(Error::input)?;
    Ok(Report::of(answer).with("explanation", data).line(format_args!("\n{why}")))
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

/// A natural number of any size, as it is typed after an option or in a file.
fn natural(option: &str, text: &str) -> Result<BigUint, Error> {
    let (name, number) = held(option, text)?.map_or((text, text.to_owned()), |(name, text)| (name, text));
    sizes(number.trim(), 1)
        .ok()
        .and_then(|mut number| number.pop())
        .ok_or_else(|| Error::Input(format!("{option} {name}: expected a natural number such as 1000")))
}

/// The strategy of a file: a strategy file is checked, a claim is proved.
fn checked(text: &str, path: &str, ask: &Ask) -> Result<Strategy, Error> {
    if Claim::is_in(text) {
        return Claim::open(path, text, &files::opener)?.prove(ask).map_err(|error| error.at(path));
    }
    let claimed = Strategy::load(text, ask).map_err(|error| error.at(path))?;
    claimed.answers_in(ask).and_then(|()| claimed.verify(ask)).map_err(|error| error.at(path))
}

/// What answers from a file: a proved strategy, or with `--trust` what a strategy file claims.
fn loaded(text: &str, path: &str, trust: Trust, ask: &Ask) -> Result<Solution, Error> {
    if trust.trust && !Claim::is_in(text) {
        let claimed = Strategy::load(text, ask).map_err(|error| error.at(path))?;
        claimed.answers_in(ask).map_err(|error| error.at(path))?;
        return Ok((*claimed).clone());
    }
    Ok((*checked(text, path, ask)?).clone())
}

enum Opened {
    Game(Box<Game>),
    Strategy(Solution),
}

/// Whether a text is a strategy file or a claim rather than a game file.
fn is_strategy(text: &str) -> bool {
    text.trim_start().starts_with('{') || Claim::is_in(text)
}

/// The text of GAME|FILE when it is a file that is there.
fn content(text: &str) -> Result<Option<String>, Error> {
    if text == "-" || std::path::Path::new(text).is_file() { files::read(text).map(Some) } else { Ok(None) }
}

/// GAME|FILE: a strategy file when the path holds one, else a game.
fn opened(text: &str, trust: Trust, ask: &Ask) -> Result<Opened, Error> {
    match content(text)? {
        Some(content) if is_strategy(&content) => loaded(&content, text, trust, ask).map(Opened::Strategy),
        Some(content) => Game::from_file(text, &content, &files::opener).map(Box::new).map(Opened::Game),
        None => game(text).map(Box::new).map(Opened::Game),
    }
}

/// The strategy file at `path`, refused when it belongs to another game or play.
fn strategy_for(game: &Game, path: &str, trust: Trust, ask: &Ask) -> Result<Solution, Error> {
    let text = files::read(path)?;
    if !Claim::is_in(&text) {
        // Whose it is shows before it is checked.
        let claimed = Strategy::load(&text, ask).map_err(|error| error.at(path))?;
        claimed.belongs_to(game, ask).map_err(|error| error.at(path))?;
    }
    let strategy = loaded(&text, path, trust, ask)?;
    strategy.belongs_to(game, ask).map_err(|error| error.at(path))?;
    Ok(strategy)
}

/// A question about a position, to the game or to a strategy file of it, which may also stand in the place of GAME.
fn asked(
    args: &PositionArgs,
    ask: &Ask,
    of_game: impl FnOnce(&Game, &impartial::Position) -> Answer,
    of_file: impl FnOnce(&Solution, &impartial::Position) -> Answer,
) -> Answer {
    let of_file = |file: &Solution, position: &impartial::Position| {
        of_file(file, position).map(|answer| answer.with("game", args.game.as_str()))
    };
    if let Some(path) = &args.strategy {
        let game = game(&args.game)?;
        let position = given_or_whole(&game, args)?;
        return of_file(&strategy_for(&game, path, args.trust, ask)?, &position);
    }
    match opened(&args.game, args.trust, ask)? {
        Opened::Game(game) => of_game(&game, &given_or_whole(&game, args)?),
        Opened::Strategy(file) => {
            let text = args.position.as_deref().ok_or_else(|| no_position(&args.game))?;
            of_file(&file, &position_by(text, |text| file.position(text))?)
        }
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
    let form = args.form.as_deref().map(form_or_syntax).transpose()?;
    let game = game(&args.game)?;
    let found = match args.value {
        Some(value) => game.solve_up_to(value, &ask),
        None if args.grundy => game.solve_grundy(&ask),
        None => game.solve(&ask),
    };
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
            kept(Report::of(&report), args.output.as_deref(), &lines(&report.text))
        }
        Some(Ok(form)) => converted(&strategy.convert(form, &ask)?, &args.game, args.output.as_deref(), &ask),
        None => {
            let report = Report::of(&strategy.report(&ask));
            match args.output.as_deref() {
                Some(path) => kept(report, Some(path), &strategy.to_text()),
                None => Ok(report.line("(solve with -o FILE keeps it)")),
            }
        }
    }
}

/// A strategy in another form; the game is named as it was asked for.
fn converted(strategy: &Strategy, game: &str, output: Option<&str>, ask: &Ask) -> Answer {
    kept(Report::of(&strategy.report(ask)).with("game", game), output, &strategy.to_text())
}

fn convert(args: &args::ConvertArgs, ask: &Ask) -> Answer {
    let ask = bounded(*ask, args.max_heap);
    if args.to == "lattice" {
        let game = game(&args.file)?;
        let text = game.lattice_toml(&ask)?;
        let play = game.play(&ask).to_string();
        let report = Report::default().with("game", args.file.as_str()).with("play", play).with("form", "lattice");
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
        Some(text) if is_strategy(&text) => checked(&text, &args.file, &ask)?,
        Some(text) => Game::from_file(&args.file, &text, &files::opener)?.solve(&ask)?,
        None => game(&args.file)?.solve(&ask)?,
    };
    match args.of.as_str() {
        "P" | "p" => {}
        "N" | "n" if to == Form::Stratification => {
            let report = Set::of_n_positions(&strategy, &ask).and_then(|set| set.report(&ask));
            let report = report.map_err(|error| error.at(&args.file))?;
            return kept(Report::of(&report), args.output.as_deref(), &report.to_toml());
        }
        "N" | "n" => {
            return Err(Error::input(
                "--of N goes with --to stratification: it gives a set, as `impartial set` reads it",
            ));
        }
        other => return Err(Error::Input(format!("--of {other}: it is P or N"))),
    }
    let strategy = strategy.convert(to, &ask).map_err(|error| error.at(&args.file))?;
    converted(&strategy, &args.file, args.output.as_deref(), &ask)
}

fn quotient(args: &args::QuotientArgs, ask: &Ask) -> Answer {
    let quotient = match content(&args.game)? {
        Some(text) if is_strategy(&text) => checked(&text, &args.game, ask)?.quotient(&args.game, ask)?,
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
    let plot = PlotAsk {
        sizes: args.sizes.clone(),
        slice: args.slice.clone(),
        grundy: args.grundy,
        kind: args.what.parse()?,
        max_heap: args.max_heap,
    };
    raster::format(&args.output)?;
    let (picture, play) = match opened(&args.game, args.trust, ask)? {
        Opened::Game(game) => (game.plot(&plot, ask)?, game.play(ask)),
        Opened::Strategy(file) => (file.plot(&args.game, &plot, ask)?, file.play()),
    };
    files::write(&args.output, &raster::picture(&args.output, &picture.drawing)?)?;
    let report = Report::of(&picture).with("file", args.output.as_str()).with("play", play.to_string());
    Ok(report.said(format!("wrote {} ({})", args.output, picture.shows)).silent_if(args.output == "-"))
}

/// A text with one end of line at its end.
fn lines(text: &str) -> String {
    format!("{}\n", text.trim_end_matches('\n'))
}

/// `--as` of `solve`: a form, or a syntax in which the strategy is written out.
fn form_or_syntax(text: &str) -> Result<Result<Form, Syntax>, Error> {
    if let Ok(syntax) = text.parse() {
        return Ok(Err(syntax));
    }
    text.parse().map(Ok).map_err(|error: Error| {
        let names: Vec<&str> = Syntax::ALL.into_iter().map(Syntax::name).collect();
        Error::Input(format!("--as {text}: {error}; or {}", names.join(", ")))
    })
}
