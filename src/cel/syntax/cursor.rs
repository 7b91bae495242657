//! The parser's state and position.
//!
//! States are numbered as in upstream's generated parser: a second failure at the same token in the same state skips that token.

use super::lexer::{self, Token};
use super::token::{self, Set, TokenKind};
use super::tree::Tree;
use crate::source::{Problems, Source};

/// Why a rule ends early.
#[derive(Debug)]
pub(super) enum Stop {
    /// The tokens do not fit; the rule ends and its caller continues.
    Mismatch(Mismatch),
    /// Parsing stops.
    Abort,
}

/// Tokens that do not fit.
#[derive(Debug)]
pub(super) struct Mismatch {
    pub(super) at: usize,
    pub(super) message: String,
}

/// The rules, whose depths upstream limits separately.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rule {
    Expression,
    Or,
    And,
    Relation,
    Calculation,
    Unary,
    Member,
    Primary,
    Expressions,
    Items,
    Fields,
    Field,
    Entries,
    Name,
    Item,
    Literal,
}

/// Maximum recursion depth of each rule.
const MAX_DEPTH: u16 = 250;
/// Maximum number of reported syntax errors.
const MAX_MISTAKES: usize = 100;

/// The parser.
pub(super) struct Parser<'s> {
    pub(super) source: &'s Source,
    pub(super) tree: Tree,
    /// Syntax errors.
    pub(super) mistakes: Problems,
    /// Errors in tokens that fit, such as a number that is too large.
    pub(super) problems: Problems,
    pub(super) tokens: Vec<Token>,
    /// Indexes of the tokens that are neither whitespace nor comments.
    pub(super) visible: Vec<usize>,
    pub(super) at: usize,
    pub(super) state: u16,
    /// The tokens that can follow each current rule, as far as its caller knows.
    pub(super) follow: Vec<Set>,
    pub(super) depths: [u16; 16],
    pub(super) recovering: bool,
    pub(super) last_failure: Option<(usize, Vec<u16>)>,
    pub(super) recoveries: u32,
    pub(super) reported: usize,
}

impl<'s> Parser<'s> {
    pub(super) fn new(source: &'s Source) -> Self {
        let (tokens, strays) = lexer::tokens(source);
        let is_visible = |token: &Token| !matches!(token.kind, token::WHITESPACE | token::COMMENT);
        let visible = tokens.iter().enumerate().filter(|(_, token)| is_visible(token)).map(|(at, _)| at).collect();
        let mut parser = Self {
            source,
            tree: Tree::default(),
            mistakes: Problems::default(),
            problems: Problems::default(),
            tokens,
            visible,
            at: 0,
            state: 0,
            follow: Vec::new(),
            depths: [0; 16],
            recovering: false,
            last_failure: None,
            recoveries: 0,
            reported: 0,
        };
        for stray in strays {
            let text = source.slice(stray.start, stray.end);
            parser.report(stray.start, format!("token recognition error at: '{text}'"));
        }
        parser
    }

    pub(super) fn token(&self, ahead: usize) -> Token {
        let last = self.visible.len().saturating_sub(1);
        let at = self.visible.get((self.at + ahead).min(last)).copied();
        let end = Token { kind: token::EOF, start: self.source.chars().len(), end: self.source.chars().len() };
        at.and_then(|at| self.tokens.get(at)).copied().unwrap_or(end)
    }

    /// Returns the kind of the token `ahead` tokens after the next one.
    pub(super) fn peek(&self, ahead: usize) -> TokenKind {
        self.token(ahead).kind
    }

    /// Returns the offset of the next token.
    pub(super) fn here(&self) -> usize {
        self.token(0).start
    }

    pub(super) fn consume(&mut self) -> Token {
        let token = self.token(0);
        if token.kind != token::EOF {
            self.at += 1;
        }
        token
    }

    pub(super) fn text(&self, token: Token) -> String {
        self.source.slice(token.start, token.end)
    }

    pub(super) fn report(&mut self, at: usize, message: String) {
        if self.reported < MAX_MISTAKES {
            self.reported += 1;
            self.mistakes.add(Some(at), format!("Syntax error: {message}"));
        }
    }

    pub(super) fn shown(&self, token: Token) -> String {
        let text = if token.kind == token::EOF { "<EOF>".to_owned() } else { self.text(token) };
        format!("'{}'", text.replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r"))
    }

    /// Replaces the end of the rule in a set with the tokens that can follow the rules above.
    pub(super) fn resolved(&self, set: Set) -> Set {
        let mut all = set;
        let mut above = self.follow.iter().rev();
        while all.may_end() {
            all = all.without_end().or(above.next().copied().unwrap_or(Set::of(&[token::EOF])));
        }
        all
    }

    /// Parses a rule. A mismatch that it cannot repair ends the rule, and parsing continues after it.
    ///
    /// The second argument of `body` receives the partial result.
    pub(super) fn rule<T>(
        &mut self,
        rule: Rule,
        follow: Set,
        mut partial: T,
        body: impl FnOnce(&mut Self, &mut T) -> Result<(), Stop>,
    ) -> Result<T, Stop> {
        let state = self.state;
        self.descend(rule)?;
        self.follow.push(follow);
        let ended = match body(self, &mut partial) {
            Err(Stop::Mismatch(mismatch)) => self.recover(mismatch),
            ended => ended,
        };
        self.follow.pop();
        self.ascend(rule);
        self.state = state;
        ended.map(|()| partial)
    }

    fn descend(&mut self, rule: Rule) -> Result<(), Stop> {
        if let Some(depth) = self.depths.get_mut(rule as usize) {
            *depth += 1;
            if *depth > MAX_DEPTH {
                self.mistakes.add(None, format!("expression recursion limit exceeded: {MAX_DEPTH}"));
                return Err(Stop::Abort);
            }
        }
        Ok(())
    }

    fn ascend(&mut self, rule: Rule) {
        if let Some(depth) = self.depths.get_mut(rule as usize) {
            *depth -= 1;
        }
    }

    /// Enters a state.
    pub(super) fn enter(&mut self, state: u16) {
        self.state = state;
    }

    /// Consumes a token of a kind. `after` contains the tokens that can follow it, which shows whether it is missing.
    pub(super) fn expect(&mut self, state: u16, token: TokenKind, after: Set) -> Result<Option<Token>, Stop> {
        self.state = state;
        if self.peek(0) == token {
            self.matched();
            return Ok(Some(self.consume()));
        }
        self.count_recovery()?;
        let wanted = Set::of(&[token]);
        if self.drop_token(wanted) {
            return Ok(Some(self.consume()));
        }
        if self.resolved(after).contains(self.peek(0)) {
            if !self.recovering {
                self.recovering = true;
                let message = format!("missing {} at {}", wanted.describe(), self.shown(self.token(0)));
                self.report(self.here(), message);
            }
            return Ok(None);
        }
        Err(self.mismatch(wanted))
    }

    /// Consumes a token whose kind has already been checked.
    pub(super) fn take(&mut self) -> Token {
        self.matched();
        self.consume()
    }

    pub(super) fn matched(&mut self) {
        self.recovering = false;
        self.last_failure = None;
    }
}
