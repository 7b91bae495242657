//! Macros: calls that are replaced at parse time.
//!
//! # Source
//! `github.com/google/cel-go` v0.29 parser/macro.go, cel/library.go.

use super::cursor::Parser;
use super::tree::{Fold, Kind, Literal, Name, NodeId, operator};

/// The variable in which a loop collects its result. Expressions cannot refer to it.
const ACCUMULATOR: &str = "@result";
/// The name of the accumulator in older versions.
const FORMER_ACCUMULATOR: &str = "__result__";
/// The variable of a loop over an empty list.
const UNUSED: &str = "#unused";

/// An error in an argument of a macro.
type Refused = (NodeId, &'static str);

impl Parser<'_> {
    /// Creates a call, or expands the macro of that name.
    pub(super) fn call_or_macro(
        &mut self,
        function: Name,
        at: usize,
        target: Option<NodeId>,
        args: Vec<NodeId>,
    ) -> NodeId {
        let mut expansion = Expansion { parser: self, at };
        match expansion.expand(&function, target, &args) {
            Some(Ok(node)) => node,
            Some(Err((node, problem))) => {
                let at = self.tree.at(node);
                self.problems.add(at, problem);
                self.broken()
            }
            None => self.tree.add(Kind::Call { function, target, args }, Some(at)),
        }
    }
}

/// A macro being expanded: all nodes that it adds get the position of the call.
struct Expansion<'p, 's> {
    parser: &'p mut Parser<'s>,
    at: usize,
}

impl Expansion<'_, '_> {
    fn expand(&mut self, function: &str, target: Option<NodeId>, args: &[NodeId]) -> Option<Result<NodeId, Refused>> {
        let Some(range) = target else {
            return match (function, args) {
                ("has", [argument]) => Some(self.has(*argument)),
                _ => None,
            };
        };
        Some(match (function, args) {
            ("all", [variable, test]) => self.all(range, *variable, *test),
            ("exists", [variable, test]) => self.exists(range, *variable, *test),
            ("exists_one", [variable, test]) => self.exists_one(range, *variable, *test),
            ("map", [variable, value]) => self.map(range, *variable, None, *value),
            ("map", [variable, test, value]) => self.map(range, *variable, Some(*test), *value),
            ("filter", [variable, test]) => self.filter(range, *variable, *test),
            ("optMap", [variable, value]) => self.optional_map(range, *variable, *value, false),
            ("optFlatMap", [variable, value]) => self.optional_map(range, *variable, *value, true),
            _ => return None,
        })
    }

    fn add(&mut self, kind: Kind) -> NodeId {
        self.parser.tree.add(kind, Some(self.at))
    }

    fn call(&mut self, function: &str, args: Vec<NodeId>) -> NodeId {
        self.add(Kind::Call { function: function.into(), target: None, args })
    }

    fn literal(&mut self, literal: Literal) -> NodeId {
        self.add(Kind::Literal(literal))
    }

    fn list(&mut self, items: Vec<NodeId>) -> NodeId {
        let optional = vec![false; items.len()];
        self.add(Kind::List { items, optional })
    }

    fn collected(&mut self) -> NodeId {
        self.add(Kind::Ident(ACCUMULATOR.into()))
    }

    fn variable(&self, node: NodeId, compile_error: &'static str) -> Result<Name, Refused> {
        match self.parser.tree.kind(node) {
            Kind::Ident(name) if matches!(&**name, ACCUMULATOR | FORMER_ACCUMULATOR) => {
                Err((node, "iteration variable overwrites accumulator variable"))
            }
            Kind::Ident(name) => Ok(Name::clone(name)),
            _ => Err((node, compile_error)),
        }
    }

    fn has(&mut self, argument: NodeId) -> Result<NodeId, Refused> {
        match self.parser.tree.kind(argument) {
            Kind::Select { operand, field, .. } => {
                let kind = Kind::Select { operand: *operand, field: Name::clone(field), test: true };
                Ok(self.add(kind))
            }
            _ => Err((argument, "invalid argument to has() macro")),
        }
    }

    fn all(&mut self, range: NodeId, variable: NodeId, test: NodeId) -> Result<NodeId, Refused> {
        let variable = self.variable(variable, "argument must be a simple name")?;
        let start = self.literal(Literal::Bool(true));
        let collected = self.collected();
        let condition = self.call(operator::NOT_STRICTLY_FALSE, vec![collected]);
        let collected = self.collected();
        let step = self.call(operator::AND, vec![collected, test]);
        let result = self.collected();
        Ok(self.fold(Fold { range, variable, accumulator: ACCUMULATOR.into(), start, condition, step, result }))
    }

    fn exists(&mut self, range: NodeId, variable: NodeId, test: NodeId) -> Result<NodeId, Refused> {
        let variable = self.variable(variable, "argument must be a simple name")?;
        let start = self.literal(Literal::Bool(false));
        let collected = self.collected();
        let not = self.call(operator::NOT, vec![collected]);
        let condition = self.call(operator::NOT_STRICTLY_FALSE, vec![not]);
        let collected = self.collected();
        let step = self.call(operator::OR, vec![collected, test]);
        let result = self.collected();
        Ok(self.fold(Fold { range, variable, accumulator: ACCUMULATOR.into(), start, condition, step, result }))
    }

    fn exists_one(&mut self, range: NodeId, variable: NodeId, test: NodeId) -> Result<NodeId, Refused> {
        let variable = self.variable(variable, "argument must be a simple name")?;
        let start = self.literal(Literal::Int(0));
        let condition = self.literal(Literal::Bool(true));
        let (collected, one) = (self.collected(), self.literal(Literal::Int(1)));
        let more = self.call(operator::ADD, vec![collected, one]);
        let same = self.collected();
        let step = self.call(operator::CONDITIONAL, vec![test, more, same]);
        let (collected, one) = (self.collected(), self.literal(Literal::Int(1)));
        let result = self.call(operator::EQUALS, vec![collected, one]);
        Ok(self.fold(Fold { range, variable, accumulator: ACCUMULATOR.into(), start, condition, step, result }))
    }

    fn map(&mut self, range: NodeId, variable: NodeId, test: Option<NodeId>, value: NodeId) -> Result<NodeId, Refused> {
        let variable = self.variable(variable, "argument is not an identifier")?;
        Ok(self.collect(range, variable, test, value))
    }

    fn filter(&mut self, range: NodeId, variable: NodeId, test: NodeId) -> Result<NodeId, Refused> {
        let name = self.variable(variable, "argument is not an identifier")?;
        Ok(self.collect(range, name, Some(test), variable))
    }

    /// Creates a loop that collects a value for each item that passes a test.
    fn collect(&mut self, range: NodeId, variable: Name, test: Option<NodeId>, value: NodeId) -> NodeId {
        let start = self.list(Vec::new());
        let condition = self.literal(Literal::Bool(true));
        let (collected, item) = (self.collected(), self.list(vec![value]));
        let mut step = self.call(operator::ADD, vec![collected, item]);
        if let Some(test) = test {
            let same = self.collected();
            step = self.call(operator::CONDITIONAL, vec![test, step, same]);
        }
        let result = self.collected();
        self.fold(Fold { range, variable, accumulator: ACCUMULATOR.into(), start, condition, step, result })
    }

    fn fold(&mut self, fold: Fold) -> NodeId {
        self.add(Kind::Fold(Box::new(fold)))
    }

    fn member(&mut self, function: &str, target: NodeId) -> NodeId {
        self.add(Kind::Call { function: function.into(), target: Some(target), args: Vec::new() })
    }

    /// Computes a result from the value of an optional, as a loop over an empty list whose result sees that value as a variable.
    fn optional_map(&mut self, target: NodeId, variable: NodeId, value: NodeId, flat: bool) -> Result<NodeId, Refused> {
        let Kind::Ident(name) = self.parser.tree.kind(variable).clone() else {
            let compile_error = if flat {
                "optFlatMap() variable name must be a simple identifier"
            } else {
                "optMap() variable name must be a simple identifier"
            };
            return Err((variable, compile_error));
        };
        let has = self.member("hasValue", target);
        let range = self.list(Vec::new());
        let again = self.parser.tree.copied(target);
        let start = self.member("value", again);
        let condition = self.literal(Literal::Bool(false));
        let step = self.add(Kind::Ident(Name::clone(&name)));
        let fold = Fold { range, variable: UNUSED.into(), accumulator: name, start, condition, step, result: value };
        let mut mapped = self.fold(fold);
        if !flat {
            mapped = self.call("optional.of", vec![mapped]);
        }
        let none = self.call("optional.none", Vec::new());
        Ok(self.call(operator::CONDITIONAL, vec![has, mapped, none]))
    }
}
