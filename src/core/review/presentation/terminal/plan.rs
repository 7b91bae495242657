//! The plan of a change as text for a terminal.

use std::fmt::Write as _;

use owo_colors::OwoColorize as _;

use super::addon::addon;
use super::sign::sign;
use crate::proposal::document::{Applies, BrokenPolicy, Change, Plan, Revision, Verdict};
use tidegate_model::line::one_line;
use tidegate_model::plural::counted;
use tidegate_repository::PolicySeverity;

/// The number of other objects that are shown.
const OBJECTS: usize = 20;

/// Returns a plan. Differences are folded unless all are asked for.
pub fn plan_text(plan: &Plan, is_full: bool) -> String {
    let mut text = String::new();
    // Writing into a String cannot fail.
    let _ = writeln!(text, "{}", heading(plan).bold());
    let _ = writeln!(text, "{}\n", fleet(plan).dimmed());
    for complaint in &plan.complaints {
        let line = one_line(&format!("{}: {}", complaint.place, complaint.message));
        let _ =
            writeln!(text, "{}", if complaint.is_error { line.red().to_string() } else { line.yellow().to_string() });
    }
    plan.policies.iter().for_each(|found| policy(&mut text, found));
    let changed = plan.addons.iter().filter(|addon| addon.change != Change::Unchanged);
    changed.for_each(|found| addon(&mut text, found, is_full));
    if let Some(rules) = &plan.rules {
        let _ = writeln!(text, "{}  {}", "rules".bold(), rules.digest);
        rules.changes.iter().for_each(|change| text.push_str(&format!("  {}\n", one_line(change))));
        let needs = match rules.needs.as_slice() {
            [] => "they take effect at once".to_owned(),
            needs => format!("they wait for {}", needs.join(", ")),
        };
        let _ = writeln!(text, "  {}", one_line(&needs));
    }
    if !plan.objects.is_empty() {
        let _ = writeln!(text, "{}", "other objects".bold());
        let most = if is_full { usize::MAX } else { OBJECTS };
        for object in plan.objects.iter().take(most) {
            let _ = writeln!(text, "  {} {}", sign(object.change), one_line(&object.object));
        }
        if plan.objects.len() > most {
            let _ = writeln!(text, "  ... and {} more; --full shows them", plan.objects.len() - most);
        }
        text.push('\n');
    }
    plan.notices.iter().for_each(|notice| text.push_str(&format!("note: {}\n", one_line(notice))));
    let _ = writeln!(text, "{}", summary(plan));
    text
}

fn policy(text: &mut String, found: &BrokenPolicy) {
    let line = one_line(&found.to_string());
    let _ = match (found.applies, found.severity) {
        (Applies::NextChange, _) => {
            writeln!(text, "{}", format!("{line}; it will apply from the next change").yellow())
        }
        (Applies::Now, PolicySeverity::Warning) => writeln!(text, "{}", line.yellow()),
        (Applies::Now, PolicySeverity::Error) => writeln!(text, "{}", line.red()),
    };
}

fn heading(plan: &Plan) -> String {
    let shown = |revision: &Revision| match &revision.commit {
        Some(commit) if commit.as_str().starts_with(&revision.name) => commit.short().to_string(),
        Some(commit) => format!("{} ({})", one_line(&revision.name), commit.short()),
        None => one_line(&revision.name),
    };
    format!("Plan: from {} to {}", shown(&plan.base), shown(&plan.head))
}

fn fleet(plan: &Plan) -> String {
    let as_of = plan.fleet.as_of.map(|at| format!(", as of {at}")).unwrap_or_default();
    format!("{} from {}{as_of}", counted(plan.fleet.clusters, "cluster"), plan.fleet.source)
}

fn summary(plan: &Plan) -> String {
    let count = |change: Change| plan.addons.iter().filter(|addon| addon.change == change).count();
    let parts = [
        (Change::Added, "added"),
        (Change::Changed, "changed"),
        (Change::Removed, "removed"),
        (Change::Blocked, "blocked"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(change, _)| count(*change) > 0)
        .map(|(change, word)| format!("{} {word}", count(change)))
        .collect();
    let total = plan.fleet.clusters;
    match plan.result {
        Verdict::Nothing => "Nothing changes.".green().to_string(),
        Verdict::Changes => {
            let addons = if parts.is_empty() {
                "no add-on changes".to_owned()
            } else {
                format!("add-ons: {}", parts.join(", "))
            };
            format!("{addons}; {} of {} change.", plan.clusters, counted(total, "cluster")).bold().to_string()
        }
        Verdict::Blocked => {
            let addons = if parts.is_empty() { String::new() } else { format!(" (add-ons: {})", parts.join(", ")) };
            format!("Blocked, see above{addons}; {} of {} change.", plan.clusters, counted(total, "cluster"))
                .red()
                .to_string()
        }
    }
}
