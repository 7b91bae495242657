//! How much work a rendering may be.

use super::options::Options;
use super::resource::Resource;
use crate::yaml::{Content, Fault, Node, Origin};

/// So many values are looked at in the time of one visit.
const VALUES: usize = 128;

/// Counts work, in visits of one entry to one small object.
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
    /// Has done nothing yet, and may do what the options say.
    pub(super) fn of(options: &Options) -> Self {
        Self { work: 0, most: options.max_work }
    }

    /// Counts work.
    ///
    /// # Errors
    /// [`Fault`] if it is too much in all.
    pub(super) fn charge(&mut self, work: usize, at: Origin) -> Result<(), Fault> {
        self.work = self.work.saturating_add(work);
        if self.work <= self.most {
            return Ok(());
        }
        let message =
            "the entries of the kustomizations and their objects are too many together; split the kustomization";
        Err(Fault::new(at, message))
    }
}

/// How many visits the objects of a layer are worth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mass {
    /// One visit to each object.
    pub(super) all: usize,
    /// A visit to the largest object.
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

    /// Returns the visits of some entries, each of which goes to some fields of all objects.
    pub(super) fn visits(self, entries: usize, fields: usize) -> usize {
        entries.saturating_mul(1 + fields / VALUES).saturating_mul(self.all)
    }
}

/// Returns the visits that looking at all values of an object is worth.
pub(super) fn visit(object: &Node) -> usize {
    1 + values(object) / VALUES
}

/// Returns how many values a value holds, itself included.
pub(super) fn values(node: &Node) -> usize {
    match &node.content {
        Content::Scalar(_) => 1,
        Content::Sequence(items) => 1 + items.iter().map(values).sum::<usize>(),
        Content::Mapping(mapping) => 1 + mapping.iter().map(|member| values(&member.value)).sum::<usize>(),
    }
}
