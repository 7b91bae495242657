//! Does KubeVela deliver the same applications?

use std::fmt;

use crate::doctor::facts::KubeVela;
use crate::doctor::line::{Level, Verdict, few};
use tidegate_model::plural::counted;

/// What KubeVela has on the hub.
pub(super) struct Applications<'a>(pub(super) &'a KubeVela);

impl fmt::Display for Applications<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0.applications, self.0.shared.as_slice()) {
            (None, _) => write!(f, "the hub does not serve the Applications of KubeVela"),
            (Some(count), []) => {
                write!(f, "the hub has {}, and Tidegate delivers none of them", counted(count, "Application"))
            }
            (Some(_), shared) => {
                write!(f, "KubeVela and Tidegate both deliver {}", few(shared.iter().map(String::as_str)))
            }
        }
    }
}

impl Verdict for Applications<'_> {
    fn level(&self) -> Level {
        if self.0.shared.is_empty() { Level::Ok } else { Level::Fail }
    }

    fn fix(&self) -> Option<String> {
        (!self.0.shared.is_empty()).then(|| {
            "let one of them deliver each application: remove it from the repository, or delete the Application on the hub, with a policy \
             garbage-collect that keeps its objects"
                .to_owned()
        })
    }
}
