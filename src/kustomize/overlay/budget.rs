//! Limits the work and the memory of a rendering.

use super::options::Options;
use crate::overlay::model::Resource;
use crate::yaml::{Content, Error, MAX_NODES, Node, Origin};

/// Cost of compiling a regular expression, in visits.
pub(crate) const PATTERN: usize = 2000;
/// Number of values that can be examined in the time of one visit.
const VALUES: usize = 128;

/// Counts work. The unit is a visit of one entry to one small object.
#[derive(Debug)]
pub(crate) struct Budget {
    work: usize,
    most: usize,
    /// The values that patches added to objects. A patch may add the same values to each of many objects.
    copied: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self::of(&Options::default())
    }
}

impl Budget {
    /// Creates an unused budget with the limit from the options.
    pub(crate) fn of(options: &Options) -> Self {
        Self { work: 0, most: options.max_work, copied: 0 }
    }

    /// Adds work to the total.
    ///
    /// # Errors
    /// [`Error`] if the total exceeds the limit.
    pub(crate) fn charge(&mut self, work: usize, at: Origin) -> Result<(), Error> {
        self.work = self.work.saturating_add(work);
        if self.work <= self.most {
            return Ok(());
        }
        let message = "the kustomizations combine too many entries with too many objects; split the kustomization";
        Err(at.error(message))
    }

    /// Adds values that each of some objects gets to the total.
    ///
    /// # Errors
    /// [`Error`] if the total exceeds the limit.
    pub(crate) fn copy(&mut self, values: usize, objects: usize, at: Origin) -> Result<(), Error> {
        self.copied = self.copied.saturating_add(values.saturating_mul(objects));
        if self.copied <= MAX_NODES {
            return Ok(());
        }
        let message = format!(
            "the patches up to here add more than {MAX_NODES} values to objects; use smaller patches, or select fewer objects"
        );
        Err(at.error(message))
    }
}

/// The cost of the objects of a layer, in visits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    /// Cost of visiting every object once.
    pub(crate) all: usize,
    /// Cost of visiting the largest object once.
    pub(crate) largest: usize,
}

impl Cost {
    pub(crate) fn of(resources: &[Resource]) -> Self {
        let visits = |resource: &Resource| visit(&resource.node);
        let (mut all, mut largest) = (0_usize, 1);
        for visits in resources.iter().map(visits) {
            all = all.saturating_add(visits);
            largest = largest.max(visits);
        }
        Self { all, largest }
    }

    /// Returns the cost of entries that each visit a number of fields in all objects.
    pub(crate) fn visits(self, entries: usize, fields: usize) -> usize {
        entries.saturating_mul(1 + fields / VALUES).saturating_mul(self.all)
    }
}

/// Returns the cost of examining all values of an object, in visits.
pub(crate) fn visit(object: &Node) -> usize {
    1 + values(object) / VALUES
}

/// Returns the number of values in a tree, including its root.
pub(crate) fn values(node: &Node) -> usize {
    match &node.content {
        Content::Scalar(_) => 1,
        Content::Sequence(items) => 1 + items.iter().map(values).sum::<usize>(),
        Content::Mapping(mapping) => 1 + mapping.iter().map(|entry| values(&entry.value)).sum::<usize>(),
    }
}

/// Maximum memory for copies, in MiB: their strings, and a fixed amount for each value.
pub(crate) const MAX_MIB: usize = 16;
/// Memory that a value uses in addition to its string, in bytes.
const VALUE: usize = 32;

/// The memory that copies may still use, in bytes.
#[derive(Debug)]
pub(crate) struct MemoryBudget(usize);

impl Default for MemoryBudget {
    fn default() -> Self {
        Self(MAX_MIB << 20)
    }
}

impl MemoryBudget {
    /// Takes the memory that a value needs. Returns `true` if there was enough.
    pub(crate) fn take(&mut self, value: &Node) -> bool {
        let left = self.0.checked_sub(bytes(value));
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

fn bytes(node: &Node) -> usize {
    let held: usize = match &node.content {
        Content::Scalar(scalar) => scalar.text().len(),
        Content::Sequence(items) => items.iter().map(bytes).sum(),
        Content::Mapping(mapping) => mapping.iter().map(|entry| entry.key().text.len() + bytes(&entry.value)).sum(),
    };
    held + VALUE
}
