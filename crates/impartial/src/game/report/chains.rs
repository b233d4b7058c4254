//! How n = f(m) behaves in a poset game with two infinite chains.

use crate::game::words::counted;
use std::fmt;

use serde::Serialize;

use super::Natural;
use crate::outcome::Play;
use crate::solve::chains::{Kind, Notions, Pattern};
use crate::strategy::Standing;

/// The function f_k of a chains game: the P-positions (k = 0), or the positions of Grundy value k, are (m, f_k(m)).
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ChainsReport {
    /// The game.
    pub game: String,
    /// The winning condition: chains games are solved in normal play.
    pub play: Play,
    /// The Grundy value k.
    pub value: u64,
    /// `finite`, `constant` or `periodic`.
    pub kind: &'static str,
    /// The least m from which the kind shows.
    pub preperiod: u32,
    /// The least period.
    pub period: Option<u32>,
    /// f(m) − m for one period.
    pub offsets: Vec<i64>,
    /// The pairs (m, f(m)) below the preperiod.
    pub initial: Vec<(u32, u32)>,
    /// Whether it holds for all m.
    pub proved: Standing,
    /// f(m) for all large m, when it is constant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constant: Option<u32>,
    /// The m that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Natural>,
    /// f(m) there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n: Option<Option<Natural>>,
    /// What the proof of the periodicity theorem works with, when it was asked for.
    #[serde(flatten)]
    pub notions: Option<NotionsReport>,
    #[serde(skip)]
    function: String,
}

/// Q(A), T and W of Byrnes's proof.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct NotionsReport {
    /// The values in Q(A), up to the one asked for.
    pub q: Vec<u32>,
    /// The pairs (j, T(A, j)) for j in Q(A).
    pub t: Vec<(u32, u64)>,
    /// W(A, k), unless there are too many order ideals.
    pub w: Option<u64>,
    /// The order ideals of A.
    pub order_ideals: usize,
}

impl ChainsReport {
    pub(crate) fn explained(mut self, notions: Notions) -> Self {
        let Notions { q, t, w, ideals, .. } = notions;
        self.notions = Some(NotionsReport { q, t, w, order_ideals: ideals });
        self
    }

    pub(crate) fn new(game: String, value: u64, chains: u8, pattern: &Pattern, proved: Standing) -> Self {
        let (kind, period, constant) = match pattern.kind() {
            Kind::Finite => ("finite", None, None),
            Kind::Constant(n) => ("constant", None, Some(n)),
            Kind::Periodic(p) => ("periodic", Some(p), None),
        };
        Self {
            game,
            play: Play::Normal,
            value,
            kind,
            preperiod: pattern.preperiod(),
            period,
            offsets: pattern.offsets(),
            initial: pattern.initial(),
            proved,
            constant,
            at: None,
            n: None,
            notions: None,
            function: if chains == 1 { "g(m)".to_owned() } else { format!("f_{value}(m)") },
        }
    }

    pub(crate) fn at(mut self, pattern: &Pattern, m: &num_bigint::BigUint) -> Self {
        self.n = Some(pattern.at(m).map(Natural));
        self.at = Some(Natural(m.clone()));
        self
    }
}

impl fmt::Display for ChainsReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (f, from) = (&self.function, self.preperiod);
        match (self.period, self.constant) {
            (Some(p), _) => write!(out, "periodic: f(m + {p}) = f(m) + {p} for all m ≥ {from}")?,
            (None, Some(n)) => write!(out, "constant: {f} = {n} for all m ≥ {from}")?,
            (None, None) => {
                let values = counted(self.initial.len(), "value", "values");
                write!(out, "finite: {f} exists for {values} of m only")?;
            }
        }
        if !self.offsets.is_empty() {
            write!(out, "\n{f} − m from m = {from}: {}", listed(self.offsets.iter()))?;
        }
        if !self.initial.is_empty() {
            let pairs: Vec<String> = self.initial.iter().map(|(m, n)| format!("{m}→{n}")).collect();
            write!(out, "\nbefore: {}", listed(pairs.iter()))?;
        }
        write!(out, "\n{}: least preperiod, least period", self.proved.in_words())?;
        if let (Some(m), Some(n)) = (&self.at, &self.n) {
            let n = n.as_ref().map_or("not defined".to_owned(), ToString::to_string);
            write!(out, "\nat m = {m}: {n}")?;
        }
        if let Some(notions) = &self.notions {
            let k = self.value;
            let q = if notions.q.is_empty() { "none".to_owned() } else { listed(notions.q.iter()) };
            write!(out, "\nQ(A) up to {k}: {q}")?;
            for (j, t) in &notions.t {
                write!(out, "\nT(A,{j}) = {t}: from n = {t} on some move from A_(m,n) leads to value {j}")?;
            }
            match notions.w {
                Some(w) => write!(out, "\nW(A,{k}) = {w}, over {} order ideals", notions.order_ideals)?,
                None => write!(out, "\nW(A,{k}): not looked for, A has {} order ideals", notions.order_ideals)?,
            }
        }
        Ok(())
    }
}

/// The first entries with blanks between them, and how many more there are.
fn listed<T: ToString>(list: impl ExactSizeIterator<Item = T>) -> String {
    const SHOWN: usize = 40;
    let count = list.len();
    let shown: Vec<String> = list.take(SHOWN).map(|x| x.to_string()).collect();
    let more = if count > SHOWN { format!(" … ({} more)", count - SHOWN) } else { String::new() };
    shown.join(" ") + &more
}
