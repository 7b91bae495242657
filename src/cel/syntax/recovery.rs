//! Error recovery of the parser.
//!
//! Which errors are reported, and how many, depends on how ANTLR recovers: it drops or inserts one token if the next token then
//! fits; if not, it ends the rule and skips to a token that can follow one of the rules above.

use super::cursor::{Mismatch, Parser, Stop};
use super::token::{self, Set};

/// Maximum number of recoveries.
const MAX_RECOVERIES: u32 = 30;
/// Maximum number of tokens skipped in one recovery.
const MAX_SKIPPED: u32 = 256;

impl Parser<'_> {
    /// Enters a state with a choice; drops a token that does not fit if the one after it does.
    pub(super) fn choose(&mut self, state: u16, next: Set) -> Result<(), Stop> {
        self.state = state;
        if self.recovering || next.may_end() || next.contains(self.peek(0)) || self.drop_token(next) {
            return Ok(());
        }
        Err(self.mismatch(next))
    }

    /// Enters the state at the end of a loop; skips tokens that do not fit.
    pub(super) fn repeat(&mut self, state: u16, next: Set) -> Result<(), Stop> {
        self.state = state;
        if self.recovering || next.contains(self.peek(0)) {
            return Ok(());
        }
        self.report_unwanted(next);
        let until = next.or(self.recovery_set());
        self.skip_until(until, None)
    }

    pub(super) fn mismatch(&self, expected: Set) -> Stop {
        let expected = self.resolved(expected).describe();
        let message = format!("mismatched input {} expecting {expected}", self.shown(self.token(0)));
        Stop::Mismatch(Mismatch { at: self.here(), message })
    }

    /// Returns the error that no alternative fits the tokens from here to the one `ahead` tokens later.
    pub(super) fn no_choice(&self, ahead: usize) -> Stop {
        let (first, last) = (self.token(0), self.token(ahead));
        let from = self.visible.get(self.at).copied().unwrap_or(0);
        let between =
            self.tokens.iter().skip(from).take_while(|token| token.start <= last.start && token.kind != token::EOF);
        let text: String = match first.kind {
            token::EOF => "<EOF>".to_owned(),
            _ => between.map(|token| self.text(*token)).collect(),
        };
        let quoted = format!("'{}'", text.replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r"));
        let message = match quoted.strip_prefix("'.").and_then(|rest| rest.strip_suffix('\'')) {
            // A reserved word where a name is expected.
            Some(word @ ("true" | "false" | "null")) => format!("mismatched input '{word}' expecting IDENTIFIER"),
            _ => format!("no viable alternative at input {quoted}"),
        };
        Stop::Mismatch(Mismatch { at: last.start, message })
    }

    pub(super) fn drop_token(&mut self, expected: Set) -> bool {
        if !self.resolved(expected).contains(self.peek(1)) {
            return false;
        }
        self.report_unwanted(expected);
        self.consume();
        self.matched();
        true
    }

    fn report_unwanted(&mut self, expected: Set) {
        if !self.recovering {
            self.recovering = true;
            let expected = self.resolved(expected).describe();
            let message = format!("extraneous input {} expecting {expected}", self.shown(self.token(0)));
            self.report(self.here(), message);
        }
    }

    /// Reports an error, and skips to a token that can follow one of the rules above.
    pub(super) fn recover(&mut self, Mismatch { at, message }: Mismatch) -> Result<(), Stop> {
        if !self.recovering {
            self.recovering = true;
            self.report(at, message);
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

    pub(super) fn count_recovery(&mut self) -> Result<(), Stop> {
        if self.recoveries == MAX_RECOVERIES {
            self.report(self.here(), format!("error recovery attempt limit exceeded: {MAX_RECOVERIES}"));
            return Err(Stop::Abort);
        }
        self.recoveries += 1;
        Ok(())
    }
}
