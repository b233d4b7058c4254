//! Chomp with two free rows above rows of lengths 5 and 3: the P-positions for every length, with proof.
use impartial::num_bigint::BigUint;
use impartial::prelude::*;

fn main() -> Result<(), Error> {
    let game: Game = "chomp-chains:5,3".parse()?;
    let far = BigUint::from(10_u32).pow(50);
    println!("{}", game.chains(0, Some(&far), &Ask::new())?);
    Ok(())
}
