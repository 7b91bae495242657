//! The rules of a strategy. All settings are read before anything is decided, so an invalid one never shows up midway.

use crate::settings::{Kind, Settings};
use crate::threshold::Threshold;
use crate::timing::Timing;
use crate::{Error, Input};
use tidegate_api::ocm::rollout_strategy::MandatoryDecisionGroup;

/// A strategy that has been read.
#[derive(Debug)]
pub(super) struct Strategy<'a> {
    pub(super) timing: Timing,
    pub(super) mandatory: &'a [MandatoryDecisionGroup],
    kind: Kind,
    max_failures: Threshold,
    /// `None` means no limit.
    max_concurrency: Option<Threshold>,
}

impl<'a> Strategy<'a> {
    pub(super) fn read(input: &Input<'a>) -> Result<Self, Error> {
        let settings = Settings::of(input.strategy)?;
        Ok(Self {
            timing: settings.timing(input.now)?,
            mandatory: settings.mandatory,
            kind: settings.kind,
            max_failures: settings.max_failures()?,
            max_concurrency: settings.given_max_concurrency()?,
        })
    }

    /// Returns `true` if the groups that are not mandatory are processed one after the other.
    pub(super) fn by_group(&self) -> bool {
        self.kind == Kind::ProgressivePerGroup
    }

    /// Returns how many of `total` clusters may fail: all for a threshold above the total. Type `All` without a
    /// positive threshold has no budget.
    pub(super) fn failures_allowed(&self, total: usize) -> usize {
        match usize::try_from(self.max_failures.exactly_of(total)) {
            Ok(0) | Err(_) if self.kind == Kind::All => total,
            Ok(allowed) => allowed.min(total),
            Err(_) => 0,
        }
    }

    /// Returns how many clusters may be under way while a stage of `total` clusters is open; `None` means no limit.
    ///
    /// A limit that is not positive is 0. Only the absence of a limit means that all clusters may start at once.
    pub(super) fn concurrency(&self, total: usize) -> Option<usize> {
        self.max_concurrency.map(|limit| usize::try_from(limit.exactly_of(total)).unwrap_or(0))
    }
}
