//! Traits that cannot be beside each other.

use crate::application::parsed::Component;

/// Traits that decide about the number of replicas.
const SCALING: [&str; 3] = ["cpuscaler", "hpa", "scaler"];

/// Returns why the trait with an index cannot be beside one before it, as what follows its type in a message.
pub(super) fn beside(component: &Component, index: usize) -> Option<String> {
    let type_ = component.traits.get(index)?.type_.as_str();
    let scales = |type_: &str| SCALING.contains(&type_);
    let mut before = component.traits.iter().take(index).enumerate();
    let (earlier, other) = before.find(|(_, other)| scales(type_) && scales(&other.type_) && other.type_ != type_)?;
    Some(format!(
        "is {type_}, which cannot be beside {} (traits[{earlier}]): both decide about the number of replicas; keep one of the two",
        other.type_
    ))
}
