//! Presentations of quotients in the languages of algebra systems: binomial ideals, finitely presented monoids.

use std::fmt::Write as _;

use super::Syntax;
use super::syntax::join;

/// A commutative monoid by generators and relations: words such as `a^2*b`, relations such as `a^2=1`.
#[derive(Clone, Debug)]
pub struct Presented<'a> {
    /// What it is the quotient of.
    pub title: &'a str,
    /// Names of the generators.
    pub generators: &'a [String],
    /// The relations.
    pub relations: &'a [String],
    /// Whether all relations follow from these.
    pub complete: bool,
    /// The elements that are P-positions, as words, where these are finitely many and known.
    pub p: Option<&'a [String]>,
    /// The order, where it is finite and known.
    pub order: Option<String>,
}

/// A word with names that every system takes: capital letters mean something in most of them.
fn plain(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    let mut heap = false;
    for letter in word.chars() {
        match letter {
            '[' => {
                heap = true;
                text.push('x');
            }
            ']' => heap = false,
            c if c.is_ascii_uppercase() && !heap => {
                text.push('u');
                text.push(c);
            }
            c => text.push(c),
        }
    }
    text
}

/// A word in LaTeX: `a^{2}b`.
fn latex(word: &str) -> String {
    let mut text = String::new();
    for factor in word.split('*') {
        let (name, exponent) = factor.split_once('^').unwrap_or((factor, ""));
        let name = match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            Some(heap) => format!("x_{{{heap}}}"),
            None => name.to_owned(),
        };
        text += &name;
        if !exponent.is_empty() {
            let _ = write!(text, "^{{{exponent}}}");
        }
    }
    text
}

impl Presented<'_> {
    fn sides(&self, side: impl Fn(&str) -> String) -> Vec<(String, String)> {
        let sides = |relation: &String| {
            let (left, right) = relation.split_once('=').unwrap_or((relation, "1"));
            (side(left.trim()), side(right.trim()))
        };
        self.relations.iter().map(sides).collect()
    }

    fn names(&self) -> Vec<String> {
        self.generators.iter().map(|name| plain(name)).collect()
    }

    fn note(&self, open: &str, close: &str) -> String {
        let order = self.order.as_ref().map_or_else(String::new, |order| format!(", order {order}"));
        let more = if self.complete { "" } else { "; there may be more relations" };
        format!("{open} {}{order}{more}{close}\n", self.title.replace('\n', " "))
    }

    /// The presentation in a language; `None` where it has no meaning.
    ///
    /// ```
    /// use impartial::render::{Presented, Syntax};
    /// let (generators, relations) = (["a".to_owned()], ["a^2=1".to_owned()]);
    /// let monoid = Presented {
    ///     title: "nim", generators: &generators, relations: &relations, complete: true, p: None, order: Some("2".into()),
    /// };
    /// assert!(monoid.text(Syntax::Macaulay2).unwrap().contains("ideal(a^2-1)"));
    /// assert!(monoid.text(Syntax::Gap).unwrap().contains("[a^2, One(free)]"));
    /// ```
    pub fn text(&self, syntax: Syntax) -> Option<String> {
        let names = self.names();
        let p: Option<Vec<String>> = self.p.map(|p| p.iter().map(|word| plain(word)).collect());
        Some(match syntax {
            Syntax::Latex => self.latex(),
            Syntax::Macaulay2 => {
                let binomials = self.sides(plain).into_iter().map(|(left, right)| format!("{left}-{right}"));
                let binomials = join(binomials, ", ");
                let ideal = if binomials.is_empty() { "0_monoidRing".to_owned() } else { binomials };
                let mut text = format!(
                    "{}monoidRing = QQ[{}]\nrelationIdeal = ideal({ideal})\nquotientAlgebra = monoidRing/relationIdeal\n",
                    self.note("--", ""),
                    join(&names, ", ")
                );
                if let Some(p) = &p {
                    let _ = writeln!(
                        text,
                        "pPortion = {{{}}} -- monomials of the P-positions",
                        join(p.iter().map(|word| if word == "1" { "1_monoidRing" } else { word }), ", ")
                    );
                }
                text
            }
            Syntax::Sage => {
                let binomials = self.sides(plain).into_iter().map(|(left, right)| format!("{left}-{right}"));
                let binomials = join(binomials, ", ");
                let mut text = format!(
                    "{}R = PolynomialRing(QQ, {}, names='{}')\nR.inject_variables(verbose=False)\nI = R.ideal([{binomials}])\n",
                    self.note("#", ""),
                    names.len(),
                    join(&names, ",")
                );
                if let Some(p) = &p {
                    let _ = writeln!(text, "P = [{}]", join(p, ", "));
                }
                text
            }
            Syntax::Mathematica => {
                let binomials = self.sides(plain).into_iter().map(|(left, right)| format!("{left} - {right}"));
                let mut text = format!(
                    "{}generators = {{{}}};\nrelations = {{{}}};\nbasis = GroebnerBasis[relations, Reverse[generators]];\n",
                    self.note("(*", " *)"),
                    join(&names, ", "),
                    join(binomials, ", ")
                );
                if let Some(p) = &p {
                    let _ = writeln!(text, "pPortion = {{{}}};", join(p, ", "));
                }
                text
            }
            Syntax::Gap => {
                let word = |word: &str| if word == "1" { "One(free)".to_owned() } else { plain(word) };
                let mut relations: Vec<String> =
                    self.sides(word).into_iter().map(|(left, right)| format!("[{left}, {right}]")).collect();
                for (i, a) in names.iter().enumerate() {
                    relations.extend(names[..i].iter().map(|b| format!("[{a}*{b}, {b}*{a}]")));
                }
                let quoted = join(names.iter().map(|name| format!("\"{name}\"")), ", ");
                let assigned = join((1..).zip(&names).map(|(i, name)| format!("{name} := free.{i};;")), " ");
                format!(
                    "{}free := FreeMonoid({quoted});;\n{assigned}\nrelations := [{}];;\nmonoid := free / relations;;\n",
                    self.note("#", ""),
                    join(relations, ", ")
                )
            }
            _ => return None,
        })
    }

    fn latex(&self) -> String {
        let generators = join(self.generators.iter().map(|name| latex(name)), ", ");
        let relations = join(self.sides(latex).into_iter().map(|(left, right)| format!("{left} = {right}")), ",\\ ");
        let mut text = format!(
            "{}\\[\\mathcal{{Q}} = \\left\\langle {generators} \\;\\middle|\\; {relations} \\right\\rangle\\]\n",
            self.note("%", "")
        );
        if let Some(p) = self.p {
            let _ = writeln!(text, "\\[\\mathcal{{P}} = \\{{{}\\}}\\]", join(p.iter().map(|word| latex(word)), ",\\ "));
        }
        text
    }
}

/// The values of heaps as a LaTeX table.
pub fn heap_table(values: &[(String, String)]) -> String {
    let mut text = String::new();
    for row in values.chunks(12) {
        let columns = "c".repeat(row.len());
        let _ = write!(
            text,
            "\n\\begin{{tabular}}{{r|{columns}}}\n$n$ & {} \\\\\n\\hline\n$\\Phi(n)$ & {} \\\\\n\\end{{tabular}}\n",
            join(row.iter().map(|(heap, _)| heap), " & "),
            join(row.iter().map(|(_, value)| format!("${}$", latex(value))), " & ")
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_plain() {
        assert_eq!(plain("a^2*B"), "a^2*uB");
        assert_eq!(plain("[53]^2*[7]"), "x53^2*x7");
        assert_eq!(latex("a^2*b*[53]^10"), "a^{2}bx_{53}^{10}");
    }

    #[test]
    fn commutation_is_said_where_it_must_be() {
        let (generators, relations) = (["a".to_owned(), "b".to_owned()], ["b^3=a*b".to_owned()]);
        let p = ["a".to_owned()];
        let monoid = Presented {
            title: "t",
            generators: &generators,
            relations: &relations,
            complete: false,
            p: Some(&p),
            order: None,
        };
        let gap = monoid.text(Syntax::Gap).unwrap();
        assert!(gap.contains("[b^3, a*b], [b*a, a*b]") && gap.contains("there may be more"), "{gap}");
        assert!(monoid.text(Syntax::Latex).unwrap().contains("b^{3} = ab"));
        assert!(monoid.text(Syntax::Sage).unwrap().contains("R.ideal([b^3-a*b])"));
        assert!(monoid.text(Syntax::Dot).is_none());
    }
}
