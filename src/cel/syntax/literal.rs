//! Literals.

use super::cursor::{Parser, Rule, Stop};
use super::token::{self, EXPRESSION, NOT, Set, TokenKind};
use super::tree::{Kind, Literal, NodeId};
use tidegate_go::float::parse_float;

/// Tokens that can start a literal.
const FIRST: Set = EXPRESSION
    .without(NOT)
    .without(token::LEFT_BRACKET)
    .without(token::LEFT_BRACE)
    .without(token::LEFT_PAREN)
    .without(token::DOT)
    .without(token::IDENTIFIER);

impl Parser<'_> {
    pub(super) fn literal(&mut self, follow: Set) -> Result<NodeId, Stop> {
        let broken = self.broken();
        self.rule(Rule::Literal, follow, broken, |parser, node| {
            parser.choose(256, FIRST)?;
            let at = parser.here();
            let negative = parser.peek(0) == token::MINUS;
            if negative {
                parser.take();
            }
            let token = parser.take();
            let text = parser.text(token);
            *node = match constant(token.kind, negative, &text) {
                Ok(literal) => parser.tree.add(Kind::Literal(literal), Some(at)),
                Err(problem) => {
                    parser.problems.add(Some(at), problem);
                    parser.broken()
                }
            };
            Ok(())
        })
    }
}

fn constant(token: TokenKind, negative: bool, text: &str) -> Result<Literal, &'static str> {
    let sign = if negative { "-" } else { "" };
    match token {
        token::INT => {
            let (digits, radix) = text.strip_prefix("0x").map_or((text, 10), |digits| (digits, 16));
            let value = i64::from_str_radix(&format!("{sign}{digits}"), radix);
            value.map(Literal::Int).map_err(|_| "invalid int literal")
        }
        token::UINT => {
            let digits = text.trim_end_matches(['u', 'U']);
            let (digits, radix) = digits.strip_prefix("0x").map_or((digits, 10), |digits| (digits, 16));
            u64::from_str_radix(digits, radix).map(Literal::Uint).map_err(|_| "invalid uint literal")
        }
        token::FLOAT => {
            parse_float(&format!("{sign}{text}")).map(Literal::Double).map_err(|_| "invalid double literal")
        }
        token::STRING => unescape(text, false).map(|bytes| match String::from_utf8(bytes) {
            Ok(text) => Literal::String(text.into()),
            // Every escape sequence of a string is a whole character.
            Err(error) => Literal::String(String::from_utf8_lossy(error.as_bytes()).into()),
        }),
        token::BYTES => unescape(text.get(1..).unwrap_or_default(), true).map(|bytes| Literal::Bytes(bytes.into())),
        token::TRUE => Ok(Literal::Bool(true)),
        token::FALSE => Ok(Literal::Bool(false)),
        _ => Ok(Literal::Null),
    }
}

const BROKEN: &str = "unable to unescape string";

/// Removes the quotes of a string and resolves its escape sequences.
fn unescape(quoted: &str, bytes: bool) -> Result<Vec<u8>, &'static str> {
    let text = quoted.replace("\r\n", "\n").replace('\r', "\n");
    let (raw, text) = match text.strip_prefix(['r', 'R']) {
        Some(rest) => (true, rest),
        None => (false, text.as_str()),
    };
    let inner = ["\"\"\"", "'''", "\"", "'"].iter().find_map(|quote| {
        let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
        Some(inner)
    });
    let inner = inner.ok_or(BROKEN)?;
    if raw {
        return Ok(inner.as_bytes().to_vec());
    }
    let mut out = Vec::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        let piece = match c {
            '\\' => escaped(&mut chars, bytes)?,
            c => Piece::Char(c),
        };
        match piece {
            Piece::Byte(byte) => out.push(byte),
            Piece::Char(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Ok(out)
}

enum Piece {
    Byte(u8),
    Char(char),
}

fn escaped(chars: &mut std::str::Chars<'_>, bytes: bool) -> Result<Piece, &'static str> {
    let plain = |c| Ok(Piece::Char(c));
    let (first, count, radix) = match chars.next() {
        Some('a') => return plain('\u{7}'),
        Some('b') => return plain('\u{8}'),
        Some('f') => return plain('\u{c}'),
        Some('n') => return plain('\n'),
        Some('r') => return plain('\r'),
        Some('t') => return plain('\t'),
        Some('v') => return plain('\u{b}'),
        Some(c @ ('\\' | '\'' | '"' | '`' | '?')) => return plain(c),
        Some('x' | 'X') => (0, 2, 16),
        Some('u' | 'U') if bytes => return Err(BROKEN),
        Some('u') => (0, 4, 16),
        Some('U') => (0, 8, 16),
        Some(c @ '0'..='3') => (c.to_digit(8).unwrap_or(0), 2, 8),
        _ => return Err(BROKEN),
    };
    let mut value = first;
    for _ in 0..count {
        let digit = chars.next().and_then(|c| c.to_digit(radix)).ok_or(BROKEN)?;
        value = value.wrapping_mul(radix) | digit;
    }
    if bytes {
        // Two hexadecimal digits, or three octal digits of which the first is at most 3, are one byte.
        return Ok(Piece::Byte(value as u8));
    }
    char::from_u32(value).map(Piece::Char).ok_or("invalid unicode code point")
}
