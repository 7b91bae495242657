//! The names of the works of applications.

use tidegate_api::work_name::{application_prefix, is_of_application, unit_label};
use tidegate_model::name::{ApplicationName, NamespacedName};

fn application(namespace: &str, name: &str) -> ApplicationName {
    ApplicationName::try_from(&NamespacedName::new(namespace, name)).unwrap()
}

#[test]
fn a_work_has_the_name_and_the_label_of_its_application() {
    let (shop, other) = (application("shop", "web"), application("other", "web"));
    let prefix = application_prefix(&shop);
    assert!(prefix.starts_with("app-web-") && prefix.contains(&unit_label(&shop)), "{prefix}");
    assert_ne!(prefix, application_prefix(&other));
    assert!(is_of_application(&format!("{prefix}0")) && is_of_application(&format!("{prefix}12")));
    for name in ["", "app-", "app-web-0", "addon-web-deploy-0", &prefix, &format!("{prefix}a"), &format!("x{prefix}0")]
    {
        assert!(!is_of_application(name), "{name:?}");
    }
}
