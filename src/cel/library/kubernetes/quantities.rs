//! Kubernetes quantities.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::context::{Context, EvalError};
use crate::library::declaration::Row;
use crate::value::Value;
use tidegate_go::quantity::Quantity;

pub(in crate::library) const ROWS: &[Row] = &[
    Row("quantity", "string_to_quantity", "(string) -> quantity", Some(read)),
    Row("isQuantity", "is_quantity_string", "(string) -> bool", Some(is_quantity)),
    Row("sign", "quantity_sign", "(quantity) -> int", Some(sign)),
    Row("isGreaterThan", "quantity_is_greater_than", "quantity.(quantity) -> bool", Some(is_greater)),
    Row("isLessThan", "quantity_is_less_than", "quantity.(quantity) -> bool", Some(is_less)),
    Row("compareTo", "quantity_compare_to", "quantity.(quantity) -> int", Some(compare)),
    Row("asApproximateFloat", "quantity_get_float", "quantity.() -> double", Some(as_float)),
    Row("asInteger", "quantity_get_int", "quantity.() -> int", Some(as_integer)),
    Row("isInteger", "quantity_is_integer", "quantity.() -> bool", Some(is_integer)),
    Row("add", "quantity_add", "quantity.(quantity) -> quantity", Some(add)),
    Row("add", "quantity_add_int", "quantity.(int) -> quantity", Some(add)),
    Row("sub", "quantity_sub", "quantity.(quantity) -> quantity", Some(subtract)),
    Row("sub", "quantity_sub_int", "quantity.(int) -> quantity", Some(subtract)),
];

fn read<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let [Value::String(text)] = args else { return Err(EvalError::Failed) };
    text.parse().map(|quantity| Value::Quantity(Rc::new(quantity), false)).map_err(|_| EvalError::Failed)
}

fn is_quantity<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let [Value::String(text)] = args else { return Err(EvalError::Failed) };
    Ok(Value::Bool(text.parse::<Quantity>().is_ok()))
}

fn one<'q>(args: &'q [Value<'_>]) -> Result<&'q Quantity, EvalError> {
    match args {
        [Value::Quantity(quantity, _)] => Ok(quantity),
        _ => Err(EvalError::Failed),
    }
}

fn order(args: &[Value<'_>]) -> Result<Ordering, EvalError> {
    match args {
        [Value::Quantity(a, _), Value::Quantity(b, _)] => Ok(a.compare(b)),
        _ => Err(EvalError::Failed),
    }
}

fn sign<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    one(args).map(|quantity| Value::Int(quantity.sign()))
}

fn is_greater<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    order(args).map(|order| Value::Bool(order.is_gt()))
}

fn is_less<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    order(args).map(|order| Value::Bool(order.is_lt()))
}

fn compare<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    order(args).map(|order| Value::Int(order as i64))
}

fn as_float<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    one(args).map(|quantity| Value::Double(quantity.as_float()))
}

fn as_integer<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    one(args)?.as_integer().map(Value::Int).ok_or(EvalError::Failed)
}

fn is_integer<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    one(args).map(|quantity| Value::Bool(quantity.as_integer().is_some()))
}

/// Computes a quantity from two others; the second can be an integer.
fn computed<'a>(
    context: &mut Context<'_, 'a>,
    args: &[Value<'a>],
    compute: impl FnOnce(&Quantity, &Quantity) -> Quantity,
) -> Result<Value<'a>, EvalError> {
    let computed = match args {
        [Value::Quantity(a, _), Value::Quantity(b, _)] => compute(a, b),
        [Value::Quantity(a, _), Value::Int(b)] => compute(a, &Quantity::from_integer(*b)),
        _ => return Err(EvalError::Failed),
    };
    // Powers of ten can make a quantity thousands of digits long.
    context.meter.work(100)?;
    Ok(Value::Quantity(Rc::new(computed), true))
}

fn add<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    computed(context, args, Quantity::plus)
}

fn subtract<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    computed(context, args, Quantity::minus)
}
