//! `tidegate history --verify`: checks that every commit of the journal is one that Tidegate would make.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::json;

use crate::audit::commit::Options;
use crate::audit::proof::{Proof, prove};
use crate::audit::{Verdict, Verifier};
use crate::cli::args::HistoryArgs;
use crate::cli::compose;
use crate::cli::failure::Failure;
use crate::cli::journal::archive::History;
use crate::cli::journal::evidence::{Clone, Trusted};
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use tidegate_model::line::one_line;
use tidegate_model::plural::counted;
use tidegate_signature::Store;

/// Checks the chain of commits and what it records, and prints the findings. With findings, the exit code is 1.
pub(crate) fn run(process: &Process, args: &HistoryArgs) -> Result<(), Failure> {
    let (source, _) = compose::source_or_here(&args.source)?;
    let history = History::open_with_followed(&args.source)?;
    let journal_keys = keys(&args.journal_keys)?;
    let named = if args.trusted_keys.is_empty() { &source.file.verify.trusted_keys } else { &args.trusted_keys };
    let trusted = Trusted {
        keys: keys(named)?,
        floor: args.source.config.as_ref().map(|_| compose::floor(&source.file)).transpose()?,
        path: source.file.source.path.clone().unwrap_or_default(),
        claimed_authors: source.file.approvals.claimed_authors,
    };
    let options = Options { is_shared: history.is_shared, keys: journal_keys.as_ref(), ..Options::default() };
    let mut verifier = Verifier::new(options);
    history.walk(|_| true, |link| verifier.follow(link))?;
    let (mut verdict, claims) = verifier.finish();
    let Proof { findings, mut unchecked } = prove(&claims, &mut Clone::new(&history, trusted));
    verdict.findings.extend(findings);
    unchecked.extend(unproven(&verdict, journal_keys.is_some()));
    report(process, args, &history, &verdict, &unchecked)?;
    if verdict.findings.is_empty() { Ok(()) } else { Err(Failure::Findings) }
}

/// Returns what is believed of the journal.
fn unproven(verdict: &Verdict, has_keys: bool) -> Option<String> {
    if !has_keys {
        return Some(
            "who wrote the journal: it is believed about which clusters started and when, what people said on the forge, and since when rules \
             wait; give its keys with --journal-keys"
                .to_owned(),
        );
    }
    let first = counted(verdict.unsigned, "commit");
    (verdict.unsigned > 0 && verdict.signed > 0)
        .then(|| format!("who wrote the first {first} of the journal: the ones after them are signed"))
}

/// Reads files of keys, if any are named. A file without keys is refused: no signature could be good.
fn keys(files: &[PathBuf]) -> Result<Option<Store>, Failure> {
    for path in files {
        if compose::keys(std::slice::from_ref(path))?.is_empty() {
            return Err(Failure::Usage(format!(
                "the file {} contains no trusted keys: name a file of allowed signers (`tidegate@localhost ssh-ed25519 AAAA...`) or an OpenPGP keyring",
                path.display()
            )));
        }
    }
    (!files.is_empty()).then(|| compose::keys(files)).transpose()
}

fn report(
    process: &Process,
    args: &HistoryArgs,
    history: &History,
    verdict: &Verdict,
    unchecked: &BTreeSet<String>,
) -> Result<(), Failure> {
    let Verdict { commits, ours, signed, unsigned: _, sealed, is_cut, findings } = verdict;
    if let Some(output) = args.output {
        let document = json!({
            "apiVersion": tidegate_journal::record::API_VERSION,
            "kind": "Verification",
            "branch": history.branch,
            "tip": history.tip,
            "commits": commits,
            "byTidegate": ours,
            "signed": signed,
            "sealedRollouts": sealed,
            "shallow": is_cut,
            "findings": findings,
            "unchecked": unchecked,
        });
        return process.say_line(&printed(output, &document)?);
    }
    findings.iter().try_for_each(|finding| process.say_line(&finding.to_string()))?;
    if *is_cut {
        process.warn_line(
            "the clone is shallow: nothing before its first commit was checked; `git fetch --unshallow` fetches the whole history",
        );
    }
    unchecked.iter().for_each(|why| process.warn_line(&format!("not checked: {}", one_line(why))));
    let signatures = match args.journal_keys.as_slice() {
        [] => String::new(),
        _ => format!("; {signed} of {} signed", counted(*commits, "commit")),
    };
    process.say_line(&format!(
        "{} at {}: {}, {}: {}{signatures}",
        history.branch,
        history.tip.short(),
        counted(*commits, "commit"),
        counted(*sealed, "sealed rollout"),
        if findings.is_empty() { "no problems found".to_owned() } else { counted(findings.len(), "finding") }
    ))
}
