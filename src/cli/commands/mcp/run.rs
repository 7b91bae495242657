//! The loop over standard input.

use std::io::{BufRead, BufReader, Read as _};

use serde_json::{Map, Value, json};

use super::protocol::{Message, Wanted};
use super::tools::{self, Mistake};
use crate::cli::args::McpArgs;
use crate::cli::commands::ui::JournalArchive;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use tidegate_daemon::monitor::page::{Pages, Unavailable, no_entry};
use tidegate_model::time::Timestamp;
use tidegate_page::{NotFound, document};

/// The longest line that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// Answers the lines of standard input until it ends.
pub(crate) async fn run(process: &Process, args: McpArgs) -> Result<(), Failure> {
    let pages = Pages::new(JournalArchive::checked(args.source).await?);
    let mut input = BufReader::new(std::io::stdin());
    while let Some(line) = line(&mut input).map_err(|error| Failure::internal(&error))? {
        if let Some(answer) = answer(&line, &pages, process.clock().now()).await {
            process.say_line(&answer.to_string())?;
        }
    }
    Ok(())
}

/// Reads a line; `None` at the end. The end of a line that is too long is skipped, and what is left is no JSON.
fn line(input: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') && read as u64 == LONGEST {
        input.skip_until(b'\n')?;
    }
    Ok(Some(line))
}

async fn answer(line: &[u8], pages: &Pages, now: Timestamp) -> Option<Value> {
    if line.trim_ascii().is_empty() {
        return None;
    }
    let request = match Message::read(line) {
        Message::Request(request) => request,
        Message::Notification => return None,
        Message::Invalid(answer) => return Some(answer),
    };
    Some(match request.wanted() {
        Wanted::Answer(result) => request.answer(&result),
        Wanted::Tools => request.answer(&tools::list()),
        Wanted::Unknown => request.unknown(),
        Wanted::Call { name, arguments } => match called(&name, &arguments, pages, now).await {
            Ok(document) => request.answer(&content(&document.to_string(), Some(&document))),
            Err(Mistake::Tool(why)) => request.invalid(&why),
            Err(Mistake::Arguments(why)) => request.answer(&content(&why, None)),
        },
    })
}

/// Returns the document that answers a call.
async fn called(name: &str, arguments: &Map<String, Value>, pages: &Pages, now: Timestamp) -> Result<Value, Mistake> {
    let (path, query) = tools::page(name, arguments)?;
    let at = query.get("at");
    let found = pages.at(at).await.map_err(|Unavailable(why)| Mistake::Arguments(why))?;
    let facts = found.ok_or_else(|| Mistake::Arguments(no_entry(at)))?;
    let now = if at.is_empty() { now.max(facts.moment.at) } else { facts.moment.at };
    let document = document(&facts, &path, &query, now).map_err(|NotFound(why)| Mistake::Arguments(why))?;
    serde_json::to_value(&document).map_err(|error| Mistake::Arguments(error.to_string()))
}

/// Returns the result of a call. Without a document, the text is a mistake.
fn content(text: &str, document: Option<&Value>) -> Value {
    let content = json!([{"type": "text", "text": text}]);
    match document {
        Some(document) => json!({"content": content, "structuredContent": document, "isError": false}),
        None => json!({"content": content, "isError": true}),
    }
}
