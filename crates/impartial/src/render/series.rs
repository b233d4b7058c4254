//! Series as text, LaTeX and code.

use super::Syntax;
use super::syntax::join;
use crate::integer::{Int, Rat};
use crate::series::{Series, Term};

/// Writes a series: as a formula, or as code that defines the variables and the rational function.
///
/// ```
/// use impartial::{integer::vector, render, render::Syntax, series::Series};
/// let f = Series::of_module(2, &[vector(&[0, 1])], &[vector(&[2, 0]), vector(&[0, 2])]).unwrap();
/// assert_eq!(render::series(&f, Syntax::Text), "f(P;x,y) = y/((1-y^2)(1-x^2))");
/// assert_eq!(render::series(&f, Syntax::Latex), "\\[f(\\mathcal{P};x,y) = \\frac{y}{(1-y^{2})(1-x^{2})}\\]");
/// ```
pub fn series(series: &Series, syntax: Syntax) -> String {
    let d = series.dimension();
    let names: Vec<String> = (0..d).map(|i| crate::series::variable(i, d)).collect();
    match syntax {
        Syntax::Text => format!("f(P;{}) = {series}", join(&names, ",")),
        Syntax::Latex => {
            let names: Vec<String> = if d > 3 { (1..=d).map(|i| format!("t_{{{i}}}")).collect() } else { names };
            let sum = sum(series, |t| latex_term(t, &names));
            format!("\\[f(\\mathcal{{P}};{}) = {sum}\\]", join(&names, ","))
        }
        Syntax::Sage => {
            let ring = format!("R.<{}> = PolynomialRing(QQ)\nK = R.fraction_field()", join(&names, ","));
            format!("{ring}\nf = K(0) + {}", sum(series, |t| code_term(t, &names, "^")))
        }
        Syntax::Mathematica => {
            format!(
                "f[{}] := {}",
                join(names.iter().map(|n| format!("{n}_")), ", "),
                sum(series, |t| code_term(t, &names, "^"))
            )
        }
        Syntax::Macaulay2 => {
            let ring = format!("R = QQ[{}]\nK = frac R", join(&names, ","));
            format!("{ring}\nf = 0_K + {}", sum(series, |t| code_term(t, &names, "^")))
        }
    }
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

fn code_monomial(exponent: &[Int], names: &[String], power: &str) -> String {
    let factors: Vec<String> = exponent
        .iter()
        .zip(names)
        .filter(|(e, _)| !e.is_zero())
        .map(|(e, name)| match e {
            e if e.is_one() => name.clone(),
            e if e.is_negative() => format!("{name}{power}({e})"),
            e => format!("{name}{power}{e}"),
        })
        .collect();
    if factors.is_empty() { "1".into() } else { factors.join("*") }
}

fn code_term(t: &Term, names: &[String], power: &str) -> String {
    let monomial = code_monomial(&t.exponent, names, power);
    let numerator = if t.coefficient == Rat::ONE { monomial } else { format!("({})*{monomial}", t.coefficient) };
    if t.denominators.is_empty() {
        return numerator;
    }
    let factors = t.denominators.iter().map(|a| format!("(1-{})", code_monomial(a, names, power)));
    format!("{numerator}/({})", join(factors, "*"))
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
    use crate::integer::vector;

    #[test]
    fn every_syntax_has_every_factor() {
        let f = Series::of_module(1, &[vector(&[1])], &[vector(&[2])]).unwrap().scaled(&"-3/2".parse().unwrap());
        assert_eq!(series(&f, Syntax::Text), "f(P;t) = -3/2*t/(1-t^2)");
        assert_eq!(series(&f, Syntax::Latex), "\\[f(\\mathcal{P};t) = -\\frac{\\tfrac{3}{2}\\,t}{(1-t^{2})}\\]");
        assert_eq!(
            series(&f, Syntax::Sage),
            "R.<t> = PolynomialRing(QQ)\nK = R.fraction_field()\nf = K(0) + -(3/2)*t/((1-t^2))"
        );
        assert_eq!(series(&f, Syntax::Mathematica), "f[t_] := -(3/2)*t/((1-t^2))");
        assert_eq!(series(&f, Syntax::Macaulay2), "R = QQ[t]\nK = frac R\nf = 0_K + -(3/2)*t/((1-t^2))");
        assert_eq!(series(&Series::zero(1), Syntax::Text), "f(P;t) = 0");
    }
}
