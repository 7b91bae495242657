//! Configuration objects converted through Go's types: what is dropped, added, merged, normalized and refused.

use serde_json::{Value, json};
use tidegate_oracle::{Area, answer};

fn asked(function: &str, text: &str) -> Value {
    answer(Area::SpecHash, &json!({ "function": function, "objectText": text })).unwrap()
}

fn hashed(function: &str, text: &str) -> String {
    let answered = asked(function, text);
    answered["hashedText"].as_str().unwrap_or_else(|| panic!("{text}: {answered}")).to_owned()
}

fn refused(function: &str, text: &str) -> String {
    let answered = asked(function, text);
    assert_eq!(answered.as_object().unwrap().len(), 1, "{text}: {answered}");
    answered["error"].as_str().unwrap().to_owned()
}

#[test]
fn a_typed_template_gets_missing_fields_and_loses_unknown_ones() {
    let cases = [
        ("null", r#"{"spec":{"addonName":"","agentSpec":{"workload":{}},"registration":null}}"#),
        (
            r#"{"spec":{"addonName":"a","registration":[],"x":1,"Registration":5}}"#,
            r#"{"spec":{"addonName":"a","agentSpec":{"workload":{}},"registration":[]}}"#,
        ),
        (
            r#"{"spec":{"agentSpec":{"workload":{"manifests":[null,5,{"n":[-0.0,-0,1E2],"s":"\ud800"}]}}}}"#,
            "{\"spec\":{\"addonName\":\"\",\"agentSpec\":{\"workload\":{\"manifests\":[null,5,{\"n\":[-0,0,100],\"s\":\"\u{fffd}\"}]}},\"registration\":null}}",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(hashed("addOnTemplate", text), expected, "{text}");
    }
}

#[test]
fn duplicate_fields_are_merged_in_typed_objects_only() {
    let config = "addOnDeploymentConfig";
    let text = r#"{"spec":{"nodePlacement":{"nodeSelector":{"a":"1","b":"2"}},"proxyConfig":{"httpProxy":"h"}},
        "spec":{"nodePlacement":{"nodeSelector":{"b":"3"}},"proxyConfig":{"noProxy":"n"}}}"#;
    assert_eq!(
        hashed(config, text),
        r#"{"spec":{"nodePlacement":{"nodeSelector":{"a":"1","b":"3"}},"proxyConfig":{"httpProxy":"h","noProxy":"n"}}}"#
    );
    assert_eq!(
        hashed("object", text),
        r#"{"spec":{"nodePlacement":{"nodeSelector":{"b":"3"}},"proxyConfig":{"noProxy":"n"}}}"#
    );
    // Lists are merged item by item, and a null resets.
    let lists = r#"{"spec":{"registries":[{"mirror":"a","source":"b"},{"mirror":"c","source":"d"}],"registries":[{"source":"e"}]}}"#;
    assert_eq!(hashed(config, lists), r#"{"spec":{"proxyConfig":{},"registries":[{"mirror":"a","source":"e"}]}}"#);
    let regrown = r#"{"spec":{"registries":[{"mirror":"a"},{"mirror":"c"}],"registries":[{}],"registries":[{},{}]}}"#;
    assert_eq!(
        hashed(config, regrown),
        r#"{"spec":{"proxyConfig":{},"registries":[{"mirror":"a","source":""},{"mirror":"c","source":""}]}}"#
    );
    let null = r#"{"spec":{"nodePlacement":{"nodeSelector":{"a":"1"}},"nodePlacement":null,"nodePlacement":{}}}"#;
    assert_eq!(hashed(config, null), r#"{"spec":{"nodePlacement":{},"proxyConfig":{}}}"#);
}

#[test]
fn quantities_bytes_and_pointers_are_formatted_as_in_go() {
    let text = r#"{"spec":{"proxyConfig":{"caBundle":"Y\nQ=="},"nodePlacement":{"tolerations":[{"tolerationSeconds":0}]},
        "resourceRequirements":[{"resources":{"limits":{"a":"1000m","b":1024,"c":null,"d":" 65536Ki "}}}]}}"#;
    let expected = r#"{"spec":{"nodePlacement":{"tolerations":[{"tolerationSeconds":0}]},"proxyConfig":{"caBundle":"YQ=="},"resourceRequirements":[{"containerID":"","resources":{"limits":{"a":"1","b":"1024","c":"0","d":"64Mi"}}}]}}"#;
    assert_eq!(hashed("addOnDeploymentConfig", &text.replace("Y\nQ", "Y\\nQ")), expected);
    let numbers = r#"{"spec":{"proxyConfig":{"caBundle":[97,98,99]}}}"#;
    assert_eq!(hashed("addOnDeploymentConfig", numbers), r#"{"spec":{"proxyConfig":{"caBundle":"YWJj"}}}"#);
}

#[test]
fn the_first_value_of_a_wrong_type_is_reported() {
    let config = [
        (
            r#"{"spec":{"agentInstallNamespace":7,"registries":{}}}"#,
            "json: cannot unmarshal number into Go struct field AddOnDeploymentConfigSpec.spec.agentInstallNamespace of type string",
        ),
        (
            r#"{"spec":{"nodePlacement":{"tolerations":[{"tolerationSeconds":1.5}]}}}"#,
            "json: cannot unmarshal number 1.5 into Go struct field Toleration.spec.nodePlacement.tolerations.tolerationSeconds of type int64",
        ),
        (
            r#"{"spec":{"registries":{"a":1}}}"#,
            "json: cannot unmarshal object into Go struct field AddOnDeploymentConfigSpec.spec.registries of type []v1beta1.ImageMirror",
        ),
        (
            r#"{"metadata":{"labels":{"a":true}}}"#,
            "json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string",
        ),
        (
            r#"{"kind":[]}"#,
            "json: cannot unmarshal array into Go struct field AddOnDeploymentConfig.TypeMeta.kind of type string",
        ),
        (r#""x""#, "json: cannot unmarshal string into Go value of type v1beta1.AddOnDeploymentConfig"),
        (r#"{"spec":{"proxyConfig":{"caBundle":"not base64!"}}}"#, "illegal base64 data at input byte 3"),
        (r#"{"spec":{"proxyConfig":{"caBundle":"YQ="}}}"#, "illegal base64 data at input byte 3"),
        (r#"{"spec":{"proxyConfig":{"caBundle":"YQ"}}}"#, "illegal base64 data at input byte 0"),
        (r#"{"spec":{"proxyConfig":{"caBundle":"YQ==YQ=="}}}"#, "illegal base64 data at input byte 4"),
        // A quantity ends the reading, whatever was wrong before it.
        (
            r#"{"spec":{"agentInstallNamespace":7,"resourceRequirements":[{"resources":{"limits":{"a":true}}}]}}"#,
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        ),
    ];
    for (text, expected) in config {
        assert_eq!(refused("addOnDeploymentConfig", text), expected, "{text}");
    }
    let number = r#"{"spec":{"agentSpec":{"workload":{"manifests":[{"n":1e400}]}}}}"#;
    let expected = "error decoding object from json: strconv.ParseFloat: parsing \"1e400\": value out of range";
    assert_eq!(refused("addOnTemplate", number), expected);
    let expected = "json: cannot unmarshal string into Go value of type map[string]interface {}";
    assert_eq!(refused("object", r#""x""#), expected);
}
