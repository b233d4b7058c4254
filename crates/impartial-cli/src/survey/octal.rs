//! `survey octal`: the periods of the Grundy sequences of all octal codes with a number of digits.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use impartial::heap::{Code, HeapRules};
use impartial::outcome::Play;
use impartial::solve::sequence::{Engine, Passed, RareHeaps, SameValues, Sequence};
use impartial::strategy::nim_sequence::NimSequence;
use impartial::strategy::{Envelope, LongPeriod, verdict};
use impartial::{Error, Game};
use rusqlite::types::Value;
use semilinear::run::{Monitor, StopReason, Unlimited};
use serde_json::json;

use super::certificates::Certificates;
use super::pace::{Budget, each};
use super::store::{Cost, Store, Table};
use super::{Pace, cell};
use crate::context::Context;
use crate::report::{Answer, Report};

pub const TABLE: Table = Table {
    name: "octal",
    definition: "
    code TEXT NOT NULL,
    digits INTEGER NOT NULL,         -- number of digits after the point
    same TEXT NOT NULL,              -- the code that was solved; after so many zeros its values are those of this code:
    beans INTEGER NOT NULL,
    status TEXT NOT NULL,            -- trivial (no heap is split) or periodic: proved; unchecked: the checker took too long; stopped
    preperiod INTEGER,               -- the least one, of this code
    period INTEGER,                  -- the least one
    saltus INTEGER,
    largest INTEGER NOT NULL,        -- the largest value: of all heaps, or of those computed when there is no period
    distinct_values INTEGER NOT NULL, -- how many values there are, likewise
    heaps INTEGER NOT NULL,          -- the largest heap computed, of the code that was solved
    engine TEXT NOT NULL,            -- in use at the end
    mask INTEGER,                    -- the sparse space with the fewest rare heaps among those computed,
    parity INTEGER,                  -- whether the parity of the heap counts,
    rare INTEGER,                    -- how many are rare,
    last_rare INTEGER,               -- and the last of them
    most INTEGER NOT NULL            -- the largest heap asked for",
    columns: &[
        "code",
        "digits",
        "same",
        "beans",
        "status",
        "preperiod",
        "period",
        "saltus",
        "largest",
        "distinct_values",
        "heaps",
        "engine",
        "mask",
        "parity",
        "rare",
        "last_rare",
        "most",
    ],
    key: &["code"],
    strength: "@status IN ('trivial', 'periodic'), @status = 'unchecked', @heaps, @budget",
    settled: "status IN ('trivial', 'periodic')",
};

/// The largest heap that may be asked for: a value takes a byte or more.
const MOST_HEAPS: u64 = 1 << 32;

/// Which codes, and how far.
pub struct Census {
    pub digits: u64,
    pub to: u64,
    pub again: Again,
}

/// Which games are tried again, of those that are not settled.
#[derive(Clone, Copy)]
pub enum Again {
    All,
    /// Those with few rare heaps.
    Sparse,
    /// Those whose period was found and not checked.
    Unchecked,
}

/// Codes with the values of one code that is solved, each after so many zeros.
struct Family {
    solved: Code,
    codes: Vec<(Code, usize)>,
}

/// What is known of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    status: &'static str,
    /// Preperiod, period, saltus.
    period: Option<[usize; 3]>,
    /// Without a preperiod: how many zeros the period ends with.
    zeros: usize,
    largest: u32,
    distinct: usize,
    heaps: usize,
    engine: &'static str,
    rare: Option<RareHeaps>,
}

/// Runs the census and says what the file holds.
pub fn run(cx: &Context, census: &Census, pace: &Pace) -> Answer {
    if cx.play() == Some(Play::Misere) {
        return Err(Error::input("survey octal: Grundy values are those of normal play; misère play: survey misere"));
    }
    let digits = usize::try_from(census.digits).ok().filter(|digits| (1..=4).contains(digits)).ok_or_else(|| {
        Error::input(format!("--digits {}: codes with 1 to 4 digits are listed; give such a number", census.digits))
    })?;
    let most = usize::try_from(census.to).ok().filter(|_| (1..=MOST_HEAPS).contains(&census.to));
    let most = most.ok_or_else(|| Error::input(format!("--to {}: the largest heap is from 1 to 2^32", census.to)))?;
    let store = Store::open_table(&pace.output, &TABLE)?;
    let certificates = Certificates::of(&pace.output);
    let mut families = families(digits, pace)?;
    let total = families.len();
    // A smaller bound on heaps is another limit, like less time.
    let mut done = TABLE.done(pace.budget(), pace.retry_stopped, &format!("most >= {most}"));
    match census.again {
        Again::All => (),
        Again::Sparse => done = format!("({done} OR engine = 'scan')"),
        Again::Unchecked => done = format!("({done} OR status != 'unchecked')"),
    }
    let known: HashSet<String> = store.column(&format!("SELECT code FROM octal WHERE {done}"))?.into_iter().collect();
    families.retain(|family| family.codes.iter().any(|(code, _)| !known.contains(&code.to_string())));
    let stopped = each(
        cx,
        &families,
        total - families.len(),
        pace.per_game,
        |family, budget| solve(&family.solved, most, budget),
        |family, (found, file), used| {
            let certificate = file.map(|text| certificates.keep(&text)).transpose()?;
            let cost = Cost { certificate, budget: pace.budget(), cpu_seconds: used.as_secs_f64() };
            store.transaction(|connection| {
                for (code, beans) in &family.codes {
                    TABLE.keep(connection, &Table::row(found.cells(code, &family.solved, *beans, most), &cost))?;
                }
                Ok(())
            })
        },
    )?;
    Ok(summary(&store, digits, &pace.output)?.stopped(stopped))
}

fn integer(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// The octal codes with at most this many digits after the point, d₀ = 0 or 4.
fn codes(digits: usize) -> impl Iterator<Item = Code> {
    let all = 0..8_u32.pow(u32::try_from(digits).expect("few digits"));
    [0, 4].into_iter().flat_map(move |first| {
        all.clone().map(move |n| {
            let digit = |i: usize| u8::try_from(n >> (3 * (digits - 1 - i)) & 7).expect("an octal digit");
            let list = std::iter::once(first).chain((0..digits).map(digit)).collect();
            Code::new(list, 0).expect("an octal code")
        })
    })
}

/// How many digits after the point a code is written with.
fn written(code: &Code) -> usize {
    code.last().unwrap_or(0).max(1)
}

/// The codes of the census by those that are solved, which a few heaps show. A family is in one shard.
fn families(digits: usize, pace: &Pace) -> Result<Vec<Family>, Error> {
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    for code in codes(digits) {
        let SameValues { code: solved, beans } = SameValues::of(&code, &Unlimited)?;
        let name = solved.to_string();
        if pace.holds(&name) {
            families.entry(name).or_insert(Family { solved, codes: Vec::new() }).codes.push((code, beans));
        }
    }
    Ok(families.into_values().collect())
}

/// More values than this are not kept where the others can be computed without them.
const KEPT: usize = 1 << 20;

/// What is found, and a strategy file that the checker has accepted.
fn solve(code: &Code, most: usize, budget: &Budget<'_>) -> Result<(Found, Option<String>), Error> {
    let mut sequence = Sequence::new(HeapRules::Code(code.clone()), Engine::Auto);
    // What the limits of the command have cut short is no result.
    let go_on = |why: StopReason| {
        budget.command_goes_on()?;
        if why == StopReason::Interrupted { Err(Error::from(why)) } else { Ok(()) }
    };
    let mut passed = None;
    match sequence.search((most + 1).min(KEPT), budget) {
        Err(why) => go_on(why)?,
        Ok(()) if sequence.proof().is_some() || most < KEPT => (),
        Ok(()) => {
            let values = |passed: &Passed| passed.asks_for_values();
            passed = sequence.pass(most + 1, None, &mut |_, _| (), budget).filter(|passed| !values(passed));
            match &passed {
                Some(passed) => passed.stopped.clone().map_or(Ok(()), go_on)?,
                None => sequence.search(most + 1, budget).or_else(go_on)?,
            }
        }
    }
    let (found, file) = match (&passed, NimSequence::new(&sequence)) {
        (None, Some(solved)) => {
            let (heaps, engine, rare) = (sequence.len() - 1, sequence.engine(), sequence.rare_heaps());
            (Found { heaps, engine, rare, ..Found::of(&solved) }, certificate(&solved))
        }
        (Some(passed), _) => match LongPeriod::new(&sequence, passed) {
            Some(long) => match Found::of_long(&long, &sequence, passed, budget) {
                Ok(found) => (found, long.to_envelope()),
                Err(Error::Stopped { why, .. }) => {
                    go_on(why)?;
                    return Ok((Found::passed(&sequence, passed), None));
                }
                Err(error) => return Err(error),
            },
            None => return Ok((Found::passed(&sequence, passed), None)),
        },
        (None, None) => return Ok((Found::stopped(&sequence), None)),
    };
    match verdict(&file, budget) {
        Ok(_) => Ok((found, Some(file.to_text()))),
        Err(Error::Stopped { why, .. }) => {
            go_on(why)?;
            Ok((Found { status: "unchecked", ..found }, None))
        }
        Err(error) => Err(error.at(&code.to_string())),
    }
}

/// The strategy file: values are left out where the checker computes them itself.
fn certificate(solved: &NimSequence) -> Envelope {
    solved.unlisted().unwrap_or_else(|| solved.with_values())
}

impl Found {
    /// What a sequence says that was not seen to the end.
    fn stopped(sequence: &Sequence) -> Self {
        let values = sequence.narrow();
        Self {
            status: "stopped",
            period: None,
            zeros: 0,
            largest: values.largest().unwrap_or(0),
            distinct: distinct(values.iter()),
            heaps: values.len().saturating_sub(1),
            engine: sequence.engine(),
            rare: sequence.rare_heaps(),
        }
    }

    /// What is said of values that passed without a period.
    fn passed(sequence: &Sequence, passed: &Passed) -> Self {
        Self {
            largest: passed.largest(),
            distinct: usize::try_from(passed.values.count_ones()).unwrap_or(usize::MAX),
            heaps: passed.heaps - 1,
            engine: "window",
            ..Self::stopped(sequence)
        }
    }

    /// What is said of values that passed until their period was proved.
    fn of_long(long: &LongPeriod, sequence: &Sequence, passed: &Passed, monitor: &dyn Monitor) -> Result<Self, Error> {
        let period = long.period();
        // Only where there is no preperiod the end of the period counts.
        let zeros = if period.preperiod > 0 { 0 } else { Self::of(&long.listed(monitor)?).zeros };
        let period = Some([period.preperiod, period.period, 0]);
        Ok(Self { status: "periodic", period, zeros, ..Self::passed(sequence, passed) })
    }

    /// What a strategy says; how it was found is not in it.
    fn of(solved: &NimSequence) -> Self {
        let (period, values) = (solved.period(), solved.values());
        let splits = solved.rules().code().is_some_and(|code| code.most_heaps() > 1);
        let backwards = (period.preperiod..values.len()).rev();
        Self {
            status: if splits { "periodic" } else { "trivial" },
            period: Some([period.preperiod, period.period, usize::try_from(period.saltus).unwrap_or(usize::MAX)]),
            zeros: backwards.take_while(|&n| values.at(n) == 0).count(),
            largest: values.largest().unwrap_or(0),
            distinct: distinct(values.iter()),
            heaps: 0,
            engine: "none",
            rare: None,
        }
    }

    /// The least preperiod when so many zeros stand before the values. Without a preperiod they may belong to the period.
    fn preperiod(&self, beans: usize) -> Option<usize> {
        let [preperiod, period, _] = self.period?;
        let within = if preperiod > 0 {
            0
        } else if self.zeros == period {
            // All values are 0.
            beans
        } else {
            self.zeros.min(beans)
        };
        Some(preperiod + beans - within)
    }

    /// The columns of a code that has the values of the one that was solved after so many zeros.
    fn cells(&self, code: &Code, solved: &Code, beans: usize, most: usize) -> Vec<Value> {
        let rare = self.rare.as_ref();
        vec![
            code.to_string().into(),
            integer(written(code)).into(),
            solved.to_string().into(),
            integer(beans).into(),
            self.status.to_owned().into(),
            self.preperiod(beans).map(integer).into(),
            self.period.map(|period| integer(period[1])).into(),
            self.period.map(|period| integer(period[2])).into(),
            i64::from(self.largest).into(),
            integer(self.distinct).into(),
            integer(self.heaps).into(),
            self.engine.to_owned().into(),
            rare.map(|rare| i64::from(rare.mask)).into(),
            rare.map(|rare| i64::from(rare.parity)).into(),
            rare.map(|rare| integer(rare.heaps)).into(),
            rare.map(|rare| integer(rare.last)).into(),
            integer(most).into(),
        ]
    }
}

fn distinct(values: impl Iterator<Item = u32>) -> usize {
    let mut seen: Vec<bool> = Vec::new();
    for value in values {
        let place = usize::try_from(value).unwrap_or(usize::MAX);
        if place >= seen.len() {
            seen.resize(place + 1, false);
        }
        seen[place] = true;
    }
    seen.iter().filter(|&&seen| seen).count()
}

/// The game whose strategy a row's certificate is.
pub fn game(row: &[Value]) -> Result<(Game, Play), Error> {
    Ok((cell(&TABLE, row, "same").unwrap_or_default().parse()?, Play::Normal))
}

/// Whether a row says what its certificate says, and the certificate is one for its code. How the values were found is in no certificate.
pub fn agrees(row: &[Value], file: &Envelope, monitor: &dyn Monitor) -> Result<bool, Error> {
    let solved = match NimSequence::from_period(file, monitor)? {
        Some(solved) => solved,
        None => NimSequence::from_envelope(file)?,
    };
    let Ok(code) = cell(&TABLE, row, "code").unwrap_or_default().parse::<Code>() else { return Ok(false) };
    let SameValues { code: same, beans } = SameValues::of(&code, monitor)?;
    let found = Found::of(solved.claim());
    let expected = found.cells(&code, &same, beans, 0);
    let at = |name: &str| TABLE.columns.iter().position(|&column| column == name);
    let told =
        ["code", "digits", "same", "beans", "status", "preperiod", "period", "saltus", "largest", "distinct_values"];
    Ok(told.iter().all(|name| at(name).is_some_and(|i| row.get(i) == expected.get(i))))
}

fn summary(store: &Store, digits: usize, output: &str) -> Answer {
    let failure = |error| store.failure(&error);
    let query = "SELECT status, count(*) FROM octal WHERE digits <= ?1 GROUP BY status ORDER BY status";
    let counts: rusqlite::Result<BTreeMap<String, u64>> = store
        .connection()
        .prepare(query)
        .and_then(|mut statement| statement.query_map([digits], |row| Ok((row.get(0)?, row.get(1)?)))?.collect());
    let counts = counts.map_err(failure)?;
    let total: u64 = counts.values().sum();
    let sequences: BTreeSet<String> =
        store.column(&format!("SELECT same FROM octal WHERE digits <= {digits}"))?.into_iter().collect();
    let mut lines = vec![format!(
        "{total} codes with at most {digits} digits in {output}: {} sequences, as far as the rules show",
        sequences.len()
    )];
    lines.extend(counts.iter().map(|(status, count)| format!("{status:10} {count}")));
    let longest = |column: &str| {
        let query = format!(
            "SELECT code, {column} FROM octal WHERE digits <= {digits} AND {} ORDER BY {column} DESC, length(code), code LIMIT 1",
            TABLE.settled
        );
        let row = |row: &rusqlite::Row| Ok((row.get::<_, String>(0)?, row.get::<_, u64>(1)?));
        let rows: rusqlite::Result<Vec<_>> =
            store.connection().prepare(&query).and_then(|mut statement| statement.query_map([], row)?.collect());
        rows.map(|mut rows| rows.pop()).map_err(failure)
    };
    let (preperiod, period) = (longest("preperiod")?, longest("period")?);
    if let (Some((first, preperiod)), Some((second, period))) = (&preperiod, &period) {
        lines.push(format!("longest preperiod {preperiod} ({first}), longest period {period} ({second})"));
    }
    let named = |found: Option<(String, u64)>| found.map(|(code, length)| json!({"code": code, "length": length}));
    let json = json!({
        "survey": "octal",
        "digits": digits,
        "file": output,
        "codes": total,
        "sequences": sequences.len(),
        "statuses": counts,
        "longest_preperiod": named(preperiod),
        "longest_period": named(period),
    });
    Ok(Report::data(json, lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_codes_are_there_once() {
        let names = |digits: usize| codes(digits).map(|code| code.to_string()).collect::<BTreeSet<_>>();
        assert_eq!((names(1).len(), names(2).len(), names(3).len()), (16, 128, 1024));
        assert!(names(2).is_superset(&names(1)) && names(2).contains("4.07"));
        assert_eq!(codes(2).map(|code| written(&code)).filter(|&digits| digits == 1).count(), 16);
    }

    #[test]
    fn zeros_before_the_values_may_belong_to_the_period() {
        let found = |period, zeros| Found {
            status: "periodic",
            period: Some(period),
            zeros,
            largest: 1,
            distinct: 2,
            heaps: 9,
            engine: "scan",
            rare: None,
        };
        // 0 1 0 | 0 1 0 | … after 0, 1, 2 zeros, and 2 4 | 0 1 0 | ….
        let pure = found([0, 3, 0], 1);
        assert_eq!([0, 1, 2].map(|beans| pure.preperiod(beans)), [Some(0), Some(0), Some(1)]);
        assert_eq!(found([2, 3, 0], 1).preperiod(1), Some(3));
        assert_eq!(found([0, 1, 0], 1).preperiod(5), Some(0));
    }
}
