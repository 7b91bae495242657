//! `tidegate policy test`: runs the tests that are written next to the rules.

use serde_json::{Value, json};

use super::found::found;
use crate::cli::args::PolicyDirectory;
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use tidegate_model::line::one_line;
use tidegate_model::plural::counted;
use tidegate_repository::PlanPolicy;
use tidegate_review::policy::{TestResult, test, unusable};

/// Prints the result of every test.
///
/// # Errors
/// [`Failure::Findings`] if a test fails, or a policy cannot be used.
pub(super) fn run(process: &Process, args: &PolicyDirectory) -> Result<(), Failure> {
    let found = found(&args.path)?;
    let results: Vec<(&PlanPolicy, Vec<TestResult<'_>>)> =
        found.policies.iter().map(|policy| (policy, test(policy))).collect();
    let all = results.iter().flat_map(|(_, tests)| tests);
    let (tests, failed) = (all.clone().count(), all.filter(|result| result.problem.is_some()).count());
    let untested = results.iter().filter(|(_, tests)| tests.is_empty());
    let unusable: Vec<String> = untested.filter_map(|(policy, _)| useless(policy)).collect();
    match args.output {
        Some(output) => {
            let document = json!({
                "policies": results.iter().map(document).collect::<Vec<_>>(),
                "complaints": found.complaints,
                "unusable": unusable,
                "tests": tests,
                "failed": failed,
            });
            process.say_line(printed(output, &document)?.trim_end())?;
        }
        None => {
            found.warn(process);
            for (policy, tests) in &results {
                for_people(process, policy, tests)?;
            }
            for problem in &unusable {
                process.say_line(&one_line(problem))?;
            }
            let failures = if failed == 0 { "all passed".to_owned() } else { format!("{failed} failed") };
            let policies = match results.len() {
                1 => "1 policy".to_owned(),
                number => format!("{number} policies"),
            };
            process.say_line(&format!("{policies}, {}: {failures}", counted(tests, "test")))?;
        }
    }
    if failed > 0 || !unusable.is_empty() || found.has_errors() { Err(Failure::Findings) } else { Ok(()) }
}

/// Returns what is wrong with the rule of a policy without tests.
fn useless(policy: &PlanPolicy) -> Option<String> {
    let why = unusable(policy)?;
    Some(format!("{}: {}: the rule cannot be evaluated: it {why}", policy.place, policy.name))
}

fn for_people(process: &Process, policy: &PlanPolicy, results: &[TestResult<'_>]) -> Result<(), Failure> {
    for result in results {
        if let Some(problem) = &result.problem {
            let (place, test) = (&result.test.place, &result.test.name);
            process.say_line(&one_line(&format!("{place}: {}: test {test:?} failed: {problem}", policy.name)))?;
        }
    }
    let passed = results.iter().filter(|result| result.problem.is_none()).count();
    process.say_line(&format!("{}: {passed} of {} passed", policy.name, counted(results.len(), "test")))?;
    if results.is_empty() {
        process.warn_line(&format!(
            "{}: policy {} has no tests; add an example that passes and one that fails",
            policy.place, policy.name
        ));
    }
    Ok(())
}

fn document((policy, results): &(&PlanPolicy, Vec<TestResult<'_>>)) -> Value {
    let result = |result: &TestResult<'_>| {
        let mut document = json!({
            "name": result.test.name,
            "place": result.test.place,
            "passed": result.problem.is_none(),
        });
        if let Some(problem) = &result.problem {
            document["problem"] = json!(problem);
        }
        document
    };
    json!({ "name": policy.name, "place": policy.place, "tests": results.iter().map(result).collect::<Vec<_>>() })
}
