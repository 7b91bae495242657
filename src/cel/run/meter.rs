//! What an evaluation may cost.

/// The most that one expression may cost for one cluster.
///
/// # Source
/// `k8s.io/apiserver` pkg/apis/cel, `PerCallLimit`.
pub(crate) const MAX_COST: u64 = 1_000_000;

/// The most steps that cost nothing, such as comparing the items of two lists. Upstream does not bound them. Whatever ends within
/// the costs takes less; what does not would run for seconds.
const MAX_WORK: u64 = 20_000_000;

/// Why an evaluation has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A key is missing, a number is too large, and the like. `&&` and `||` can do without the value.
    Failed,
    /// The whole evaluation is given up.
    Cancelled,
}

/// Which of the reasons it was that a value could not be made makes no difference.
impl From<String> for Fault {
    fn from(_: String) -> Self {
        Self::Failed
    }
}

/// Counts what an evaluation costs.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    cost: u64,
    work: u64,
}

impl Meter {
    /// Returns what has been charged.
    pub(crate) fn cost(&self) -> u64 {
        self.cost
    }

    /// Returns how many steps there were that cost nothing.
    pub(crate) fn worked(&self) -> u64 {
        self.work
    }

    /// Charges a cost.
    pub(crate) fn charge(&mut self, cost: u64) -> Result<(), Fault> {
        self.cost = self.cost.saturating_add(cost);
        if self.cost > MAX_COST { Err(Fault::Cancelled) } else { Ok(()) }
    }

    /// Counts steps that cost nothing.
    pub(crate) fn work(&mut self, steps: u64) -> Result<(), Fault> {
        self.work = self.work.saturating_add(steps);
        if self.work > MAX_WORK { Err(Fault::Cancelled) } else { Ok(()) }
    }

    /// Counts items or bytes that are about to be copied, so that no value grows beyond what may be paid for it.
    pub(crate) fn allocate(&mut self, size: usize) -> Result<(), Fault> {
        self.work((size as u64).div_ceil(4))
    }
}
