//! Reading one YAML or JSON file into documents, within limits.

use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::{Error, MessageFormatter as _, Options, UserMessageFormatter};

use super::node::{Mark, Node};

/// No manifest needs more: etcd refuses objects above 1.5 MiB, and the largest CRDs in use have 0.8 MB.
const MAX_FILE_BYTES: usize = 1 << 20;
/// A file of this many objects is generated, and can be generated as several.
const MAX_DOCUMENTS: usize = 1000;
/// CRDs, the deepest manifests in use, nest about 40 levels. Each level costs stack while parsing.
const MAX_DEPTH: usize = 64;
/// What the parser says of flow collections above the same depth; it has no variant of its own for that.
const PARSER_TOO_DEEP: &str = "recursion limit exceeded";
/// Nodes after the aliases are followed. Plain text of the allowed size stays below: a node takes four bytes at least.
const MAX_NODES: usize = 300_000;
/// Text after the aliases are followed: far above what a file of the allowed size holds by itself.
const MAX_SCALAR_BYTES: usize = 8 << 20;

/// Why a file could not be read.
#[derive(Debug)]
pub(super) struct Unreadable {
    pub(super) mark: Mark,
    pub(super) message: String,
}

fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_documents: MAX_DOCUMENTS,
            max_depth: MAX_DEPTH,
            flow_nesting_limit: MAX_DEPTH,
            max_nodes: MAX_NODES,
            max_total_scalar_bytes: MAX_SCALAR_BYTES,
        },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: MAX_NODES, max_replay_stack_depth: 16 },
        // As in kubectl, whose reader of YAML takes 0777 for 511.
        legacy_octal_numbers: true,
        emit_comments: false,
        with_snippet: false,
    }
}

/// Reads the documents of a file; empty ones are left out.
///
/// # Errors
/// [`Unreadable`] if anything in the file is no YAML, or the file is above a limit: half a file is no basis for decisions.
pub(super) fn documents(bytes: &[u8]) -> Result<Vec<Node>, Unreadable> {
    if bytes.len() > MAX_FILE_BYTES {
        let message = format!("the file has {} bytes, and at most {MAX_FILE_BYTES} are read; split it", bytes.len());
        return Err(Unreadable { mark: Mark::START, message });
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let mark = Mark::of_offset(&String::from_utf8_lossy(valid), valid.len());
        Unreadable { mark, message: "the file is not UTF-8 text from here on; save it as UTF-8".to_owned() }
    })?;
    serde_saphyr::from_multiple_with_options(text, options()).map_err(|error| unreadable(&error, text))
}

fn unreadable(error: &Error, text: &str) -> Unreadable {
    let mark = error.location().map_or(Mark::START, Mark::from);
    let mut error = error.without_snippet();
    while let Error::AliasError { error: inner, .. } = error {
        error = inner;
    }
    let message = match error {
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            format!("{key:?} is given twice in one mapping; remove one of the two")
        }
        Error::Budget { breach, .. } => over_budget(breach),
        Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => {
            "the aliases unfold to more than is read; write it out".to_owned()
        }
        error => {
            let message = UserMessageFormatter.format_message(error).replace('\n', " ");
            if message == PARSER_TOO_DEEP {
                return Unreadable { mark, message: too_deep() };
            }
            let line = text.lines().nth(mark.line.saturating_sub(1) as usize).unwrap_or_default();
            let hint = if line.contains("{{") { "; put quotes around a value that begins with \"{{\"" } else { "" };
            format!("this is no YAML: {message}{hint}")
        }
    };
    Unreadable { mark, message }
}

fn too_deep() -> String {
    format!("the file nests deeper than {MAX_DEPTH} levels; flatten it")
}

fn over_budget(breach: &BudgetBreach) -> String {
    match breach {
        BudgetBreach::Documents { .. } => format!("the file has more than {MAX_DOCUMENTS} documents; split it"),
        BudgetBreach::Depth { .. } => too_deep(),
        BudgetBreach::Nodes { .. } | BudgetBreach::Events { .. } => {
            format!("the file has more than {MAX_NODES} nodes after its aliases are followed; split it")
        }
        BudgetBreach::ScalarBytes { .. } => {
            format!("the file has more than {MAX_SCALAR_BYTES} bytes of text after its aliases are followed; split it")
        }
        _ => "the file has more anchors and aliases than is read; write it out".to_owned(),
    }
}
