//! `survey lattice`: all small rule sets up to symmetry: those that satisfy the axioms, or all where play ends.

use std::collections::HashSet;

use impartial::game::{LatticeFound, ValuesFound, lattice_strategy, lattice_values};
use impartial::lattice::{Description, LatticeGame};
use impartial::outcome::Play;
use impartial::strategy::{
    AutomatonStrategy, BlocksStrategy, Envelope, GrundyStrategy, Proved, SectorStrategy, StratificationStrategy,
    verdict,
};
use impartial::{Error, Game, Method};
use rusqlite::types::Value;
use semilinear::run::{Monitor, StopReason};
use semilinear::vectorset::Effort;
use serde_json::json;

use super::certificates::Certificates;
use super::pace::{Budget, each};
use super::store::{Cost, Store, Table};
use super::{Pace, cell};
use crate::context::Context;
use crate::report::{Answer, Report};

pub const TABLE: Table = Table {
    name: "lattice",
    definition: "
    rules TEXT NOT NULL,       -- the rule set, sorted, a JSON list; the least one of its symmetry class
    play TEXT NOT NULL,        -- 'normal' or 'misere', or 'values': Grundy values in normal play
    dimension INTEGER NOT NULL,
    proved INTEGER NOT NULL,   -- 1: a strategy was found and its certificate accepted by the independent checker
    form TEXT,                 -- of the strategy file
    states INTEGER,            -- of the automaton, or of the one that places blocks
    strata INTEGER,            -- translates of the sectors or of the stratification
    stopped TEXT,              -- which limit, when not proved
    outlook TEXT               -- new residuals with each digit, when not proved",
    columns: &["rules", "play", "dimension", "proved", "form", "states", "strata", "stopped", "outlook"],
    key: &["rules", "play"],
    strength: "@proved, @budget",
    settled: "proved",
};

/// More rule sets than this are refused before any is solved.
const MOST_SETS: u64 = 5_000_000;

/// Which rule sets, and what is asked of them.
#[expect(clippy::struct_excessive_bools, reason = "each flag stands for an option of its own")]
pub struct Census {
    pub dimension: u64,
    pub rules: u64,
    pub min: i64,
    pub max: i64,
    /// Exactly so many rules, and no axiom but that play ends.
    pub any: bool,
    pub normal: bool,
    /// Stratifications as certificates.
    pub strata: bool,
    pub grundy: bool,
}

/// One game of the census.
struct Task {
    rules: Vec<Vec<i64>>,
    what: What,
    strata: bool,
}

/// What is asked of a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Outcomes(Play),
    Values,
}

impl What {
    fn play(self) -> Play {
        if let Self::Outcomes(play) = self { play } else { Play::Normal }
    }

    /// In the column `play`.
    fn name(self) -> String {
        if let Self::Outcomes(play) = self { play.to_string() } else { "values".into() }
    }
}

/// What was found for a game: a strategy file, and its size.
struct Solved {
    file: Envelope,
    states: Option<usize>,
    strata: Option<usize>,
}

impl Task {
    fn key(&self) -> String {
        json!(self.rules).to_string()
    }

    /// The canonical text of the game.
    fn name(&self) -> String {
        format!("{} {}", self.key(), self.what.name())
    }
}

/// What became of a game: a strategy, or which limit and how it looked.
type Found = Result<Solved, (StopReason, Option<String>)>;

/// Runs the census and says what the file holds.
pub fn run(cx: &Context, census: &Census, pace: &Pace) -> Answer {
    let store = Store::open_table(&pace.output, &TABLE)?;
    let certificates = Certificates::of(&pace.output);
    let mut tasks = tasks(cx, census)?;
    tasks.retain(|task| pace.holds(&task.name()));
    let total = tasks.len();
    let done = TABLE.done(pace.budget(), pace.retry_stopped, "1");
    let known = store.column(&format!("SELECT rules || ' ' || play FROM lattice WHERE {done}"))?;
    let known: HashSet<String> = known.into_iter().collect();
    tasks.retain(|task| !known.contains(&task.name()));
    let stopped = each(cx, &tasks, total - tasks.len(), pace.per_game, solved, |task, found, used| {
        let file = found.as_ref().ok().map(|found| found.file.to_text());
        let certificate = file.map(|text| certificates.keep(&text)).transpose()?;
        let cost = Cost { certificate, budget: pace.budget(), cpu_seconds: used.as_secs_f64() };
        let row = Table::row(cells(task, census, &found), &cost);
        store.transaction(|connection| TABLE.keep(connection, &row)).map(|_| ())
    })?;
    Ok(summary(&store, total as u64, &pace.output)?.stopped(stopped))
}

fn solved(task: &Task, budget: &Budget<'_>) -> Result<Found, Error> {
    let description = Description::new(None, task.rules.clone(), None, None, Some(task.what.play()));
    let found = match description.and_then(|description| LatticeGame::new(&description, budget)) {
        Err(error) => Err((StopReason::Interrupted, Some(error.to_string()))),
        Ok(game) => match strategy(task, &game, budget) {
            Ok(found) => match verdict(&found.file, budget) {
                Ok(_) => Ok(found),
                Err(Error::Stopped { why, .. }) => Err((why, None)),
                Err(error) => Err((StopReason::Interrupted, Some(format!("refused: {error}")))),
            },
            Err(failure) => Err(failure),
        },
    };
    if found.is_err() {
        budget.command_goes_on()?;
    }
    Ok(found)
}

/// Finds what is asked of a game.
fn strategy(task: &Task, game: &LatticeGame, budget: &Budget<'_>) -> Found {
    if task.what == What::Values {
        // Sectors are a stratification as they stand.
        let strata = task.strata.then(|| lattice_values(game, Method::Sector, budget).ok()).flatten();
        let found = strata.map_or_else(|| lattice_values(game, Method::Auto, budget), Ok);
        let found = found.map_err(|(why, partial)| (why, partial.map(|partial| partial.growth.in_words())))?;
        let (states, strata) = match &found {
            ValuesFound::Automaton(strategy) => (Some(strategy.values().states()), None),
            ValuesFound::Sectors(strategy) => (None, Some(strategy.sectors().translates())),
            ValuesFound::Blocks(strategy) => (Some(strategy.blocks().states()), None),
        };
        return Ok(Solved { file: found.envelope(), states, strata });
    }
    // Sectors are a stratification as they stand.
    if task.strata
        && let Ok(LatticeFound::Sectors(found)) = lattice_strategy(game, Method::Sector, budget)
        && let Ok(strata) = StratificationStrategy::from_sectors(&found, budget)
    {
        return Ok(stratified(&strata));
    }
    let found = lattice_strategy(game, Method::Auto, budget)
        .map_err(|(why, partial)| (why, partial.map(|partial| partial.growth.in_words())))?;
    if !task.strata {
        let (states, strata) = match &found {
            LatticeFound::Automaton(strategy) => (Some(strategy.set().states()), None),
            LatticeFound::Sectors(strategy) => (None, Some(strategy.sectors().translates())),
            LatticeFound::Blocks(strategy) => (Some(strategy.blocks().states()), None),
        };
        return Ok(Solved { file: found.envelope(), states, strata });
    }
    let effort = Effort::new(1 << 20, budget);
    let strata = match found {
        LatticeFound::Automaton(found) => StratificationStrategy::from_automaton(&found, &effort),
        LatticeFound::Sectors(found) => found.vector_set(&effort).map_err(Error::from).and_then(|set| {
            let automaton = AutomatonStrategy::proved(game.clone(), set, &effort)?;
            StratificationStrategy::from_automaton(&automaton, &effort)
        }),
        LatticeFound::Blocks(found) => found.vector_set(&effort).map_err(Error::from).and_then(|set| {
            let automaton = AutomatonStrategy::proved(game.clone(), set, &effort)?;
            StratificationStrategy::from_automaton(&automaton, &effort)
        }),
    };
    match strata {
        Ok(strata) => Ok(stratified(&strata)),
        Err(Error::Stopped { why, .. }) => Err((why, Some("an automaton, but no stratification".into()))),
        Err(error) => Err((StopReason::Interrupted, Some(error.to_string()))),
    }
}

fn stratified(strata: &Proved<StratificationStrategy>) -> Solved {
    Solved { file: strata.to_envelope(), states: None, strata: Some(strata.strata().strata()) }
}

/// The columns of a result.
fn cells(task: &Task, census: &Census, found: &Found) -> Vec<Value> {
    let (states, strata) = found.as_ref().map_or((None, None), |found| (found.states, found.strata));
    let (stopped, outlook) = match found {
        Ok(_) => (None, None),
        Err((why, outlook)) => (Some(why.to_string()), outlook.clone()),
    };
    vec![
        task.key().into(),
        task.what.name().into(),
        i64::try_from(census.dimension).unwrap_or(i64::MAX).into(),
        i64::from(found.is_ok()).into(),
        found.as_ref().ok().map(|found| found.file.form.clone()).into(),
        states.map(integer).into(),
        strata.map(integer).into(),
        stopped.into(),
        outlook.into(),
    ]
}

fn integer(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// The game whose strategy a row's certificate is.
pub fn game(row: &[Value]) -> Result<(Game, Play), Error> {
    let rules = cell(&TABLE, row, "rules").unwrap_or_default();
    let play = if cell(&TABLE, row, "play").as_deref() == Some("misere") { Play::Misere } else { Play::Normal };
    let text = format!("kind = \"lattice\"\nrules = {rules}\n");
    Ok((Game::from_file(&rules, &text, &|_, _| Ok(None))?, play))
}

/// Whether a row says what its certificate says.
pub fn agrees(row: &[Value], file: &Envelope, monitor: &dyn Monitor) -> Result<bool, Error> {
    let (states, strata) = match file.form.as_str() {
        "automaton" => {
            let strategy = AutomatonStrategy::from_envelope(file, monitor).map_err(Error::input)?;
            (Some(strategy.claim().set().states()), None)
        }
        "sectors" | "grundy-sectors" => {
            let strategy = SectorStrategy::from_envelope(file, monitor).map_err(Error::input)?;
            (None, Some(strategy.claim().sectors().translates()))
        }
        "grundy-automaton" => {
            let strategy = GrundyStrategy::from_envelope(file, monitor).map_err(Error::input)?;
            (Some(strategy.claim().values().states()), None)
        }
        "stratification" => {
            let strategy = StratificationStrategy::from_envelope(file, monitor).map_err(Error::input)?;
            (None, Some(strategy.claim().strata().strata()))
        }
        "blocks" | "grundy-blocks" => {
            let strategy = BlocksStrategy::from_envelope(file, monitor).map_err(Error::input)?;
            (Some(strategy.claim().blocks().states()), None)
        }
        _ => return Ok(false),
    };
    let at = |name: &str| TABLE.columns.iter().position(|&column| column == name).map(|i| &row[i]);
    Ok(at("form") == Some(&file.form.clone().into())
        && at("proved") == Some(&1_i64.into())
        && at("states") == Some(&states.map(integer).into())
        && at("strata") == Some(&strata.map(integer).into()))
}

fn summary(store: &Store, total: u64, output: &str) -> Answer {
    let count = |condition: &str| -> Result<u64, Error> {
        store
            .connection()
            .query_row(&format!("SELECT count(*) FROM lattice WHERE {condition}"), [], |row| row.get(0))
            .map_err(|error| store.failure(&error))
    };
    let (all, proved) = (count("1")?, count("proved = 1")?);
    let sizes: Vec<(u64, u64)> = [10u64, 30, 100, 300, 1000, 10_000, 1_000_000_000]
        .iter()
        .scan(0, |from, &to| {
            let low = std::mem::replace(from, to);
            Some((low, to))
        })
        .map(|(low, to)| Ok((to, count(&format!("states > {low} AND states <= {to}"))?)))
        .collect::<Result<_, Error>>()?;
    let sectors = count("form IN ('sectors', 'grundy-sectors')")?;
    let stratified = count("form = 'stratification'")?;
    let json = json!({
        "file": output,
        "games": total,
        "solved": all,
        "proved": proved,
        "stopped_games": all - proved,
        "states": sizes.iter().map(|(to, n)| json!({"up_to": to, "games": n})).collect::<Vec<_>>(),
        "sectors": sectors,
        "stratifications": stratified,
    });
    let mut text = format!("{all} of {total} games looked at, {proved} proved, {} hit a limit", all - proved);
    for (to, n) in sizes.iter().filter(|(_, n)| *n > 0) {
        use std::fmt::Write as _;
        let _ = write!(text, "\n{n} with an automaton of at most {to} states");
    }
    if sectors > 0 {
        use std::fmt::Write as _;
        let _ = write!(text, "\n{sectors} by sectors");
    }
    if stratified > 0 {
        use std::fmt::Write as _;
        let _ = write!(text, "\n{stratified} by stratifications");
    }
    Ok(Report::data(json, format!("{text}\n{output} holds the results (table lattice)")))
}

/// The rule sets of the census, one of each symmetry class, with what is asked of each.
fn tasks(cx: &Context, census: &Census) -> Result<Vec<Task>, Error> {
    let (Ok(d), Ok(most)) = (usize::try_from(census.dimension), usize::try_from(census.rules)) else {
        return Err(Error::input("--dimension and --rules must be small numbers"));
    };
    if !(1..=6).contains(&d) || !(1..=12).contains(&most) || census.min > census.max {
        return Err(Error::input("survey lattice: give --dimension 1 to 6, --rules 1 to 12, and --min at most --max"));
    }
    if census.strata && d != 2 {
        return Err(Error::input("survey lattice: --strata is for --dimension 2"));
    }
    let width = census.max.checked_sub(census.min).and_then(|w| u64::try_from(w).ok()).map_or(u64::MAX, |w| w + 1);
    let vectors = width.checked_pow(u32::try_from(d).unwrap_or(u32::MAX)).unwrap_or(u64::MAX);
    let sets = (1..=most as u64).try_fold(0u64, |sum, k| {
        let mut binomial = 1u64;
        for i in 0..k {
            binomial = binomial.checked_mul(vectors.saturating_sub(i))? / (i + 1);
        }
        sum.checked_add(binomial)
    });
    if sets.is_none_or(|sets| sets > MOST_SETS) {
        return Err(Error::input(format!(
            "survey lattice: more than {MOST_SETS} rule sets; take fewer rules or a smaller range of entries"
        )));
    }
    let mut all = vec![vec![]];
    for _ in 0..d {
        all = all
            .into_iter()
            .flat_map(|v: Vec<i64>| {
                (census.min..=census.max).map(move |x| {
                    let mut v = v.clone();
                    v.push(x);
                    v
                })
            })
            .collect();
    }
    all.retain(|v| v.iter().any(|&x| x != 0));
    let mut asked = vec![What::Outcomes(Play::Normal), What::Outcomes(Play::Misere), What::Values];
    asked.retain(|what| match what {
        What::Outcomes(play) => *play == Play::Normal || !census.normal,
        What::Values => census.grundy,
    });
    let orders = permutations(d);
    let mut tasks = Vec::new();
    let mut chosen: Vec<usize> = Vec::new();
    subsets(&all, most, 0, &mut chosen, &mut |rules| {
        cx.check(tasks.len() as u64, None)?;
        if (!census.any || rules.len() == most)
            && is_least(&rules, &orders)
            && let Ok(description) = Description::new(None, rules.clone(), None, None, None)
            && let Ok(axioms) = LatticeGame::axioms(&description, cx)
            && axioms.positivity.is_ok()
            && (census.any || axioms.tangent_violations.is_empty())
        {
            tasks.extend(asked.iter().map(|&what| Task { rules: rules.clone(), what, strata: census.strata }));
        }
        Ok(())
    })?;
    Ok(tasks)
}

fn subsets(
    all: &[Vec<i64>],
    most: usize,
    from: usize,
    chosen: &mut Vec<usize>,
    visit: &mut dyn FnMut(Vec<Vec<i64>>) -> Result<(), StopReason>,
) -> Result<(), StopReason> {
    if !chosen.is_empty() {
        visit(chosen.iter().map(|&i| all[i].clone()).collect())?;
    }
    if chosen.len() < most {
        for i in from..all.len() {
            chosen.push(i);
            subsets(all, most, i + 1, chosen, visit)?;
            chosen.pop();
        }
    }
    Ok(())
}

/// Whether a sorted rule set is the least among its images under permutations of the coordinates.
fn is_least(rules: &[Vec<i64>], orders: &[Vec<usize>]) -> bool {
    orders.iter().all(|order| {
        let mut image: Vec<Vec<i64>> = rules.iter().map(|rule| order.iter().map(|&i| rule[i]).collect()).collect();
        image.sort();
        *rules <= *image
    })
}

fn permutations(d: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for i in 0..d {
        all = all
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                (0..=order.len()).map(move |at| {
                    let mut order = order.clone();
                    order.insert(at, i);
                    order
                })
            })
            .collect();
    }
    all
}
