//! Plans the steps of a checked expression.

use super::price::Price;
use super::step::{Attribute, Call, Key, Loop, Qualifier, Root, Step};
use crate::check::{Call as CheckedCall, Checked, Reference, named};
use crate::library::{self, Callee};
use crate::syntax::{Entry, Fold, Kind, Literal, Name, NodeId, Tree, operator};
use crate::types::Type;
use tidegate_go::regexp::Pattern;

/// Converts the tree of a checked expression to steps.
///
/// # Errors
/// The reason it cannot be run, although it passed the check.
pub(crate) fn plan(tree: &Tree, root: NodeId, checked: &Checked) -> Result<Step, String> {
    Planner { tree, checked, variables: Vec::new(), loops: 0 }.node(root)
}

/// A variable of a surrounding loop.
struct Variable {
    name: Name,
    root: fn(usize) -> Root,
    of_loop: usize,
}

struct Planner<'t> {
    tree: &'t Tree,
    checked: &'t Checked,
    variables: Vec<Variable>,
    /// Number of surrounding loops.
    loops: usize,
}

impl Planner<'_> {
    fn node(&mut self, id: NodeId) -> Result<Step, String> {
        match self.checked.reference(id) {
            Reference::Call(call) => return self.call(id, call),
            Reference::Type(name) => return Ok(Step::Type(name)),
            Reference::Int(value) => return Ok(Step::Constant(Literal::Int(*value))),
            Reference::Cluster => return Ok(attribute(Root::Cluster)),
            Reference::Variable { name, optional } => {
                let by = Key::Constant(Literal::String(Name::clone(name)));
                return Ok(qualified(attribute(Root::Cluster), Qualifier { by, optional: *optional }, false));
            }
            Reference::Local(name) => return self.local(id, name),
            Reference::None => {}
        }
        match self.tree.kind(id) {
            Kind::Literal(literal) => Ok(Step::Constant(literal.clone())),
            Kind::Select { operand, field, test } => {
                let operand = self.node(*operand)?;
                let key = Key::Constant(Literal::String(Name::clone(field)));
                Ok(qualified(operand, Qualifier { by: key, optional: false }, *test))
            }
            Kind::Call { args, .. } => match args.as_slice() {
                // The only call that does not refer to a function selects a field.
                [operand, key] => self.index(*operand, *key, true),
                _ => Err("no such overload".to_owned()),
            },
            Kind::List { items, optional } => {
                let items = items.iter().map(|item| self.node(*item)).collect::<Result<_, _>>()?;
                Ok(Step::List { items, optional: optional.clone() })
            }
            Kind::Map { entries } => self.map(entries),
            Kind::Fold(fold) => self.fold(fold),
            Kind::Broken | Kind::Ident(_) | Kind::Message { .. } => Err("no such attribute".to_owned()),
        }
    }

    /// Plans a variable of a loop. As upstream, a variable that holds a type is treated as the name of a type.
    fn local(&self, id: NodeId, name: &Name) -> Result<Step, String> {
        if matches!(self.checked.type_of(id), Type::Meta(_)) {
            let type_ = named(name).ok_or_else(|| format!("reference to undefined type: {name}"))?;
            return Ok(Step::Type(type_.name()));
        }
        let found = self.variables.iter().rev().find(|variable| variable.name == *name);
        let variable = found.ok_or_else(|| format!("no such attribute(s): {name}"))?;
        Ok(attribute((variable.root)(variable.of_loop)))
    }

    fn call(&mut self, id: NodeId, call: &CheckedCall) -> Result<Step, String> {
        let Kind::Call { function, target, args } = self.tree.kind(id) else {
            return Err("no such overload".to_owned());
        };
        let receiver = target.filter(|_| call.receives);
        if matches!(&**function, operator::INDEX | operator::OPTIONAL_INDEX) {
            return match args.as_slice() {
                [operand, key] => self.index(*operand, *key, &**function == operator::OPTIONAL_INDEX),
                _ => Err(format!("no such overload: {function}")),
            };
        }
        let all = receiver.iter().chain(args).map(|arg| self.node(*arg)).collect::<Result<Vec<Step>, _>>()?;
        let args = match operation(call.declared.name, all) {
            Ok(step) => return Ok(step),
            Err(args) => args,
        };
        let mut is_read = false;
        if library::takes_pattern(call.declared.name)
            && let [_, Step::Constant(Literal::String(pattern)), ..] = args.as_slice()
        {
            Pattern::compile(pattern)?;
            is_read = true;
        }
        let callee = call.declared.callee(&call.overloads);
        let price = match call.overloads.as_slice() {
            [one] => Price::of(call.declared.name, one.id),
            _ => Price::of(call.declared.name, ""),
        };
        let forgives = call.declared.name == operator::NOT_STRICTLY_FALSE;
        let stops = is_read || call.declared.name == "format" || args.len() > 2 || matches!(callee, Callee::First(_));
        Ok(Step::Call(Box::new(Call { callee, args, price, forgives, stops })))
    }

    /// Plans `operand[key]`.
    fn index(&mut self, operand: NodeId, key: NodeId, optional: bool) -> Result<Step, String> {
        let operand = self.node(operand)?;
        let by = match self.node(key)? {
            Step::Constant(Literal::Null) => return Err("invalid qualifier type: types.Null".to_owned()),
            Step::Constant(Literal::Bytes(_)) => return Err("invalid qualifier type: types.Bytes".to_owned()),
            Step::Type(_) => return Err("invalid qualifier type: *types.Type".to_owned()),
            Step::Constant(literal) => Key::Constant(literal),
            other => Key::Attribute(into_attribute(other)),
        };
        Ok(qualified(operand, Qualifier { by, optional }, false))
    }

    fn map(&mut self, entries: &[Entry]) -> Result<Step, String> {
        let mut planned = Vec::with_capacity(entries.len());
        for Entry { key, value, .. } in entries {
            planned.push([self.node(*key)?, self.node(*value)?]);
        }
        Ok(Step::Map { entries: planned, optional: entries.iter().map(|entry| entry.optional).collect() })
    }

    fn fold(&mut self, fold: &Fold) -> Result<Step, String> {
        let start = self.node(fold.start)?;
        let range = self.node(fold.range)?;
        let of_loop = self.loops;
        self.loops += 1;
        self.variables.push(Variable { name: Name::clone(&fold.variable), root: Root::Item, of_loop });
        self.variables.push(Variable { name: Name::clone(&fold.accumulator), root: Root::Collected, of_loop });
        let condition = self.node(fold.condition)?;
        let step = self.node(fold.step)?;
        // The result sees the collected value, but no longer the items.
        self.variables.truncate(self.variables.len().saturating_sub(2));
        self.variables.push(Variable { name: Name::clone(&fold.accumulator), root: Root::Collected, of_loop });
        let result = self.node(fold.result)?;
        self.variables.pop();
        self.loops -= 1;
        Ok(Step::Fold(Box::new(Loop { range, start, condition, step, result })))
    }
}

/// Plans an operation that is not a function call; returns the operands as an error if it is one.
fn operation(function: &str, args: Vec<Step>) -> Result<Step, Vec<Step>> {
    let pair = |args: Vec<Step>| <Box<[Step; 2]>>::try_from(args);
    Ok(match function {
        operator::AND => Step::Logic { decisive: false, terms: args },
        operator::OR => Step::Logic { decisive: true, terms: args },
        operator::EQUALS => Step::Equals { negated: false, sides: pair(args)? },
        operator::NOT_EQUALS => Step::Equals { negated: true, sides: pair(args)? },
        "or" => Step::Otherwise { unwrapped: false, sides: pair(args)? },
        "orValue" => Step::Otherwise { unwrapped: true, sides: pair(args)? },
        operator::CONDITIONAL => {
            let [condition, yes, no] = <[Step; 3]>::try_from(args)?;
            attribute(Root::Conditional { condition, yes: into_attribute(yes), no: into_attribute(no) })
        }
        _ => return Err(args),
    })
}

fn attribute(root: Root) -> Step {
    Step::Attribute(Box::new(Attribute { root, qualifiers: Vec::new(), tests: false }))
}

/// Converts a step to an attribute that qualifiers can be added to.
fn into_attribute(step: Step) -> Box<Attribute> {
    match step {
        Step::Attribute(attribute) => attribute,
        other => Box::new(Attribute { root: Root::Computed(other), qualifiers: Vec::new(), tests: false }),
    }
}

fn qualified(operand: Step, qualifier: Qualifier, tests: bool) -> Step {
    let mut attribute = into_attribute(operand);
    attribute.qualifiers.push(qualifier);
    attribute.tests = tests;
    Step::Attribute(attribute)
}
