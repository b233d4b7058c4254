//! Tests of [`Int`]: against big integers, at the borders of `i64`.

use super::*;
use proptest::prelude::*;

/// Numbers near the borders of `i64`, small ones, and big ones.
fn number() -> impl Strategy<Value = BigInt> {
    prop_oneof![
        (-20i64..20).prop_map(BigInt::from),
        (-4i64..5).prop_map(|a| BigInt::from(i64::MAX) + a),
        (-4i64..5).prop_map(|a| BigInt::from(i64::MIN) + a),
        any::<i64>().prop_map(BigInt::from),
        any::<i128>().prop_map(BigInt::from),
    ]
}

proptest! {
    #[test]
    fn arithmetic_is_that_of_big_integers(a in number(), b in number()) {
        let (x, y) = (Int::from(a.clone()), Int::from(b.clone()));
        prop_assert_eq!(&x + &y, Int::from(&a + &b));
        prop_assert_eq!(&x - &y, Int::from(&a - &b));
        prop_assert_eq!(&x * &y, Int::from(&a * &b));
        prop_assert_eq!(-&x, Int::from(-&a));
        prop_assert_eq!(x.abs(), Int::from(a.abs()));
        prop_assert_eq!(x.gcd(&y), Int::from(a.gcd(&b)));
        prop_assert_eq!(x.lcm(&y), Int::from(a.lcm(&b)));
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x == y, a == b);
        let (g, s, t) = x.extended_gcd(&y);
        prop_assert_eq!(&s * &x + &t * &y, g.clone());
        prop_assert_eq!(g, x.gcd(&y));
        let mut sum = x.clone();
        sum.add_product(&x, &y);
        prop_assert_eq!(&sum, &(&x + &(&x * &y)));
        sum.sub_product(&x, &y);
        prop_assert_eq!(&sum, &x);
        prop_assert_eq!(x.mod_u64(97), (a.mod_floor(&BigInt::from(97))).to_u64().unwrap());
        if !y.is_zero() {
            prop_assert_eq!(x.div_floor(&y), Int::from(Integer::div_floor(&a, &b)));
            prop_assert_eq!(x.div_ceil(&y), Int::from(Integer::div_ceil(&a, &b)));
            prop_assert_eq!(x.mod_floor(&y), Int::from(a.mod_floor(&b)));
            prop_assert_eq!(&x / &y, Int::from(&a / &b));
            prop_assert_eq!(&x % &y, Int::from(&a % &b));
            prop_assert_eq!((&x * &y).exact_div(&y), x.clone());
            prop_assert_eq!(y.divides(&x), a.mod_floor(&b).is_zero());
            let twice = (&(&x.div_round(&y) * &y) - &x).abs() * Int::from(2);
            prop_assert!(twice <= y.abs());
        }
    }

    #[test]
    fn the_form_is_canonical(a in number()) {
        let x = Int::from(a.clone());
        prop_assert_eq!(x.to_i64(), a.to_i64());
        prop_assert_eq!(x.to_string(), a.to_string());
        prop_assert_eq!(x.to_string().parse::<Int>().unwrap(), x.clone());
        let json = serde_json::to_string(&x).unwrap();
        prop_assert_eq!(json.starts_with('"'), a.abs() > BigInt::from(JSON_EXACT));
        prop_assert_eq!(serde_json::from_str::<Int>(&json).unwrap(), x);
    }
}

#[test]
fn powers() {
    assert_eq!(Int::from(-3).pow(3), Int::from(-27));
    assert_eq!(Int::from(10).pow(0), Int::ONE);
    assert!((Int::from(10).pow(30).log2() - 30.0 * 10f64.log2()).abs() < 1e-9);
    assert!((Int::from(-1000).log2() - 1000f64.log2()).abs() < 1e-12 && Int::ZERO.log2() == 0.0);
    assert_eq!(Int::from(10).pow(30).to_string(), format!("1{}", "0".repeat(30)));
}
