//! Expressions about variables with known types, and their values as JSON.

use serde_json::{Value, json};
use tidegate_cel::{Allowance, Evaluator, NoJson, Program, Scope, Shape, Trouble};

fn scope() -> Scope {
    let port = Shape::Record([("port".to_owned(), Shape::Int), ("name".to_owned(), Shape::Text)].into());
    let fields = [
        ("image", Shape::Text),
        ("port", Shape::Int),
        ("ports", Shape::List(Box::new(port))),
        ("labels", Shape::Map(Box::new(Shape::Text))),
        ("any", Shape::Any),
    ];
    let fields = fields.map(|(name, shape)| (name.to_owned(), shape));
    Scope::default().with("parameters", &Shape::Record(fields.into()))
}

fn values() -> Value {
    json!({ "parameters": {
        "image": "web:1",
        "ports": [{ "port": 80, "name": "http" }, { "port": 443 }],
        "labels": { "team": "shop" },
        "any": [1, 2.5, null, true],
    } })
}

fn refused(text: &str) -> String {
    Program::typed(text, &scope()).expect_err(text).summary
}

fn computed(text: &str) -> Result<Option<Value>, NoJson> {
    let program = Program::typed(text, &scope()).unwrap();
    let mut allowance = Allowance { cost: 1_000_000, bytes: 1_000 };
    Evaluator::default().json(&program, &values(), &mut allowance)
}

#[test]
fn mistakes_are_found_before_an_expression_runs() {
    let known = "(known are any, image, labels, port, ports)";
    assert_eq!(refused("parameters.imgae"), format!("undefined field 'imgae' {known}"));
    assert_eq!(refused("has(parameters.prot)"), format!("undefined field 'prot' {known}"));
    assert_eq!(refused("parameters.?prot.orValue(1)"), format!("undefined field 'prot' {known}"));
    assert_eq!(refused("parameters.ports.map(p, p.prot)"), "undefined field 'prot' (known are name, port)");
    assert_eq!(
        refused("parameters.image + parameters.port"),
        "found no matching overload for '_+_' applied to '(string, int)'"
    );
    assert_eq!(refused("parameter.image"), "undeclared reference to 'parameter' (in container '')");
}

#[test]
fn values_become_json_with_their_types() {
    assert_eq!(computed("parameters.image"), Ok(Some(json!("web:1"))));
    assert_eq!(computed("parameters.any"), Ok(Some(json!([1, 2.5, null, true]))));
    assert_eq!(computed("size(parameters) + size(parameters.labels)"), Ok(Some(json!(5))));
    assert_eq!(
        computed("parameters.ports.map(p, {'containerPort': p.port, ?'name': p.?name})"),
        Ok(Some(json!([{ "containerPort": 80, "name": "http" }, { "containerPort": 443 }])))
    );
    assert_eq!(computed("parameters.?port"), Ok(None));
    assert_eq!(computed("parameters.?labels.team"), Ok(Some(json!("shop"))));
    assert_eq!(computed("'team' in parameters.labels && 'image' in parameters"), Ok(Some(json!(true))));
    assert_eq!(computed("has(parameters.port) ? [parameters.port] : []"), Ok(Some(json!([]))));
    assert_eq!(computed("{'a': parameters, 'b': {}}.b"), Ok(Some(json!({}))));
}

#[test]
fn a_value_that_json_does_not_have_has_a_reason() {
    let absent = Trouble::Failed { missing: Some("port".to_owned()) };
    assert_eq!(computed("parameters.port"), Err(NoJson::Trouble(absent)));
    assert_eq!(computed("quantity('1Gi')"), Err(NoJson::Type("kubernetes.Quantity")));
    assert_eq!(computed("b'a'"), Err(NoJson::Type("bytes")));
    assert_eq!(computed("{1: 2}"), Err(NoJson::Type("map with keys that are not strings")));
    assert_eq!(computed("[parameters.?port]"), Err(NoJson::Type("optional_type")));
    assert_eq!(computed("0.0 / 0.0"), Err(NoJson::Type("double that is not a number")));
}

#[test]
fn an_allowance_is_used_up_by_size_and_by_work() {
    let program = |text: &str| Program::typed(text, &scope()).unwrap();
    let (small, large) = (program("parameters.image"), program("parameters.any.map(a, parameters)"));
    let mut evaluator = Evaluator::default();
    let mut allowance = Allowance { cost: 1_000, bytes: 300 };
    assert_eq!(evaluator.json(&large, &values(), &mut allowance), Err(NoJson::Exhausted));
    // A value that is too large does not use up what is left.
    let mut allowance = Allowance { cost: 1_000, bytes: 20 };
    let answers: Vec<_> = (0..4).map(|_| evaluator.json(&small, &values(), &mut allowance).is_ok()).collect();
    assert_eq!(answers, [true, true, false, false]);
    let mut allowance = Allowance { cost: 350, bytes: 1_000 };
    let answers: Vec<_> = (0..4).map(|_| evaluator.json(&small, &values(), &mut allowance).is_ok()).collect();
    assert_eq!(answers, [true, true, true, false]);
}

#[test]
fn the_shape_of_a_value_is_known_before_it_is_computed() {
    let shape = |text: &str| Program::typed(text, &scope()).unwrap().shape();
    assert_eq!(shape("parameters.image == ''"), Shape::Bool);
    assert_eq!(shape("'port-' + string(parameters.port)"), Shape::Text);
    assert_eq!(shape("parameters.labels"), Shape::Map(Box::new(Shape::Text)));
    assert_eq!(shape("parameters.?port"), Shape::Optional(Box::new(Shape::Int)));
    assert_eq!(shape("ip('10.0.0.1')"), Shape::Other("net.IP"));
    assert!(matches!(shape("parameters.ports"), Shape::List(item) if matches!(*item, Shape::Record(_))));
}
