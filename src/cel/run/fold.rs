//! Loops.

use std::cell::RefCell;
use std::rc::Rc;

use super::evaluate::{Evaluation, Frame};
use super::step::Loop;
use crate::context::EvalError;
use crate::value::{List, Value};

impl<'a> Evaluation<'_, 'a> {
    pub(super) fn fold(&mut self, fold: &'a Loop) -> Result<Value<'a>, EvalError> {
        let items: Box<dyn Iterator<Item = Value<'a>>> = match self.value(&fold.range)? {
            Value::List(list) => Box::new(Items { length: list.len(), at: 0, list }),
            Value::Map(map) => Box::new(map.keys()),
            _ => return Err(EvalError::Failed),
        };
        self.frames.push(Frame { item: None, collected: None, start: &fold.start });
        let result = self.iterate(fold, items);
        self.frames.pop();
        Ok(match result? {
            Value::List(list) => Value::List(list.frozen()),
            value => value,
        })
    }

    fn iterate(&mut self, fold: &'a Loop, items: impl Iterator<Item = Value<'a>>) -> Result<Value<'a>, EvalError> {
        for item in items {
            self.context.meter.work(1)?;
            self.frame(|frame| frame.item = Some(item));
            // A condition that fails does not end the loop.
            if matches!(self.caught(&fold.condition)?, Some(Value::Bool(false))) {
                break;
            }
            let collected = self.caught(&fold.step)?.ok_or(EvalError::Failed);
            self.frame(|frame| frame.collected = Some(collected));
        }
        self.value(&fold.result)
    }

    /// Changes the innermost loop.
    fn frame(&mut self, change: impl FnOnce(&mut Frame<'a>)) {
        if let Some(frame) = self.frames.last_mut() {
            change(frame);
        }
    }

    /// Returns the value that a loop has collected so far.
    pub(super) fn collected(&mut self, number: usize) -> Result<Value<'a>, EvalError> {
        let frame = self.frames.get(number).ok_or(EvalError::Failed)?;
        if let Some(collected) = &frame.collected {
            return collected.clone();
        }
        let start = frame.start;
        // The start value of a loop sees only the loops around it.
        let inner = self.frames.split_off(number);
        let started = self.caught(start);
        self.frames.extend(inner);
        let collected = started?.ok_or(EvalError::Failed).map(|value| match value {
            Value::List(list) if list.len() == 0 => Value::List(List::Growing(Rc::new(RefCell::new(Vec::new())))),
            value => value,
        });
        if let Some(frame) = self.frames.get_mut(number) {
            frame.collected = Some(collected.clone());
        }
        collected
    }
}

/// The items that a list has when a loop starts.
struct Items<'a> {
    list: List<'a>,
    length: usize,
    at: usize,
}

impl<'a> Iterator for Items<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        let item = self.list.get(self.at).filter(|_| self.at < self.length)?;
        self.at += 1;
        Some(item)
    }
}
