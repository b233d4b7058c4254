//! The generating function of the P-positions, and how many there are in a huge box.
use impartial::num_bigint::BigUint;
use impartial::prelude::*;

fn main() -> Result<(), Error> {
    let ask = Ask::new();
    let series = "exotic".parse::<Game>()?.solve(&ask)?.convert(Form::Series, &ask)?;
    println!("{}", series.show(Some(impartial::render::Syntax::Latex), &ask)?);
    let side = BigUint::from(10_u32).pow(30);
    println!("{}", series.count(&[side.clone(), side], &ask)?);
    Ok(())
}
