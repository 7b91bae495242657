//! What expressions know about values of a schema.

use tidegate_api::schema::Schema;
use tidegate_cel::{Shape, escaped};

/// Returns the shape of the values of a schema. In a rule, names of fields are escaped, as in a CRD.
pub(super) fn shape(schema: &Schema, is_rule: bool) -> Shape {
    let below = |schema: &Schema| Box::new(shape(schema, is_rule));
    if schema.nullable || schema.int_or_string || schema.keeps_unknown {
        return Shape::Any;
    }
    match schema.type_.as_str() {
        "object" => match &schema.additional {
            Some(values) if schema.properties.is_empty() => Shape::Map(below(values)),
            Some(_) => Shape::Any,
            None => {
                let name = |name: &String| if is_rule { escaped(name) } else { name.clone() };
                Shape::Record(schema.properties.iter().map(|(field, of)| (name(field), *below(of))).collect())
            }
        },
        "array" => Shape::List(schema.items.as_deref().map_or_else(|| Box::new(Shape::Any), below)),
        "string" => Shape::Text,
        "boolean" => Shape::Bool,
        "integer" => Shape::Int,
        // A number without a fraction is an integer when it is read.
        _ => Shape::Any,
    }
}
