//! `survey lattice`: all small rule sets that satisfy the axioms, up to symmetry, in both plays.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use impartial::game::{LatticeFound, lattice_strategy};
use impartial::lattice::{Description, LatticeGame};
use impartial::outcome::Play;
use impartial::strategy::verdict;
use impartial::{Error, Method};
use rusqlite::params;
use semilinear::run::{Monitor, StopReason};
use serde_json::json;

use super::Store;
use crate::context::Context;
use crate::report::{Answer, Report};

const TABLE: &str = "CREATE TABLE IF NOT EXISTS lattice (
    rules TEXT NOT NULL,       -- the rule set, sorted, a JSON list; the least one of its symmetry class
    play TEXT NOT NULL,        -- 'normal' or 'misere'
    dimension INTEGER NOT NULL,
    proved INTEGER NOT NULL,   -- 1: a strategy was found and its certificate accepted by the independent checker
    form TEXT,                 -- 'automaton' or 'sectors'
    states INTEGER,            -- of the automaton
    strata INTEGER,            -- translates of the sectors
    stopped TEXT,              -- which limit, when not proved
    outlook TEXT,              -- new residuals with each digit, when not proved
    seconds REAL NOT NULL,
    PRIMARY KEY (rules, play)
) STRICT;";

/// More rule sets than this are refused before any is solved.
const MOST_SETS: u64 = 5_000_000;

/// Which rule sets.
pub struct Census {
    pub dimension: u64,
    pub rules: u64,
    pub min: i64,
    pub max: i64,
}

/// One game of the census.
struct Task {
    rules: Vec<Vec<i64>>,
    play: Play,
}

impl Task {
    fn key(&self) -> String {
        json!(self.rules).to_string()
    }
}

/// What became of a game.
struct Row {
    key: String,
    play: Play,
    found: Result<LatticeFound, (StopReason, Option<String>)>,
    seconds: f64,
}

/// The limit of one game inside the limits of the command; progress is that of the census.
struct PerGame<'a> {
    cx: &'a Context,
    deadline: Instant,
    done: &'a AtomicU64,
    total: u64,
}

impl Monitor for PerGame<'_> {
    fn tick(&self, _done: u64, _total: Option<u64>) -> ControlFlow<StopReason> {
        self.cx.tick(self.done.load(Relaxed), Some(self.total))?;
        if Instant::now() >= self.deadline { ControlFlow::Break(StopReason::Time) } else { ControlFlow::Continue(()) }
    }
}

/// Runs the census and says what the file holds.
pub fn run(cx: &Context, census: &Census, per_game: Duration, output: &str) -> Answer {
    let store = Store::open(output, TABLE)?;
    let tasks = tasks(cx, census)?;
    let known = known(&store)?;
    let open: Vec<&Task> = tasks.iter().filter(|task| !known.contains(&(task.key(), task.play.to_string()))).collect();
    let done = AtomicU64::new((tasks.len() - open.len()) as u64);
    let (next, total) = (AtomicUsize::new(0), tasks.len() as u64);
    let (sender, receiver) = mpsc::channel::<Row>();
    let stopped = std::thread::scope(|scope| -> Result<Option<StopReason>, Error> {
        for _ in 0..rayon::current_num_threads() {
            let sender = sender.clone();
            let (open, next, done) = (&open, &next, &done);
            scope.spawn(move || {
                while let Some(task) = open.get(next.fetch_add(1, Relaxed)) {
                    if cx.check(done.load(Relaxed), Some(total)).is_err() {
                        break;
                    }
                    let row = solved(cx, task, per_game, done, total);
                    // A game that the whole command's limit cut short is no result: it stays open.
                    let cut = row.found.is_err() && cx.check(done.load(Relaxed), Some(total)).is_err();
                    if cut || sender.send(row).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        // One transaction a game: a kill loses the games in progress only.
        for row in receiver {
            keep(&store, census, &row)?;
            done.fetch_add(1, Relaxed);
        }
        Ok(cx.check(done.load(Relaxed), Some(total)).err())
    })?;
    let report = summary(&store, total, output)?;
    Ok(report.stopped(stopped.filter(|_| done.load(Relaxed) < total)))
}

fn solved(cx: &Context, task: &Task, per_game: Duration, done: &AtomicU64, total: u64) -> Row {
    let start = Instant::now();
    let monitor = PerGame { cx, deadline: start + per_game, done, total };
    let description = Description::new(None, task.rules.clone(), None, None, Some(task.play));
    let found = match description.and_then(|description| LatticeGame::new(&description, &monitor)) {
        Err(error) => Err((StopReason::Interrupted, Some(error.to_string()))),
        Ok(game) => match lattice_strategy(&game, Method::Auto, &monitor) {
            Ok(found) => match verdict(&found.envelope(), &monitor) {
                Ok(_) => Ok(found),
                Err(Error::Stopped { why, .. }) => Err((why, None)),
                Err(error) => Err((StopReason::Interrupted, Some(format!("refused: {error}")))),
            },
            Err((why, partial)) => Err((why, partial.map(|partial| partial.growth.in_words()))),
        },
    };
    Row { key: task.key(), play: task.play, found, seconds: start.elapsed().as_secs_f64() }
}

fn known(store: &Store) -> Result<BTreeSet<(String, String)>, Error> {
    let read = || -> rusqlite::Result<BTreeSet<(String, String)>> {
        let mut query = store.connection().prepare("SELECT rules, play FROM lattice")?;
        query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    };
    read().map_err(|error| store.failure(&error))
}

fn keep(store: &Store, census: &Census, row: &Row) -> Result<(), Error> {
    let (states, strata) = match &row.found {
        Ok(LatticeFound::Automaton(strategy)) => (Some(strategy.set().states() as u64), None),
        Ok(LatticeFound::Sectors(strategy)) => (None, Some(strategy.sectors().translates() as u64)),
        Err(_) => (None, None),
    };
    let (stopped, outlook) = match &row.found {
        Ok(_) => (None, None),
        Err((why, outlook)) => (Some(why.to_string()), outlook.clone()),
    };
    store.transaction(|connection| {
        connection
            .execute(
                "INSERT OR REPLACE INTO lattice VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                params![
                    row.key,
                    row.play.to_string(),
                    census.dimension,
                    row.found.is_ok(),
                    row.found.as_ref().ok().map(|found| found.envelope().form),
                    states,
                    strata,
                    stopped,
                    outlook,
                    row.seconds,
                ],
            )
            .map(|_| ())
    })
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
    let sectors = count("form = 'sectors'")?;
    let json = json!({
        "file": output,
        "games": total,
        "solved": all,
        "proved": proved,
        "stopped_games": all - proved,
        "states": sizes.iter().map(|(to, n)| json!({"up_to": to, "games": n})).collect::<Vec<_>>(),
        "sectors": sectors,
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
    Ok(Report::data(json, format!("{text}\n{output} holds the results (table lattice)")))
}

/// All rule sets that satisfy both axioms, one of each symmetry class, in both plays.
fn tasks(cx: &Context, census: &Census) -> Result<Vec<Task>, Error> {
    let (Ok(d), Ok(most)) = (usize::try_from(census.dimension), usize::try_from(census.rules)) else {
        return Err(Error::input("--dimension and --rules must be small numbers"));
    };
    if !(1..=6).contains(&d) || !(1..=12).contains(&most) || census.min > census.max {
        return Err(Error::input("survey lattice: give --dimension 1 to 6, --rules 1 to 12, and --min at most --max"));
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
    let orders = permutations(d);
    let mut tasks = Vec::new();
    let mut chosen: Vec<usize> = Vec::new();
    subsets(&all, most, 0, &mut chosen, &mut |rules| {
        cx.check(tasks.len() as u64, None)?;
        if is_least(&rules, &orders)
            && let Ok(description) = Description::new(None, rules.clone(), None, None, None)
            && let Ok(axioms) = LatticeGame::axioms(&description, cx)
            && axioms.positivity.is_ok()
            && axioms.tangent_violations.is_empty()
        {
            tasks.extend([Play::Normal, Play::Misere].map(|play| Task { rules: rules.clone(), play }));
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
