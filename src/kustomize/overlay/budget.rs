//! Limits the work of a rendering.

use super::options::Options;
use super::resource::Resource;
use crate::yaml::{Content, Fault, Node, Origin};

/// Number of values that can be examined in the time of one visit.
const VALUES: usize = 128;

/// Counts work. The unit is a visit of one entry to one small object.
#[derive(Debug)]
pub(super) struct Budget {
    work: usize,
    most: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self::of(&Options::default())
    }
}

impl Budget {
    /// Creates an unused budget with the limit from the options.
    pub(super) fn of(options: &Options) -> Self {
        Self { work: 0, most: options.max_work }
    }

    /// Adds work to the total.
    ///
    /// # Errors
    /// [`Fault`] if the total exceeds the limit.
    pub(super) fn charge(&mut self, work: usize, at: Origin) -> Result<(), Fault> {
        self.work = self.work.saturating_add(work);
        if self.work <= self.most {
            return Ok(());
        }
        let message = "the kustomizations combine too many entries with too many objects; split the kustomization";
        Err(Fault::new(at, message))
    }
}

/// The cost of the objects of a layer, in visits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mass {
    /// Cost of visiting every object once.
    pub(super) all: usize,
    /// Cost of visiting the largest object once.
    pub(super) largest: usize,
}

impl Mass {
    pub(super) fn of(resources: &[Resource]) -> Self {
        let visits = |resource: &Resource| visit(&resource.node);
        let (mut all, mut largest) = (0_usize, 1);
        for visits in resources.iter().map(visits) {
            all = all.saturating_add(visits);
            largest = largest.max(visits);
        }
        Self { all, largest }
    }

    /// Returns the cost of entries that each visit a number of fields in all objects.
    pub(super) fn visits(self, entries: usize, fields: usize) -> usize {
        entries.saturating_mul(1 + fields / VALUES).saturating_mul(self.all)
    }
}

/// Returns the cost of examining all values of an object, in visits.
pub(super) fn visit(object: &Node) -> usize {
    1 + values(object) / VALUES
}

/// Returns the number of values in a tree, including its root.
pub(super) fn values(node: &Node) -> usize {
    match &node.content {
        Content::Scalar(_) => 1,
        Content::Sequence(items) => 1 + items.iter().map(values).sum::<usize>(),
        Content::Mapping(mapping) => 1 + mapping.iter().map(|member| values(&member.value)).sum::<usize>(),
    }
}
