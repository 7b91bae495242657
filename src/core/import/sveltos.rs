//! ClusterPromotions of Sveltos.
//!
//! # Source
//! Sveltos addon-controller `api/v1beta1/clusterpromotion_types.go`.

use jiff::SignedDuration;

use crate::cron::window;
use crate::document::{Document, only_spec};
use crate::duration::duration;
use crate::field::Field;
use crate::field::Use::{Content, Ignored, LeftOut, Read};
use crate::report::{AFTER, Report};
use crate::rollout::{Members, Others, Rollout, Stage};
use crate::selector::selector;
use crate::share::at_once;
use crate::stage_names::group_name;
use tidegate_api::rollout_policy::Window;

/// The group of the API.
pub(crate) const GROUP: &str = "config.projectsveltos.io";

const KIND: &str = "ClusterPromotion";

const CHECKS: &str = "write `checks` in the RolloutPolicy";

/// Reads a ClusterPromotion.
pub(crate) fn read<'n>(documents: &[Document<'n>], report: &mut Report) -> Option<Rollout<'n>> {
    let spec = only_spec(documents, KIND, report)?;
    let keep = "Tidegate removes an add-on that is no longer declared; see removal in the documentation";
    let known = [("profileSpec", Read), ("stages", Read), ("preserveClusterProfilesOnDelete", LeftOut(keep))];
    spec.open(report, &known);
    let at_once = spec.get("profileSpec").and_then(|profile| read_profile(&profile, report));
    let mut rollout = stages(&spec, report);
    rollout.stages.iter_mut().for_each(|stage| stage.at_once = at_once);
    Some(rollout)
}

/// Reads the profile; returns how many clusters are updated at once.
fn read_profile(profile: &Field<'_>, report: &mut Report) -> Option<u32> {
    let known = [
        ("syncMode", Read),
        ("tier", LeftOut("two add-ons that deploy the same object are an error")),
        ("continueOnConflict", LeftOut("two add-ons that deploy the same object are an error")),
        ("continueOnError", LeftOut("a cluster with an error counts as failed")),
        ("maxUpdate", Read),
        ("stopMatchingBehavior", Read),
        ("reloader", LeftOut("name the hash of the ConfigMap in an annotation of the Deployment's pods")),
        ("templateResourceRefs", Content),
        ("dependsOn", LeftOut(AFTER)),
        ("policyRefs", Content),
        ("helmCharts", Content),
        ("kustomizationRefs", Content),
        ("validateHealths", LeftOut(CHECKS)),
        ("patches", Content),
        ("patchesFrom", Content),
        ("driftExclusions", LeftOut("write `updateStrategy` with ignoreFields for the objects")),
        ("maxConsecutiveFailures", LeftOut("a cluster counts as failed after `progressDeadline`")),
        ("preDeleteChecks", LeftOut("a removal has no checks")),
        ("postDeleteChecks", LeftOut("a removal has no checks")),
    ];
    profile.open(report, &known);
    match profile.text_of(report, "syncMode").unwrap_or("Continuous") {
        "Continuous" | "ContinuousWithDriftDetection" => {}
        other => {
            let field = profile.get("syncMode");
            let why = format!("{other} has no counterpart: what Git declares is rolled out, and kept on the clusters");
            field.iter().for_each(|field| field.refuse(report, why.clone()));
        }
    }
    if profile.text_of(report, "stopMatchingBehavior") == Some("LeavePolicies") {
        let why = "a cluster that is no longer selected loses the add-on";
        profile.get("stopMatchingBehavior").iter().for_each(|field| field.leave_out(report, why));
    }
    profile.get("maxUpdate").and_then(|field| at_once(&field, report))
}

fn stages<'n>(spec: &Field<'n>, report: &mut Report) -> Rollout<'n> {
    let items = spec.list(report, "stages");
    if items.is_empty() {
        spec.refuse(report, "there are no stages, so that there is nothing to import");
    }
    let mut stages: Vec<Stage<'n>> = Vec::new();
    let mut soak: Option<SignedDuration> = None;
    let mut before = Trigger::default();
    for (at, item) in items.iter().enumerate() {
        item.open(report, &[("name", Read), ("clusterSelector", Read), ("trigger", Read)]);
        let name = group_name(item.text_of(report, "name").unwrap_or_default(), item, report);
        let Some(clusters) = item.get("clusterSelector") else {
            item.refuse(report, "the stage has no clusterSelector");
            continue;
        };
        let mut stage = Stage::new(name, Members::Labels(selector(&clusters, report)), item.clone());
        stage.approval = before.approval;
        stage.windows = before.window.into_iter().collect();
        stages.push(stage);
        let own = item.get("trigger");
        if at + 1 == items.len() {
            own.iter().for_each(|field| field.leave_out(report, "no stage follows that could wait for it"));
            break;
        }
        before = own.map_or_else(Trigger::default, |field| trigger(&field, report));
        soak = soak.max(before.delay);
    }
    Rollout { soak, ..Rollout::new(stages, Others::Excluded) }
}

/// What must happen between a stage and the next one.
#[derive(Default)]
struct Trigger<'n> {
    approval: Option<Field<'n>>,
    delay: Option<SignedDuration>,
    window: Option<Window>,
}

fn trigger<'n>(field: &Field<'n>, report: &mut Report) -> Trigger<'n> {
    field.open(report, &[("manual", Read), ("auto", Read)]);
    let mut found = Trigger::default();
    if let Some(manual) = field.get("manual") {
        manual.open(report, &[("approved", Ignored), ("automaticReset", Read)]);
        if manual.flag(report, "automaticReset") == Some(false) {
            let field = manual.get("automaticReset");
            field.iter().for_each(|field| field.differs(report, "each change needs an approval of its own"));
        }
        found.approval = Some(manual);
    }
    if let Some(auto) = field.get("auto") {
        let known = [
            ("delay", Read),
            ("preHealthCheckDeployment", LeftOut(CHECKS)),
            ("postDelayHealthChecks", LeftOut(CHECKS)),
            ("promotionWindow", Read),
        ];
        auto.open(report, &known);
        if let Some(delay) = auto.get("delay") {
            delay.differs(
                report,
                "each cluster of each stage is watched for the longest delay, before the next stage starts",
            );
            found.delay = duration(&delay, report);
        }
        found.window = auto.get("promotionWindow").and_then(|field| read_window(&field, report));
    }
    if found.approval.is_some() == field.get("auto").is_some() {
        field.refuse(report, "the trigger needs one of `manual` and `auto`");
    }
    found
}

fn read_window(field: &Field<'_>, report: &mut Report) -> Option<Window> {
    field.open(report, &[("from", Read), ("to", Read)]);
    let from = field.text_of(report, "from")?;
    let to = field.text_of(report, "to")?;
    let found = window("promotion", from, to);
    match &found {
        Some(_) => {
            field.differs(report, "each cluster starts inside the window, in UTC; set `timeZone` for another one")
        }
        None => {
            let form = "only windows such as from \"0 22 * * 1-4\" to \"0 5 * * 2-5\" have a counterpart: a time of day on days of the week, ending within a day";
            field.refuse(report, form);
        }
    }
    found
}
