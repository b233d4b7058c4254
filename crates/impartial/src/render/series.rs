//! Series as text, LaTeX and code.

use std::fmt::Write as _;

use super::Syntax;
use super::syntax::{field, join};
use semilinear::integer::{Int, Rat};
use semilinear::series::{CharacterSum, Series, Term};

/// Writes a series: as a formula, or as code that defines the variables and the rational function; `None` for languages that know no
/// rational functions. In LaTeX terms with the same denominator are one fraction.
///
/// ```
/// use impartial::{integer::vector, render, render::Syntax, series::Series};
/// let f = Series::of_module(2, &[vector(&[0, 1])], &[vector(&[2, 0]), vector(&[0, 2])]).unwrap();
/// assert_eq!(render::series(&f, Syntax::Text).unwrap(), "f(P;x,y) = y/((1-y^2)(1-x^2))");
/// assert_eq!(render::series(&f, Syntax::Latex).unwrap(), "\\[f(\\mathcal{P};x,y) = \\frac{y}{(1-y^{2})(1-x^{2})}\\]");
/// ```
pub fn series(series: &Series, syntax: Syntax) -> Option<String> {
    let d = series.dimension();
    let names: Vec<String> = (0..d).map(|i| semilinear::series::variable(i, d)).collect();
    Some(match syntax {
        Syntax::Text => format!("f(P;{}) = {series}", join(&names, ",")),
        Syntax::Latex => {
            let names: Vec<String> = if d > 3 { (1..=d).map(|i| format!("t_{{{i}}}")).collect() } else { names };
            let sum = latex_sum(series, &names);
            format!("\\[f(\\mathcal{{P}};{}) = {sum}\\]", join(&names, ","))
        }
        Syntax::Sage => {
            let ring = format!("R.<{}> = PolynomialRing(QQ)\nK = R.fraction_field()", join(&names, ","));
            format!("{ring}\nf = K(0) + {}", sum(series, |t| code_term(t, &names)))
        }
        Syntax::Mathematica => {
            format!(
                "f[{}] := {}",
                join(names.iter().map(|n| format!("{n}_")), ", "),
                sum(series, |t| code_term(t, &names))
            )
        }
        Syntax::Macaulay2 => {
            let ring = format!("R = QQ[{}]\nK = frac R", join(&names, ","));
            format!("{ring}\nf = 0_K + {}", sum(series, |t| code_term(t, &names)))
        }
        Syntax::Csv => {
            let vector = |x: &[Int]| format!("({})", join(x, ","));
            let line = |t: &Term| {
                let denominators = join(t.denominators.iter().map(|a| vector(a)), " ");
                format!("{},{},{}\n", t.coefficient, field(&vector(&t.exponent)), field(&denominators))
            };
            format!(
                "coefficient,exponent,denominators\n{}",
                series.terms().iter().map(line).collect::<Vec<_>>().concat()
            )
        }
        Syntax::JsonLines => {
            let line = |t: &Term| serde_json::to_string(t).unwrap_or_default();
            join(series.terms().iter().map(line), "\n")
        }
        _ => return None,
    })
}

/// Writes a sum over characters, in the same languages.
///
/// ```
/// use impartial::{render, render::Syntax, series::CharacterSum};
/// let f = CharacterSum::spanned(2, &[vec![true, true]]).unwrap();
/// assert_eq!(render::characters(&f, Syntax::Text).unwrap(), "f(P;x,y) = 1/2*(1/((1-x)(1-y)) + 1/((1+x)(1+y)))");
/// ```
pub fn characters(sum: &CharacterSum, syntax: Syntax) -> Option<String> {
    let d = sum.dimension();
    let names: Vec<String> = (0..d).map(|i| semilinear::series::variable(i, d)).collect();
    let n = sum.signs().len();
    let factors = |signs: &[bool], names: &[String]| -> Vec<String> {
        signs.iter().zip(names).map(|(&s, name)| format!("(1{}{name})", if s { "+" } else { "-" })).collect()
    };
    let code = |times: &str| {
        let terms = sum.signs().iter().map(|s| match factors(s, &names) {
            one if one.len() == 1 => format!("1/{}", one[0]),
            many => format!("1/({})", many.join(times)),
        });
        format!("1/{n}*({})", join(terms, " + "))
    };
    let list = join(&names, ",");
    Some(match syntax {
        Syntax::Text => format!("f(P;{list}) = {}", code("")),
        Syntax::Latex => {
            let names: Vec<String> =
                if d > 3 { (1..=d).map(|i| format!("t_{{{i}}}")).collect() } else { names.clone() };
            let terms = sum.signs().iter().map(|s| format!("\\frac{{1}}{{{}}}", factors(s, &names).join("")));
            let sum = join(terms, " + ");
            format!("\\[f(\\mathcal{{P}};{}) = \\frac{{1}}{{{n}}}\\left({sum}\\right)\\]", join(&names, ","))
        }
        Syntax::Sage => {
            format!("R.<{list}> = PolynomialRing(QQ)\nK = R.fraction_field()\nf = K(0) + {}", code("*"))
        }
        Syntax::Mathematica => format!("f[{}] := {}", join(names.iter().map(|n| format!("{n}_")), ", "), code("*")),
        Syntax::Macaulay2 => format!("R = QQ[{list}]\nK = frac R\nf = 0_K + {}", code("*")),
        _ => return None,
    })
}

/// The terms joined by their signs.
fn sum(series: &Series, term: impl Fn(&Term) -> String) -> String {
    if series.terms().is_empty() {
        return "0".into();
    }
    let mut out = String::new();
    for (i, t) in series.terms().iter().enumerate() {
        let negative = t.coefficient.signum() < 0;
        out += match (i, negative) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        out +=
            &term(&Term { coefficient: if negative { -&t.coefficient } else { t.coefficient.clone() }, ..t.clone() });
    }
    out
}

/// A product of powers; negative exponents go below a fraction line, since not every system raises ring elements to them.
fn code_monomial(exponent: &[Int], names: &[String]) -> (String, Vec<String>) {
    let powers = |wanted: i32| -> Vec<String> {
        exponent
            .iter()
            .zip(names)
            .filter(|(e, _)| e.signum() == wanted)
            .map(|(e, name)| if e.abs().is_one() { name.clone() } else { format!("{name}^{}", e.abs()) })
            .collect()
    };
    let above = powers(1);
    (if above.is_empty() { "1".into() } else { above.join("*") }, powers(-1))
}

fn code_term(t: &Term, names: &[String]) -> String {
    let (monomial, mut below) = code_monomial(&t.exponent, names);
    let numerator = if t.coefficient == Rat::ONE { monomial } else { format!("({})*{monomial}", t.coefficient) };
    below.extend(t.denominators.iter().map(|a| match code_monomial(a, names) {
        (above, below) if below.is_empty() => format!("(1-{above})"),
        (above, below) => format!("(1-{above}/({}))", below.join("*")),
    }));
    if below.is_empty() { numerator } else { format!("{numerator}/({})", below.join("*")) }
}

fn latex_monomial(exponent: &[Int], names: &[String]) -> String {
    let factors: Vec<String> = exponent
        .iter()
        .zip(names)
        .filter(|(e, _)| !e.is_zero())
        .map(|(e, name)| if e.is_one() { name.clone() } else { format!("{name}^{{{e}}}") })
        .collect();
    if factors.is_empty() { "1".into() } else { factors.join(" ") }
}

/// The sum with one fraction for each denominator.
fn latex_sum(series: &Series, names: &[String]) -> String {
    let mut groups: Vec<(&Vec<Vec<Int>>, Vec<&Term>)> = Vec::new();
    for term in series.terms() {
        match groups.iter_mut().find(|(denominators, _)| **denominators == term.denominators) {
            Some((_, terms)) => terms.push(term),
            None => groups.push((&term.denominators, vec![term])),
        }
    }
    let mut out = String::new();
    for (denominators, terms) in groups {
        if terms.len() == 1 || denominators.is_empty() {
            for term in terms {
                out += if term.coefficient.signum() < 0 { " - " } else { " + " };
                let size = if term.coefficient.signum() < 0 { -&term.coefficient } else { term.coefficient.clone() };
                out += &latex_term(&Term { coefficient: size, ..term.clone() }, names);
            }
            continue;
        }
        let numerator = terms.iter().map(|term| Term { denominators: Vec::new(), ..(*term).clone() });
        let numerator =
            joined(numerator.map(|term| (term.coefficient.signum() < 0, latex_term(&absolute(term), names))));
        let factors = denominators.iter().map(|a| format!("(1-{})", latex_monomial(a, names)));
        let _ = write!(out, " + \\frac{{{numerator}}}{{{}}}", join(factors, ""));
    }
    match out.strip_prefix(" + ") {
        Some(sum) => sum.to_owned(),
        None if out.is_empty() => "0".to_owned(),
        None => out.replacen(" - ", "-", 1),
    }
}

fn absolute(term: Term) -> Term {
    let coefficient = if term.coefficient.signum() < 0 { -&term.coefficient } else { term.coefficient.clone() };
    Term { coefficient, ..term }
}

/// Texts joined by their signs.
fn joined(terms: impl Iterator<Item = (bool, String)>) -> String {
    let mut out = String::new();
    for (i, (negative, text)) in terms.enumerate() {
        out += match (i, negative) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        out += &text;
    }
    out
}

fn latex_term(t: &Term, names: &[String]) -> String {
    let monomial = latex_monomial(&t.exponent, names);
    let coefficient = |c: &Rat| {
        if c.is_integer() { c.to_string() } else { format!("\\tfrac{{{}}}{{{}}}", c.numerator(), c.denominator()) }
    };
    let numerator = match (t.coefficient == Rat::ONE, monomial.as_str()) {
        (true, _) => monomial,
        (false, "1") => coefficient(&t.coefficient),
        (false, _) => format!("{}\\,{monomial}", coefficient(&t.coefficient)),
    };
    if t.denominators.is_empty() {
        return numerator;
    }
    let factors = t.denominators.iter().map(|a| format!("(1-{})", latex_monomial(a, names)));
    format!("\\frac{{{numerator}}}{{{}}}", join(factors, ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use semilinear::integer::vector;

    #[test]
    fn every_syntax_has_every_factor() {
        let f = Series::of_module(1, &[vector(&[1])], &[vector(&[2])]).unwrap().scaled(&"-3/2".parse().unwrap());
        assert_eq!(series(&f, Syntax::Text).unwrap(), "f(P;t) = -3/2*t/(1-t^2)");
        assert_eq!(
            series(&f, Syntax::Latex).unwrap(),
            "\\[f(\\mathcal{P};t) = -\\frac{\\tfrac{3}{2}\\,t}{(1-t^{2})}\\]"
        );
        assert_eq!(
            series(&f, Syntax::Sage).unwrap(),
            "R.<t> = PolynomialRing(QQ)\nK = R.fraction_field()\nf = K(0) + -(3/2)*t/((1-t^2))"
        );
        assert_eq!(series(&f, Syntax::Mathematica).unwrap(), "f[t_] := -(3/2)*t/((1-t^2))");
        assert_eq!(series(&f, Syntax::Macaulay2).unwrap(), "R = QQ[t]\nK = frac R\nf = 0_K + -(3/2)*t/((1-t^2))");
        assert_eq!(series(&Series::zero(1), Syntax::Text).unwrap(), "f(P;t) = 0");
    }

    #[test]
    fn negative_exponents_become_quotients() {
        let f = Series::of_module(2, &[vector(&[-1, 2])], &[vector(&[1, -1]), vector(&[0, 1])]).unwrap();
        assert_eq!(series(&f, Syntax::Mathematica).unwrap(), "f[x_, y_] := y^2/(x*(1-y)*(1-x/(y)))");
        let f = CharacterSum::spanned(1, &[vec![true]]).unwrap();
        assert_eq!(
            characters(&f, Syntax::Macaulay2).unwrap(),
            "R = QQ[t]\nK = frac R\nf = 0_K + 1/2*(1/(1-t) + 1/(1+t))"
        );
        assert_eq!(
            characters(&f, Syntax::Latex).unwrap(),
            "\\[f(\\mathcal{P};t) = \\frac{1}{2}\\left(\\frac{1}{(1-t)} + \\frac{1}{(1+t)}\\right)\\]"
        );
    }
}
