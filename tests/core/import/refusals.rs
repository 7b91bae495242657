//! What cannot be imported is refused with its place and a reason, and nothing is guessed.

use tidegate_import::{Options, Outcome};

use crate::samples::{SAMPLES, imported, imported_with};

/// Returns the reasons of a refusal; the import must have no result.
fn refusals(text: &str) -> Vec<String> {
    let (imported, report) = imported(text);
    assert!(imported.is_none(), "{text}");
    report.refused().map(ToString::to_string).collect()
}

fn sample(tool: &str) -> &'static str {
    SAMPLES.iter().find(|(name, _)| *name == tool).unwrap().1
}

fn refused_after(tool: &str, old: &str, new: &str, reason: &str) {
    let text = sample(tool);
    assert!(text.contains(old), "{tool}: {old}");
    let reasons = refusals(&text.replace(old, new));
    assert!(reasons.iter().any(|found| found.contains(reason)), "{old:?} to {new:?}: {reasons:?}");
}

#[test]
fn half_understood_objects_are_refused() {
    for (tool, old, new, reason) in [
        (
            "kubefleet",
            "labelSelector:\n                matchLabels:\n                  region: eu",
            "propertySelector: {}",
            "properties cannot select",
        ),
        ("kubefleet", "operator: NotIn", "operator: Gt", "must be In, NotIn, Exists or DoesNotExist"),
        ("kubefleet", "waitTime: 1h", "waitTime: soon", "is not a duration"),
        ("kubefleet", "type: TimedWait\n          waitTime: 1h", "type: Metric", "\"Metric\" is not known"),
        ("kubefleet", "name: canary", "name: staging", "two stages with the name"),
        ("kubefleet", "name: canary", "name: not a label", "cannot be the name of a group"),
        ("kubefleet", "maxConcurrency: 25%", "maxConcurrency: 250%", "must be a number, or a percentage"),
        ("argo", "type: RollingSync", "type: AllAtOnce", "nothing to import"),
        ("argo", "\"{{.metadata.labels.env}}\"", "\"x-{{.metadata.labels.env}}\"", "the template computes the label"),
        ("argo", "envLabel: \"{{.metadata.labels.env}}\"", "other: x", "gives Applications no such label"),
        ("argo", "- clusters:", "- list:", "only the generator `clusters`"),
        ("argo", "  template:\n", "  templatePatch: x\n  template:\n", "may change the labels"),
        ("fleet", "clusterGroup: europe", "clusterGroup: asia", "\"asia\" is not among the files"),
        ("fleet", "clusterGroup: europe", "clusterGroupSelector: {}", "cannot be selected by labels"),
        ("fleet", "clusterGroup: europe", "clusterGroup: europe\n      clusterName: a", "in one of clusterName"),
        (
            "talm",
            "clusters: [spoke1, spoke2, spoke3]\n  clusterLabelSelectors:\n    - matchLabels:\n        group: du-sites",
            "clusters: []",
            "no clusters are selected",
        ),
        ("talm", "canaries: [spoke1]", "canaries: ['a\" in []']", "cannot be the name of a cluster"),
        ("talm", "maxConcurrency: 2", "maxConcurrency: two", "must be a number"),
        ("talm", "batchTimeoutAction: Abort", "batchTimeoutAction: Ignore", "is not known: Continue or Abort"),
        ("sveltos", "from: \"0 22 * * 1-4\"", "from: \"*/5 22 * * 1-4\"", "only windows such as"),
        (
            "sveltos",
            "manual:\n          approved: false\n          automaticReset: true",
            "{}",
            "needs one of `manual` and `auto`",
        ),
    ] {
        refused_after(tool, old, new, reason);
    }
}

#[test]
fn objects_of_two_tools_and_of_no_tool_are_refused() {
    let both = format!("{}---\n{}", sample("talm"), sample("sveltos"));
    for text in [both.as_str(), "a: 1\n", "- 1\n", "kind: Secret\napiVersion: v1\n", "just words\n"] {
        assert!(refusals(text)[0].contains("import reads objects of one of these tools"), "{text}");
    }
}

#[test]
fn two_strategies_are_refused() {
    let text = format!("{0}---\n{0}", sample("argo"));
    assert!(refusals(&text)[0].contains("two objects of the kind ApplicationSet"));
}

#[test]
fn an_approval_without_an_approver_is_refused() {
    let options = Options { addon: "web", namespace: "fleet", approvers: &[], group_label: None };
    let (imported, report) = imported_with(sample("kubefleet"), &options);
    assert!(imported.is_none());
    let refused: Vec<String> = report.refused().map(ToString::to_string).collect();
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(refused[0].starts_with("spec.stages[1].afterStageTasks[0]: an approval is asked for"), "{refused:?}");
}

#[test]
fn clusters_by_name_in_a_group_need_a_label() {
    let options = Options { addon: "web", namespace: "fleet", approvers: &[], group_label: None };
    let (imported, report) = imported_with(sample("talm"), &options);
    assert!(imported.is_none());
    let refused: Vec<String> = report.refused().map(ToString::to_string).collect();
    assert!(refused[0].contains("--group-label"), "{refused:?}");
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let (_, report) = imported(&sample("talm").replace("preCaching: true", "\"a\\e[31m\\nb\": true"));
    let left_out =
        report.left_out().find(|entry| matches!(entry.outcome, Outcome::LeftOut(_)) && entry.path.contains('a'));
    assert!(left_out.is_some_and(|entry| !entry.to_string().contains(['\u{1b}', '\n'])), "{report:?}");
    let odd = sample("sveltos").replace("name: qa", "name: \"q\\ea\"");
    assert!(refusals(&odd).iter().all(|reason| !reason.contains('\u{1b}')));
}
