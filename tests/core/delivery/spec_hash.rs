//! Tests that spec hashes agree with upstream's.

use serde_json::Value;

use tidegate_go::canonical::{go_json, spec_hash};

fn hash_of(json: &str) -> String {
    spec_hash(&serde_json::from_str(json).unwrap())
}

#[test]
fn known_objects_have_their_known_hashes() {
    let cases = [
        ("{}", "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"),
        (r#"{"spec":{}}"#, "53aa778a9b137a0ca7ab79937d069870b14440dae5922f51d940ffa4b178d5cb"),
        (r#"{"spec":null}"#, "c3cf6708b9357d43aca306b1a726fca81226bd02bf787f41b7e59fe59160c76c"),
        (
            r#"{"data":{"k":"v"},"binaryData":{"x":"AAE="},"immutable":true}"#,
            "dac375ae99a15bd754dc0f1287242192d801a6d70237079d3b71683ce80870c5",
        ),
        (
            r#"{"type":"Opaque","data":{"k":"dg=="}}"#,
            "270b68dd3652de100661057ede7069019a32c3e38c74771f86b23f6956dc54d1",
        ),
        (
            r#"{"kind":"AddOnDeploymentConfig","spec":{"agentInstallNamespace":"open-cluster-management-agent-addon","customizedVariables":[{"name":"LOG_LEVEL","value":"4"}]}}"#,
            "9814be4f96112e139006c75ccc41a29fef85a114a84c32c9c8fcacca23ec3997",
        ),
        (
            r#"{"metadata":{"name":"t"},"spec":{"addonName":"test1","agentSpec":{"workload":{"manifests":[{"apiVersion":"v1","data":{"a":"{{CLUSTER_NAME}}"},"kind":"ConfigMap","metadata":{"name":"c","namespace":"ns"}}]}},"registration":[{"kubeClient":{},"type":"KubeClient"}]}}"#,
            "b9835cfc94f7d235652c97776a5472d9f4d2ba11705f7c9f1cb5827bde0441c3",
        ),
        (
            "{\"spec\":{\"z\":\"<a>&b\",\"b\":\"\\u2028\\u2029\\u007f\\b\\f\\n\\r\\t\\u0001\\\"\\\\/\u{e9}\u{1f600}\",\"A\":1,\"a\":2,\"\u{e9}\":3,\"_\":4}}",
            "a19013669f9eb0e93318d174c0afaa8d717eb4b498a432c0be89980f8564c8ca",
        ),
    ];
    for (object, expected) in cases {
        assert_eq!(hash_of(object), expected, "{object}");
    }
}

#[test]
fn numbers_are_written_as_in_go() {
    let given = r#"{"i":1,"f1":1.0,"f2":1e3,"f3":1e21,"f4":1e20,"f5":1e-6,"f6":1e-7,"f7":0.1,"f8":123456789.125,"big":9223372036854775807,"big2":9223372036854775808,"f9":1.5e-9,"f10":3.0e+25}"#;
    let expected = r#"{"big":9223372036854775807,"big2":9223372036854776000,"f1":1,"f10":3e+25,"f2":1000,"f3":1e+21,"f4":100000000000000000000,"f5":0.000001,"f6":1e-7,"f7":0.1,"f8":123456789.125,"f9":1.5e-9,"i":1}"#;
    assert_eq!(go_json(&serde_json::from_str::<Value>(given).unwrap()), expected);
}
