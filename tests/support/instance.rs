//! The instance that most tests are about.

use tidegate_model::instance::Instance;

pub(crate) fn instance() -> Instance {
    Instance { id: "0123456789abcdef".parse().unwrap(), name: String::new() }
}
