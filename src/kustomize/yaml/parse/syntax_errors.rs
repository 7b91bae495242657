//! Messages for the parser's errors, with advice.

use granit_parser::{ErrorKind, ScanError};

/// Returns the message for a syntax error.
pub(crate) fn describe(error: &ScanError) -> String {
    let known = match error.kind() {
        ErrorKind::UnclosedFlowCollection { open } => return format!("the bracket {open} is not closed; close it"),
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            return format!("the bracket {open} is closed by {close}; close it with the matching one");
        }
        ErrorKind::UnexpectedCharacter { character } => {
            return format!("a string cannot start with {character}; put it in quotes");
        }
        kind => known(kind),
    };
    known.map_or_else(|| error.info().replace('\n', " "), str::to_owned)
}

/// Returns `true` if the message names the open bracket.
pub(crate) fn names_bracket(error: &ScanError) -> bool {
    matches!(error.kind(), ErrorKind::UnclosedFlowCollection { .. } | ErrorKind::MismatchedFlowCollectionEnd { .. })
}

fn known(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::UnknownAnchor => {
            "no anchor of this name comes before the alias in this document; write out the value"
        }
        ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabNotAllowed
        | ErrorKind::TabAtBlockScalarStart => "tabs are not allowed in indentation; use spaces",
        ErrorKind::TabInPlainScalar => "a tab continues this value on the next line; indent with spaces",
        ErrorKind::MappingValueNotAllowed => {
            "a key cannot end here; fix the indentation, or put quotes around text that contains a \":\""
        }
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => {
            "this is neither a key with a \":\" nor part of the value above; fix the indentation, or add the \":\""
        }
        ErrorKind::ExpectedBlockMappingKey => {
            "a key is not expected in this column, or something follows a value; fix the line or its indentation"
        }
        ErrorKind::UnclosedQuotedScalar => "the quote is not closed; close it",
        ErrorKind::InvalidQuotedScalarIndent => {
            "a quote above is still open here, and its text is not indented; close the quote, or indent the line"
        }
        ErrorKind::UnknownQuotedScalarEscape => "unknown escape sequence; write \\\\ for a \\, or use single quotes",
        ErrorKind::InvalidTrailingSingleQuotedScalar | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            "something follows the closing quote; put it inside the quotes"
        }
        ErrorKind::InvalidColonPlacement => {
            "a \":\" is not allowed here; close the bracket before it, or put quotes around text that contains a \":\""
        }
        ErrorKind::CommentNotSeparated => "a comment needs a space before its #",
        ErrorKind::CommentInterceptedScalar => "text continues after a comment; move the comment, or quote the text",
        ErrorKind::ExpectedFlowMappingSeparator | ErrorKind::ExpectedFlowSequenceSeparator => {
            "a \",\" or a closing bracket is missing here; put quotes around text that contains commas or brackets"
        }
        ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofImplicitFlowMapping => "a value or a closing bracket is missing here",
        ErrorKind::UnexpectedEofBlockMapping | ErrorKind::UnexpectedEofBlockSequence => {
            "a value cannot start like this; put it in quotes"
        }
        ErrorKind::BlockSequenceEntryNotAllowed => {
            "a list cannot start on this line; start it on a new line, or put quotes around text that starts with -"
        }
        ErrorKind::ExpectedDocumentStart => "a document was expected here; remove lines that start with %",
        _ => return None,
    })
}
