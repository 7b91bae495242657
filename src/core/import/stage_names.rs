//! Names of stages as names of groups.

use tidegate_go::label::value_faults;

use crate::field::Field;
use crate::report::Report;

/// Returns the name of a group. A name that a group cannot have is reported.
pub(crate) fn group_name(name: &str, field: &Field<'_>, report: &mut Report) -> String {
    if name.len() < 2 {
        field.refuse(report, format!("the stage has the name {name:?}; that of a group has 2 to 63 characters"));
    }
    for fault in value_faults(name) {
        field.refuse(report, format!("{name:?} cannot be the name of a group: {fault}"));
    }
    name.to_owned()
}

/// Reports stages with the same name.
pub(crate) fn check_unique<'n>(stages: impl Iterator<Item = (&'n str, Field<'n>)>, report: &mut Report) {
    let mut seen = std::collections::BTreeSet::new();
    for (name, field) in stages {
        if !seen.insert(name) {
            field.refuse(report, format!("there are two stages with the name {name:?}"));
        }
    }
}
