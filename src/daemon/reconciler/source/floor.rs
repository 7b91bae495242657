//! Reads the rules in the daemon's own file, which every repository must obey in addition to its own, and cannot loosen.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tidegate_api::rollout_policy::PolicySet;
use tidegate_consent::{Basis, Operator, People};
use tidegate_model::time::SignedDuration;
use tidegate_model::tree::Tree;
use tidegate_repository::{PlanPolicy, load, plan_policies};

/// The rules of the operator.
#[derive(Debug, Clone, Default)]
pub struct Floor {
    /// The policies as code that judge every revision.
    pub policies: Vec<PlanPolicy>,
    /// What judges rollouts and changes of the rules.
    pub operator: Arc<Operator>,
    /// The people whom no repository can redefine.
    pub people: BTreeMap<String, Vec<String>>,
}

impl Floor {
    /// Replaces in the rules of a revision the people whom the operator defines.
    pub fn over(&self, basis: Basis) -> Basis {
        if self.people.is_empty() {
            return basis;
        }
        Basis { people: Arc::new(basis.people.under(&self.people)), ..basis }
    }
}

/// The files of the operator's rules, and what the daemon's file says beside them.
#[derive(Debug, Clone, Default)]
pub struct FloorFiles {
    /// Files of PlanPolicy documents.
    pub policies: Vec<PathBuf>,
    /// Files of RolloutPolicy documents.
    pub rollouts: Vec<PathBuf>,
    /// The people.
    pub people: BTreeMap<String, Vec<String>>,
    /// How long a change of the rules waits until it takes effect without approval.
    pub delay: Option<SignedDuration>,
}

/// Why the policies of the daemon cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnusablePolicies {
    /// A file cannot be read.
    #[error("the policies in {} cannot be read: {why}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The message of the operating system.
        why: String,
    },
    /// A file contains a mistake.
    #[error("the policies of [policies] {key} cannot be used: {first}")]
    Invalid {
        /// The key that names the file.
        key: &'static str,
        /// The first mistake, with its place.
        first: String,
    },
    /// A file contains no policy.
    #[error("{} contains no {kind}; write one, or remove the file from [policies] {key}", file.display())]
    Empty {
        /// The file.
        file: PathBuf,
        /// The key that names the file.
        key: &'static str,
        /// The kind that it should contain.
        kind: &'static str,
    },
    /// The people have a mistake.
    #[error("[people] of the daemon's file cannot be used: {first}")]
    People {
        /// The first mistake.
        first: String,
    },
}

/// Reads the rules of the operator. The names of policies are unique in all files together.
///
/// # Errors
/// [`UnusablePolicies`] for the first file that cannot be used, or for the first mistake in `[people]`.
pub fn read_floor(files: FloorFiles) -> Result<Floor, UnusablePolicies> {
    let FloorFiles { policies, rollouts, people, delay } = files;
    if let Some(problem) = People::new(people.clone()).problems().first() {
        return Err(UnusablePolicies::People { first: problem.to_string() });
    }
    let operator = Operator { policies: read_rollout_policies(&rollouts)?, delay };
    Ok(Floor { policies: read_plan_policies(&policies)?, operator: Arc::new(operator), people })
}

fn read_plan_policies(files: &[PathBuf]) -> Result<Vec<PlanPolicy>, UnusablePolicies> {
    let (policies, complaints) = plan_policies(&tree_of(files)?, "");
    if let Some(first) = complaints.iter().find(|complaint| complaint.is_error()) {
        return Err(UnusablePolicies::Invalid { key: "files", first: first.to_string() });
    }
    let is_empty = |file: &&PathBuf| policies.iter().all(|policy| policy.place.file != name(file));
    match files.iter().find(is_empty) {
        Some(file) => Err(UnusablePolicies::Empty { file: file.clone(), key: "files", kind: "PlanPolicy" }),
        None => Ok(policies),
    }
}

fn read_rollout_policies(files: &[PathBuf]) -> Result<PolicySet, UnusablePolicies> {
    if files.is_empty() {
        return Ok(PolicySet::default());
    }
    let loaded = load(&tree_of(files)?, "");
    if let Some(first) = loaded.complaints.iter().find(|complaint| complaint.is_error()) {
        return Err(UnusablePolicies::Invalid { key: "rollouts", first: first.to_string() });
    }
    let places = loaded.repository.objects.iter().filter(|(key, _)| key.kind == "RolloutPolicy");
    let places: Vec<&str> = places.map(|(_, declared)| declared.place.file.as_str()).collect();
    match files.iter().find(|file| !places.contains(&name(file).as_str())) {
        Some(file) => Err(UnusablePolicies::Empty { file: file.clone(), key: "rollouts", kind: "RolloutPolicy" }),
        None => Ok(loaded.repository.policies),
    }
}

fn tree_of(files: &[PathBuf]) -> Result<Tree, UnusablePolicies> {
    let mut tree = Tree::default();
    for file in files {
        let bytes = std::fs::read(file)
            .map_err(|error| UnusablePolicies::Unreadable { file: file.clone(), why: error.to_string() })?;
        tree.files.insert(name(file), bytes);
    }
    Ok(tree)
}

fn name(file: &Path) -> String {
    file.to_string_lossy().into_owned()
}
