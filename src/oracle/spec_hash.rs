//! Area `spechash`: the JSON text of one configuration object, and its hash.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::typed::{ADD_ON_DEPLOYMENT_CONFIG, ADD_ON_TEMPLATE, kind, through};
use tidegate_go::canonical::{hashed_text, spec_hash};
use tidegate_go::json::Json;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    function: Function,
    object_text: String,
}

/// How upstream reads the text before it computes the hash.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Function {
    /// An object of any kind.
    Object,
    /// An AddOnTemplate, v1alpha1.
    AddOnTemplate,
    /// An AddOnDeploymentConfig, v1beta1.
    AddOnDeploymentConfig,
}

/// Answers one case.
pub(super) fn answer(input: &Value) -> Result<Value, serde_json::Error> {
    let case = Case::deserialize(input)?;
    Ok(match read(&case) {
        Ok(object) => json!({ "specHash": spec_hash(&object), "hashedText": hashed_text(&object) }),
        Err(error) => json!({ "error": error }),
    })
}

fn read(case: &Case) -> Result<Value, String> {
    let json = Json::parse(&case.object_text).map_err(|error| error.to_string())?;
    match (&case.function, &json) {
        (Function::AddOnTemplate, json) => through(json, &ADD_ON_TEMPLATE),
        (Function::AddOnDeploymentConfig, json) => through(json, &ADD_ON_DEPLOYMENT_CONFIG),
        (Function::Object, Json::Object(_)) => json.to_value().map_err(|error| error.to_string()),
        (Function::Object, Json::Null) => Ok(Value::Object(Map::new())),
        (Function::Object, other) => {
            Err(format!("json: cannot unmarshal {} into Go value of type map[string]interface {{}}", kind(other)))
        }
    }
}
