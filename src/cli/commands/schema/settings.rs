//! The schema of `tidegate.toml`.

use serde_json::{Map, Value, json};

use tidegate_repository::{Key, Kind, SECTIONS, Settings, VENDOR, VENDOR_ABOUT, VENDOR_FIELDS, VendorField};

/// Returns the schema, from the keys that the loader knows.
pub(super) fn schema() -> Value {
    let mut sections = Map::new();
    for section in SECTIONS {
        let keys: Map<String, Value> = section.keys.iter().map(|key| (key.name.to_owned(), described(key))).collect();
        let schema = json!({
            "description": section.about,
            "type": "object",
            "additionalProperties": false,
            "properties": keys,
        });
        sections.insert(section.name.to_owned(), schema);
    }
    let people = json!({
        "description": "The people who may approve changes. Each key is an alias: the addresses and keys of one person, or other aliases.",
        "type": "object",
        "properties": {},
        "additionalProperties": { "type": "array", "items": { "type": "string" } },
    });
    sections.insert("people".to_owned(), people);
    let tables = json!({ "description": VENDOR_ABOUT, "type": "array", "items": { "$ref": "#/$defs/vendor" } });
    sections.insert(VENDOR.to_owned(), tables);
    json!({
        "title": "The settings of a repository (tidegate.toml)",
        "type": "object",
        "additionalProperties": false,
        "properties": sections,
        "$defs": { VENDOR: vendor() },
    })
}

/// Returns the schema of one of the tables `[[vendor]]`.
fn vendor() -> Value {
    let field = |field: &VendorField| {
        let mut schema = match field.words {
            [] => json!({ "type": "string", "minLength": 1 }),
            words => json!({ "enum": words }),
        };
        schema["description"] = json!(field.about);
        (field.name.to_owned(), schema)
    };
    let fields: Map<String, Value> = VENDOR_FIELDS.iter().map(field).collect();
    let names: Vec<&str> = VENDOR_FIELDS.iter().map(|field| field.name).collect();
    json!({ "type": "object", "required": names, "additionalProperties": false, "properties": fields })
}

fn described(key: &Key) -> Value {
    let mut standard = Settings::default();
    let mut schema = match &key.kind {
        Kind::Directory => json!({ "type": "string", "default": standard.path }),
        Kind::Branch => json!({ "type": "string", "minLength": 1, "default": standard.journal_branch }),
        Kind::Commits => json!({
            "type": "array",
            "items": { "type": "string", "pattern": "^[0-9a-fA-F]{7,64}$" },
            "default": standard.prune.confirm,
        }),
        Kind::Grants => grants(&standard),
        Kind::Flag(flag) => json!({ "type": "boolean", "default": *flag(&mut standard) }),
        Kind::Words(words) => {
            let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            json!({ "enum": words, "default": words.first() })
        }
        Kind::Number { max: None, get, .. } => json!({ "type": "integer", "minimum": 0, "default": get(&standard) }),
        Kind::Number { max: Some(max), get, .. } => {
            json!({ "type": "integer", "minimum": 0, "maximum": max, "default": get(&standard) })
        }
    };
    schema["description"] = json!(key.about);
    schema
}

fn grants(standard: &Settings) -> Value {
    let strings = json!({ "type": "array", "minItems": 1, "items": { "type": "string" } });
    let rule = json!({
        "type": "object",
        "required": ["groups", "resources", "verbs"],
        "additionalProperties": false,
        "properties": {
            "groups": strings, "resources": strings, "verbs": strings, "cluster_set": { "type": "string" },
        },
    });
    json!({ "type": "array", "items": rule, "default": standard.applications.granted })
}
