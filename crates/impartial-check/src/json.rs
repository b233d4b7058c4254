//! JSON text as values, stricter than most readers: no object has a key twice, and what the values take up is counted.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::Failure;
use crate::meter::{Held, Meter};

/// What one value takes up at most, in a list that has room for twice as many.
const VALUE: u64 = 2 * size_of::<Value>() as u64;
/// What an object takes up before its first entry.
const OBJECT: u64 = 11 * size_of::<(String, Value)>() as u64 + 64;

/// The value of a text, with the bytes that were counted for it.
pub(crate) fn read(text: &str, meter: &Meter<'_>) -> Result<(Value, Held), Failure> {
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

    fn deserialize<D: serde::Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
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
        assert!(matches!(read(&many, &few), Err(Failure::Refused(reason)) if reason.contains("memory limit")));
    }
}
