//! `tidegate trust`: who can get what onto a cluster, and which guard is off.

use std::fmt::Write as _;

use owo_colors::OwoColorize as _;
use serde_json::json;

use crate::cli::args::TrustArgs;
use crate::cli::compose;
use crate::cli::config::File;
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use crate::cli::repository::directory;
use tidegate_daemon::reconciler::source::{Commits, Rewrites};
use tidegate_model::line::one_line;
use tidegate_repository::trust::{OperatorFacts, Review, review};
use tidegate_repository::{AllowedKind, load_with};

/// Prints the page. Errors of the repository are findings, because nothing can be said about what cannot be read.
pub(crate) fn run(process: &Process, args: &TrustArgs) -> Result<(), Failure> {
    let file = File::read(args.operator.config.as_deref())?;
    let tree = directory::tree(&args.path)?;
    let loaded = load_with(&tree, "", &file.operator());
    for complaint in loaded.complaints.iter().filter(|complaint| complaint.is_error()) {
        process.warn_line(&complaint.to_string());
    }
    let found = review(&loaded, &facts(&file, args.operator.config.is_some())?);
    match args.output {
        Some(output) => process.say_line(&printed(output, &json!(found))?)?,
        None => process.say(&text(&found))?,
    }
    if loaded.complaints.iter().any(|complaint| complaint.is_error()) { Err(Failure::Findings) } else { Ok(()) }
}

fn facts(file: &File, has_file: bool) -> Result<OperatorFacts, Failure> {
    let floor = compose::floor(file)?;
    Ok(OperatorFacts {
        has_file,
        signed_commits: file.verify.commits.map(|commits| match commits {
            Commits::Tip => "tip",
            Commits::Every => "every",
        }),
        has_keys: !file.verify.trusted_keys.is_empty(),
        claimed_authors: file.approvals.claimed_authors,
        accepts_rewrites: file.verify.rewrites == Rewrites::Accept,
        signs_journal: file.journal.signing_key_file.is_some(),
        policies: floor.policies.len() + floor.operator.policies.len(),
        has_people: !file.people.is_empty(),
        delay: file.policies.delay.map(|span| format!("{} seconds", span.0.as_secs())),
        has_forge: file.forge.is_some(),
        has_commands: file.forge.as_ref().is_some_and(|forge| forge.commands),
        kinds: file.operator().kinds.iter().map(AllowedKind::to_string).collect(),
        adopts: file.operator().adopt.instances.iter().map(ToString::to_string).collect(),
    })
}

fn text(review: &Review) -> String {
    let mut text = format!("{}\n", "who can get what onto a cluster".bold());
    for way in &review.ways {
        let guards = if way.guards.is_empty() { vec!["nothing".to_owned()] } else { way.guards.clone() };
        // Writing into a String cannot fail.
        let _ = writeln!(text, "\n{}\n  who        {}", one_line(&way.what).bold(), one_line(&way.who));
        for (at, guard) in guards.iter().enumerate() {
            let _ = writeln!(text, "  {:<10} {}", if at == 0 { "guards" } else { "" }, one_line(guard));
        }
        let _ = writeln!(text, "  vouched    by {}", one_line(&way.vouched));
    }
    let _ = writeln!(text, "\n{}", "guards that are off".bold());
    if review.off.is_empty() {
        text.push_str("  none\n");
    }
    for guard in &review.off {
        let (name, means, remedy) = (one_line(&guard.guard), one_line(&guard.means), one_line(&guard.remedy));
        let _ = writeln!(text, "  {name}: {means}; {remedy}");
    }
    text
}
