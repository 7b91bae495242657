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
        (
            "kubefleet",
            "- type: TimedWait\n          waitTime: 1h",
            "- {type: TimedWait, waitTime: 2h}\n        - {type: TimedWait, waitTime: 5m}",
            "two tasks of this type",
        ),
        (
            "kubefleet",
            "maxConcurrency: 2\n",
            "maxConcurrency: 2\n      beforeStageTasks: [{type: TimedWait, waitTime: 24h}]\n",
            "and not before one",
        ),
        ("kubefleet", "- type: Approval", "- {type: Approval, waitTime: 5m}", "an Approval has no waitTime"),
        ("kubefleet", "placementType: PickAll", "placementType: PickN", "PickN needs numberOfClusters"),
        (
            "kubefleet",
            "- labelSelector:\n                matchLabels:\n                  region: us",
            "- {}",
            "has no labelSelector",
        ),
        ("kubefleet", "name: canary", "name: c", "has 2 to 63 characters"),
        (
            "argo",
            "    - clusters:\n",
            "    - clusters:\n        template: {metadata: {labels: {envLabel: x}}}\n",
            "may change what steps select",
        ),
        (
            "fleet",
            "  targets:\n    - name: production",
            "  paths: [a]\n  other:\n    - name: production",
            "all clusters would be selected",
        ),
        ("fleet", "spec:\n  selector:\n    matchLabels:\n      region: eu", "spec: {}", "has no selector"),
        ("fleet", "helm:", "targetRestrictions: [{clusterSelector: {}}]\nhelm:", "without the restrictions"),
        ("fleet", "kind: GitRepo", "kind: Bundle", "a fleet.yaml and a Bundle"),
        ("talm", "enable: true", "clusterSelector: [env!=prod]", "as key=value"),
        ("talm", "enable: true", "clusterSelector: ['a=b,c=d']", "as key=value"),
        (
            "talm",
            "clusters: [spoke1, spoke2, spoke3]\n  clusterLabelSelectors:\n    - matchLabels:\n        group: du-sites",
            "clusters: [spoke2]",
            "is in a stage, but is not selected",
        ),
        ("talm", "canaries: [spoke1]", "canaries: [spoke1, spoke1]", "is in two stages"),
        ("talm", "clusters: [spoke1, spoke2, spoke3]", "clusters: ['Bad Name']", "cannot be the name of a cluster"),
        ("sveltos", "syncMode: Continuous", "syncMode: DryRun", "has no counterpart"),
    ] {
        refused_after(tool, old, new, reason);
    }
}

/// A group with an approval must not be empty: the next one would start without it. The groups before it go first.
#[test]
fn groups_up_to_the_last_gate_are_mandatory() {
    for (tool, expected) in [("kubefleet", 3), ("argo", 2), ("sveltos", 3), ("talm", 1), ("fleet", 0)] {
        let strategy = imported(sample(tool)).0.unwrap().strategy.progressive_per_group.unwrap();
        assert_eq!(strategy.mandatory_decision_groups.len(), expected, "{tool}");
    }
}

#[test]
fn a_list_of_kubectl_is_the_same_as_its_objects() {
    let object = serde_json::to_string(&yaml(sample("sveltos"))).unwrap();
    let list = format!("{{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{object}]}}");
    assert!(imported(&list).0.is_some());
}

fn yaml(text: &str) -> serde_json::Value {
    use tidegate_kustomize::yaml::{Input, SourceId, manifests};
    manifests(Input::of_file(SourceId::default(), text.as_bytes())).unwrap()[0].to_value().unwrap()
}

#[test]
fn two_approvals_at_one_place_are_one_and_that_is_reported() {
    let twice = sample("kubefleet")
        .replace("    - name: production\n", "    - name: production\n      beforeStageTasks: [{type: Approval}]\n");
    let (imported, report) = imported(&twice);
    assert_eq!(imported.unwrap().policies[0].spec.approvals.len(), 1);
    let found = report.entries.iter().find(|entry| entry.path == "spec.stages[2].beforeStageTasks[0]");
    assert!(found.is_some_and(|entry| entry.to_string().contains("one approval counts for this task")), "{report:?}");
}

#[test]
fn the_trigger_of_the_last_stage_is_left_out() {
    let last = "    - name: production\n      trigger: {manual: {approved: false}}\n";
    let (_, report) = imported(&sample("sveltos").replace("    - name: production\n", last));
    assert!(report.left_out().any(|entry| entry.path == "spec.stages[2].trigger"), "{report:?}");
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
