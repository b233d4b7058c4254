//! [`Int`]: an integer that is an `i64` until it must grow.

use std::cmp::Ordering;
use std::fmt;
use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Rem, Sub, SubAssign};
use std::str::FromStr;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An exact integer of any size: an `i64` while it fits, a heap-allocated big integer otherwise.
///
/// The form is canonical (whatever fits an `i64` is held as one), so that equality and hashing are
/// structural; no operation ever wraps. On the mostly small numbers of polyhedral computations this is
/// several times faster than a plain big integer.
///
/// ```
/// use semilinear::integer::Int;
/// let x = Int::from(i64::MAX);
/// assert_eq!((&x + &Int::from(1)).to_string(), "9223372036854775808");
/// assert_eq!(&(&x + &Int::from(1)) - &Int::from(1), x);
/// assert_eq!(Int::from(-7).div_floor(&Int::from(2)), Int::from(-4));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Int(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    /// Never fits an `i64`.
    Big(Box<BigInt>),
}

use Repr::{Big, Small};

impl Int {
    /// Zero.
    pub const ZERO: Self = Self(Small(0));
    /// One.
    pub const ONE: Self = Self(Small(1));

    fn big(value: BigInt) -> Self {
        match value.to_i64() {
            Some(small) => Self(Small(small)),
            None => Self(Big(Box::new(value))),
        }
    }

    /// This number as a big integer.
    pub fn to_big(&self) -> BigInt {
        match &self.0 {
            Small(a) => BigInt::from(*a),
            Big(a) => (**a).clone(),
        }
    }

    /// This number as an `i64`, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Small(a) => Some(a),
            Big(_) => None,
        }
    }

    /// This number as a `usize`, if it fits.
    pub fn to_usize(&self) -> Option<usize> {
        self.to_i64().and_then(|a| usize::try_from(a).ok())
    }

    /// Whether this is 0.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0))
    }

    /// Whether this is 1.
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1))
    }

    /// −1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Small(a) => match a.cmp(&0) {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            },
            Big(a) => {
                if a.sign() == Sign::Minus {
                    -1
                } else {
                    1
                }
            }
        }
    }

    /// Whether this is greater than 0.
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// Whether this is less than 0.
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(&self) -> Self {
        match &self.0 {
            Small(a) => a.checked_abs().map_or_else(|| Self::from(a.unsigned_abs()), Self::from),
            Big(a) => Self::big(a.abs()),
        }
    }

    /// The number of binary digits of the absolute value; 0 for 0.
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Small(a) => u64::from(64 - a.unsigned_abs().leading_zeros()),
            Big(a) => a.bits(),
        }
    }

    /// The binary logarithm of the absolute value, as a floating-point number; 0 for 0.
    pub fn log2(&self) -> f64 {
        let shift = self.bits().saturating_sub(52);
        let head = match &self.0 {
            Small(a) => a.unsigned_abs() >> shift,
            Big(a) => (a.magnitude() >> shift).to_u64().expect("52 bits are left"),
        };
        // At most 52 bits: the conversion is exact.
        let (high, low) = ((head >> 32) as u32, (head & 0xffff_ffff) as u32);
        let head = f64::from(high) * 4_294_967_296.0 + f64::from(low);
        head.max(1.0).log2() + f64::from(u32::try_from(shift).unwrap_or(u32::MAX))
    }

    /// The quotient rounded down. Panics when `other` is 0.
    #[must_use]
    pub fn div_floor(&self, other: &Self) -> Self {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && *b != -1
        {
            return Self(Small(Integer::div_floor(a, b)));
        }
        Self::big(self.to_big().div_floor(&other.to_big()))
    }

    /// The quotient rounded up. Panics when `other` is 0.
    #[must_use]
    pub fn div_ceil(&self, other: &Self) -> Self {
        -(-self).div_floor(other)
    }

    /// The quotient rounded to a nearest integer (halves upward). Panics when `other` is 0.
    #[must_use]
    pub fn div_round(&self, other: &Self) -> Self {
        let two = Self::from(2);
        (&(self * &two) + other).div_floor(&(other * &two))
    }

    /// The remainder of [`Int::div_floor`]: it has the sign of `other`. Panics when `other` is 0.
    #[must_use]
    pub fn mod_floor(&self, other: &Self) -> Self {
        if let (Small(a), Small(b)) = (&self.0, &other.0) {
            return if *b == -1 { Self::ZERO } else { Self(Small(Integer::mod_floor(a, b))) };
        }
        Self::big(self.to_big().mod_floor(&other.to_big()))
    }

    /// The quotient when it is known to be an integer. Panics when `other` is 0; a remainder is a bug of the caller.
    #[must_use]
    pub fn exact_div(&self, other: &Self) -> Self {
        if other.is_one() {
            return self.clone();
        }
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && *b != -1
        {
            debug_assert_eq!(a % b, 0, "the division of {a} by {b} is not exact");
            return Self(Small(a / b));
        }
        let (quotient, remainder) = self.to_big().div_rem(&other.to_big());
        debug_assert!(remainder.is_zero(), "the division is not exact");
        Self::big(quotient)
    }

    /// Whether `self` divides `other`; 0 divides only 0.
    pub fn divides(&self, other: &Self) -> bool {
        if self.is_zero() { other.is_zero() } else { other.mod_floor(self).is_zero() }
    }

    /// The greatest common divisor, never negative; of 0 and 0 it is 0.
    #[must_use]
    pub fn gcd(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Self::from(a.unsigned_abs().gcd(&b.unsigned_abs())),
            _ => Self::big(self.to_big().gcd(&other.to_big())),
        }
    }

    /// The least common multiple, never negative; 0 when one of both is 0.
    #[must_use]
    pub fn lcm(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::ZERO;
        }
        (&self.exact_div(&self.gcd(other)) * other).abs()
    }

    /// `(g, x, y)` with `g = gcd(self, other) = x·self + y·other`.
    #[must_use]
    pub fn extended_gcd(&self, other: &Self) -> (Self, Self, Self) {
        let (mut r0, mut r1) = (self.clone(), other.clone());
        let (mut x0, mut x1) = (Self::ONE, Self::ZERO);
        let (mut y0, mut y1) = (Self::ZERO, Self::ONE);
        while !r1.is_zero() {
            let q = r0.div_floor(&r1);
            (r0, r1) = (r1.clone(), &r0 - &(&q * &r1));
            (x0, x1) = (x1.clone(), &x0 - &(&q * &x1));
            (y0, y1) = (y1.clone(), &y0 - &(&q * &y1));
        }
        if r0.is_negative() { (-r0, -x0, -y0) } else { (r0, x0, y0) }
    }

    /// `self` to the power `exponent`.
    #[must_use]
    pub fn pow(&self, mut exponent: u32) -> Self {
        let (mut result, mut base) = (Self::ONE, self.clone());
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = &result * &base;
            }
            exponent >>= 1;
            if exponent > 0 {
                base = &base * &base;
            }
        }
        result
    }

    /// Adds `a·b` to this number.
    pub fn add_product(&mut self, a: &Self, b: &Self) {
        if let (Small(s), Small(a), Small(b)) = (&self.0, &a.0, &b.0)
            && let Some(sum) = a.checked_mul(*b).and_then(|p| s.checked_add(p))
        {
            self.0 = Small(sum);
            return;
        }
        *self = &*self + &(a * b);
    }

    /// Subtracts `a·b` from this number.
    pub fn sub_product(&mut self, a: &Self, b: &Self) {
        if let (Small(s), Small(a), Small(b)) = (&self.0, &a.0, &b.0)
            && let Some(difference) = a.checked_mul(*b).and_then(|p| s.checked_sub(p))
        {
            self.0 = Small(difference);
            return;
        }
        *self = &*self - &(a * b);
    }

    /// The remainder modulo a positive `u64`, between 0 and `modulus − 1`.
    pub fn mod_u64(&self, modulus: u64) -> u64 {
        let m = i128::from(modulus);
        match &self.0 {
            Small(a) => u64::try_from(i128::from(*a).rem_euclid(m)).expect("a remainder is smaller than its modulus"),
            Big(a) => a.mod_floor(&BigInt::from(modulus)).to_u64().expect("a remainder is smaller than its modulus"),
        }
    }
}

impl Default for Int {
    fn default() -> Self {
        Self::ZERO
    }
}

macro_rules! from_small {
    ($($t:ty),*) => {$(
        impl From<$t> for Int {
            fn from(value: $t) -> Self {
                Self(Small(i64::from(value)))
            }
        }
    )*};
}
from_small!(i8, i16, i32, i64, u8, u16, u32);

macro_rules! from_large {
    ($($t:ty),*) => {$(
        impl From<$t> for Int {
            fn from(value: $t) -> Self {
                match i64::try_from(value) {
                    Ok(small) => Self(Small(small)),
                    Err(_) => Self(Big(Box::new(BigInt::from(value)))),
                }
            }
        }
    )*};
}
from_large!(u64, usize, i128, u128);

impl From<BigInt> for Int {
    fn from(value: BigInt) -> Self {
        Self::big(value)
    }
}

impl From<&BigInt> for Int {
    fn from(value: &BigInt) -> Self {
        value.to_i64().map_or_else(|| Self(Big(Box::new(value.clone()))), Self::from)
    }
}

impl From<&Int> for BigInt {
    fn from(value: &Int) -> Self {
        value.to_big()
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            (Big(a), Big(b)) => a.cmp(b),
            // A big number is beyond every small one.
            (Small(_), Big(b)) => {
                if b.sign() == Sign::Minus {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Big(_), Small(_)) => other.cmp(self).reverse(),
        }
    }
}

impl PartialEq<i64> for Int {
    fn eq(&self, other: &i64) -> bool {
        self.to_i64() == Some(*other)
    }
}

macro_rules! operation {
    ($trait:ident, $method:ident, $checked:ident, $assign_trait:ident, $assign:ident, $symbol:tt) => {
        impl $trait<&Int> for &Int {
            type Output = Int;
            #[inline]
            fn $method(self, other: &Int) -> Int {
                if let (Small(a), Small(b)) = (&self.0, &other.0)
                    && let Some(c) = a.$checked(*b)
                {
                    return Int(Small(c));
                }
                Int::big(self.to_big() $symbol other.to_big())
            }
        }
        impl $trait for Int {
            type Output = Int;
            #[inline]
            fn $method(self, other: Int) -> Int {
                &self $symbol &other
            }
        }
        impl $trait<&Int> for Int {
            type Output = Int;
            #[inline]
            fn $method(self, other: &Int) -> Int {
                &self $symbol other
            }
        }
        impl $trait<Int> for &Int {
            type Output = Int;
            #[inline]
            fn $method(self, other: Int) -> Int {
                self $symbol &other
            }
        }
        impl $assign_trait<&Int> for Int {
            #[inline]
            fn $assign(&mut self, other: &Int) {
                *self = &*self $symbol other;
            }
        }
        impl $assign_trait for Int {
            #[inline]
            fn $assign(&mut self, other: Int) {
                *self = &*self $symbol &other;
            }
        }
    };
}
operation!(Add, add, checked_add, AddAssign, add_assign, +);
operation!(Sub, sub, checked_sub, SubAssign, sub_assign, -);
operation!(Mul, mul, checked_mul, MulAssign, mul_assign, *);

macro_rules! division {
    ($trait:ident, $method:ident, $checked:ident, $symbol:tt) => {
        /// Truncates toward 0, as for the primitive integers. Panics when the divisor is 0.
        impl $trait<&Int> for &Int {
            type Output = Int;
            fn $method(self, other: &Int) -> Int {
                if let (Small(a), Small(b)) = (&self.0, &other.0)
                    && let Some(c) = a.$checked(*b)
                {
                    return Int(Small(c));
                }
                Int::big(self.to_big() $symbol other.to_big())
            }
        }
        impl $trait for Int {
            type Output = Int;
            fn $method(self, other: Int) -> Int {
                &self $symbol &other
            }
        }
    };
}
division!(Div, div, checked_div, /);
division!(Rem, rem, checked_rem, %);

impl Neg for &Int {
    type Output = Int;
    fn neg(self) -> Int {
        match &self.0 {
            Small(a) => match a.checked_neg() {
                Some(b) => Int(Small(b)),
                None => Int::big(-BigInt::from(*a)),
            },
            Big(a) => Int::big(-(**a).clone()),
        }
    }
}

impl Neg for Int {
    type Output = Int;
    fn neg(self) -> Int {
        -&self
    }
}

impl Sum for Int {
    fn sum<I: Iterator<Item = Int>>(iter: I) -> Int {
        iter.fold(Int::ZERO, |a, b| a + b)
    }
}

impl<'a> Sum<&'a Int> for Int {
    fn sum<I: Iterator<Item = &'a Int>>(iter: I) -> Int {
        iter.fold(Int::ZERO, |a, b| a + b)
    }
}

impl Product for Int {
    fn product<I: Iterator<Item = Int>>(iter: I) -> Int {
        iter.fold(Int::ONE, |a, b| a * b)
    }
}

impl<'a> Product<&'a Int> for Int {
    fn product<I: Iterator<Item = &'a Int>>(iter: I) -> Int {
        iter.fold(Int::ONE, |a, b| a * b)
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(a) => fmt::Display::fmt(a, f),
            Big(a) => fmt::Display::fmt(a, f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Int {
    type Err = num_bigint::ParseBigIntError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse::<i64>() {
            Ok(small) => Ok(Self(Small(small))),
            Err(_) => text.parse::<BigInt>().map(Self::big),
        }
    }
}

/// The largest integer that every reader of JSON holds exactly.
const JSON_EXACT: i64 = 1 << 53;

/// A JSON number up to 2⁵³ in absolute value, a decimal string beyond.
impl Serialize for Int {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Small(a) if (-JSON_EXACT..=JSON_EXACT).contains(&a) => serializer.serialize_i64(a),
            _ => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Int {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Int;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an integer, or a string of decimal digits")
            }
            fn visit_i64<E>(self, value: i64) -> Result<Int, E> {
                Ok(value.into())
            }
            fn visit_u64<E>(self, value: u64) -> Result<Int, E> {
                Ok(value.into())
            }
            fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Int, E> {
                value.parse().map_err(|_| E::invalid_value(serde::de::Unexpected::Str(value), &self))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
#[path = "int_tests.rs"]
mod tests;
