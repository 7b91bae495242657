//! The schema of `tidegate.toml`.

use serde_json::{Value, json};

use tidegate_repository::Settings;

/// Returns the schema. A test checks that it has exactly the settings that the loader knows.
pub(super) fn schema() -> Value {
    let standard = Settings::default();
    json!({
        "title": "The settings of a repository (tidegate.toml)",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "repository": section(
                "Where the objects are.",
                json!({
                    "path": {
                        "description": "Directory of the objects, relative to the root of the repository.",
                        "type": "string",
                        "default": standard.path,
                    },
                }),
            ),
            "rollout": section(
                "How changes reach the clusters.",
                json!({
                    "semantics": {
                        "description": "Which engine decides: Tidegate's own, or one that behaves like upstream.",
                        "enum": ["strict", "compat"],
                        "default": "strict",
                    },
                    "soak_dip": {
                        "description": "What happens to a cluster that degrades during its soak time: it starts the soak again, or fails.",
                        "enum": ["restart", "fail"],
                        "default": "restart",
                    },
                }),
            ),
            "journal": section(
                "Where the progress is recorded.",
                json!({
                    "branch": {
                        "description": "Branch to which status files are committed.",
                        "type": "string",
                        "minLength": 1,
                        "default": standard.journal_branch,
                    },
                    "fleet": {
                        "description": "Whether the journal has fleet.yaml, from which a plan can be made without the hub.",
                        "type": "boolean",
                        "default": standard.journal_fleet,
                    },
                }),
            ),
            "prune": section(
                "What happens to objects that left the repository.",
                json!({
                    "enabled": {
                        "description": "Whether they are removed from the hub.",
                        "type": "boolean",
                        "default": standard.prune.enabled,
                    },
                    "max_percent": {
                        "description": "Percentage of the owned objects that may be removed at once, and of the clusters of one add-on that may lose it at once.",
                        "type": "integer",
                        "minimum": 0,
                        "maximum": 100,
                        "default": standard.prune.max_percent,
                    },
                    "max_clusters": {
                        "description": "Number of clusters of one add-on that may lose it at once, regardless of the percentage.",
                        "type": "integer",
                        "minimum": 0,
                        "default": standard.prune.max_clusters,
                    },
                    "wait_for_installs": {
                        "description": "Whether an add-on is removed from clusters only after the clusters that get it in the same change are healthy.",
                        "type": "boolean",
                        "default": standard.prune.wait_for_installs,
                    },
                    "settle_seconds": {
                        "description": "How long the set of clusters that will lose an add-on must stay unchanged before the first one loses it, in seconds.",
                        "type": "integer",
                        "minimum": 0,
                        "maximum": 86400,
                        "default": standard.prune.settle_seconds,
                    },
                    "confirm": {
                        "description": "Revisions whose held removals are confirmed, each as a commit or at least its first 7 digits.",
                        "type": "array",
                        "items": { "type": "string", "pattern": "^[0-9a-fA-F]{7,64}$" },
                        "default": standard.prune.confirm,
                    },
                }),
            ),
            "render": section(
                "How overlays are rendered, where Tidegate goes beyond kustomize.",
                json!({
                    "ocm_references": {
                        "description": "Whether references between OCM objects follow an object that the overlay renames.",
                        "type": "boolean",
                        "default": standard.render.ocm_references,
                    },
                }),
            ),
            "people": {
                "description": "The people who may approve changes. Each key is an alias: the addresses and keys of one person, or other aliases.",
                "type": "object",
                "properties": {},
                "additionalProperties": { "type": "array", "items": { "type": "string" } },
            },
        },
    })
}

fn section(description: &str, properties: Value) -> Value {
    json!({ "description": description, "type": "object", "additionalProperties": false, "properties": properties })
}
