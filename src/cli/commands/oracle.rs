//! `tidegate oracle`: the engine's answers to recorded cases, line by line. Used to compare it with upstream.

use std::io::{self, BufRead, ErrorKind, Write};
use std::panic;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::cli::args::OracleArgs;
use crate::cli::failure::Failure;
use tidegate_oracle::{Area, answer};

/// Answers the cases of standard input on standard output.
pub(crate) fn run(args: &OracleArgs) -> Result<(), Failure> {
    match answers(args.area, io::stdin().lock(), io::stdout().lock()) {
        Ok(0) => Ok(()),
        Ok(_) => Err(Failure::Findings),
        // The reader has closed the pipe.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::Internal(format!("the cases cannot be answered: {error}"))),
    }
}

/// Writes one line for each input line, and returns how many of those were not cases.
fn answers(area: Area, mut cases: impl BufRead, mut out: impl Write) -> io::Result<usize> {
    let (mut line, mut number, mut refused) = (Vec::new(), 0_usize, 0);
    loop {
        line.clear();
        if cases.read_until(b'\n', &mut line)? == 0 {
            out.flush()?;
            return Ok(refused);
        }
        number += 1;
        let output = match answered(area, &line) {
            Ok(answer) => answer,
            Err(Refusal { name, why }) => {
                refused += 1;
                json!({ "name": name, "error": format!("line {number}: {why}") })
            }
        };
        serde_json::to_writer(&mut out, &output)?;
        out.write_all(b"\n")?;
    }
}

/// The used part of a case; its other fields are for the comparison.
#[derive(Deserialize)]
struct Case {
    name: String,
    input: Value,
}

/// Why a line has no answer, and the name of its case if it has one.
struct Refusal {
    name: Option<String>,
    why: String,
}

fn answered(area: Area, line: &[u8]) -> Result<Value, Refusal> {
    let case: Case = serde_json::from_slice(line.trim_ascii_end())
        .map_err(|error| Refusal { name: None, why: format!("this is not a case: {error}") })?;
    // One bad case must not prevent the answers to all that follow.
    let answered = panic::catch_unwind(|| answer(area, &case.input));
    let why = match answered {
        Ok(Ok(expected)) => return Ok(json!({ "name": case.name, "expected": expected })),
        Ok(Err(error)) => format!("this is not a case of area {area}: {error}"),
        Err(_) => "an internal error of tidegate".to_owned(),
    };
    Err(Refusal { name: Some(case.name), why })
}
