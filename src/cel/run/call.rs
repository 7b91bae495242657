//! Calls of functions.

use super::evaluate::Evaluation;
use super::price::Paid;
use super::step::Call;
use crate::context::EvalError;
use crate::library::Callee;
use crate::value::Value;

impl<'a> Evaluation<'_, 'a> {
    /// Runs a function on its arguments. The cost is known afterwards, and is charged even if an argument failed, unless an
    /// argument was never evaluated.
    pub(super) fn call(&mut self, call: &'a Call) -> Result<Value<'a>, EvalError> {
        let mut args = Vec::with_capacity(call.args.len());
        let mut failed = false;
        for arg in &call.args {
            let value = self.caught(arg)?;
            failed |= value.is_none();
            args.push(value);
            if failed && call.stops {
                break;
            }
        }
        let complete = args.len() == call.args.len();
        let result = if call.forgives && failed {
            Ok(Value::Bool(true))
        } else if failed {
            Err(EvalError::Failed)
        } else {
            let args: Vec<Value<'a>> = args.iter().flatten().cloned().collect();
            self.run(&call.callee, &args)
        };
        if complete && !matches!(result, Err(EvalError::Cancelled)) {
            let paid = Paid { args: &args, result: result.as_ref().ok() };
            self.context.meter.charge(call.price.cost(&paid))?;
        }
        result
    }

    fn run(&mut self, callee: &Callee, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
        let overload = match callee {
            Callee::Every(function) => return function(&mut self.context, args),
            Callee::One(overload) => Some(*overload).filter(|overload| overload.takes(args)),
            Callee::First(declared) => {
                declared.overloads.iter().find(|overload| overload.run.is_some() && overload.takes(args))
            }
            Callee::Nothing => None,
        };
        match overload.and_then(|overload| overload.run) {
            Some(function) => function(&mut self.context, args),
            None => Err(EvalError::Failed),
        }
    }
}
