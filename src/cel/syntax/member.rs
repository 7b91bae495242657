//! Member access: fields, calls and indexes.

use super::cursor::{Parser, Rule, Stop};
use super::token::{self, EXPRESSION, FIELD, MEMBER, Set};
use super::tree::{Kind, Literal, Name, NodeId, operator};

/// What follows an operand.
enum Next {
    Field,
    Call,
    Index,
}

impl Parser<'_> {
    pub(super) fn member(&mut self, follow: Set) -> Result<NodeId, Stop> {
        let broken = self.broken();
        self.rule(Rule::Member, follow, broken, |parser, node| {
            parser.enter(102);
            *node = parser.primary(MEMBER.or_end())?;
            parser.choose(128, MEMBER.or_end())?;
            while MEMBER.contains(parser.peek(0)) {
                parser.enter(126);
                match parser.next_member()? {
                    Next::Field => parser.field(node)?,
                    Next::Call => parser.method(node)?,
                    Next::Index => parser.index(node)?,
                }
                parser.choose(130, MEMBER.or_end())?;
            }
            Ok(())
        })
    }

    fn next_member(&self) -> Result<Next, Stop> {
        match (self.peek(0), self.peek(1), self.peek(2)) {
            (token::LEFT_BRACKET, _, _) => Ok(Next::Index),
            (_, token::IDENTIFIER, token::LEFT_PAREN) => Ok(Next::Call),
            (_, token::IDENTIFIER | token::ESCAPED | token::QUESTION, _) => Ok(Next::Field),
            _ => Err(self.no_choice(1)),
        }
    }

    fn field(&mut self, node: &mut NodeId) -> Result<(), Stop> {
        let at = self.here();
        self.take();
        self.choose(107, FIELD.and(token::QUESTION))?;
        let optional = self.peek(0) == token::QUESTION;
        if optional {
            self.take();
        }
        self.enter(109);
        let Some((name, name_at)) = self.field_name(MEMBER.or_end())? else {
            *node = self.broken();
            return Ok(());
        };
        *node = if optional {
            let name = self.tree.add(Kind::Literal(Literal::String(name)), Some(name_at));
            let args = vec![*node, name];
            self.tree.add(Kind::Call { function: operator::OPTIONAL_SELECT.into(), target: None, args }, Some(at))
        } else {
            self.tree.add(Kind::Select { operand: *node, field: name, test: false }, Some(at))
        };
        Ok(())
    }

    /// Parses the name of a field, plain or in backquotes. Returns it with its offset.
    pub(super) fn field_name(&mut self, follow: Set) -> Result<Option<(Name, usize)>, Stop> {
        self.rule(Rule::Name, follow, None, |parser, name| {
            parser.choose(235, FIELD)?;
            if !FIELD.contains(parser.peek(0)) {
                return Err(parser.no_choice(0));
            }
            let at = parser.here();
            let token = parser.take();
            let text = parser.text(token);
            let bare = if token.kind == token::ESCAPED { text.trim_matches('`') } else { &text };
            *name = Some((bare.into(), at));
            Ok(())
        })
    }

    fn method(&mut self, node: &mut NodeId) -> Result<(), Stop> {
        self.take();
        let name = self.take();
        let at = self.here();
        self.take();
        let args = self.arguments((115, 114, 117), MEMBER.or_end())?;
        let function = self.text(name).into();
        *node = self.call_or_macro(function, at, Some(*node), args);
        Ok(())
    }

    /// Parses arguments and the closing parenthesis. `states` are for the choice, the arguments and the parenthesis.
    pub(super) fn arguments(&mut self, states: (u16, u16, u16), after: Set) -> Result<Vec<NodeId>, Stop> {
        let close = Set::of(&[token::RIGHT_PAREN]);
        self.choose(states.0, EXPRESSION.or(close))?;
        let mut args = Vec::new();
        if EXPRESSION.contains(self.peek(0)) {
            self.enter(states.1);
            args = self.expressions(close)?;
        }
        self.expect(states.2, token::RIGHT_PAREN, after)?;
        Ok(args)
    }

    fn expressions(&mut self, follow: Set) -> Result<Vec<NodeId>, Stop> {
        let comma = Set::of(&[token::COMMA]).or_end();
        self.rule(Rule::Expressions, follow, Vec::new(), |parser, args| {
            parser.enter(186);
            args.push(parser.expression(comma)?);
            parser.choose(191, comma)?;
            while parser.peek(0) == token::COMMA {
                parser.take();
                parser.enter(188);
                args.push(parser.expression(comma)?);
                parser.choose(193, comma)?;
            }
            Ok(())
        })
    }

    fn index(&mut self, node: &mut NodeId) -> Result<(), Stop> {
        let at = self.here();
        self.take();
        self.choose(121, EXPRESSION.and(token::QUESTION))?;
        let optional = self.peek(0) == token::QUESTION;
        if optional {
            self.take();
        }
        self.enter(123);
        let index = self.expression(Set::of(&[token::RIGHT_BRACKET]))?;
        let function = if optional { operator::OPTIONAL_INDEX } else { operator::INDEX };
        let args = vec![*node, index];
        *node = self.tree.add(Kind::Call { function: function.into(), target: None, args }, Some(at));
        self.expect(124, token::RIGHT_BRACKET, MEMBER.or_end())?;
        Ok(())
    }
}
