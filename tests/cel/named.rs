//! Expressions about named values, and why they have no value.

use serde_json::json;
use tidegate_cel::{Computed, Evaluator, Program, Trouble};

const NAMES: &[&str] = &["plan", "addon"];

fn compute(text: &str) -> Result<Computed, Trouble> {
    let program = Program::about(text, NAMES).unwrap();
    let values = json!({ "plan": { "numbers": (0..2_000).collect::<Vec<_>>() }, "addon": { "name": "istio" } });
    Evaluator::default().compute(&program, &values)
}

#[test]
fn values_have_the_types_of_the_expression() {
    assert_eq!(compute("addon.name == 'istio' && size(plan.numbers) == 2000"), Ok(Computed::Bool(true)));
    assert_eq!(compute("'the add-on ' + addon.name"), Ok(Computed::String("the add-on istio".to_owned())));
    assert_eq!(compute("1 + 1"), Ok(Computed::Other("int")));
}

#[test]
fn an_expression_without_a_value_has_a_reason() {
    assert_eq!(compute("addon.nam == 'istio'"), Err(Trouble::Failed { missing: Some("nam".to_owned()) }));
    assert_eq!(compute("1 / size(addon.name.substring(5)) == 1"), Err(Trouble::Failed { missing: None }));
    assert_eq!(compute("plan.numbers.all(a, plan.numbers.all(b, a + b >= 0))"), Err(Trouble::TooExpensive));
}

#[test]
fn values_of_any_type_may_be_numbers() {
    let values = json!({ "clusters": [{ "ready": 2 }, { "ready": 3.5 }], "cluster": { "name": "c1" } });
    let number = |text: &str| {
        let program = Program::about_values(text, &["cluster", "clusters"]).unwrap();
        Evaluator::default().number(&program, &values)
    };
    assert_eq!(number("clusters[0].ready"), Ok(Some(2.0)));
    assert_eq!(number("clusters[1].ready * 2.0"), Ok(Some(7.0)));
    assert_eq!(number("size(clusters)"), Ok(Some(2.0)));
    assert_eq!(number("cluster.name"), Ok(None));
    assert_eq!(number("cluster.restarts"), Err(Trouble::Failed { missing: Some("restarts".to_owned()) }));
}

#[test]
fn only_the_given_names_are_known_and_their_use_is_reported() {
    let program = Program::about("plan.clusters < 10", NAMES).unwrap();
    assert!(program.uses("plan") && !program.uses("addon"));
    let refused = Program::about("self.clusters < 10", NAMES).unwrap_err();
    assert_eq!(
        (refused.summary.as_str(), refused.place),
        ("undeclared reference to 'self' (in container '')", Some((1, 1)))
    );
}
