//! The controllers of a ManagedClusterAddOn.

use tidegate_model::action::Write;

use crate::upstream::controllers::view::View;
use crate::upstream::controllers::{assignment, deploy, registration};
use crate::upstream::controls::Controller;

/// The controllers of a ManagedClusterAddOn.
pub(in crate::upstream) const CONTROLLERS: [Controller; 6] = [
    Controller::Progressing,
    Controller::Owner,
    Controller::Configuration,
    Controller::ClusterHashes,
    Controller::Registration,
    Controller::Deploy,
];

/// Returns the next writes of a controller; none if everything is as it should be.
pub(in crate::upstream) fn decide(controller: Controller, view: &View<'_>) -> Vec<Write> {
    match controller {
        Controller::Progressing => assignment::progressing(view).into_iter().collect(),
        Controller::Owner => assignment::owned(view).into_iter().collect(),
        Controller::Configuration => assignment::configuration(view).into_iter().collect(),
        Controller::ClusterHashes => assignment::hashes(view).into_iter().collect(),
        Controller::Registration => registration::decide(view),
        Controller::Deploy => deploy::decide(view),
        _ => Vec::new(),
    }
}
