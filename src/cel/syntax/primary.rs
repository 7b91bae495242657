//! Operands: names, calls, literals, lists, maps, and expressions in parentheses.

use super::cursor::{Parser, Rule, Stop};
use super::token::{self, EXPRESSION, FIELD, Set};
use super::tree::{Entry, Kind, Name, NodeId};

/// Reserved words that cannot be names of variables or functions.
pub(crate) const RESERVED: [&str; 21] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "false",
    "for",
    "function",
    "if",
    "import",
    "in",
    "let",
    "loop",
    "package",
    "namespace",
    "null",
    "return",
    "true",
    "var",
    "void",
    "while",
];

const COMMA: Set = Set::of(&[token::COMMA]);

impl Parser<'_> {
    pub(super) fn primary(&mut self, follow: Set) -> Result<NodeId, Stop> {
        let broken = self.broken();
        self.rule(Rule::Primary, follow, broken, |parser, node| {
            parser.choose(184, EXPRESSION.without(token::NOT))?;
            match parser.peek(0) {
                token::LEFT_PAREN => parser.nested(node),
                token::LEFT_BRACKET => parser.list(node),
                token::LEFT_BRACE => parser.map(node),
                token::DOT if parser.peek(1) != token::IDENTIFIER => Err(parser.no_choice(1)),
                token::DOT | token::IDENTIFIER => parser.named(node),
                token::MINUS if !matches!(parser.peek(1), token::INT | token::FLOAT) => Err(parser.no_choice(1)),
                first if EXPRESSION.without(token::NOT).contains(first) => {
                    parser.enter(183);
                    *node = parser.literal(Set::NONE.or_end())?;
                    Ok(())
                }
                _ => Err(parser.no_choice(0)),
            }
        })
    }

    fn nested(&mut self, node: &mut NodeId) -> Result<(), Stop> {
        self.take();
        self.enter(145);
        *node = self.expression(Set::of(&[token::RIGHT_PAREN]))?;
        self.expect(146, token::RIGHT_PAREN, Set::NONE.or_end())?;
        Ok(())
    }

    /// Parses a name, a call, or a message of a named type.
    fn named(&mut self, node: &mut NodeId) -> Result<(), Stop> {
        let start = self.here();
        let dotted = usize::from(self.peek(0) == token::DOT);
        if self.is_message(dotted) {
            return self.message(node);
        }
        let dot = if dotted == 1 { "." } else { "" };
        if dotted == 1 {
            self.take();
        }
        let at = self.here();
        let token = self.take();
        let text = self.text(token);
        let name: Name = format!("{dot}{text}").into();
        let reserved = RESERVED.contains(&text.as_str());
        if reserved {
            self.problems.add(Some(start), format!("reserved identifier: {text}"));
        }
        *node = self.tree.add(Kind::Ident(Name::clone(&name)), Some(at));
        if self.peek(0) == token::LEFT_PAREN {
            let open = self.here();
            self.take();
            let args = self.arguments((141, 140, 143), Set::NONE.or_end())?;
            *node = if reserved { self.broken() } else { self.call_or_macro(name, open, None, args) };
        }
        Ok(())
    }

    /// Returns `true` if an opening brace follows the dotted name.
    fn is_message(&self, dotted: usize) -> bool {
        let mut ahead = dotted + 1;
        while self.peek(ahead) == token::DOT && self.peek(ahead + 1) == token::IDENTIFIER {
            ahead += 2;
        }
        self.peek(ahead) == token::LEFT_BRACE
    }

    fn list(&mut self, node: &mut NodeId) -> Result<(), Stop> {
        let at = self.here();
        self.take();
        let close = Set::of(&[token::RIGHT_BRACKET]);
        let begin = EXPRESSION.and(token::QUESTION);
        self.choose(150, begin.or(COMMA).or(close))?;
        let (mut items, mut optional) = (Vec::new(), Vec::new());
        if begin.contains(self.peek(0)) {
            self.enter(149);
            (items, optional) = self.items(COMMA.or(close))?;
        }
        *node = self.tree.add(Kind::List { items, optional }, Some(at));
        self.choose(153, COMMA.or(close))?;
        if self.peek(0) == token::COMMA {
            self.take();
        }
        self.expect(155, token::RIGHT_BRACKET, Set::NONE.or_end())?;
        Ok(())
    }

    fn items(&mut self, follow: Set) -> Result<(Vec<NodeId>, Vec<bool>), Stop> {
        self.rule(Rule::Items, follow, (Vec::new(), Vec::new()), |parser, (items, optional)| {
            parser.enter(194);
            loop {
                let (item, is_optional) = parser.item(COMMA.or_end())?;
                items.push(item);
                optional.push(is_optional);
                parser.choose(if items.len() == 1 { 199 } else { 201 }, COMMA.or_end())?;
                if !parser.another(EXPRESSION.and(token::QUESTION)) {
                    return Ok(());
                }
                parser.take();
                parser.enter(196);
            }
        })
    }

    /// Returns `true` if another item follows the comma, so that it is not a trailing comma.
    fn another(&self, begin: Set) -> bool {
        self.peek(0) == token::COMMA && begin.contains(self.peek(1))
    }

    /// Parses an expression, which is optional if a question mark precedes it.
    fn item(&mut self, follow: Set) -> Result<(NodeId, bool), Stop> {
        let broken = self.broken();
        self.rule(Rule::Item, follow, (broken, false), |parser, (node, optional)| {
            parser.choose(238, EXPRESSION.and(token::QUESTION))?;
            *optional = parser.peek(0) == token::QUESTION;
            if *optional {
                parser.take();
            }
            parser.enter(240);
            *node = parser.expression(Set::NONE.or_end())?;
            Ok(())
        })
    }

    fn map(&mut self, node: &mut NodeId) -> Result<(), Stop> {
        let at = self.here();
        self.take();
        let close = Set::of(&[token::RIGHT_BRACE]);
        let begin = EXPRESSION.and(token::QUESTION);
        self.choose(158, begin.or(COMMA).or(close))?;
        let mut entries = Vec::new();
        if begin.contains(self.peek(0)) {
            self.enter(157);
            entries = self.entries(COMMA.or(close))?;
        }
        *node = self.tree.add(Kind::Map { entries }, Some(at));
        self.choose(161, COMMA.or(close))?;
        if self.peek(0) == token::COMMA {
            self.take();
        }
        self.expect(163, token::RIGHT_BRACE, Set::NONE.or_end())?;
        Ok(())
    }

    fn entries(&mut self, follow: Set) -> Result<Vec<Entry>, Stop> {
        self.rule(Rule::Entries, follow, Vec::new(), |parser, entries| {
            let mut states = (220, 221, 222);
            loop {
                parser.enter(states.0);
                let (key, optional) = parser.item(Set::of(&[token::COLON]))?;
                parser.expect(states.1, token::COLON, EXPRESSION)?;
                parser.enter(states.2);
                let value = parser.expression(COMMA.or_end())?;
                entries.push(Entry { key, value, optional });
                parser.choose(if entries.len() == 1 { 230 } else { 232 }, COMMA.or_end())?;
                if !parser.another(EXPRESSION.and(token::QUESTION)) {
                    return Ok(());
                }
                parser.take();
                states = (224, 225, 226);
            }
        })
    }

    fn message(&mut self, node: &mut NodeId) -> Result<(), Stop> {
        let mut name = String::new();
        while self.peek(0) != token::LEFT_BRACE {
            let token = self.take();
            name.push_str(&self.text(token));
        }
        let at = self.here();
        self.take();
        let close = Set::of(&[token::RIGHT_BRACE]);
        let begin = FIELD.and(token::QUESTION);
        self.choose(177, begin.or(COMMA).or(close))?;
        let mut values = Vec::new();
        if begin.contains(self.peek(0)) {
            self.enter(176);
            values = self.fields(COMMA.or(close))?;
        }
        *node = self.tree.add(Kind::Message { name: name.into(), values }, Some(at));
        self.choose(180, COMMA.or(close))?;
        if self.peek(0) == token::COMMA {
            self.take();
        }
        self.expect(182, token::RIGHT_BRACE, Set::NONE.or_end())?;
        Ok(())
    }

    fn fields(&mut self, follow: Set) -> Result<Vec<NodeId>, Stop> {
        self.rule(Rule::Fields, follow, Vec::new(), |parser, values| {
            let mut states = (202, 203, 204);
            loop {
                parser.enter(states.0);
                parser.optional_field()?;
                parser.expect(states.1, token::COLON, EXPRESSION)?;
                parser.enter(states.2);
                values.push(parser.expression(COMMA.or_end())?);
                parser.choose(if values.len() == 1 { 212 } else { 214 }, COMMA.or_end())?;
                if !parser.another(FIELD.and(token::QUESTION)) {
                    return Ok(());
                }
                parser.take();
                states = (206, 207, 208);
            }
        })
    }

    fn optional_field(&mut self) -> Result<(), Stop> {
        self.rule(Rule::Field, Set::of(&[token::COLON]), (), |parser, ()| {
            parser.choose(216, FIELD.and(token::QUESTION))?;
            if parser.peek(0) == token::QUESTION {
                parser.take();
            }
            parser.enter(218);
            parser.field_name(Set::NONE.or_end()).map(drop)
        })
    }
}
