//! `set`: sets of integer vectors, of games or not.

use impartial::game::{Claim, Set};
use impartial::num_bigint::BigInt;
use impartial::{Ask, Error};

use crate::args::{SetArgs, SetOperation};
use crate::commands::{box_of, kept};
use crate::files;
use crate::report::{Answer, Report};

/// Integers joined by commas.
fn integers(option: &str, text: Option<&str>, example: &str) -> Result<Vec<BigInt>, Error> {
    let bad = || Error::Input(format!("--{option}: give integers joined by commas, such as --{option} {example}"));
    text.ok_or_else(bad)?.split(',').map(|entry| entry.trim().parse().map_err(|_| bad())).collect()
}

/// Runs an operation.
pub fn run(args: &SetArgs, ask: &Ask) -> Answer {
    let read = |path: &String| {
        let text = files::read(path)?;
        let set = if Claim::is_in(&text) {
            let claim = Claim::open(path, &text, &files::opener)?;
            claim.prove(ask).and_then(|strategy| Set::of_strategy(&strategy, ask))
        } else {
            Set::open(&text, ask)
        };
        set.map_err(|error| error.at(path))
    };
    let sets: Vec<Set> = args.files.iter().map(read).collect::<Result<_, _>>()?;
    let (least, most) = match args.operation {
        SetOperation::Union | SetOperation::Intersection | SetOperation::Difference | SetOperation::Hadamard => {
            (2, usize::MAX)
        }
        SetOperation::Equal => (2, 2),
        _ => (1, 1),
    };
    if !(least..=most).contains(&sets.len()) {
        let many = if least == 1 {
            "one FILE"
        } else if most == 2 {
            "two FILEs"
        } else {
            "two FILEs or more"
        };
        return Err(Error::Input(format!("set: this operation takes {many}, and {} are given", sets.len())));
    }
    let sizes =
        || box_of(args.sizes.as_deref().ok_or_else(|| Error::input("give the sizes of a box, such as --box 10,10"))?);
    let first = &sets[0];
    let folded = |combine: fn(&Set, &Set, &Ask) -> Result<Set, Error>| {
        sets[1..].iter().try_fold(first.clone(), |all, next| combine(&all, next, ask))
    };
    let result = match args.operation {
        SetOperation::Union => folded(Set::union)?,
        SetOperation::Intersection | SetOperation::Hadamard => folded(Set::intersection)?,
        SetOperation::Difference => folded(Set::difference)?,
        SetOperation::Complement => first.complement(ask)?,
        SetOperation::Translate => first.translate(&integers("by", args.by.as_deref(), "1,-2")?, ask)?,
        SetOperation::Project => {
            let coordinates = integers("to", args.to.as_deref(), "1,3")?;
            let small = |n: &BigInt| usize::try_from(n).unwrap_or(0);
            first.project(&coordinates.iter().map(small).collect::<Vec<_>>(), ask)?
        }
        SetOperation::Equal => {
            let report = first.equal(&sets[1], ask)?;
            return Ok(Report::of(&report).no_if(!report.equal));
        }
        SetOperation::Contains => {
            let report = first.contains(&integers("by", args.by.as_deref(), "4,7")?, ask)?;
            return Ok(Report::of(&report).no_if(!report.contains));
        }
        SetOperation::Holes => first.holes(ask)?,
        SetOperation::Count => return Ok(Report::of(&first.count(&sizes()?, ask)?)),
        SetOperation::Members => return Ok(Report::of(&first.members(&sizes()?, ask)?)),
        SetOperation::HilbertBasis => return Ok(Report::of(&first.hilbert_basis(ask)?)),
        SetOperation::HilbertSeries => {
            let grading = args.grading.as_deref().map(|text| integers("grading", Some(text), "1,1,1")).transpose()?;
            return Ok(Report::of(&first.hilbert_series(grading.as_deref(), ask)?));
        }
    };
    let report = result.report(ask)?;
    kept(Report::of(&report), args.output.as_deref(), &report.to_toml())
}
