//! Stratifications as text, LaTeX and code.

use std::fmt::Write as _;

use semilinear::semigroup::{Module, Stratification};

use super::syntax::{Syntax, field, join, point};

/// Writes a stratification. In LaTeX and Macaulay2 the vectors are the columns of matrices, as in Guo's thesis, Example 6.4.
///
/// ```
/// use impartial::{render, render::Syntax, semigroup::{Module, Stratification}};
/// let module = Module { generators: vec![vec![2, 0], vec![0, 2]], bases: vec![vec![0, 0]] };
/// let p = Stratification::new(2, vec![module]).unwrap();
/// assert_eq!(render::stratification(&p, Syntax::Text).unwrap(), "P = {(0,0)} + N{(0,2),(2,0)}");
/// ```
///
/// For Normaliz the semigroups of the modules are inputs of their own: the first one is written, the others with
/// [`normaliz`]. `None` for languages that know no such sets.
pub fn stratification(set: &Stratification, syntax: Syntax) -> Option<String> {
    let modules = set.modules();
    Some(match syntax {
        Syntax::Text => text(modules),
        Syntax::Latex => latex(modules),
        Syntax::Sage => sage(modules),
        Syntax::Mathematica => {
            let modules = modules.iter().map(|m| format!("  {{{}, {}}}", braces(&m.bases), braces(&m.generators)));
            format!("(* {{F, A}}: the union of F + N A *)\nstrata = {{\n{}\n}};", join(modules, ",\n"))
        }
        Syntax::Macaulay2 => {
            let modules = modules.iter().map(|m| {
                format!("  ({}, {})", columns(&m.bases, set.dimension()), columns(&m.generators, set.dimension()))
            });
            format!("-- (F, A): the union of F + N A, vectors are columns\nstrata = {{\n{}\n}}", join(modules, ",\n"))
        }
        Syntax::Gap => {
            let modules =
                modules.iter().map(|m| format!("  rec(F := {}, A := {})", brackets(&m.bases), brackets(&m.generators)));
            format!("# F + N A for every record, vectors are rows\nstrata := [\n{}\n];;", join(modules, ",\n"))
        }
        Syntax::Csv => {
            let mut text = "module,part,vector\n".to_owned();
            for (i, module) in modules.iter().enumerate() {
                for (part, vectors) in [("base", &module.bases), ("generator", &module.generators)] {
                    for vector in vectors {
                        let _ = writeln!(text, "{},{part},{}", i + 1, field(&point(vector)));
                    }
                }
            }
            text
        }
        Syntax::JsonLines => join(modules.iter().map(|m| serde_json::to_string(m).unwrap_or_default()), "\n"),
        Syntax::Normaliz => normaliz(set, 0)?,
        _ => return None,
    })
}

/// The semigroup ℕA of a module as an input of Normaliz, with what to compute; `None` when there is no such module. Only modules
/// with generators are counted.
pub fn normaliz(set: &Stratification, number: usize) -> Option<String> {
    let modules: Vec<&Module> = set.modules().iter().filter(|module| !module.generators.is_empty()).collect();
    let module = modules.get(number)?;
    let rows = join(module.generators.iter().map(|v| join(v, " ")), "\n");
    Some(format!(
        "/* the semigroup of module {} of {} with generators; its bases are {} */\namb_space {}\ncone_and_lattice {}\n{rows}\n\
         HilbertBasis\n",
        number + 1,
        modules.len(),
        join(module.bases.iter().map(|b| point(b)), " "),
        set.dimension(),
        module.generators.len()
    ))
}

fn brackets(vectors: &[Vec<i64>]) -> String {
    format!("[{}]", join(vectors.iter().map(|v| format!("[{}]", join(v, ", "))), ", "))
}

fn text(modules: &[Module]) -> String {
    if modules.is_empty() {
        return "P = {}".to_owned();
    }
    let lines = modules.iter().map(|m| {
        let bases = join(m.bases.iter().map(|b| point(b)), ",");
        if m.generators.is_empty() {
            format!("{{{bases}}}")
        } else {
            format!("{{{bases}}} + N{{{}}}", join(m.generators.iter().map(|v| point(v)), ","))
        }
    });
    format!("P = {}", join(lines, "\n  + "))
}

fn latex(modules: &[Module]) -> String {
    if modules.is_empty() {
        return r"\mathcal{P} = \varnothing".to_owned();
    }
    let matrix = |vectors: &[Vec<i64>]| {
        let rows = (0..vectors[0].len()).map(|r| join(vectors.iter().map(|v| v[r]), " & "));
        // No pmatrix: amsmath allows it ten columns only.
        let columns = vectors.len();
        format!(
            "\\left(\\begin{{array}}{{@{{}}*{{{columns}}}{{r}}@{{}}}}\n{}\n\\end{{array}}\\right)",
            join(rows, " \\\\\n")
        )
    };
    let sum = join(
        modules.iter().enumerate().map(|(i, m)| {
            let i = i + 1;
            if m.generators.is_empty() { format!("F_{{{i}}}") } else { format!("(F_{{{i}}} + \\mathbb{{N}}A_{{{i}}})") }
        }),
        r" \uplus ",
    );
    let mut out = format!("\\[\\mathcal{{P}} = {sum}\\]\n");
    for (i, m) in modules.iter().enumerate() {
        let i = i + 1;
        let _ = write!(out, "\n\\[F_{{{i}}} = {}", matrix(&m.bases));
        if !m.generators.is_empty() {
            let _ = write!(out, ",\\quad\nA_{{{i}}} = {}", matrix(&m.generators));
        }
        out += "\\]\n";
    }
    out
}

fn sage(modules: &[Module]) -> String {
    let list = |vectors: &[Vec<i64>]| format!("[{}]", join(vectors.iter().map(|v| point_tuple(v)), ", "));
    let modules = modules.iter().map(|m| format!("    ({}, {})", list(&m.bases), list(&m.generators)));
    format!(
        "# (F, A): the disjoint union of f + N A over f in F\nstrata = [\n{}\n]\n\n\
         def in_P(x):\n    for F, A in strata:\n        for f in F:\n            y = vector(ZZ, x) - vector(ZZ, f)\n            \
         if not A:\n                if y == 0: return True\n                continue\n            try:\n                \
         l = matrix(QQ, A).solve_left(y)\n            except ValueError:\n                continue\n            \
         if all(c in NN for c in l): return True\n    return False",
        join(modules, ",\n")
    )
}

/// A Python tuple; one entry needs a trailing comma.
fn point_tuple(x: &[i64]) -> String {
    if x.len() == 1 { format!("({},)", x[0]) } else { point(x) }
}

fn braces(vectors: &[Vec<i64>]) -> String {
    format!("{{{}}}", join(vectors.iter().map(|v| format!("{{{}}}", join(v, ", "))), ", "))
}

fn columns(vectors: &[Vec<i64>], dimension: usize) -> String {
    if vectors.is_empty() {
        return format!("map(ZZ^{dimension}, ZZ^0, 0)");
    }
    let rows = (0..dimension).map(|r| format!("{{{}}}", join(vectors.iter().map(|v| v[r]), ", ")));
    format!("matrix {{{}}}", join(rows, ", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exotic() -> Stratification {
        let module = |generators: [[i64; 2]; 2], bases: [[i64; 2]; 2]| Module {
            generators: generators.map(|v| v.to_vec()).to_vec(),
            bases: bases.map(|v| v.to_vec()).to_vec(),
        };
        Stratification::new(
            2,
            vec![module([[2, 0], [6, 6]], [[0, 0], [1, 1]]), module([[0, 2], [6, 6]], [[0, 2], [1, 3]])],
        )
        .unwrap()
    }

    #[test]
    fn text_names_every_module() {
        let expected = "P = {(0,2),(1,3)} + N{(0,2),(6,6)}\n  + {(0,0),(1,1)} + N{(2,0),(6,6)}";
        assert_eq!(stratification(&exotic(), Syntax::Text).unwrap(), expected);
    }

    #[test]
    fn latex_writes_vectors_as_columns() {
        let latex = stratification(&exotic(), Syntax::Latex).unwrap();
        assert!(latex.starts_with("\\[\\mathcal{P} = (F_{1} + \\mathbb{N}A_{1}) \\uplus"), "{latex}");
        assert!(
            latex.contains("A_{2} = \\left(\\begin{array}{@{}*{2}{r}@{}}\n2 & 6 \\\\\n0 & 6\n\\end{array}\\right)"),
            "{latex}"
        );
    }

    #[test]
    fn code_lists_bases_and_generators() {
        assert!(
            stratification(&exotic(), Syntax::Mathematica).unwrap().contains("{{{0, 2}, {1, 3}}, {{0, 2}, {6, 6}}}")
        );
        assert!(
            stratification(&exotic(), Syntax::Macaulay2)
                .unwrap()
                .contains("(matrix {{0, 1}, {2, 3}}, matrix {{0, 6}, {2, 6}})")
        );
        assert!(stratification(&exotic(), Syntax::Sage).unwrap().contains("([(0,2), (1,3)], [(0,2), (6,6)])"));
    }

    #[test]
    fn every_language_closes_its_brackets_and_names_every_vector() {
        let module = |generators: &[&[i64]], bases: &[&[i64]]| Module {
            generators: generators.iter().map(|v| v.to_vec()).collect(),
            bases: bases.iter().map(|v| v.to_vec()).collect(),
        };
        let plane = vec![module(&[], &[&[-41, 42]]), module(&[&[43, 0], &[44, 45]], &[&[46, 47], &[48, 49]])];
        let line = vec![module(&[], &[&[41]]), module(&[&[42]], &[&[43], &[44]])];
        let sets = [(2, plane, 41..=49), (1, line, 41..=44)];
        for (dimension, modules, entries) in sets {
            let set = Stratification::new(dimension, modules).unwrap();
            for syntax in
                [Syntax::Text, Syntax::Latex, Syntax::Sage, Syntax::Mathematica, Syntax::Macaulay2, Syntax::Gap]
            {
                let text = stratification(&set, syntax).unwrap();
                let mut open = Vec::new();
                for letter in text.chars() {
                    match letter {
                        '(' => open.push(')'),
                        '[' => open.push(']'),
                        '{' => open.push('}'),
                        ')' | ']' | '}' => assert_eq!(open.pop(), Some(letter), "{text}"),
                        _ => {}
                    }
                }
                assert!(open.is_empty(), "{text}");
                for entry in entries.clone() {
                    assert!(text.contains(&entry.to_string()), "{entry}: {text}");
                }
            }
        }
    }
}
