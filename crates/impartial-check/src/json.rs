//! JSON text as values, stricter than most readers: no object has a key twice, what the values take up is counted, and structures are
//! read from objects only.

use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;

use num_bigint::BigInt;
use serde::Deserialize;
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde_json::{Map, Number, Value};

use crate::meter::{Held, Meter};
use crate::{Checked, Failure, refuse};

/// What one value takes up at most, in a list that has room for twice as many.
const VALUE: u64 = 2 * size_of::<Value>() as u64;
/// What an object takes up before its first entry.
const OBJECT: u64 = 11 * size_of::<(String, Value)>() as u64 + 64;

/// The value of a text, with the bytes that were counted for it.
pub(crate) fn read(text: &str, meter: &Meter<'_>) -> Checked<(Value, Held)> {
    meter.steps(text.len())?;
    let held = RefCell::new(meter.hold(text.len() as u64)?);
    let too_large = RefCell::new(None);
    let mut reader = serde_json::Deserializer::from_str(text);
    let seed = Strict { held: &held, too_large: &too_large };
    let value = seed.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    match (value, too_large.into_inner()) {
        (_, Some(failure)) => Err(failure),
        (Err(error), None) => Err(Failure::Refused(format!("not JSON as the format has it: {error}"))),
        (Ok(value), None) => Ok((value, held.into_inner())),
    }
}

#[derive(Clone, Copy)]
struct Strict<'a> {
    held: &'a RefCell<Held>,
    too_large: &'a RefCell<Option<Failure>>,
}

impl Strict<'_> {
    fn count<E: Error>(self, bytes: u64) -> Result<(), E> {
        self.held.borrow_mut().grow(bytes).map_err(|failure| {
            *self.too_large.borrow_mut() = Some(failure);
            E::custom("too large")
        })
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number that is no number"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.count(value.len() as u64 + 16)?;
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        self.count(4 * VALUE)?;
        while let Some(value) = entries.next_element_seed(self)? {
            self.count(VALUE)?;
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        self.count(OBJECT)?;
        while let Some(key) = entries.next_key::<String>()? {
            self.count(key.len() as u64 + 2 * VALUE)?;
            if map.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key \"{key}\" stands twice in one object")));
            }
            map.insert(key, entries.next_value_seed(self)?);
        }
        Ok(Value::Object(map))
    }
}

/// The numbers of a text in base 64, `width` digits each, most significant first.
pub(crate) fn base_64(width: usize, text: &str, meter: &Meter<'_>) -> Checked<Vec<u32>> {
    refuse_if!(!(1..=3).contains(&width), "\"width\" is not 1, 2 or 3");
    if text.is_empty() || !text.len().is_multiple_of(width) {
        return refuse("\"values\" is empty or no multiple of \"width\" long");
    }
    meter.steps(text.len())?;
    let value = |digit: u8| match digit {
        b'0'..=b'9' => Some(u32::from(digit - b'0')),
        b'A'..=b'Z' => Some(u32::from(digit - b'A') + 10),
        b'a'..=b'z' => Some(u32::from(digit - b'a') + 36),
        b'-' => Some(62),
        b'_' => Some(63),
        _ => None,
    };
    let number = |digits: &[u8]| digits.iter().try_fold(0, |sum, &digit| Some(64 * sum + value(digit)?));
    match text.as_bytes().chunks(width).map(number).collect() {
        Some(numbers) => Ok(numbers),
        None => refuse("\"values\" has a character that is no digit"),
    }
}

/// A natural number; beyond 2⁵³ its decimal digits.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Natural {
    Small(u64),
    Digits(String),
}

impl Natural {
    /// The number, when it has at most so many digits.
    pub fn value(&self, most: usize) -> Option<BigInt> {
        match self {
            Self::Small(n) => Some((*n).into()),
            Self::Digits(text) if text.len() > most || text.bytes().any(|b| !b.is_ascii_digit()) => None,
            Self::Digits(text) => text.parse().ok(),
        }
    }
}

const MAYBE: &str = "Maybe";

/// What may be null.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Maybe<T>(pub Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Maybe<T> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct Inside<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Inside<T> {
            type Value = Maybe<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value or null")
            }

            fn visit_none<E>(self) -> Result<Maybe<T>, E> {
                Ok(Maybe(None))
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(self, reader: D) -> Result<Maybe<T>, D::Error> {
                T::deserialize(reader).map(|value| Maybe(Some(value)))
            }
        }
        reader.deserialize_newtype_struct(MAYBE, Inside(PhantomData))
    }
}

/// Declares structures of files: no object has a key that is not named, and a key of type `Option` may be left out, but is not null.
macro_rules! objects {
    ($($(#[$about:meta])* $name:ident $(<$kind:ident>)? { $($(#[$said:meta])* $key:ident: $type:ty),* $(,)? })*) => { $(
        $(#[$about])*
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name $(<$kind>)? { $($(#[$said])* pub $key: $type),* }
    )* };
}
pub(crate) use objects;

/// Reads a structure.
pub(crate) fn typed<T: DeserializeOwned>(place: &str, value: Value) -> Checked<T> {
    T::deserialize(Typed(value)).map_err(|error| Failure::Refused(format!("{place}: {error}")))
}

/// A value that is read as a structure only when it is an object: readers made by serde take lists too.
struct Typed(Value);

impl IntoDeserializer<'_, serde_json::Error> for Typed {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Typed {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self.0 {
            Value::Array(list) => {
                let mut entries = SeqDeserializer::new(list.into_iter().map(Self));
                let read = visitor.visit_seq(&mut entries)?;
                entries.end().map(|()| read)
            }
            Value::Object(map) => visitor.visit_map(MapDeserializer::new(map.into_iter().map(|(k, v)| (k, Self(v))))),
            other => other.deserialize_any(visitor),
        }
    }

    /// A key that may be left out is not null when it is there.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        if name == MAYBE && self.0.is_null() { visitor.visit_none() } else { visitor.visit_newtype_struct(self) }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        if self.0.is_object() {
            self.deserialize_any(visitor)
        } else {
            Err(Error::custom(format_args!("{name} is no object")))
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::{Limits, free_meter};

    #[test]
    fn values_are_read_as_they_are() {
        let meter = free_meter();
        for text in ["null", "[1,-2,\"a\",{\"b\":[],\"c\":{}},true,1.5]", "\"\\u00e9\"", " 7 "] {
            assert_eq!(read(text, &meter).ok().map(|(value, _)| value), serde_json::from_str(text).ok());
        }
    }

    #[test]
    fn structures_are_objects() {
        #[derive(serde::Deserialize, Debug, PartialEq)]
        #[serde(deny_unknown_fields)]
        struct Pair {
            a: Vec<(i64, u8)>,
            b: Option<Box<Pair>>,
            #[serde(default = "nothing")]
            c: Maybe<u8>,
        }
        fn nothing() -> Maybe<u8> {
            Maybe(None)
        }
        let read = |text: &str| typed::<Pair>("here", serde_json::from_str(text).unwrap());
        let inner = Box::new(Pair { a: vec![], b: None, c: Maybe(None) });
        let whole = Pair { a: vec![(-1, 2)], b: Some(inner), c: Maybe(Some(7)) };
        assert_eq!(read(r#"{"a":[[-1,2]],"b":{"a":[],"c":null},"c":7}"#).unwrap(), whole);
        for text in [
            "[[],null]",
            r#"{"a":[],"b":[[],null]}"#,
            r#"{"a":[[1,2,3]]}"#,
            r#"{"a":[[1]]}"#,
            r#"{"a":[{"0":1,"1":2}]}"#,
            r#"{"a":[[1.0,2]]}"#,
            r#"{"a":[[1,256]]}"#,
            r#"{"a":[],"d":1}"#,
            r#"{"a":[],"b":null}"#,
            r#"{"a":[],"c":"1"}"#,
            r#"{"b":{"a":[]}}"#,
        ] {
            assert!(matches!(read(text), Err(Failure::Refused(reason)) if reason.starts_with("here: ")), "{text}");
        }
    }

    #[test]
    fn what_is_doubtful_is_refused() {
        let meter = free_meter();
        let doubled = ["{\"a\":1,\"a\":1}", "[{\"b\":{\"a\":1,\"a\":2}}]", "{\"a\":1,\"\\u0061\":2}"];
        for text in doubled {
            assert!(matches!(read(text, &meter), Err(Failure::Refused(reason)) if reason.contains("twice")), "{text}");
        }
        for text in ["", "1 2", "[1,]", "{\"a\"}", &"[".repeat(100_000)] {
            assert!(matches!(read(text, &meter), Err(Failure::Refused(_))));
        }
        let few = Meter::new(&Limits { steps: 1 << 30, bytes: 10_000 }, &|| true);
        let many = format!("[{}[]]", "[0],".repeat(1000));
        assert!(matches!(read(&many, &few), Err(Failure::Memory(reason)) if reason.contains("memory limit")));
    }
}
