//! The sizes of batches, and what is wrong with them.

use serde_json::Value;

/// How many replicas are in a batch, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Amount {
    /// A number.
    Replicas(i64),
    /// A percentage of all replicas, rounded up.
    Percent(i64),
}

impl Amount {
    /// Reads an amount that conforms to its schema. A string without a percent sign is a number.
    pub(super) fn read(value: &Value) -> Option<Self> {
        let text = match value {
            Value::String(text) => text,
            value => return value.as_i64().map(Self::Replicas),
        };
        match text.strip_suffix('%') {
            Some(percent) => percent.parse().ok().map(Self::Percent),
            None => text.parse().ok().map(Self::Replicas),
        }
    }

    /// Returns the number of replicas, given all of them.
    fn of(self, target: i64) -> i64 {
        match self {
            Self::Replicas(replicas) => replicas,
            Self::Percent(percent) => (percent * target + 99) / 100,
        }
    }
}

/// What is wrong with batches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    /// The index of the batch; `None` if it is all of them.
    pub(super) batch: Option<usize>,
    /// What follows the path in a message.
    pub(super) why: String,
}

impl Wrong {
    fn of_all(why: String) -> Self {
        Self { batch: None, why }
    }
}

/// How the batches of a rollout add up.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    /// The replicas of each batch. The last one takes the rest if it is a percentage.
    pub(super) each: Vec<i64>,
    /// All of them.
    pub(super) sum: i64,
}

impl Sizes {
    /// Returns the largest batch.
    pub(super) fn largest(&self) -> i64 {
        self.each.iter().copied().max().unwrap_or_default()
    }
}

/// Returns the sizes of batches with a target size. Without batches, all replicas are one.
///
/// # Errors
/// An empty batch, more than 100 %, percentages that are not 100 % together, or more replicas than the target size.
///
/// # Source
/// KubeVela 1.1, `verifyBatchesWithRollout`: a percentage is rounded up, and a last one takes what is left.
pub(super) fn sizes(amounts: &[Amount], target: i64) -> Result<Sizes, Wrong> {
    let Some((last, before)) = amounts.split_last() else { return Ok(Sizes { each: vec![target], sum: target }) };
    amounts.iter().enumerate().try_for_each(|(index, amount)| each(index, *amount))?;
    let percent = |amount: &Amount| match amount {
        Amount::Percent(percent) => Some(*percent),
        Amount::Replicas(_) => None,
    };
    let percentages: Option<Vec<i64>> = amounts.iter().map(percent).collect();
    if let Some(sum) = percentages.map(|all| all.iter().sum::<i64>()).filter(|sum| *sum != 100) {
        return Err(Wrong::of_all(format!("is wrong: batches add up to {sum} %, not to 100 %; change one of them")));
    }
    let mut each: Vec<i64> = before.iter().map(|amount| amount.of(target)).collect();
    let rest = target - each.iter().sum::<i64>();
    // A last percentage takes the rest, if it means the rest except for what was rounded.
    let is_rest =
        matches!(last, Amount::Percent(_)) && rest <= last.of(target) && rest > last.of(target) - count(amounts);
    let size = if is_rest { rest } else { last.of(target) };
    if size < 1 {
        let why = format!(
            "has no replicas: the batches before it add up to {}, targetSize is {target}; write fewer batches",
            target - rest
        );
        return Err(Wrong { batch: Some(before.len()), why });
    }
    each.push(size);
    let sum = each.iter().sum();
    if sum > target {
        return Err(Wrong::of_all(unequal(sum, target)));
    }
    Ok(Sizes { each, sum })
}

fn count(amounts: &[Amount]) -> i64 {
    i64::try_from(amounts.len()).unwrap_or(i64::MAX)
}

/// Returns what follows the path in a message about batches that are not all replicas.
pub(super) fn unequal(sum: i64, target: i64) -> String {
    format!("is wrong: batches add up to {sum}, targetSize is {target}; change one of them")
}

fn each(index: usize, amount: Amount) -> Result<(), Wrong> {
    let why = match amount {
        Amount::Replicas(replicas @ ..1) => format!("is {replicas}; a batch has at least one replica"),
        Amount::Percent(percent @ ..1) => format!("is {percent} %; a batch has at least one replica"),
        Amount::Percent(percent @ 101..) => format!("is {percent} %, which is more than 100 %; write at most 100 %"),
        Amount::Replicas(_) | Amount::Percent(_) => return Ok(()),
    };
    Err(Wrong { batch: Some(index), why })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(batches: &Value, target: i64) -> String {
        let amounts: Vec<Amount> = batches.as_array().unwrap().iter().filter_map(Amount::read).collect();
        match sizes(&amounts, target) {
            Ok(Sizes { each, sum }) => format!("{each:?} {sum}"),
            Err(Wrong { batch: Some(index), why }) => format!("[{index}] {why}"),
            Err(Wrong { batch: None, why }) => why,
        }
    }

    #[test]
    fn batches_that_are_not_all_replicas_are_mistakes() {
        let zero = "is 0; a batch has at least one replica";
        assert_eq!(of(&json!([1, 2]), 2), "is wrong: batches add up to 3, targetSize is 2; change one of them");
        assert_eq!(of(&json!([0, 2]), 2), format!("[0] {zero}"));
        assert_eq!(of(&json!([2, "0"]), 2), format!("[1] {zero}"));
        assert_eq!(of(&json!(["0%", "100%"]), 2), "[0] is 0 %; a batch has at least one replica");
        assert_eq!(of(&json!(["150%"]), 2), "[0] is 150 %, which is more than 100 %; write at most 100 %");
        assert_eq!(of(&json!(["50%", "40%"]), 2), "is wrong: batches add up to 90 %, not to 100 %; change one of them");
        assert_eq!(
            of(&json!(["25%", "25%", 5]), 10),
            "is wrong: batches add up to 11, targetSize is 10; change one of them"
        );
        assert_eq!(
            of(&json!(["50%", "25%", "25%"]), 2),
            "[2] has no replicas: the batches before it add up to 2, targetSize is 2; write fewer batches"
        );
        assert_eq!(of(&json!([9, "50%"]), 10), "is wrong: batches add up to 14, targetSize is 10; change one of them");
    }

    #[test]
    fn a_percentage_is_rounded_up_and_the_last_one_takes_the_rest() {
        assert_eq!(of(&json!([1, 1]), 2), "[1, 1] 2");
        assert_eq!(of(&json!(["50%", "50%"]), 3), "[2, 1] 3");
        assert_eq!(of(&json!(["10%", "30%", "60%"]), 25), "[3, 8, 14] 25");
        assert_eq!(of(&json!([1, "50%"]), 2), "[1, 1] 2");
        assert_eq!(of(&json!([]), 4), "[4] 4");
        // Less than all: the batches of a change of the size.
        assert_eq!(of(&json!([1, "1"]), 4), "[1, 1] 2");
        assert_eq!(of(&json!([1, "10%"]), 10), "[1, 1] 2");
    }
}
