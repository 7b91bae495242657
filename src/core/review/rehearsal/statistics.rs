//! Quantiles of many runs.

/// Returns the value below which a share of the values lies; `None` if there are no values. The values are sorted.
///
/// # Source
/// The nearest-rank method.
pub(super) fn quantile<T: Copy>(sorted: &[T], share: f64) -> Option<T> {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1).min(sorted.len().checked_sub(1)?)).copied()
}
