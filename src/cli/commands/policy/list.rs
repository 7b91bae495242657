//! `tidegate policy list`: the policies of a directory.

use serde_json::{Value, json};

use super::found::found;
use crate::cli::args::PolicyDirectory;
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::output::policy_table;
use crate::cli::process::Process;
use tidegate_repository::PlanPolicy;

/// Prints the policies.
///
/// # Errors
/// [`Failure::Findings`] if a policy cannot be used.
pub(super) fn run(process: &Process, args: &PolicyDirectory) -> Result<(), Failure> {
    let found = found(&args.path)?;
    match args.output {
        Some(output) => {
            let policies: Vec<Value> = found.policies.iter().map(document).collect();
            let document = json!({ "policies": policies, "complaints": found.complaints });
            process.say_line(printed(output, &document)?.trim_end())?;
        }
        None => {
            found.warn(process);
            process.say(&policy_table::table(&found.policies))?;
        }
    }
    if found.has_errors() { Err(Failure::Findings) } else { Ok(()) }
}

fn document(policy: &PlanPolicy) -> Value {
    let PlanPolicy { name, severity, addons, rule, message, remedy, tests, place, .. } = policy;
    json!({
        "name": name,
        "severity": severity,
        "addons": addons,
        "rule": rule,
        "message": message,
        "remedy": remedy,
        "tests": tests.len(),
        "place": place,
    })
}
