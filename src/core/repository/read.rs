//! Reads one YAML or JSON file into documents, within limits.

use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::{Error, MessageFormatter as _, Options, UserMessageFormatter};

use super::node::{Mark, Node};

/// Maximum size of a file. No manifest needs more: etcd refuses objects above 1.5 MiB, and the largest CRDs in use have
/// 0.8 MB.
const MAX_FILE_BYTES: usize = 1 << 20;
/// Maximum number of documents in a file. A file with more is generated, and can be split by its generator.
const MAX_DOCUMENTS: usize = 1000;
/// Maximum nesting depth. CRDs, the deepest manifests in use, nest about 40 levels, and each level costs stack while
/// parsing.
const MAX_DEPTH: usize = 64;
/// The parser's message for flow collections above the same depth; it has no error variant for that.
const PARSER_TOO_DEEP: &str = "recursion limit exceeded";
/// Maximum number of nodes after aliases are expanded. A file of the allowed size without aliases stays below: a node
/// takes at least four bytes.
const MAX_NODES: usize = 300_000;
/// Maximum bytes of scalars after aliases are expanded: far more than a file of the allowed size holds without aliases.
const MAX_SCALAR_BYTES: usize = 8 << 20;

/// The reason why a file could not be read.
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
        // As in kubectl, whose YAML parser reads 0777 as 511.
        legacy_octal_numbers: true,
        emit_comments: false,
        with_snippet: false,
    }
}

/// Reads the documents of a file, without empty ones.
///
/// # Errors
/// [`Unreadable`] if any part of the file is not YAML, or the file exceeds a limit: half a file is no basis for decisions.
pub(super) fn documents(bytes: &[u8]) -> Result<Vec<Node>, Unreadable> {
    if bytes.len() > MAX_FILE_BYTES {
        let message = format!("the file has {} bytes, but at most {MAX_FILE_BYTES} are allowed; split it", bytes.len());
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
            "the aliases expand beyond the limit; write out the values".to_owned()
        }
        error => {
            let message = UserMessageFormatter.format_message(error).replace('\n', " ");
            if message == PARSER_TOO_DEEP {
                return Unreadable { mark, message: too_deep() };
            }
            let line = text.lines().nth(mark.line.saturating_sub(1) as usize).unwrap_or_default();
            let hint = if line.contains("{{") { "; put quotes around a value that starts with \"{{\"" } else { "" };
            format!("invalid YAML: {message}{hint}")
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
            format!("the file has more than {MAX_NODES} nodes after its aliases are expanded; split it")
        }
        BudgetBreach::ScalarBytes { .. } => {
            format!("the file has more than {MAX_SCALAR_BYTES} bytes of text after its aliases are expanded; split it")
        }
        _ => "the file has too many anchors and aliases; write out the values".to_owned(),
    }
}
