//! Splits the source text into tokens.

use super::token::{self, TokenKind};
use crate::source::Source;

/// A token in the source text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Characters that do not start a token.
#[derive(Debug)]
pub(super) struct Stray {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Splits the source text into tokens, including whitespace and comments. The last token is the end of the text.
pub(super) fn tokens(source: &Source) -> (Vec<Token>, Vec<Stray>) {
    let chars = source.chars();
    let (mut tokens, mut strays) = (Vec::new(), Vec::new());
    let mut start = 0;
    while start < chars.len() {
        match (Scan { chars, start, at: start, best: None }).token() {
            Ok(token) => {
                start = token.end;
                tokens.push(token);
            }
            Err(stray) => {
                start = stray.end.max(start + 1);
                strays.push(stray);
            }
        }
    }
    tokens.push(Token { kind: token::EOF, start: chars.len(), end: chars.len() });
    (tokens, strays)
}

/// The scan for one token: of all tokens that start here, the longest wins.
struct Scan<'s> {
    chars: &'s [char],
    start: usize,
    at: usize,
    best: Option<(TokenKind, usize)>,
}

const PUNCTUATION: [(&str, TokenKind); 24] = [
    ("==", token::EQUALS),
    ("!=", token::NOT_EQUALS),
    ("<=", token::LESS_EQUALS),
    (">=", token::GREATER_EQUALS),
    ("&&", token::AND),
    ("||", token::OR),
    ("<", token::LESS),
    (">", token::GREATER),
    ("[", token::LEFT_BRACKET),
    ("]", token::RIGHT_BRACKET),
    ("{", token::LEFT_BRACE),
    ("}", token::RIGHT_BRACE),
    ("(", token::LEFT_PAREN),
    (")", token::RIGHT_PAREN),
    (".", token::DOT),
    (",", token::COMMA),
    ("-", token::MINUS),
    ("!", token::NOT),
    ("?", token::QUESTION),
    (":", token::COLON),
    ("+", token::PLUS),
    ("*", token::STAR),
    ("/", token::SLASH),
    ("%", token::PERCENT),
];

impl Scan<'_> {
    fn token(mut self) -> Result<Token, Stray> {
        match self.peek(0) {
            Some(' ' | '\t' | '\r' | '\n' | '\u{c}') => {
                self.skip_while(|c| matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{c}'));
                self.accept(token::WHITESPACE);
            }
            Some('/') if self.peek(1) == Some('/') => {
                self.skip_while(|c| c != '\n');
                self.accept(token::COMMENT);
            }
            Some('0'..='9') => self.number(),
            Some('.') if self.peek(1).is_some_and(|c| c.is_ascii_digit()) => self.fraction(),
            Some('"' | '\'') => self.string(self.at, token::STRING, false),
            Some('A'..='Z' | 'a'..='z' | '_') => self.name(),
            Some('`') => self.escaped(),
            _ => self.punctuation(),
        }
        match self.best {
            Some((token, end)) => Ok(Token { kind: token, start: self.start, end }),
            // The scanned characters are dropped together with the character that did not fit.
            None => Err(Stray { start: self.start, end: (self.at + 1).min(self.chars.len()) }),
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn skip_while(&mut self, fits: impl Fn(char) -> bool) -> usize {
        let count = self.chars.iter().skip(self.at).take_while(|c| fits(**c)).count();
        self.at += count;
        count
    }

    fn accept(&mut self, token: TokenKind) {
        if self.best.is_none_or(|(_, end)| end < self.at) {
            self.best = Some((token, self.at));
        }
    }

    fn punctuation(&mut self) {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let found = PUNCTUATION.iter().find(|(text, _)| text.chars().eq(rest.iter().take(text.len()).copied()));
        if let Some((text, token)) = found {
            self.at += text.len();
            self.accept(*token);
        } else if matches!(self.peek(0), Some('=' | '&' | '|')) {
            // Half an operator: the next character does not fit.
            self.at += 1;
        }
    }

    fn number(&mut self) {
        if self.peek(0) == Some('0') && self.peek(1) == Some('x') && self.peek(2).is_some_and(|c| c.is_ascii_hexdigit())
        {
            self.at += 2;
            self.skip_while(|c| c.is_ascii_hexdigit());
            self.accept(token::INT);
            return self.unsigned();
        }
        self.skip_while(|c| c.is_ascii_digit());
        self.accept(token::INT);
        match self.peek(0) {
            Some('.') if self.peek(1).is_some_and(|c| c.is_ascii_digit()) => self.fraction(),
            Some('e' | 'E') => self.exponent(),
            _ => self.unsigned(),
        }
    }

    fn unsigned(&mut self) {
        if matches!(self.peek(0), Some('u' | 'U')) {
            self.at += 1;
            self.accept(token::UINT);
        }
    }

    fn fraction(&mut self) {
        self.at += 1;
        self.skip_while(|c| c.is_ascii_digit());
        self.accept(token::FLOAT);
        self.exponent();
    }

    fn exponent(&mut self) {
        if !matches!(self.peek(0), Some('e' | 'E')) {
            return;
        }
        self.at += 1;
        if matches!(self.peek(0), Some('+' | '-')) {
            self.at += 1;
        }
        if self.skip_while(|c| c.is_ascii_digit()) > 0 {
            self.accept(token::FLOAT);
        }
    }

    fn name(&mut self) {
        let begin = self.at;
        self.skip_while(|c| c.is_ascii_alphanumeric() || c == '_');
        let text: String = self.chars.get(begin..self.at).unwrap_or_default().iter().collect();
        self.accept(match text.as_str() {
            "in" => token::IN,
            "true" => token::TRUE,
            "false" => token::FALSE,
            "null" => token::NULL,
            _ => token::IDENTIFIER,
        });
        let is_quote = matches!(self.peek(0), Some('"' | '\''));
        match text.as_str() {
            "r" | "R" if is_quote => self.string(self.at, token::STRING, true),
            "b" | "B" if is_quote => self.string(self.at, token::BYTES, false),
            "br" | "bR" | "Br" | "BR" if is_quote => self.string(self.at, token::BYTES, true),
            _ => {}
        }
    }

    fn escaped(&mut self) {
        self.at += 1;
        let count = self.skip_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '/' | ' '));
        if count > 0 && self.peek(0) == Some('`') {
            self.at += 1;
            self.accept(token::ESCAPED);
        }
    }

    /// Scans a string whose opening quote is at `open`. The one of the two forms that gets further determines where the scan stops.
    fn string(&mut self, open: usize, token: TokenKind, raw: bool) {
        let Some(quote) = self.chars.get(open).copied() else { return };
        self.at = open + 1;
        if self.body(raw, |c| !matches!(c, '\n' | '\r') && c != quote) && self.peek(0) == Some(quote) {
            self.at += 1;
            self.accept(token);
        }
        let stopped = self.at;
        if self.chars.get(open..open + 3).is_some_and(|chars| chars.iter().all(|c| *c == quote)) {
            self.at = open + 3;
            loop {
                if self.chars.get(self.at..self.at + 3).is_some_and(|chars| chars.iter().all(|c| *c == quote)) {
                    self.at += 3;
                    self.accept(token);
                    break;
                }
                if self.peek(0).is_none() || !self.character(raw, |_| true) {
                    break;
                }
            }
        }
        self.at = self.at.max(stopped);
    }

    /// Scans characters while they fit; returns `false` for an incomplete escape sequence.
    fn body(&mut self, raw: bool, fits: impl Fn(char) -> bool) -> bool {
        while self.peek(0).is_some_and(&fits) {
            if !self.character(raw, &fits) {
                return false;
            }
        }
        true
    }

    fn character(&mut self, raw: bool, fits: impl Fn(char) -> bool) -> bool {
        match self.peek(0) {
            Some('\\') if !raw => self.escape(),
            Some(c) if fits(c) => {
                self.at += 1;
                true
            }
            _ => false,
        }
    }

    fn escape(&mut self) -> bool {
        self.at += 1;
        let digits = match self.peek(0) {
            Some('a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | '"' | '\'' | '\\' | '?' | '`') => {
                self.at += 1;
                return true;
            }
            Some('x' | 'X') => 2,
            Some('u') => 4,
            Some('U') => 8,
            Some('0'..='3') => {
                self.at += 1;
                return self.digits(2, |c| ('0'..='7').contains(&c));
            }
            _ => return false,
        };
        self.at += 1;
        self.digits(digits, |c| c.is_ascii_hexdigit())
    }

    fn digits(&mut self, count: usize, fits: impl Fn(char) -> bool) -> bool {
        for _ in 0..count {
            if !self.peek(0).is_some_and(&fits) {
                return false;
            }
            self.at += 1;
        }
        true
    }
}
