//! `survey subtraction`: the periods of all subtraction games with three moves {a, b, c}, c at most so large.
//!
//! Flammenkamp (*Lange Perioden in Subtraktions-Spielen*, 1997) conjectures that one of a + b, a + c, b + c is a period when c ≠ a + b, and that
//! the games {a, b, a + b} have no preperiod.

use impartial::Error;
use impartial::solve::sequence::{Engine, Period, Sequence, ThreeMoves};
use rusqlite::params;
use semilinear::run::Monitor as _;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::Store;
use crate::context::Context;
use crate::report::{Answer, Report};

const TABLE: &str = "CREATE TABLE IF NOT EXISTS subtraction (
    most INTEGER NOT NULL,           -- c is at most this
    a INTEGER NOT NULL,              -- the least move
    sets INTEGER NOT NULL,           -- games {a, b, c} with c ≠ a + b
    ab INTEGER NOT NULL,             -- of them: the least period is a + b,
    ac INTEGER NOT NULL,             -- a + c,
    bc INTEGER NOT NULL,             -- b + c,
    divisor INTEGER NOT NULL,        -- a proper divisor of one of these
    others TEXT NOT NULL,            -- … or none of that: a JSON list of [b, c, preperiod, period]
    preperiod INTEGER NOT NULL,      -- the longest preperiod of them
    preperiod_of TEXT NOT NULL,      -- and a game that has it
    additive INTEGER NOT NULL,       -- games {a, b, a + b}
    additive_pure INTEGER NOT NULL,  -- of them: without a preperiod
    additive_period INTEGER NOT NULL, -- the longest period of them
    digest TEXT NOT NULL,            -- SHA-256 of the lines 'a b c preperiod period' of all games, b and then c increasing
    PRIMARY KEY (most, a)
) STRICT;";

/// Heaps to which the general engine looks for a period.
const MOST_HEAPS: usize = 1 << 26;

/// Runs the census and says what the file holds.
pub fn run(cx: &Context, to: u64, output: &str) -> Answer {
    let most = u32::try_from(to).ok().filter(|&most| (3..=1 << 16).contains(&most));
    let most = most.ok_or_else(|| Error::input(format!("--to {to}: the largest move is from 3 to 65536")))?;
    let store = Store::open(output, TABLE)?;
    let known = known(&store, most)?;
    let stopped = match all(cx, &store, most, &known) {
        Ok(()) => None,
        Err(Error::Stopped { why, .. }) => Some(why),
        Err(other) => return Err(other),
    };
    Ok(summary(&store, most, known.len(), output)?.stopped(stopped))
}

/// The least moves that the file knows.
fn known(store: &Store, most: u32) -> Result<Vec<u32>, Error> {
    let known: rusqlite::Result<Vec<u32>> = store
        .connection()
        .prepare("SELECT a FROM subtraction WHERE most = ?1")
        .and_then(|mut statement| statement.query_map([most], |row| row.get(0))?.collect());
    known.map_err(|error| store.failure(&error))
}

/// All other least moves.
fn all(cx: &Context, store: &Store, most: u32, known: &[u32]) -> Result<(), Error> {
    cx.phase("subtraction games with three moves");
    for a in (1..=most - 2).filter(|a| !known.contains(a)) {
        let row = Row::new(cx, a, most)?;
        store.transaction(|connection| {
            let insert = "INSERT INTO subtraction VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14)";
            let [ab, ac, bc, divisor] = row.classes;
            let (others, longest) = (json!(row.others).to_string(), row.longest.1.map(|m| m.to_string()).join(","));
            let own = params![
                most,
                a,
                row.sets,
                ab,
                ac,
                bc,
                divisor,
                others,
                row.longest.0,
                longest,
                row.additive,
                row.additive_pure,
                row.additive_period,
                row.digest
            ];
            connection.execute(insert, own).map(|_| ())
        })?;
    }
    Ok(())
}

/// What is known of all games with the least move a.
#[derive(Default)]
struct Row {
    sets: u64,
    classes: [u64; 4],
    others: Vec<[u64; 4]>,
    longest: (u64, [u32; 3]),
    additive: u64,
    additive_pure: u64,
    additive_period: u64,
    digest: String,
}

impl Row {
    fn new(cx: &Context, a: u32, most: u32) -> Result<Self, Error> {
        let (mut row, mut hash) = (Self::default(), Sha256::new());
        for b in a + 1..most {
            cx.check(u64::from(a), Some(u64::from(most)))?;
            for c in b + 1..=most {
                let found = period(cx, [a, b, c])?;
                let [preperiod, period] = [found.preperiod, found.period].map(|n| n as u64);
                hash.update(format!("{a} {b} {c} {preperiod} {period}\n"));
                if c == a + b {
                    row.additive += 1;
                    row.additive_pure += u64::from(preperiod == 0);
                    row.additive_period = row.additive_period.max(period);
                    continue;
                }
                row.sets += 1;
                let sums = [a + b, a + c, b + c].map(u64::from);
                let class = sums.iter().position(|&sum| sum == period);
                match class.or_else(|| sums.iter().any(|sum| sum.is_multiple_of(period)).then_some(3)) {
                    Some(class) => row.classes[class] += 1,
                    None => row.others.push([u64::from(b), u64::from(c), preperiod, period]),
                }
                if preperiod >= row.longest.0 {
                    row.longest = (preperiod, [a, b, c]);
                }
            }
        }
        row.digest = format!("{:x}", hash.finalize());
        Ok(row)
    }
}

/// The proved period of the game: by sums of two moves, else by the general engine.
fn period(cx: &Context, [a, b, c]: [u32; 3]) -> Result<Period, Error> {
    let mut game = ThreeMoves::new([a, b, c]).expect("moves increase");
    if c != a + b
        && let Some(found) = game.period_by_sums(cx)?
    {
        return Ok(found);
    }
    let rules = format!("subtract:{a},{b},{c}").parse().map_err(Error::input)?;
    let mut sequence = Sequence::new(rules, Engine::Auto);
    sequence.search(MOST_HEAPS, cx)?;
    let limit = semilinear::run::StopReason::Size { what: "heaps without a period", limit: MOST_HEAPS as u64 };
    sequence.proof().map(|proof| proof.period).ok_or_else(|| limit.into())
}

/// What the file holds. Only the rows of this run were computed by it; the `from_file` others are what the file says.
fn summary(store: &Store, most: u32, from_file: usize, output: &str) -> Answer {
    let query = "SELECT count(*), total(sets), total(ab), total(ac), total(bc), total(divisor), total(additive), total(additive_pure),
        ifnull(max(additive_period), 0), ifnull(max(preperiod), 0) FROM subtraction WHERE most = ?1";
    let numbers: rusqlite::Result<[f64; 10]> = store.connection().query_row(query, [most], |row| {
        let mut numbers = [0.0; 10];
        for (i, number) in numbers.iter_mut().enumerate() {
            *number = row.get(i)?;
        }
        Ok(numbers)
    });
    let numbers = numbers.map_err(|error| store.failure(&error))?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts far below 2^53")]
    let [done, sets, ab, ac, bc, divisor, additive, pure, longest_additive, longest] =
        numbers.map(|number| number as u64);
    let digests: rusqlite::Result<Vec<String>> = store
        .connection()
        .prepare("SELECT digest FROM subtraction WHERE most = ?1 ORDER BY a")
        .and_then(|mut statement| statement.query_map([most], |row| row.get(0))?.collect());
    let digests = digests.map_err(|error| store.failure(&error))?;
    // One number for the whole table: of the digests of its rows.
    let digest = format!("{:x}", Sha256::digest(digests.join("\n")));
    // A file that somebody changed may say anything.
    let others = sets.saturating_sub(ab + ac + bc + divisor);
    let standing = match from_file {
        0 => "proved game by game".to_owned(),
        n => format!("claimed: {n} of the least moves are as the file has them, not computed again"),
    };
    let complete = done == u64::from(most) - 2;
    let verdict = match (others, complete) {
        (0, true) => "in every game with c ≠ a + b a sum of two moves is a period",
        (0, false) => "so far: in every game with c ≠ a + b a sum of two moves is a period",
        _ => "not in every game with c ≠ a + b is a sum of two moves a period",
    };
    let text = [
        format!("games {{a, b, c}} with a < b < c ≤ {most}, least moves a done: {done} of {}, in {output}", most - 2),
        format!(
            "c ≠ a + b: {sets}; least period a + b: {ab}, a + c: {ac}, b + c: {bc}, a divisor: {divisor}, none of these: {others}"
        ),
        format!("longest preperiod of these: {longest}"),
        format!("c = a + b: {additive}; without a preperiod: {pure}; longest period: {longest_additive}"),
        format!("{verdict} ({standing})"),
        format!("digest: {digest}"),
    ];
    let json = json!({
        "game": "subtraction games with three moves",
        "to": most,
        "complete": complete,
        "from_file": from_file,
        "sets": sets,
        "least_period": { "a+b": ab, "a+c": ac, "b+c": bc, "divisor": divisor, "other": others },
        "longest_preperiod": longest,
        "additive": { "sets": additive, "pure": pure, "longest_period": longest_additive },
        "digest": digest,
        "file": output,
    });
    Ok(Report::data(json, text.join("\n")))
}
