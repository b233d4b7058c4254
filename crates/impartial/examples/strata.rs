//! The P-positions of a lattice game as an affine stratification.
use impartial::prelude::*;

fn main() -> Result<(), Error> {
    let ask = Ask::new();
    let game = Game::from_toml("kind = \"lattice\"\nrules = [[1, 0], [0, 1], [2, 2]]")?;
    let strata = game.solve(&ask)?.convert(Form::Stratification, &ask)?;
    println!("{}", strata.report(&ask));
    Ok(())
}
