//! Builds a tree from the parser's events.

use std::collections::HashMap;

use granit_parser::{ErrorKind, Event, Options, Parser, Span, StrInput, StructureStyle};

use super::input::Input;
use super::raw_scalar::RawScalar;
use super::separation::Separation;
use super::{scalar_quirks, tag};
use crate::yaml::limits::{MAX_ALIASED, MAX_DEPTH};
use crate::yaml::origin::{Error, Origin};
use crate::yaml::scalar::resolve::Schema;
use crate::yaml::scalar::value::Scalar;
use crate::yaml::tree::{Interner, Node};
use tidegate_model::diagnostic::Diagnostic;

/// A node that aliases can refer to, and the number of its nodes.
struct Anchored {
    node: Node,
    nodes: usize,
}

/// The state shared by the documents of a file.
pub(crate) struct FileState<'a> {
    pub(crate) input: Input<'a>,
    pub(crate) schema: Schema,
    /// Whether the last of duplicate keys wins, with a warning. Otherwise duplicate keys are an error.
    pub(crate) allows_duplicates: bool,
    /// Number of nodes that aliases may still create.
    aliasable: usize,
    pub(crate) interner: &'a mut Interner,
    /// Warnings: legal, but doubtful.
    pub(crate) warnings: Vec<Diagnostic<Origin>>,
}

impl<'a> FileState<'a> {
    pub(crate) fn new(input: Input<'a>, schema: Schema, interner: &'a mut Interner) -> Self {
        let allows_duplicates = schema == Schema::Kustomization;
        Self { input, schema, allows_duplicates, aliasable: MAX_ALIASED, interner, warnings: Vec::new() }
    }
}

/// Builds the tree of one document.
pub(crate) struct Composer<'t, 's, 'a> {
    parser: Parser<'t, StrInput<'t>>,
    pub(super) text: &'t str,
    /// Lines of the file before the text.
    pub(super) line: usize,
    pub(crate) file: &'s mut FileState<'a>,
    anchored: HashMap<usize, Anchored>,
    /// Number of nodes created so far.
    made: usize,
    /// The positions of the open brackets.
    pub(super) flow: Vec<Span>,
    separation: Separation,
}

impl<'t, 's, 'a> Composer<'t, 's, 'a> {
    pub(crate) fn new(text: &'t str, line: usize, file: &'s mut FileState<'a>) -> Self {
        // Depth is limited here, across both kinds of collections; the parser's own limits are only a fallback.
        let mut options = Options::default();
        options.flow_nesting_limit = MAX_DEPTH * 2;
        options.block_nesting_limit = MAX_DEPTH * 2;
        options.set_emit_comments(false);
        let parser = Parser::new_from_str_with_options(text, options);
        Self {
            parser,
            text,
            line,
            file,
            anchored: HashMap::new(),
            made: 0,
            flow: Vec::new(),
            separation: Separation::new(),
        }
    }

    pub(crate) fn origin(&self, span: &Span) -> Origin {
        self.file.input.origin(self.line + span.start.line(), span.start.col())
    }

    pub(crate) fn next(&mut self) -> Result<(Event<'t>, Span), Error> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => {
                let checked = self.separation.check(&event, &span, self.text);
                checked.map_err(|(at, message)| self.error_at(at, message))?;
                Ok((event, span))
            }
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

    /// Returns the first document; `None` if the text contains no document. Anything after it is not parsed.
    pub(crate) fn document(&mut self) -> Result<Option<Node>, Error> {
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
                Err(self.error(&span, "the document has ended, but something follows it; start the next one with ---"))
            }
        }
    }

    /// Returns an error if something follows the document: go-yaml ignores it.
    pub(crate) fn end(&mut self) -> Result<(), Error> {
        const MESSAGE: &str = "this is not valid YAML: something follows the end of the document; fix the indentation of the lines around \
                               it, or start another document with ---";
        // Where no document can start, the scanner has a complaint of its own.
        let (event, span) = self.next().map_err(|error| error.place.error(MESSAGE))?;
        if !matches!(event, Event::DocumentStart(..)) || self.is_empty_document()? {
            return Ok(());
        }
        Err(self.error(&span, MESSAGE))
    }

    /// Returns `true` if the document that has just started is empty.
    fn is_empty_document(&mut self) -> Result<bool, Error> {
        Ok(match self.next()?.0 {
            Event::DocumentEnd => true,
            Event::Scalar(text, ..) => matches!(&*text, "" | "~"),
            _ => false,
        })
    }

    /// Returns a warning if another document follows the first one.
    pub(crate) fn another(&mut self) -> Option<Diagnostic<Origin>> {
        let Ok((Event::DocumentStart(..), span)) = self.next() else { return None };
        match self.is_empty_document().ok()? {
            true => None,
            false => Some(self.origin(&span).warning("a second document starts here and is ignored; remove it")),
        }
    }

    /// Builds the node that starts with an event, on a level from 1.
    pub(crate) fn node(&mut self, event: Event<'t>, span: &Span, level: usize) -> Result<Node, Error> {
        if level > MAX_DEPTH {
            return Err(self.too_deep(span));
        }
        let before = self.made;
        self.take(1, span)?;
        self.made += 1;
        let origin = self.origin(span);
        let (node, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let raw = RawScalar::new(text, style, tag, *span);
                (Node::scalar(self.scalar(raw)?, origin), anchor)
            }
            Event::SequenceStart(style, anchor, _) => {
                (self.within(style, span, |this| this.sequence(level, origin))?, anchor)
            }
            Event::MappingStart(style, anchor, _) => {
                let mapping = self.within(style, span, |this| this.mapping(level))?;
                (Node::mapping(mapping, origin), anchor)
            }
            Event::Alias(id) => return self.alias(id, span, level),
            _ => return Err(self.error(span, "this is not valid YAML: a value is missing here")),
        };
        if anchor != 0 {
            let nodes = self.made - before;
            self.charge(nodes, span)?;
            self.take(nodes, span)?;
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

    fn sequence(&mut self, level: usize, origin: Origin) -> Result<Node, Error> {
        let mut items = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if matches!(event, Event::SequenceEnd) {
                items.shrink_to_fit();
                return Ok(Node::sequence(items, origin));
            }
            items.push(self.node(event, &span, level + 1)?);
        }
    }

    fn alias(&mut self, id: usize, span: &Span, level: usize) -> Result<Node, Error> {
        let Some(nodes) = self.anchored.get(&id).map(|anchored| anchored.nodes) else {
            return Err(self.error(span, "the alias is inside the value that it refers to; write out the value"));
        };
        self.charge(nodes, span)?;
        self.take(nodes.saturating_sub(1), span)?;
        self.made += nodes.saturating_sub(1);
        let node = self.anchored.get(&id).map(|anchored| anchored.node.clone());
        let node = node.filter(|node| level + node.levels() - 1 <= MAX_DEPTH);
        node.ok_or_else(|| self.too_deep(span))
    }

    /// Takes nodes from the budget of the revision.
    pub(crate) fn take(&self, nodes: usize, span: &Span) -> Result<(), Error> {
        let Some(budget) = self.file.input.budget else { return Ok(()) };
        budget.take(nodes).map_err(|message| self.error(span, message))
    }

    fn charge(&mut self, nodes: usize, span: &Span) -> Result<(), Error> {
        match self.file.aliasable.checked_sub(nodes) {
            Some(left) => {
                self.file.aliasable = left;
                Ok(())
            }
            None => {
                let message = format!("anchors and aliases expand to more than {MAX_ALIASED} values; write them out");
                Err(self.error(span, message))
            }
        }
    }

    /// Builds a scalar. Rejects scalars that go-yaml reads differently than the parser.
    pub(crate) fn scalar(&mut self, mut raw: RawScalar<'t>) -> Result<Scalar, Error> {
        scalar_quirks::check(&raw, self.text, !self.flow.is_empty())
            .map_err(|message| self.error(&raw.span, message))?;
        scalar_quirks::correct(&mut raw, self.text);
        let scalar = tag::scalar(&raw, self.file.schema).map_err(|message| self.error(&raw.span, message))?;
        let is_marked = !self.flow.is_empty() && self.file.schema == Schema::Resource;
        Ok(if is_marked { scalar.in_flow() } else { scalar })
    }
}
