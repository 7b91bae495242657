//! The grammar rules from the whole expression down to its operands.

use super::cursor::{Parser, Rule, Stop};
use super::logic;
use super::token::{self, EXPRESSION, PRODUCT, RELATION, SUM, Set, TokenKind};
use super::tree::{Kind, MAX_DEPTH, NodeId, Tree, operator};
use crate::source::{Problems, Source};

/// Parses an expression.
///
/// # Errors
/// All syntax errors.
pub(crate) fn parse(source: &Source) -> Result<(Tree, NodeId), Problems> {
    let mut parser = Parser::new(source);
    let root = parser.start();
    let Parser { tree, mut mistakes, problems, .. } = parser;
    let Ok(root) = root else { return Err(mistakes) };
    if tree.depth(root) > MAX_DEPTH {
        mistakes.add(None, "max recursion depth exceeded");
        return Err(mistakes);
    }
    if tree.is_too_large() {
        mistakes.add(None, "the expression is too large");
        return Err(mistakes);
    }
    mistakes.append(problems);
    if mistakes.is_empty() { Ok((tree, root)) } else { Err(mistakes) }
}

/// Binary operators with their functions.
const OPERATORS: [(TokenKind, &str); 12] = [
    (token::EQUALS, operator::EQUALS),
    (token::NOT_EQUALS, operator::NOT_EQUALS),
    (token::IN, operator::IN),
    (token::LESS, operator::LESS),
    (token::LESS_EQUALS, operator::LESS_EQUALS),
    (token::GREATER_EQUALS, operator::GREATER_EQUALS),
    (token::GREATER, operator::GREATER),
    (token::STAR, operator::MULTIPLY),
    (token::SLASH, operator::DIVIDE),
    (token::PERCENT, operator::MODULO),
    (token::PLUS, operator::ADD),
    (token::MINUS, operator::SUBTRACT),
];

impl Parser<'_> {
    fn start(&mut self) -> Result<NodeId, Stop> {
        self.enter(34);
        let root = self.expression(Set::of(&[token::EOF]))?;
        match self.expect(35, token::EOF, Set::NONE.or_end()) {
            Err(Stop::Abort) => Err(Stop::Abort),
            Err(Stop::Mismatch(mismatch)) => self.recover(mismatch).map(|()| root),
            Ok(_) => Ok(root),
        }
    }

    /// Returns the node for a part that could not be parsed.
    pub(super) fn broken(&self) -> NodeId {
        Tree::BROKEN
    }

    pub(super) fn expression(&mut self, follow: Set) -> Result<NodeId, Stop> {
        let broken = self.broken();
        self.rule(Rule::Expression, follow, broken, |parser, node| {
            parser.enter(37);
            *node = parser.any(Set::of(&[token::QUESTION]).or_end())?;
            parser.choose(43, Set::of(&[token::QUESTION]).or_end())?;
            if parser.peek(0) != token::QUESTION {
                return Ok(());
            }
            let at = parser.here();
            parser.take();
            parser.enter(39);
            let yes = parser.any(Set::of(&[token::COLON]))?;
            parser.expect(40, token::COLON, EXPRESSION)?;
            parser.enter(41);
            let no = parser.expression(Set::NONE.or_end())?;
            *node = parser.call(operator::CONDITIONAL, at, vec![*node, yes, no]);
            Ok(())
        })
    }

    /// Adds a call of an operator.
    fn call(&mut self, function: &str, at: usize, args: Vec<NodeId>) -> NodeId {
        self.tree.add(Kind::Call { function: function.into(), target: None, args }, Some(at))
    }

    fn any(&mut self, follow: Set) -> Result<NodeId, Stop> {
        let or = Set::of(&[token::OR]).or_end();
        let mut terms = logic::Terms::new(operator::OR);
        terms = self.rule(Rule::Or, follow, terms, |parser, terms| {
            parser.enter(45);
            terms.first(parser.all(or)?);
            parser.choose(50, or)?;
            while parser.peek(0) == token::OR {
                let at = parser.here();
                parser.take();
                parser.enter(47);
                let term = parser.all(or)?;
                terms.add(at, term);
                parser.choose(52, or)?;
            }
            Ok(())
        })?;
        Ok(terms.join(&mut self.tree))
    }

    fn all(&mut self, follow: Set) -> Result<NodeId, Stop> {
        let and = Set::of(&[token::AND]).or_end();
        let mut terms = logic::Terms::new(operator::AND);
        terms = self.rule(Rule::And, follow, terms, |parser, terms| {
            parser.enter(53);
            terms.first(parser.relation(0, and)?);
            parser.choose(58, and)?;
            while parser.peek(0) == token::AND {
                let at = parser.here();
                parser.take();
                parser.enter(55);
                let term = parser.relation(0, and)?;
                terms.add(at, term);
                parser.choose(60, and)?;
            }
            Ok(())
        })?;
        Ok(terms.join(&mut self.tree))
    }

    fn relation(&mut self, precedence: u8, follow: Set) -> Result<NodeId, Stop> {
        let broken = self.broken();
        self.rule(Rule::Relation, follow, broken, |parser, node| {
            parser.enter(62);
            *node = parser.calculation(0, RELATION.or_end())?;
            parser.choose(69, RELATION.or_end())?;
            while precedence <= 1 && RELATION.contains(parser.peek(0)) {
                let (at, operator) = parser.operator();
                parser.enter(66);
                let right = parser.relation(2, RELATION.or_end())?;
                *node = parser.call(operator, at, vec![*node, right]);
                parser.choose(71, RELATION.or_end())?;
            }
            Ok(())
        })
    }

    fn calculation(&mut self, precedence: u8, follow: Set) -> Result<NodeId, Stop> {
        let either = PRODUCT.or(SUM).or_end();
        let broken = self.broken();
        self.rule(Rule::Calculation, follow, broken, |parser, node| {
            parser.enter(73);
            *node = parser.unary(either)?;
            parser.choose(83, either)?;
            loop {
                let next = match parser.peek(0) {
                    token if precedence <= 2 && PRODUCT.contains(token) => 3,
                    token if precedence <= 1 && SUM.contains(token) => 2,
                    _ => return Ok(()),
                };
                let (at, operator) = parser.operator();
                parser.enter(if next == 3 { 77 } else { 80 });
                let right = parser.calculation(next, either)?;
                *node = parser.call(operator, at, vec![*node, right]);
                parser.choose(85, either)?;
            }
        })
    }

    fn operator(&mut self) -> (usize, &'static str) {
        let at = self.here();
        let token = self.take();
        let function = OPERATORS.iter().find(|(kind, _)| *kind == token.kind).map_or("", |(_, function)| function);
        (at, function)
    }

    fn unary(&mut self, follow: Set) -> Result<NodeId, Stop> {
        let broken = self.broken();
        self.rule(Rule::Unary, follow, broken, |parser, node| {
            parser.choose(99, EXPRESSION)?;
            let (kind, state, next) = match parser.peek(0) {
                token::NOT => (token::NOT, 90, EXPRESSION),
                // A minus sign before a number belongs to the number.
                token::MINUS if matches!(parser.peek(1), token::INT | token::FLOAT) => (token::EOF, 86, EXPRESSION),
                token::MINUS if EXPRESSION.without(token::NOT).contains(parser.peek(1)) => {
                    (token::MINUS, 96, EXPRESSION.without(token::NOT))
                }
                token::MINUS => return Err(parser.no_choice(1)),
                first if EXPRESSION.contains(first) => (token::EOF, 86, EXPRESSION),
                _ => return Err(parser.no_choice(0)),
            };
            if kind == token::EOF {
                parser.enter(86);
                *node = parser.member(Set::NONE.or_end())?;
                return Ok(());
            }
            let (at, mut signs) = (parser.here(), 0);
            loop {
                parser.take();
                signs += 1;
                parser.repeat(state, next)?;
                if !parser.continues(kind)? {
                    break;
                }
            }
            parser.enter(if kind == token::NOT { 92 } else { 98 });
            *node = parser.member(Set::NONE.or_end())?;
            if signs % 2 == 1 {
                let function = if kind == token::NOT { operator::NOT } else { operator::NEGATE };
                *node = parser.call(function, at, vec![*node]);
            }
            Ok(())
        })
    }

    /// Returns `true` if another sign of the same kind follows.
    fn continues(&mut self, kind: TokenKind) -> Result<bool, Stop> {
        if self.peek(0) != kind {
            let operand = kind == token::NOT || EXPRESSION.without(token::NOT).contains(self.peek(0));
            return if operand { Ok(false) } else { Err(self.no_choice(0)) };
        }
        if kind == token::MINUS && !EXPRESSION.without(token::NOT).contains(self.peek(1)) {
            return Err(self.no_choice(1));
        }
        Ok(true)
    }
}
