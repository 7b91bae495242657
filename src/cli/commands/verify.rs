//! `tidegate verify-history`: checks that every commit of the journal is one that Tidegate would make.

use serde_json::json;

use crate::audit::commit::Options;
use crate::audit::{Verdict, Verifier};
use crate::cli::args::VerifyArgs;
use crate::cli::compose;
use crate::cli::failure::Failure;
use crate::cli::journal::archive::History;
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use tidegate_model::plural::counted;
use tidegate_signature::Store;

/// Checks the chain of commits and prints the findings. With findings, the exit code is 1.
pub(crate) fn run(process: &Process, args: &VerifyArgs) -> Result<(), Failure> {
    let history = History::open(&args.source)?;
    let keys = keys(args)?;
    let options = Options {
        is_shared: history.is_shared,
        keys: keys.as_ref(),
        require_signatures: !args.allow_unsigned,
        ..Options::default()
    };
    let mut verifier = Verifier::new(options);
    history.walk(|_| true, |link| verifier.follow(link))?;
    let verdict = verifier.verdict();
    report(process, args, &history, &verdict)?;
    if verdict.findings.is_empty() { Ok(()) } else { Err(Failure::Findings) }
}

/// Reads the files of trusted keys, if any are named. A file without keys is refused: no signature could be good.
fn keys(args: &VerifyArgs) -> Result<Option<Store>, Failure> {
    for path in &args.trusted_keys {
        if compose::keys(std::slice::from_ref(path))?.is_empty() {
            return Err(Failure::Usage(format!(
                "the file {} contains no trusted keys: name a file of allowed signers (`tidegate@localhost ssh-ed25519 AAAA...`) or an OpenPGP keyring",
                path.display()
            )));
        }
    }
    (!args.trusted_keys.is_empty()).then(|| compose::keys(&args.trusted_keys)).transpose()
}

fn report(process: &Process, args: &VerifyArgs, history: &History, verdict: &Verdict) -> Result<(), Failure> {
    let Verdict { commits, ours, signed, sealed, is_cut, findings } = verdict;
    if let Some(output) = args.output {
        let document = json!({
            "apiVersion": tidegate_core::journal::record::API_VERSION,
            "kind": "Verification",
            "branch": history.branch,
            "tip": history.tip,
            "commits": commits,
            "byTidegate": ours,
            "signed": signed,
            "sealedRollouts": sealed,
            "shallow": is_cut,
            "findings": findings,
        });
        return process.say_line(&printed(output, &document)?);
    }
    findings.iter().try_for_each(|finding| process.say_line(&finding.to_string()))?;
    if *is_cut {
        process.warn_line(
            "the clone is shallow: nothing before its first commit was checked; `git fetch --unshallow` fetches the whole history",
        );
    }
    let signatures = match args.trusted_keys.as_slice() {
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
