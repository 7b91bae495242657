//! Hostile definitions: each is a mistake that says what is too large, and takes neither much time nor much memory.

use tidegate_repository::load;

use super::{add, with_definitions};
use crate::applications::web;
use crate::fixture::shown;

/// Returns the complaints about an application with a component of a type with these parameters and objects.
fn refused(parameters: &str, objects: &str, properties: &str) -> String {
    let definition = format!(
        "apiVersion: core.oam.dev/v1beta1\nkind: ComponentDefinition\nmetadata: {{name: hostile, namespace: shop}}\nspec: {{schematic: {{tidegate: {{parameters: {parameters}, objects: {objects}}}}}}}\n"
    );
    let mut tree = with_definitions(&[&format!("name: front\ntype: hostile\nproperties: {properties}\n")]);
    add(&mut tree, "hostile.yaml", &definition);
    let loaded = load(&tree, "");
    assert!(loaded.repository.blocked.contains_key(&web()) && loaded.repository.addons.contains_key("hello"));
    shown(&loaded).join("\n")
}

const NONE: &str = "{type: object}";

/// Returns an object with data, for each item of lists.
fn map(name: &str, lists: &str, data: &str) -> String {
    format!(
        "[{{name: maps, forEach: {lists}, template: {{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}}}, data: {{a: {data}}}}}}}]"
    )
}

fn ends(found: &str, wanted: &str) {
    assert!(found.lines().any(|line| line.ends_with(wanted)), "{found:.2000}");
}

const TOO_MUCH: &str = "this renders too much; a component renders at most 1000 objects and 1024 KiB";
const EXHAUSTED: &str = "needs more memory or work than is left; a component renders at most 1000 objects and 1024 KiB";
const EXPENSIVE: &str = "takes more work than an expression may";

#[test]
fn a_component_renders_a_limited_number_of_objects() {
    let list = |length: usize| format!("'${{[{}]}}'", vec!["1"; length].join(", "));
    let one = map("'a-${a}'", &format!("[{{a: {}}}]", list(1001)), "x");
    ends(&refused(NONE, &one, "{}"), TOO_MUCH);
    let nested = map("'a-${a}'", &format!("[{{a: {0}}}, {{b: {0}}}, {{c: {0}}}]", list(40)), "x");
    ends(&refused(NONE, &nested, "{}"), TOO_MUCH);
    // Objects that a condition leaves out count as well: each of them takes time.
    let hidden = nested.replace("template:", "includeWhen: ['${false}'], template:");
    ends(&refused(NONE, &hidden, "{}"), TOO_MUCH);
}

#[test]
fn a_component_renders_objects_of_a_limited_size() {
    let large = map("a", "[]", &"x".repeat(600 * 1024));
    let twice =
        format!("{}, {}", large.trim_end_matches(']'), large.trim_start_matches('[').replacen("maps", "more", 1));
    ends(&refused(NONE, &twice, "{}"), TOO_MUCH);
    let fixed = map("'a-${a}'", "[{a: '${[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]}'}]", &"x".repeat(100 * 1024));
    ends(&refused(NONE, &fixed, "{}"), TOO_MUCH);
    let text = map(
        "'a-${a}'",
        "[{a: '${[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]}'}]",
        &format!("'{}${{a}}'", "x".repeat(100 * 1024)),
    );
    ends(&refused(NONE, &text, "{}"), TOO_MUCH);
}

#[test]
fn expressions_neither_grow_nor_run_without_limit() {
    let ten = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
    // A list of lists of lists, each of which contains the same text.
    let nested =
        |depth: usize, inner: &str| (0..depth).fold(inner.to_owned(), |inner, at| format!("{ten}.map(a{at}, {inner})"));
    let parameters = "{type: object, properties: {text: {type: string}}}";
    let given = format!("{{text: {}}}", "x".repeat(10_000));
    let wide = map("a", "[]", &format!("'${{{}}}'", nested(3, "parameters.text")));
    ends(&refused(parameters, &wide, &given), EXHAUSTED);
    let long = map("a", "[]", &format!("'${{{}}}'", nested(8, "1")));
    ends(&refused(parameters, &long, &given), EXPENSIVE);
    let doubled = (0..40).fold("parameters.text".to_owned(), |text, _| format!("{text}.replace(\"x\", \"xx\")"));
    ends(&refused(parameters, &map("a", "[]", &format!("'${{{doubled}}}'")), &given), EXPENSIVE);
}

#[test]
fn a_definition_has_a_limited_number_of_expressions_and_a_limited_schema() {
    let many: Vec<String> = (0..1_100).map(|number| format!("k{number}: '${{1}}'")).collect();
    let many = map("a", "[]", "x").replace("data: {a: x}", &format!("data: {{{}}}", many.join(", ")));
    let found = refused(NONE, &many, "{}");
    assert!(
        found.contains("is one expression too many: a definition has at most 1000, with 256 KiB together; split it"),
        "{found:.500}"
    );
    let deep = (0..20).fold("{type: string}".to_owned(), |inner, _| format!("{{type: array, items: {inner}}}"));
    let found = refused(&format!("{{type: object, properties: {{deep: {deep}}}}}"), &map("a", "[]", "x"), "{}");
    assert!(found.contains("is deeper than 16 levels; write a simpler schema"), "{found:.500}");
    let wide: Vec<String> = (0..5_000).map(|number| format!("p{number}: {{type: string}}")).collect();
    let found = refused(&format!("{{type: object, properties: {{{}}}}}", wide.join(", ")), &map("a", "[]", "x"), "{}");
    assert!(found.contains("parameters is larger than 64 KiB; shorten it"), "{found:.500}");
}

#[test]
fn defaults_inside_of_defaults_are_filled_in_up_to_a_limit() {
    let items = |count: usize, inner: &str| {
        let default = vec!["{}"; count].join(", ");
        format!("{{type: array, default: [{default}], items: {{type: object, properties: {{a: {inner}}}}}}}")
    };
    let text = format!("{{type: string, default: {}}}", "x".repeat(1_000));
    let parameters = format!("{{type: object, properties: {{a: {}}}}}", items(500, &items(500, &items(500, &text))));
    let found = refused(&parameters, &map("a", "[]", "x"), "{}");
    ends(&found, "spec.components[0].properties gets defaults of more than 256 KiB; give fewer values");
}

#[test]
fn a_rule_that_takes_long_is_a_mistake_of_the_component() {
    let all = "self.list.all(a, self.list.all(b, self.list.all(c, a + b + c > 0)))";
    let parameters = format!(
        "{{type: object, properties: {{list: {{type: array, items: {{type: integer}}}}}}, x-kubernetes-validations: [{{rule: '{all}'}}]}}"
    );
    let found = refused(&parameters, &map("a", "[]", "x"), &format!("{{list: [{}]}}", vec!["1"; 500].join(", ")));
    ends(&found, &format!("spec.components[0].properties cannot be checked: the rule {all} {EXPENSIVE}"));
}
