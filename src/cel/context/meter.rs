//! The cost limits of an evaluation.

/// Maximum cost of one expression for one cluster.
///
/// # Source
/// `k8s.io/apiserver` pkg/apis/cel, `PerCallLimit`.
const MAX_COST: u64 = 1_000_000;

/// Maximum number of steps that cost nothing, such as comparing the items of two lists. Upstream does not limit them. Expressions
/// that stay within the cost limit usually take fewer; others would run for seconds.
const MAX_WORK: u64 = 20_000_000;

/// Why an evaluation has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EvalError {
    /// An error such as a missing key or a number that is too large. `&&` and `||` may not need the value.
    Failed,
    /// The whole evaluation is aborted.
    Cancelled,
}

/// Drops the reason, which does not affect the result.
impl From<String> for EvalError {
    fn from(_: String) -> Self {
        Self::Failed
    }
}

/// Counts the cost of an evaluation.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    cost: u64,
    work: u64,
}

impl Meter {
    /// Returns the cost so far.
    pub(crate) fn cost(&self) -> u64 {
        self.cost
    }

    /// Returns the number of steps that cost nothing.
    pub(crate) fn worked(&self) -> u64 {
        self.work
    }

    /// Returns `true` if a limit is exceeded.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.cost > MAX_COST || self.work > MAX_WORK
    }

    /// Charges a cost.
    pub(crate) fn charge(&mut self, cost: u64) -> Result<(), EvalError> {
        self.cost = self.cost.saturating_add(cost);
        if self.cost > MAX_COST { Err(EvalError::Cancelled) } else { Ok(()) }
    }

    /// Counts steps that cost nothing.
    pub(crate) fn work(&mut self, steps: u64) -> Result<(), EvalError> {
        self.work = self.work.saturating_add(steps);
        if self.work > MAX_WORK { Err(EvalError::Cancelled) } else { Ok(()) }
    }

    /// Counts items or bytes that are about to be copied, which bounds the size of values.
    pub(crate) fn allocate(&mut self, size: usize) -> Result<(), EvalError> {
        self.work((size as u64).div_ceil(4))
    }
}
