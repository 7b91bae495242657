//! Comparisons of the clusters of a group with those that wait.

use serde_json::{Value, json};

use super::observation::Measured;
use super::threshold::{Threshold, written};
use tidegate_cel::{Evaluator, Program};

/// Compares the mean of a value of the upgraded clusters with that of the waiting ones. At least half of the clusters on each side must
/// give a number.
pub(super) fn compare(program: &Program, difference: Threshold, upgraded: Vec<Value>, waiting: Vec<Value>) -> Measured {
    let mut evaluator = Evaluator::default();
    let mut mean = |clusters: Vec<Value>, which: &str| {
        let total = clusters.len();
        let number = |cluster: Value| evaluator.number(program, &json!({ "cluster": cluster })).ok().flatten();
        let numbers: Vec<f64> = clusters.into_iter().filter_map(number).filter(|number| number.is_finite()).collect();
        if numbers.is_empty() || numbers.len() < total.div_ceil(2) {
            return Err(format!("{} of {total} {which} clusters give a number", numbers.len()));
        }
        Ok(average(&numbers))
    };
    let means = mean(upgraded, "upgraded").and_then(|upgraded| Ok((upgraded, mean(waiting, "waiting")?)));
    match means {
        Err(why) => Measured::none(&why),
        Ok((upgraded, waiting)) if (upgraded - waiting).is_finite() => {
            let value = format!(
                "{} ({} of the upgraded clusters, {} of the waiting ones), must be {difference}",
                written(upgraded - waiting),
                written(upgraded),
                written(waiting)
            );
            Measured::new(difference.holds(upgraded - waiting), &value)
        }
        Ok(_) => Measured::none("the numbers are too large to compare"),
    }
}

fn average(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}
