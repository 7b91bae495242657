//! The schema of a PlanPolicy, for the loader and for editors.

use serde_json::{Value, json};

/// Returns the structural schema of a PlanPolicy.
pub fn schema() -> Value {
    let text = |description: &str| json!({ "description": description, "type": "string", "minLength": 1 });
    let values = |description: &str| json!({ "description": description, "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let test = json!({
        "type": "object",
        "required": ["name", "expect"],
        "properties": {
            "name": text("What the test shows."),
            "addon": values("Fields of the variable addon. The others have neutral values."),
            "plan": values("Fields of the variable plan. The others have neutral values."),
            "expect": {
                "description": "Whether the rule is true: pass, or fail.",
                "type": "string",
                "enum": ["pass", "fail"],
            },
        },
    });
    json!({
        "type": "object",
        "required": ["spec"],
        "properties": {
            "spec": {
                "type": "object",
                "required": ["rule"],
                "properties": {
                    "severity": {
                        "description": "error (the default): a change that breaks the policy is not rolled out. warning: it is reported.",
                        "type": "string",
                        "enum": ["error", "warning"],
                        "default": "error",
                    },
                    "match": {
                        "description": "What the policy is about. Without it, every add-on that changes.",
                        "type": "object",
                        "properties": {
                            "addons": {
                                "description": "Names of add-ons, with * for any characters.",
                                "type": "array",
                                "minItems": 1,
                                "items": { "type": "string", "minLength": 1 },
                            },
                        },
                    },
                    "rule": text("A CEL expression over addon and plan that must be true."),
                    "message": text("What a change that breaks the policy did wrong."),
                    "messageExpression": text("A CEL expression over addon and plan that gives the message."),
                    "remedy": text("What to do about it."),
                    "tests": {
                        "description": "Examples with the expected result, for tidegate policy test.",
                        "type": "array",
                        "items": test,
                    },
                },
            },
        },
    })
}
