//! The plan of a change as text for a terminal.

use std::fmt::Write as _;

use owo_colors::OwoColorize as _;

use tidegate_model::line::one_line;
use tidegate_model::plural::counted;
use tidegate_repository::PolicySeverity;
use tidegate_review::proposal::document::{
    Action, AddonPlan, Applies, BrokenPolicy, Change, Class, ObjectChange, Plan, Verdict, Wave,
};

/// The number of classes whose differences are shown.
const CLASSES: usize = 5;
/// The number of lines of a difference that are shown.
const LINES: usize = 40;
/// The number of other objects that are shown.
const OBJECTS: usize = 20;
/// The width of a bar in characters.
const WIDTH: usize = 24;

/// Returns a plan. Differences are folded unless all are asked for.
pub(crate) fn text(plan: &Plan, is_full: bool) -> String {
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
    let shown = |revision: &tidegate_review::proposal::document::Revision| match &revision.commit {
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

fn sign(change: Change) -> String {
    match change {
        Change::Added => "+".green().to_string(),
        Change::Removed => "-".red().to_string(),
        Change::Changed => "~".yellow().to_string(),
        Change::Blocked => "!".red().to_string(),
        Change::Unchanged => "=".to_owned(),
    }
}

fn addon(text: &mut String, addon: &AddonPlan, is_full: bool) {
    let side = |side: &Option<tidegate_review::proposal::document::AddonSide>| {
        side.as_ref().map(|side| (one_line(&side.version), side.digest.clone()))
    };
    let (from, to) = (side(&addon.base), side(&addon.head));
    let arrow = |from: Option<String>, to: Option<String>| match (from, to) {
        (Some(from), Some(to)) if from == to => from,
        (from, to) => format!("{} → {}", from.unwrap_or_else(|| "–".to_owned()), to.unwrap_or_else(|| "–".to_owned())),
    };
    let versions = arrow(from.clone().map(|side| side.0), to.clone().map(|side| side.0));
    let digests = arrow(from.map(|side| side.1), to.map(|side| side.1));
    let _ = writeln!(
        text,
        "{} {} {versions}  {}",
        sign(addon.change),
        addon.name.bold(),
        format!("digest {digests}").dimmed()
    );
    for blocked in &addon.blocked {
        let _ = writeln!(text, "    {} {}", "blocked:".red(), one_line(blocked));
    }
    for setting in &addon.settings {
        let value = |value: &Option<String>| value.as_deref().map_or_else(|| "–".to_owned(), one_line);
        let _ = writeln!(
            text,
            "    {} {}: {} → {}",
            setting.of,
            setting.field,
            value(&setting.from).red(),
            value(&setting.to).green()
        );
    }
    for overlap in &addon.overlaps {
        let _ = writeln!(
            text,
            "    {} of placement {} belong to {}, which is later in the list",
            counted(overlap.clusters, "cluster"),
            overlap.placement,
            overlap.winner
        );
    }
    for (place, found) in addon.classes.iter().enumerate() {
        class(text, (place, found), is_full || place < CLASSES);
    }
    if addon.unchanged > 0 {
        let _ = writeln!(text, "    {}", format!("{} unchanged", counted(addon.unchanged, "cluster")).dimmed());
    }
    waves(text, addon);
    for permission in &addon.permissions {
        let _ = writeln!(text, "    its agents get {}", one_line(permission));
    }
    if let Some(works) = &addon.works {
        let share = works.largest * 100 / works.limit.max(1);
        let size = format!(
            "{} per cluster, the largest has {} bytes ({share} % of the limit)",
            counted(works.works, "work"),
            works.largest
        );
        let _ = writeln!(text, "    {}", size.dimmed());
    }
    text.push('\n');
}

fn class(text: &mut String, (place, class): (usize, &Class), is_shown: bool) {
    let action = match class.action {
        Action::Blocked => "blocked".red().to_string(),
        Action::Install => "install".green().to_string(),
        Action::Update => "update".yellow().to_string(),
        Action::Remove => "remove".red().to_string(),
        Action::Move => "move".cyan().to_string(),
    };
    let labels = if class.labels.is_empty() { String::new() } else { format!(" ({})", class.labels.join(", ")) };
    let _ = writeln!(
        text,
        "    {} {action} {}{}: {}",
        format!("class {}", place + 1).bold(),
        counted(class.clusters, "cluster"),
        one_line(&labels),
        one_line(&class.names)
    );
    if let Some(reason) = &class.reason {
        let _ = writeln!(text, "        {}", one_line(reason));
    }
    if !class.groups.is_empty() && class.clusters > 1 {
        let groups: Vec<String> =
            class.groups.iter().map(|g| format!("{} {}", one_line(&g.group), g.clusters)).collect();
        let _ = writeln!(text, "        {}", groups.join(" · ").dimmed());
    }
    for change in &class.objects {
        object(text, change, is_shown);
    }
}

fn object(text: &mut String, change: &ObjectChange, is_shown: bool) {
    let counts = match &change.diff {
        None => "(values not shown)".to_owned(),
        Some(_) => format!("{} {}", format!("+{}", change.added).green(), format!("-{}", change.removed).red()),
    };
    let _ = writeln!(text, "        {} {}  {counts}", sign(change.change), one_line(&change.object));
    // A whole object that is added or removed says little line by line.
    let Some(diff) = change.diff.as_deref().filter(|_| is_shown && change.change == Change::Changed) else { return };
    let lines: Vec<&str> = diff.lines().collect();
    for line in lines.iter().take(LINES) {
        let shown = one_line(line);
        let shown = match line.chars().next() {
            Some('+') => shown.green().to_string(),
            Some('-') => shown.red().to_string(),
            Some('@') => shown.cyan().to_string(),
            _ => shown.dimmed().to_string(),
        };
        let _ = writeln!(text, "          {shown}");
    }
    if lines.len() > LINES {
        let _ = writeln!(text, "          ... and {} more lines; --full shows them", lines.len() - LINES);
    }
}

fn waves(text: &mut String, addon: &AddonPlan) {
    if addon.waves.is_empty() {
        return;
    }
    let total: usize = addon.waves.iter().map(|wave| wave.clusters).sum();
    let _ = writeln!(text, "    {}", "waves".bold());
    for (place, wave) in addon.waves.iter().enumerate() {
        let before = addon.waves.iter().take(place).map(|wave| wave.clusters).sum();
        let _ = writeln!(
            text,
            "      {:<16} {} {:>6}, {} at once, {}",
            wave_label((&wave.placement, &wave.group), addon.waves.iter().map(|other| other.placement.as_str())),
            bar(before, wave.clusters, total).cyan(),
            wave.clusters,
            wave.at_once,
            times(wave, addon)
        );
    }
    if !addon.gates.is_empty() {
        let _ = writeln!(text, "      gates: {}", one_line(&addon.gates.join(" · ")));
    }
    let earliest = addon.earliest.as_deref().unwrap_or("0s");
    let expected = addon.expected.as_deref();
    let expected =
        expected.map(|expected| format!("; {expected} if clusters take as long as before")).unwrap_or_default();
    let _ = writeln!(text, "      done {earliest} after the merge at the earliest{expected}");
}

/// Returns the group of a wave, with its placement if the waves have several.
pub(super) fn wave_label<'a>((placement, group): (&str, &str), mut all: impl Iterator<Item = &'a str>) -> String {
    if all.all(|other| other == placement) { one_line(group) } else { one_line(&format!("{placement}: {group}")) }
}

fn times(wave: &Wave, addon: &AddonPlan) -> String {
    if let (Some(starts), Some(done)) = (&wave.expected_start, &wave.expected_done) {
        return format!("starts after {starts}, done after {done}");
    }
    let mut before = addon.waves.iter().filter(|other| other.placement == wave.placement && other.stage < wave.stage);
    let at_least = format!("{} after the merge at the earliest", wave.starts);
    match (before.next_back(), wave.starts.as_str()) {
        (None, "0s") => "starts at the merge".to_owned(),
        (None, _) => format!("starts {at_least}"),
        (Some(before), "0s") => format!("starts after {}", one_line(&before.group)),
        (Some(before), _) => format!("starts after {}, {at_least}", one_line(&before.group)),
    }
}

/// Returns a bar in which a part is filled.
fn bar(before: usize, part: usize, total: usize) -> String {
    let scale = |clusters: usize| clusters * WIDTH / total.max(1);
    let (begin, end) = (scale(before), scale(before + part).max(scale(before) + 1).min(WIDTH));
    (0..WIDTH).map(|place| if (begin..end).contains(&place) { '█' } else { '·' }).collect()
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
