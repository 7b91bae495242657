//! Builds a tree from the parser's events.

use std::borrow::Cow;
use std::collections::HashMap;

use granit_parser::{ErrorKind, Event, Options, Parser, ScalarStyle, ScanError, Span, StrInput, StructureStyle, Tag};

use super::fault::Fault;
use super::input::Input;
use super::node::Node;
use super::origin::Origin;
use super::read::{MAX_ALIASED, MAX_DEPTH};
use super::resolve::Schema;
use super::scalar::{Scalar, Style};
use super::tag;
use super::texts::Texts;
use super::{syntax, words};

/// A node that aliases can refer to, and the number of its nodes.
struct Anchored {
    node: Node,
    nodes: usize,
}

/// The state shared by the documents of a file.
pub(super) struct Shared<'a> {
    pub(super) input: Input<'a>,
    pub(super) schema: Schema,
    /// Number of nodes that aliases may still create.
    aliasable: usize,
    pub(super) texts: &'a mut Texts,
    /// Warnings: legal, but doubtful.
    pub(super) doubts: Vec<Fault>,
}

impl<'a> Shared<'a> {
    pub(super) fn new(input: Input<'a>, schema: Schema, texts: &'a mut Texts) -> Self {
        Self { input, schema, aliasable: MAX_ALIASED, texts, doubts: Vec::new() }
    }
}

/// Builds the tree of one document.
pub(super) struct Composer<'t, 's, 'a> {
    parser: Parser<'t, StrInput<'t>>,
    text: &'t str,
    /// Lines of the file before the text.
    line: usize,
    pub(super) shared: &'s mut Shared<'a>,
    anchored: HashMap<usize, Anchored>,
    /// Number of nodes created so far.
    made: usize,
    /// The positions of the open brackets.
    flow: Vec<Span>,
}

/// A scalar from the parser.
pub(super) struct Word<'t> {
    pub(super) text: Cow<'t, str>,
    pub(super) style: Style,
    pub(super) tag: Option<Cow<'t, Tag>>,
    pub(super) span: Span,
}

impl<'t, 's, 'a> Composer<'t, 's, 'a> {
    pub(super) fn new(text: &'t str, line: usize, shared: &'s mut Shared<'a>) -> Self {
        // Depth is limited here, across both kinds of collections; the parser's own limits are only a fallback.
        let mut options = Options::default();
        options.flow_nesting_limit = MAX_DEPTH * 2;
        options.block_nesting_limit = MAX_DEPTH * 2;
        options.set_emit_comments(false);
        let parser = Parser::new_from_str_with_options(text, options);
        Self { parser, text, line, shared, anchored: HashMap::new(), made: 0, flow: Vec::new() }
    }

    pub(super) fn origin(&self, span: &Span) -> Origin {
        self.shared.input.origin(self.line + span.start.line(), span.start.col())
    }

    pub(super) fn fault(&self, span: &Span, message: impl Into<String>) -> Fault {
        Fault::new(self.origin(span), message)
    }

    pub(super) fn next(&mut self) -> Result<(Event<'t>, Span), Fault> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => {
                let span = Span::empty(*error.marker());
                if *error.kind() == ErrorKind::RecursionLimitExceeded {
                    return Err(self.too_deep(&span));
                }
                Err(self.broken(&error, &span))
            }
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    /// Converts an error of the parser.
    fn broken(&self, error: &ScanError, span: &Span) -> Fault {
        if let Some(line) = self.unfinished_merge().filter(|line| *line < span.start.line()) {
            let message = "an unfinished merge starts here, and the file contains both sides; keep one of them";
            return Fault::new(self.shared.input.origin(self.line + line + 1, 0), message);
        }
        let open = match self
            .flow
            .last()
            .filter(|open| open.start.line() < span.start.line() && !syntax::names_bracket(error))
        {
            Some(open) => format!("; the bracket on line {} is still open", self.origin(open).line),
            None => String::new(),
        };
        self.fault(span, format!("this is not valid YAML: {}{open}{}", syntax::words(error), self.hint(span)))
    }

    /// Returns the line, from 0, on which an unfinished merge starts.
    fn unfinished_merge(&self) -> Option<usize> {
        let begin = self.text.lines().position(|line| line.starts_with("<<<<<<< "))?;
        let mut rest = self.text.lines().skip(begin);
        (rest.any(|line| line == "=======") && rest.any(|line| line.starts_with(">>>>>>> "))).then_some(begin)
    }

    /// Returns advice for a template that is not quoted.
    pub(super) fn hint(&self, span: &Span) -> &'static str {
        let line = self.text.lines().nth(span.start.line().saturating_sub(1)).unwrap_or_default();
        if line.contains("{{") { "; put quotes around a value that starts with \"{{\"" } else { "" }
    }

    /// Returns the first document; `None` if there is none. Anything after it is not parsed.
    pub(super) fn document(&mut self) -> Result<Option<Node>, Fault> {
        loop {
            match self.next()? {
                (Event::StreamStart, _) => {}
                (Event::DocumentStart(..), _) => break,
                _ => return Ok(None),
            }
        }
        let (event, span) = self.next()?;
        if matches!(event, Event::DocumentEnd) {
            return Ok(None);
        }
        let node = self.node(event, &span, 1)?;
        match self.next()? {
            (Event::DocumentEnd, _) => Ok(Some(node)),
            (_, span) => {
                Err(self.fault(&span, "the document has ended, but something follows it; start the next one with ---"))
            }
        }
    }

    /// Returns a warning if another document follows the first one.
    pub(super) fn another(&mut self) -> Option<Fault> {
        let Ok((Event::DocumentStart(..), span)) = self.next() else { return None };
        match self.next().ok()?.0 {
            Event::DocumentEnd => None,
            Event::Scalar(text, ..) if matches!(&*text, "" | "~") => None,
            _ => Some(self.fault(&span, "a second document starts here and is ignored; remove it")),
        }
    }

    /// Builds the node that starts with an event, on a level from 1.
    pub(super) fn node(&mut self, event: Event<'t>, span: &Span, level: usize) -> Result<Node, Fault> {
        if level > MAX_DEPTH {
            return Err(self.too_deep(span));
        }
        let before = self.made;
        self.made += 1;
        let origin = self.origin(span);
        let (node, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let word = Word { text, style: style_of(style), tag, span: *span };
                (Node::scalar(self.scalar(word)?, origin), anchor)
            }
            Event::SequenceStart(style, anchor, _) => {
                (self.within(style, span, |this| this.sequence(level, origin))?, anchor)
            }
            Event::MappingStart(style, anchor, _) => {
                let mapping = self.within(style, span, |this| this.mapping(level))?;
                (Node::mapping(mapping, origin), anchor)
            }
            Event::Alias(id) => return self.alias(id, span, level),
            _ => return Err(self.fault(span, "this is not valid YAML: a value is missing here")),
        };
        if anchor != 0 {
            let nodes = self.made - before;
            self.charge(nodes, span)?;
            self.anchored.insert(anchor, Anchored { node: node.clone(), nodes });
        }
        Ok(node)
    }

    fn within<T>(&mut self, style: StructureStyle, span: &Span, inside: impl FnOnce(&mut Self) -> T) -> T {
        if style != StructureStyle::Flow {
            return inside(self);
        }
        self.flow.push(*span);
        let made = inside(self);
        self.flow.pop();
        made
    }

    fn sequence(&mut self, level: usize, origin: Origin) -> Result<Node, Fault> {
        let mut items = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if matches!(event, Event::SequenceEnd) {
                return Ok(Node::sequence(items, origin));
            }
            items.push(self.node(event, &span, level + 1)?);
        }
    }

    fn alias(&mut self, id: usize, span: &Span, level: usize) -> Result<Node, Fault> {
        let Some(nodes) = self.anchored.get(&id).map(|anchored| anchored.nodes) else {
            return Err(self.fault(span, "the alias is inside the value that it refers to; write out the value"));
        };
        self.charge(nodes, span)?;
        self.made += nodes.saturating_sub(1);
        let node = self.anchored.get(&id).map(|anchored| anchored.node.clone());
        let node = node.filter(|node| level + node.levels() - 1 <= MAX_DEPTH);
        node.ok_or_else(|| self.too_deep(span))
    }

    fn charge(&mut self, nodes: usize, span: &Span) -> Result<(), Fault> {
        match self.shared.aliasable.checked_sub(nodes) {
            Some(left) => {
                self.shared.aliasable = left;
                Ok(())
            }
            None => {
                let message = format!("anchors and aliases expand to more than {MAX_ALIASED} values; write them out");
                Err(self.fault(span, message))
            }
        }
    }

    fn too_deep(&self, span: &Span) -> Fault {
        self.fault(span, format!("the file nests deeper than {MAX_DEPTH} levels; flatten it"))
    }

    /// Builds a scalar. Rejects scalars that go-yaml reads differently than the parser.
    pub(super) fn scalar(&mut self, mut word: Word<'t>) -> Result<Scalar, Fault> {
        words::check(&word, self.text, !self.flow.is_empty()).map_err(|message| self.fault(&word.span, message))?;
        words::correct(&mut word, self.text);
        let scalar = tag::scalar(&word, self.shared.schema).map_err(|message| self.fault(&word.span, message))?;
        let is_marked = !self.flow.is_empty() && self.shared.schema == Schema::Resource;
        Ok(if is_marked { scalar.between_brackets() } else { scalar })
    }
}

fn style_of(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::Single,
        ScalarStyle::DoubleQuoted => Style::Double,
        ScalarStyle::Literal => Style::Literal,
        ScalarStyle::Folded => Style::Folded,
    }
}

/// Returns the scalar in an event, or the event itself if it is not a scalar.
pub(super) fn word<'t>(event: Event<'t>, span: Span) -> Result<(Word<'t>, usize), Event<'t>> {
    match event {
        Event::Scalar(text, style, anchor, tag) => Ok((Word { text, style: style_of(style), tag, span }, anchor)),
        other => Err(other),
    }
}
