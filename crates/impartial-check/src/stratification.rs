//! Form "stratification": the set of P-positions of a lattice game as a disjoint union of modules F + ℕV.

use serde_json::{Map, Value};

use crate::automaton::equation;
use crate::envelope::File;
use crate::lattice::{Inner, Lattice, known_keys, matrix};
use crate::module::Residuals;
use crate::nda::{Part, automaton};
use crate::sectors::{Vectors, modules_are_p};
use crate::{Failure, refuse};

pub(crate) fn check(file: &File, keep_going: &dyn Fn() -> bool) -> Result<String, Failure> {
    let game = Lattice::read(&file.game, file.misere)?;
    known_keys("certificate", &file.certificate, &["functional", "chart", "modules"])?;
    let inner = game.inner(&file.certificate)?;
    let vectors = vectors(&file.certificate, game.dimension, &inner)?;
    let count = vectors.len();
    if count == 0 {
        return refuse("certificate.modules: there is none, but every game has P-positions");
    }
    let claim = format!(
        "the P-positions of the lattice game with {} rules and {} defeated positions in dimension {} are exactly the \
         disjoint union of the {count} modules F + NV",
        game.rules.len(),
        game.defeated.len(),
        game.dimension,
    );
    let strata = residuals(&vectors)?;
    // In the plane a finite box often proves it all, where automata would be large.
    if game.dimension == 2 && modules_are_p(&inner, &vectors, keep_going)? {
        return Ok(claim);
    }
    let mut parts: Vec<Part<'_>> = strata.into_iter().map(Part::Module).collect();
    // The union as one automaton; at every vector at most one of the modules may hold it.
    let at_most_one = |inside: &[bool]| inside.iter().filter(|&&i| i).count() <= 1;
    let union = automaton(game.dimension, &mut parts, &at_most_one, keep_going)?;
    let set = match union {
        Ok(set) => set,
        Err(y) => {
            let y: Vec<String> = y.iter().map(ToString::to_string).collect();
            return refuse(format!("the modules are not disjoint: two of them hold ({})", y.join(",")));
        }
    };
    equation(game.dimension, &inner, &set, keep_going)?;
    Ok(claim)
}

/// The modules with what they need to become automata; refuses modules that leave the board.
fn residuals(vectors: &[Vectors]) -> Result<Vec<Residuals>, Failure> {
    let one = |(i, (generators, bases)): (usize, &Vectors)| {
        Residuals::new(&format!("certificate.modules[{i}]"), generators.clone(), bases.clone())
    };
    vectors.iter().enumerate().map(one).collect()
}

/// The modules of a certificate in the chart's coordinates.
fn vectors(certificate: &Map<String, Value>, dimension: usize, inner: &Inner) -> Result<Vec<Vectors>, Failure> {
    let Some(Value::Array(list)) = certificate.get("modules") else {
        return refuse("certificate.modules: not a list");
    };
    list.iter()
        .enumerate()
        .map(|(i, module)| {
            let place = format!("certificate.modules[{i}]");
            let Value::Object(module) = module else { return refuse(format!("{place}: not an object")) };
            known_keys(&place, module, &["generators", "bases"])?;
            let generators = matrix(&format!("{place}.generators"), module.get("generators"), Some(dimension))?;
            let bases = matrix(&format!("{place}.bases"), module.get("bases"), Some(dimension))?;
            if bases.is_empty() {
                return refuse(format!("{place}.bases: a module without elements"));
            }
            let generators = generators.iter().map(|v| inner.vector(v)).collect();
            Ok((generators, bases.iter().map(|f| inner.point(f)).collect()))
        })
        .collect()
}
