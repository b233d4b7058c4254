//! `docs/strategy-files.schema.json` against the suite: valid files have the published shape, and so have files whose fault is in what they say.

use serde_json::Value;

mod common;
use common::suite;

/// Whether a value has the shape; any keyword that is not known here is a mistake in the schema.
fn fits(value: &Value, shape: &Value, root: &Value) -> bool {
    let count = |bound: &Value| usize::try_from(bound.as_u64().expect("a count")).expect("small");
    shape.as_object().expect("a schema").iter().all(|(keyword, rule)| match keyword.as_str() {
        "$schema" | "title" | "description" | "$defs" => true,
        "$ref" => {
            let name = rule.as_str().and_then(|text| text.strip_prefix("#/$defs/")).expect("a reference");
            fits(value, root["$defs"].get(name).expect("a definition"), root)
        }
        "const" => value == rule,
        "enum" => rule.as_array().expect("a list").contains(value),
        "oneOf" => rule.as_array().expect("a list").iter().filter(|shape| fits(value, shape, root)).count() == 1,
        "type" => {
            let one = |name: &Value| match name.as_str().expect("a type") {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "integer" => value.is_i64() || value.is_u64(),
                "boolean" => value.is_boolean(),
                "null" => value.is_null(),
                other => panic!("type {other}"),
            };
            rule.as_array().map_or_else(|| one(rule), |names| names.iter().any(one))
        }
        "minimum" => value.as_i64().is_none_or(|x| x >= rule.as_i64().expect("a number")),
        "maximum" => value.as_i64().is_none_or(|x| x <= rule.as_i64().expect("a number")),
        "minItems" => value.as_array().is_none_or(|list| list.len() >= count(rule)),
        "maxItems" => value.as_array().is_none_or(|list| list.len() <= count(rule)),
        "uniqueItems" => value.as_array().is_none_or(|list| (1..list.len()).all(|i| !list[..i].contains(&list[i]))),
        "items" => value.as_array().is_none_or(|list| list.iter().all(|entry| fits(entry, rule, root))),
        "properties" => value.as_object().is_none_or(|map| {
            map.iter().all(|(key, entry)| rule.get(key).is_none_or(|shape| fits(entry, shape, root)))
        }),
        "required" => value.as_object().is_none_or(|map| {
            rule.as_array().expect("a list").iter().all(|key| map.contains_key(key.as_str().expect("a key")))
        }),
        "additionalProperties" => {
            assert_eq!(*rule, Value::Bool(false));
            value.as_object().is_none_or(|map| map.keys().all(|key| shape["properties"].get(key).is_some()))
        }
        "pattern" => {
            assert_eq!(rule, "^[0-9a-f]{64}$");
            value.as_str().is_none_or(|text| {
                text.len() == 64 && text.bytes().all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(&c))
            })
        }
        other => panic!("the keyword {other}"),
    })
}

#[test]
fn files_have_the_published_shape() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/strategy-files.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON");
    let of_another_shape = [
        "automaton-a-list",
        "automaton-accepting-twice",
        "automaton-board-null",
        "automaton-chart-null",
        "automaton-no-rule",
        "certificate-a-list",
        "counters-follower-unknown-key",
        "counters-none",
        "counters-period-0",
        "counters-period-null",
        "counters-period-saltus",
        "counters-seven",
        "dominance-cap-of-a-million",
        "dominance-no-gain",
        "dominance-normal-play",
        "dominance-state-twice",
        "dominance-strengths",
        "game-of-another-kind",
        "game-unknown-key",
        "grundy-sectors-called-outcomes",
        "grundy-sectors-many-strata",
        "grundy-sectors-value-missing",
        "heap-code-and-subtract",
        "misere-called-normal",
        "missing-certificate",
        "nim-sequence-misere",
        "nim-sequence-period-0",
        "nim-sequence-space-null",
        "numeration-accepting-twice",
        "numeration-defeated-twice",
        "numeration-no-value",
        "numeration-region-least-integer",
        "numeration-terminal-twice",
        "numeration-unknown-key",
        "parity-kernel-heap-misere",
        "parity-kernel-with-characters",
        "quotient-kernel-null",
        "quotient-no-period-key",
        "quotient-normal",
        "quotient-p-twice",
        "ranks-accepting-twice",
        "ranks-near-0",
        "ranks-no-state",
        "ranks-normal-play",
        "ranks-period-of-a-million",
        "series-base-twice",
        "series-without-unions",
        "stratification-chains-with-automaton",
        "stratification-empty-bases",
        "table-width-0",
        "unknown-form",
        "unknown-key",
        "unknown-key-of-certificate",
        "unknown-version",
        "version-1",
        "version-a-fraction",
    ];
    let mut found = Vec::new();
    for (name, text) in suite("valid").into_iter().chain(suite("refused")).chain(suite("forgeries")) {
        let file: Value = serde_json::from_str(&text).expect("JSON");
        if !fits(&file, &schema, &schema) {
            found.push(name);
        }
    }
    found.sort();
    assert_eq!(found, of_another_shape);
}
