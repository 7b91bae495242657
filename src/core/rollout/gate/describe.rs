//! Gates in words, for the plan of a change.

use super::policies::{Policies, Policy};
use crate::written_threshold;
use tidegate_api::rollout_policy::{
    Approval, CheckSpec, Dependency, FailureAction, Freeze, Joining, Limit, Scope, UnreachableAction, Window,
};
use tidegate_model::name::{NamespacedName, UnitName};
use tidegate_model::plural::counted;

impl Policies<'_> {
    /// Returns the gates of a placement of a unit, in words.
    pub fn described(&self, unit: &UnitName, placement: Option<&NamespacedName>) -> Vec<String> {
        let of_policy = |policy: &Policy<'_>| {
            let source = &policy.source;
            let of = |text: String| format!("{text} ({source})");
            let spec = policy.spec;
            let fault = policy.fault.iter().map(|why| format!("nothing starts: the policy cannot be read: {why}"));
            let gates = fault
                .chain(spec.approvals.iter().map(approval))
                .chain(spec.windows.iter().map(window))
                .chain(spec.freezes.iter().map(freeze))
                .chain(spec.limits.iter().flat_map(limit))
                .chain(spec.order.iter().map(order))
                .chain(spec.locks.iter().map(|lock| format!("lock {lock:?}")))
                .chain(spec.checks.iter().map(check))
                .chain(spec.unreachable.iter().filter(|it| it.action == UnreachableAction::Park).map(|it| {
                    match &it.max_share {
                        Some(share) => format!("unreachable clusters are parked, at most {}", written_threshold(share)),
                        None => "unreachable clusters are parked".to_owned(),
                    }
                }))
                .chain(spec.membership.iter().filter_map(|it| joining(it.joining)))
                .chain(spec.on_failure.iter().filter_map(|it| failure(it.action)));
            gates.map(of).collect::<Vec<_>>()
        };
        self.of(unit, placement).flat_map(|(_, policy)| of_policy(policy)).collect()
    }
}

fn approval(approval: &Approval) -> String {
    let Approval { name, count, of, before, .. } = approval;
    let before =
        if before.is_empty() { "any cluster starts".to_owned() } else { format!("group {}", before.join(", group ")) };
    format!("approval {name:?} by {count} of {} before {before}", of.join(", "))
}

fn window(window: &Window) -> String {
    let Window { name, time_zone, days, from, to } = window;
    let days = if days.is_empty() { "every day".to_owned() } else { days.join(", ") };
    format!("window {name:?}: {days} {from} to {to} {}", time_zone.as_deref().unwrap_or("UTC"))
}

fn freeze(freeze: &Freeze) -> String {
    let Freeze { name, time_zone, from, to } = freeze;
    format!("freeze {name:?}: {from} to {to} {}", time_zone.as_deref().unwrap_or("UTC"))
}

fn limit(limit: &Limit) -> Vec<String> {
    let Limit { name, label, max_clusters, max_values, max_add_ons_per_cluster, starts_per_minute } = limit;
    let per = label.as_ref().map(|label| format!(" for each {label}")).unwrap_or_default();
    let values = label.as_deref().unwrap_or("value");
    let parts = [
        max_clusters.map(|most| format!("at most {} under way{per}", plural(most, "cluster"))),
        max_values.map(|most| format!("at most {most} of {values} under way at once")),
        max_add_ons_per_cluster.map(|most| format!("at most {} under way on a cluster", plural(most, "add-on"))),
        starts_per_minute.map(|most| format!("at most {} a minute{per}", plural(most, "start"))),
    ];
    parts.into_iter().flatten().map(|part| format!("limit {name:?}: {part}")).collect()
}

fn plural(most: u32, noun: &str) -> String {
    counted(usize::try_from(most).unwrap_or(usize::MAX), noun)
}

fn order(dependency: &Dependency) -> String {
    match dependency.scope {
        Scope::Cluster => format!("after {} on the same cluster", dependency.after),
        Scope::Fleet => format!("after {} on all clusters", dependency.after),
    }
}

fn check(check: &CheckSpec) -> String {
    let groups = if check.groups.is_empty() { "every group".to_owned() } else { check.groups.join(", ") };
    format!("check {:?} after {groups}", check.name)
}

fn joining(joining: Joining) -> Option<String> {
    match joining {
        Joining::JoinGroup => None,
        Joining::Tail => Some("clusters that join later start last".to_owned()),
        Joining::Hold => Some("clusters that join later wait for the next rollout".to_owned()),
    }
}

fn failure(action: FailureAction) -> Option<String> {
    match action {
        FailureAction::Halt => None,
        FailureAction::Continue => Some("continues whatever fails".to_owned()),
        FailureAction::Rollback => Some("rolls back after too many failures".to_owned()),
    }
}
