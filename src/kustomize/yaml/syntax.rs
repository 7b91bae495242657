//! What the parser finds wrong, in words that say what would be right.

use granit_parser::{ErrorKind, ScanError};

/// Returns what is wrong with the syntax.
pub(super) fn words(error: &ScanError) -> String {
    let known = match error.kind() {
        ErrorKind::UnclosedFlowCollection { open } => return format!("the bracket {open} is not closed; close it"),
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            return format!("the bracket {open} is closed by {close}; close it with its own");
        }
        ErrorKind::UnexpectedCharacter { character } => {
            return format!("text cannot begin with {character}; put it in quotes");
        }
        kind => known(kind),
    };
    known.map_or_else(|| error.info().replace('\n', " "), str::to_owned)
}

/// Returns `true` if the words name the bracket that is open.
pub(super) fn names_bracket(error: &ScanError) -> bool {
    matches!(error.kind(), ErrorKind::UnclosedFlowCollection { .. } | ErrorKind::MismatchedFlowCollectionEnd { .. })
}

fn known(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::UnknownAnchor => {
            "no anchor of this name stands before the alias in this document; write the value out"
        }
        ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabNotAllowed
        | ErrorKind::TabAtBlockScalarStart => "tabs do not indent; use blanks",
        ErrorKind::MappingValueNotAllowed => {
            "a key cannot end here; fix the indentation, or put quotes around text that holds a \":\""
        }
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => {
            "this is neither a key with a \":\" nor part of the value above; fix the indentation, or add the \":\""
        }
        ErrorKind::ExpectedBlockMappingKey => {
            "no key was expected in this column, or something stands behind a value; fix the line or its indentation"
        }
        ErrorKind::UnclosedQuotedScalar => "the quote is not closed; close it",
        ErrorKind::InvalidQuotedScalarIndent => {
            "a quote above is still open here, and its text is not indented; close the quote, or indent the line"
        }
        ErrorKind::UnknownQuotedScalarEscape => {
            "no escape is written like this; write \\\\ for a \\, or use single quotes"
        }
        ErrorKind::InvalidTrailingSingleQuotedScalar | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            "something stands behind the quoted text; put it inside of the quotes"
        }
        ErrorKind::InvalidColonPlacement => {
            "a \":\" cannot stand here; close the bracket before it, or put quotes around text that holds a \":\""
        }
        ErrorKind::CommentNotSeparated => "a comment needs a blank before its #",
        ErrorKind::CommentInterceptedScalar => "text goes on behind a comment; move the comment, or quote the text",
        ErrorKind::ExpectedFlowMappingSeparator | ErrorKind::ExpectedFlowSequenceSeparator => {
            "a \",\" or a closing bracket is missing here; put quotes around text that holds commas or brackets"
        }
        ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofImplicitFlowMapping => "a value or a closing bracket is missing here",
        ErrorKind::UnexpectedEofBlockMapping | ErrorKind::UnexpectedEofBlockSequence => {
            "a value cannot begin like this; put it in quotes"
        }
        ErrorKind::BlockSequenceEntryNotAllowed => {
            "a list cannot begin in this line; begin a line of its own, or put quotes around text that begins with -"
        }
        ErrorKind::ExpectedDocumentStart => "a document was expected here; remove lines that begin with %",
        _ => return None,
    })
}
