//! Form "series" for parity kernels: f(P;t) = 2^(−r) Σ_χ Πᵢ 1/(1 − χᵢtᵢ).
//!
//! The coefficient of t^x is the mean of χ(x) = Πᵢ χᵢ^xᵢ. Over a group of characters it is 1 where all χ(x) are 1, and 0 elsewhere. So
//! the claim follows when P = {x : ⊕ xᵢgᵢ = 0}, which form "parity-kernel" proves, and the characters are exactly the group spanned by
//! the binary digits of the values gᵢ.

use std::collections::BTreeSet;

use crate::format::ParityKernel;
use crate::lattice::Lattice;
use crate::meter::Meter;
use crate::{Checked, mex, refuse};

pub(crate) fn check(game: &Lattice, certificate: &ParityKernel, meter: &Meter<'_>) -> Checked<String> {
    meter.extension("characters");
    mex::parity_kernel(game, certificate, meter)?;
    let values = &certificate.values;
    let d = values.len();
    let mut seen: BTreeSet<Vec<bool>> = BTreeSet::new();
    for (k, signs) in certificate.characters.iter().flatten().enumerate() {
        meter.work(1)?;
        if signs.len() != d || signs.iter().any(|&sign| sign != 1 && sign != -1) {
            return refuse(format!("certificate.characters[{k}]: not {d} signs 1 or -1"));
        }
        if !seen.insert(signs.iter().map(|&sign| sign == -1).collect()) {
            return refuse(format!("certificate.characters[{k}]: twice in the list"));
        }
    }
    // A basis of the space spanned by the digits, in echelon form: each vector with its first non-zero place.
    let mut basis: Vec<(usize, Vec<bool>)> = Vec::new();
    for digit in 0..64 {
        let row: Vec<bool> = values.iter().map(|g| g >> digit & 1 == 1).collect();
        let rest = reduced(row, &basis);
        if let Some(first) = rest.iter().position(|&x| x) {
            basis.push((first, rest));
        }
    }
    if let Some(k) = seen.iter().position(|s| reduced(s.clone(), &basis).contains(&true)) {
        return refuse(format!(
            "certificate.characters: the character number {k} in sorted order is not trivial on the kernel"
        ));
    }
    // Distinct members of a space with 2^r elements: all of them iff there are 2^r.
    if u32::try_from(basis.len()).ok().and_then(|r| 1usize.checked_shl(r)) != Some(seen.len()) {
        return refuse(format!("certificate.characters: {} of 2^{} characters", seen.len(), basis.len()));
    }
    Ok(format!(
        "the generating function of the P-positions of the squarefree lattice game in dimension {d} is the mean of the {} \
         fractions 1/((1 - s_1 t_1)...(1 - s_{d} t_{d})) over the stated signs s",
        seen.len()
    ))
}

/// The remainder of a vector modulo a basis in echelon form.
fn reduced(mut row: Vec<bool>, basis: &[(usize, Vec<bool>)]) -> Vec<bool> {
    for (first, vector) in basis {
        if row[*first] {
            for (x, v) in row.iter_mut().zip(vector) {
                *x ^= v;
            }
        }
    }
    row
}
