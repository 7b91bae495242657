//! The comment fits into its budget.

use tidegate_review::presentation::{Options, markdown};
use tidegate_review::proposal::document::{Action, AddonPlan, Change, ObjectChange, Plan};

use super::sample;

fn with_budget(plan: &Plan, budget: usize) -> String {
    let full_plan = Some("https://ci.example.com/plan.html".to_owned());
    let page = markdown(plan, &Options { budget, full_plan, ..Options::default() });
    assert!(page.chars().count() <= budget, "{} of {budget}", page.chars().count());
    page
}

/// 10,000 clusters in 400 classes, each of which changes 30 lines in each of 3 objects.
fn large() -> Plan {
    let mut plan = sample::plan(&mut || "settings of the fleet".to_owned());
    let mut addon = plan.addons.swap_remove(0);
    let diff = (0..30).map(|line| format!("-  field-{line}: before\n+  field-{line}: after\n")).collect::<String>();
    let class = |number: usize| {
        let mut class = sample::class(Action::Update, 25, &mut || "group 1".to_owned());
        class.names = format!("aws-{number:03}-[01-25]");
        class.labels = vec![format!("vendor.example.com/site=site-{number:03}")];
        class.exemplar = format!("aws-{number:03}-01").parse().unwrap();
        let object = |object: &str| ObjectChange {
            object: format!("Deployment site-{number:03}/{object}"),
            change: Change::Changed,
            added: 30,
            removed: 30,
            manner: None,
            diff: Some(format!("@@ -1,30 +1,30 @@ {number}\n{diff}")),
        };
        class.objects = ["agent", "proxy", "metrics"].map(object).into();
        class
    };
    addon.classes = (1..=400).map(class).collect();
    plan.addons = vec![addon];
    plan
}

#[test]
fn ten_thousand_clusters_in_400_classes_fit_into_a_comment() {
    let page = with_budget(&large(), Options::GITHUB);
    assert!(page.contains("| 400 | 25 | update | `aws-400-[01-25]` |"), "{page}");
    assert!(page.contains("Diffs are shown as numbers of lines to fit into this comment."), "{page}");
    assert!(page.contains("[Full plan](https://ci.example.com/plan.html)"), "{page}");
}

#[test]
fn a_larger_budget_keeps_more() {
    let plan = large();
    let levels = [
        (10_000_000, ""),
        (1_500_000, "Long diffs are cut"),
        (200_000, "Diffs are shown as numbers of lines"),
        (30_000, "Diffs and the names of clusters are left out"),
        (5_000, "Only the summary fits"),
    ];
    for (budget, omission) in levels {
        let page = with_budget(&plan, budget);
        assert!(page.contains(omission) && page.contains("into this comment") != omission.is_empty(), "{budget}");
    }
    assert!(with_budget(&plan, 1_500_000).contains("more lines of this diff."));
    assert!(with_budget(&plan, 200_000).contains("+90 −90 in 3 objects"));
}

#[test]
fn long_names_never_exceed_the_budget() {
    for text in ["x", "`", "|", "<", "é", "\n", "a|"] {
        let mut plan = sample::plan(&mut || text.repeat(10_000));
        let addon: AddonPlan = plan.addons[0].clone();
        plan.addons = vec![addon; 5];
        for budget in [0, 60, 500, 5_000, 60_000] {
            with_budget(&plan, budget);
        }
    }
}

#[test]
fn the_smallest_budget_keeps_the_marker() {
    let plan = sample::plan(&mut || "x".repeat(10_000));
    assert_eq!(with_budget(&plan, 30), "<!-- tidegate:plan v1 -->");
    assert_eq!(with_budget(&plan, 10), "");
}
