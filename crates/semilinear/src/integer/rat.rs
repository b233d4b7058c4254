//! [`Rat`]: an exact rational number.

use std::cmp::Ordering;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use super::Int;

/// An exact rational number in lowest terms, with a positive denominator.
///
/// ```
/// use semilinear::integer::{Int, Rat};
/// let half = Rat::new(Int::from(3), Int::from(-6));
/// assert_eq!(half.to_string(), "-1/2");
/// assert_eq!(half.floor(), Int::from(-1));
/// assert_eq!(&half + &half, Rat::from(Int::from(-1)));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rat {
    numerator: Int,
    denominator: Int,
}

impl Rat {
    /// Zero.
    pub const ZERO: Self = Self { numerator: Int::ZERO, denominator: Int::ONE };
    /// One.
    pub const ONE: Self = Self { numerator: Int::ONE, denominator: Int::ONE };

    /// The quotient of two integers. Panics when the denominator is 0.
    pub fn new(numerator: Int, denominator: Int) -> Self {
        assert!(!denominator.is_zero(), "a rational number has a non-zero denominator");
        if denominator.is_one() {
            return Self { numerator, denominator };
        }
        let mut g = numerator.gcd(&denominator);
        if denominator.is_negative() {
            g = -g;
        }
        Self { numerator: numerator.exact_div(&g), denominator: denominator.exact_div(&g) }
    }

    /// The numerator of the lowest terms; it carries the sign.
    pub fn numerator(&self) -> &Int {
        &self.numerator
    }

    /// The denominator of the lowest terms, at least 1.
    pub fn denominator(&self) -> &Int {
        &self.denominator
    }

    /// Whether this is 0.
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// Whether this is an integer.
    pub fn is_integer(&self) -> bool {
        self.denominator.is_one()
    }

    /// This number as an integer, if it is one.
    pub fn to_int(&self) -> Option<Int> {
        self.is_integer().then(|| self.numerator.clone())
    }

    /// −1, 0 or 1.
    pub fn signum(&self) -> i32 {
        self.numerator.signum()
    }

    /// The largest integer that is not above this number.
    pub fn floor(&self) -> Int {
        self.numerator.div_floor(&self.denominator)
    }

    /// The smallest integer that is not below this number.
    pub fn ceil(&self) -> Int {
        self.numerator.div_ceil(&self.denominator)
    }

    /// 1 divided by this number. Panics when this is 0.
    #[must_use]
    pub fn recip(&self) -> Self {
        Self::new(self.denominator.clone(), self.numerator.clone())
    }
}

impl Default for Rat {
    fn default() -> Self {
        Self::ZERO
    }
}

impl From<Int> for Rat {
    fn from(value: Int) -> Self {
        Self { numerator: value, denominator: Int::ONE }
    }
}

impl From<&Int> for Rat {
    fn from(value: &Int) -> Self {
        value.clone().into()
    }
}

impl From<i64> for Rat {
    fn from(value: i64) -> Self {
        Int::from(value).into()
    }
}

impl PartialOrd for Rat {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rat {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

macro_rules! operation {
    ($trait:ident, $method:ident, $symbol:tt, $a:ident, $b:ident, $value:expr) => {
        impl $trait<&Rat> for &Rat {
            type Output = Rat;
            fn $method(self, other: &Rat) -> Rat {
                let ($a, $b) = (self, other);
                $value
            }
        }
        impl $trait for Rat {
            type Output = Rat;
            fn $method(self, other: Rat) -> Rat {
                &self $symbol &other
            }
        }
        impl $trait<&Rat> for Rat {
            type Output = Rat;
            fn $method(self, other: &Rat) -> Rat {
                &self $symbol other
            }
        }
    };
}
operation!(Add, add, +, a, b, {
    if a.is_integer() && b.is_integer() {
        (&a.numerator + &b.numerator).into()
    } else {
        Rat::new(&a.numerator * &b.denominator + &b.numerator * &a.denominator, &a.denominator * &b.denominator)
    }
});
operation!(Sub, sub, -, a, b, a + &-b);
operation!(Mul, mul, *, a, b, Rat::new(&a.numerator * &b.numerator, &a.denominator * &b.denominator));
operation!(Div, div, /, a, b, Rat::new(&a.numerator * &b.denominator, &a.denominator * &b.numerator));

impl AddAssign<&Rat> for Rat {
    fn add_assign(&mut self, other: &Rat) {
        *self = &*self + other;
    }
}

impl Neg for &Rat {
    type Output = Rat;
    fn neg(self) -> Rat {
        Rat { numerator: -&self.numerator, denominator: self.denominator.clone() }
    }
}

impl Neg for Rat {
    type Output = Rat;
    fn neg(self) -> Rat {
        -&self
    }
}

impl Sum for Rat {
    fn sum<I: Iterator<Item = Rat>>(iter: I) -> Rat {
        iter.fold(Rat::ZERO, |a, b| a + b)
    }
}

impl fmt::Display for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_integer() {
            fmt::Display::fmt(&self.numerator, f)
        } else {
            f.pad(&format!("{}/{}", self.numerator, self.denominator))
        }
    }
}

impl fmt::Debug for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is not a rational number.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not a rational number; write an integer or a quotient such as -3/4 with a non-zero denominator")]
pub struct ParseRatError(String);

impl FromStr for Rat {
    type Err = ParseRatError;
    fn from_str(text: &str) -> Result<Self, ParseRatError> {
        let bad = || ParseRatError(text.to_owned());
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let numerator = numerator.parse().map_err(|_| bad())?;
        let denominator: Int = denominator.parse().map_err(|_| bad())?;
        if denominator.is_zero() { Err(bad()) } else { Ok(Self::new(numerator, denominator)) }
    }
}

/// An integer as [`Int`]; any other number as a string such as `"-3/4"`.
impl Serialize for Rat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_integer() { self.numerator.serialize(serializer) } else { serializer.collect_str(self) }
    }
}

impl<'de> Deserialize<'de> for Rat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Rat;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an integer, or a string such as \"-3/4\"")
            }
            fn visit_i64<E>(self, value: i64) -> Result<Rat, E> {
                Ok(value.into())
            }
            fn visit_u64<E>(self, value: u64) -> Result<Rat, E> {
                Ok(Int::from(value).into())
            }
            fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Rat, E> {
                value.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rat() -> impl Strategy<Value = Rat> {
        (-50i64..50, 1i64..20, any::<bool>()).prop_map(|(a, b, big)| {
            let scale = if big { Int::from(10).pow(20) } else { Int::ONE };
            Rat::new(&Int::from(a) * &scale, Int::from(b))
        })
    }

    proptest! {
        #[test]
        fn rationals_are_an_ordered_field(a in rat(), b in rat(), c in rat()) {
            prop_assert_eq!(&(&a + &b) * &c, &(&a * &c) + &(&b * &c));
            prop_assert_eq!(&(&a - &b) + &b, a.clone());
            if !b.is_zero() {
                prop_assert_eq!(&(&a / &b) * &b, a.clone());
            }
            if a < b {
                prop_assert!(&a + &c < &b + &c);
            }
            prop_assert!(Rat::from(a.floor()) <= a && a <= Rat::from(a.ceil()));
            prop_assert!(&a - &Rat::from(a.floor()) < Rat::ONE);
            prop_assert_eq!(a.to_string().parse::<Rat>().unwrap(), a.clone());
            prop_assert_eq!(serde_json::from_str::<Rat>(&serde_json::to_string(&a).unwrap()).unwrap(), a);
        }
    }

    #[test]
    fn a_zero_denominator_is_refused() {
        assert!("1/0".parse::<Rat>().is_err());
        assert!("x".parse::<Rat>().is_err());
    }
}
