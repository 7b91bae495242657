//! The parser's place among the words, and how it goes on after a mistake.
//!
//! Which mistake is told, and how many of them, follows from how ANTLR recovers: it drops or invents one word where that makes
//! sense of the rest, and else gives up the rule and skips to a word that can follow one of the rules above it. States are
//! numbered as in upstream's generated parser, since two failures at one word in one state make it skip that word.

use super::lexer::{self, Word};
use super::token::{self, Set, Token};
use super::tree::Tree;
use crate::cel::source::{Problems, Source};

/// Why a rule ends early.
#[derive(Debug)]
pub(super) enum Stop {
    /// The words do not fit; the rule gives up and its caller goes on.
    Mismatch(Mismatch),
    /// Nothing more is read.
    Abort,
}

/// Words that do not fit.
#[derive(Debug)]
pub(super) struct Mismatch {
    at: usize,
    message: String,
}

/// The rules whose depth upstream bounds one by one.
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

/// How deep each rule may lie in itself.
const MAX_DEPTH: u16 = 250;
/// How often the parser goes on after a mistake.
const MAX_RECOVERIES: u32 = 30;
/// How many words it skips to do so.
const MAX_SKIPPED: u32 = 256;
/// How many mistakes are told.
const MAX_MISTAKES: usize = 100;

/// The parser.
pub(super) struct Parser<'s> {
    pub(super) source: &'s Source,
    pub(super) tree: Tree,
    /// Mistakes in the syntax.
    pub(super) mistakes: Problems,
    /// What is wrong with words that fit, such as a number that is too large.
    pub(super) problems: Problems,
    words: Vec<Word>,
    /// The words that are neither space nor comment, by their place among all.
    visible: Vec<usize>,
    at: usize,
    state: u16,
    /// What can follow each rule that is being read, as far as its caller tells.
    follow: Vec<Set>,
    depths: [u16; 16],
    recovering: bool,
    last_failure: Option<(usize, Vec<u16>)>,
    recoveries: u32,
    told: usize,
}

impl<'s> Parser<'s> {
    pub(super) fn new(source: &'s Source) -> Self {
        let (words, strays) = lexer::words(source);
        let is_visible = |word: &Word| !matches!(word.token, token::WHITESPACE | token::COMMENT);
        let visible = words.iter().enumerate().filter(|(_, word)| is_visible(word)).map(|(at, _)| at).collect();
        let mut parser = Self {
            source,
            tree: Tree::default(),
            mistakes: Problems::default(),
            problems: Problems::default(),
            words,
            visible,
            at: 0,
            state: 0,
            follow: Vec::new(),
            depths: [0; 16],
            recovering: false,
            last_failure: None,
            recoveries: 0,
            told: 0,
        };
        for stray in strays {
            let text = source.slice(stray.start, stray.end);
            parser.tell(stray.start, format!("token recognition error at: '{text}'"));
        }
        parser
    }

    fn word(&self, ahead: usize) -> Word {
        let last = self.visible.len().saturating_sub(1);
        let at = self.visible.get((self.at + ahead).min(last)).copied();
        let end = Word { token: token::EOF, start: self.source.chars().len(), end: self.source.chars().len() };
        at.and_then(|at| self.words.get(at)).copied().unwrap_or(end)
    }

    /// Returns the kind of the next word, or of one behind it.
    pub(super) fn peek(&self, ahead: usize) -> Token {
        self.word(ahead).token
    }

    /// Returns where the next word begins.
    pub(super) fn here(&self) -> usize {
        self.word(0).start
    }

    fn consume(&mut self) -> Word {
        let word = self.word(0);
        if word.token != token::EOF {
            self.at += 1;
        }
        word
    }

    pub(super) fn text(&self, word: Word) -> String {
        self.source.slice(word.start, word.end)
    }

    fn tell(&mut self, at: usize, message: String) {
        if self.told < MAX_MISTAKES {
            self.told += 1;
            self.mistakes.add(Some(at), format!("Syntax error: {message}"));
        }
    }

    fn shown(&self, word: Word) -> String {
        let text = if word.token == token::EOF { "<EOF>".to_owned() } else { self.text(word) };
        format!("'{}'", text.replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r"))
    }

    /// Returns a set with what can follow the rules above in place of the end of the rule.
    fn resolved(&self, set: Set) -> Set {
        let mut all = set;
        let mut above = self.follow.iter().rev();
        while all.may_end() {
            all = all.without_end().or(above.next().copied().unwrap_or(Set::of(&[token::EOF])));
        }
        all
    }

    /// Reads a rule. A mistake in it that it cannot make sense of ends it, and reading goes on behind.
    ///
    /// `body` says in its second argument how far it has come.
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

    /// Enters a state in which a choice is made; drops a word that makes no sense if the one behind it does.
    pub(super) fn choose(&mut self, state: u16, next: Set) -> Result<(), Stop> {
        self.state = state;
        if self.recovering || next.may_end() || next.contains(self.peek(0)) || self.drop_word(next) {
            return Ok(());
        }
        Err(self.mismatch(next))
    }

    /// Enters the state at the end of a loop; skips words that make no sense.
    pub(super) fn repeat(&mut self, state: u16, next: Set) -> Result<(), Stop> {
        self.state = state;
        if self.recovering || next.contains(self.peek(0)) {
            return Ok(());
        }
        self.tell_unwanted(next);
        let until = next.or(self.recovery_set());
        self.skip_until(until, None)
    }

    /// Reads a word of a kind; what can come behind it tells whether one was forgotten.
    pub(super) fn expect(&mut self, state: u16, token: Token, after: Set) -> Result<Option<Word>, Stop> {
        self.state = state;
        if self.peek(0) == token {
            self.matched();
            return Ok(Some(self.consume()));
        }
        self.count_recovery()?;
        let wanted = Set::of(&[token]);
        if self.drop_word(wanted) {
            return Ok(Some(self.consume()));
        }
        if self.resolved(after).contains(self.peek(0)) {
            if !self.recovering {
                self.recovering = true;
                let message = format!("missing {} at {}", wanted.tell(), self.shown(self.word(0)));
                self.tell(self.here(), message);
            }
            return Ok(None);
        }
        Err(self.mismatch(wanted))
    }

    /// Reads a word whose kind has been looked at.
    pub(super) fn take(&mut self) -> Word {
        self.matched();
        self.consume()
    }

    fn matched(&mut self) {
        self.recovering = false;
        self.last_failure = None;
    }

    fn mismatch(&self, expected: Set) -> Stop {
        let expected = self.resolved(expected).tell();
        let message = format!("mismatched input {} expecting {expected}", self.shown(self.word(0)));
        Stop::Mismatch(Mismatch { at: self.here(), message })
    }

    /// Returns the mistake that no choice fits the words from here to the one that is so far ahead.
    pub(super) fn no_choice(&self, ahead: usize) -> Stop {
        let (first, last) = (self.word(0), self.word(ahead));
        let from = self.visible.get(self.at).copied().unwrap_or(0);
        let between =
            self.words.iter().skip(from).take_while(|word| word.start <= last.start && word.token != token::EOF);
        let text: String = match first.token {
            token::EOF => "<EOF>".to_owned(),
            _ => between.map(|word| self.text(*word)).collect(),
        };
        let quoted = format!("'{}'", text.replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r"));
        let message = match quoted.strip_prefix("'.").and_then(|rest| rest.strip_suffix('\'')) {
            // A reserved word where a name is wanted.
            Some(word @ ("true" | "false" | "null")) => format!("mismatched input '{word}' expecting IDENTIFIER"),
            _ => format!("no viable alternative at input {quoted}"),
        };
        Stop::Mismatch(Mismatch { at: last.start, message })
    }

    fn drop_word(&mut self, expected: Set) -> bool {
        if !self.resolved(expected).contains(self.peek(1)) {
            return false;
        }
        self.tell_unwanted(expected);
        self.consume();
        self.matched();
        true
    }

    fn tell_unwanted(&mut self, expected: Set) {
        if !self.recovering {
            self.recovering = true;
            let expected = self.resolved(expected).tell();
            let message = format!("extraneous input {} expecting {expected}", self.shown(self.word(0)));
            self.tell(self.here(), message);
        }
    }

    /// Tells a mistake, and skips to a word that can follow one of the rules above.
    pub(super) fn recover(&mut self, Mismatch { at, message }: Mismatch) -> Result<(), Stop> {
        if !self.recovering {
            self.recovering = true;
            self.tell(at, message);
        }
        self.count_recovery()?;
        let mut skipped = 0;
        let states = match self.last_failure.take() {
            Some((place, states)) if place == self.at && states.contains(&self.state) => {
                self.consume();
                skipped += 1;
                states
            }
            Some((_, states)) => states,
            None => Vec::new(),
        };
        self.last_failure = Some((self.at, states.into_iter().chain([self.state]).collect()));
        self.skip_until(self.recovery_set(), Some(skipped))
    }

    fn recovery_set(&self) -> Set {
        self.follow.iter().fold(Set::NONE, |all, set| all.or(*set)).without_end()
    }

    fn skip_until(&mut self, set: Set, counted: Option<u32>) -> Result<(), Stop> {
        let mut skipped = counted.unwrap_or(0);
        while self.peek(0) != token::EOF && !set.contains(self.peek(0)) {
            if counted.is_some() && skipped >= MAX_SKIPPED {
                let message = format!("error recovery token lookahead limit exceeded: {MAX_SKIPPED}");
                self.mistakes.add(None, message);
                return Err(Stop::Abort);
            }
            skipped += 1;
            self.consume();
        }
        Ok(())
    }

    fn count_recovery(&mut self) -> Result<(), Stop> {
        if self.recoveries == MAX_RECOVERIES {
            self.tell(self.here(), format!("error recovery attempt limit exceeded: {MAX_RECOVERIES}"));
            return Err(Stop::Abort);
        }
        self.recoveries += 1;
        Ok(())
    }
}
