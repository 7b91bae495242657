//! Properties of all applications, sound or not.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use tidegate_repository::load;

use super::generated::{component, good_component};
use super::{SETTINGS, objects, web};
use crate::fixture::{shown, with};

/// Returns `true` if a workload selects its own pods, or has no selector.
fn selects_its_pods(object: &Value) -> bool {
    let selector = object.pointer("/spec/selector/matchLabels").and_then(Value::as_object);
    let labels = &object["spec"]["template"]["metadata"]["labels"];
    selector.is_none_or(|selector| selector.iter().all(|(name, value)| labels.get(name) == Some(value)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn any_application_is_a_unit_or_a_mistake_and_always_the_same(
        components in prop_oneof![vec(component(), 1..4), vec(good_component(), 1..3)],
    ) {
        let named = components.into_iter().enumerate().map(|(index, mut component)| {
            component["name"] = json!(format!("part-{index}"));
            component
        });
        let application = json!({
            "apiVersion": "core.oam.dev/v1beta1",
            "kind": "Application",
            "metadata": { "name": "web", "namespace": "shop" },
            "spec": {
                "components": named.collect::<Vec<_>>(),
                "policies": [{ "name": "all", "type": "placement", "properties": { "namespace": "fleet", "name": "everywhere" } }],
            },
        });
        let mut tree = with("web.yaml", &application.to_string());
        tree.files.insert("tidegate.toml".to_owned(), SETTINGS.as_bytes().to_vec());
        let (first, second) = (load(&tree, ""), load(&tree, ""));
        prop_assert_eq!(shown(&first), shown(&second));
        let unit = first.repository.addons.get(&web());
        prop_assert_eq!(unit, second.repository.addons.get(&web()));
        prop_assert!(unit.is_some() != first.repository.blocked.contains_key(&web()), "{:?}", shown(&first));
        prop_assert!(first.repository.addons.contains_key("hello"));
        for object in unit.map(objects).unwrap_or_default() {
            prop_assert!(selects_its_pods(&object), "{object}");
        }
    }
}
