//! Pull requests in the journal: what people said about them, and the plan of the newest commit of each.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::yaml::{Unwritable, yaml};
use tidegate_consent::{PullRecord, Pulls};
use tidegate_model::document::API_VERSION;

/// The directory of pull requests in the journal.
const DIRECTORY: &str = "pulls/";

/// The document of a pull request, `pulls/<n>.yaml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PullDocument {
    /// `tidegate.io/v1alpha1`.
    pub api_version: String,
    /// `PullRequest`.
    pub kind: String,
    /// Its number on the forge.
    pub number: u64,
    /// What is known of it.
    #[serde(flatten)]
    pub record: PullRecord,
}

/// What is journaled of the pull requests on a forge.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PullFacts {
    /// Counts the changes since the daemon started. A tick that knows this version has judged these records. It is 0 before anything is
    /// known, and 1 for what the journal records: before its first tick, a daemon has judged none of that.
    pub version: u64,
    /// The pull requests.
    pub records: Arc<Pulls>,
    /// The plan of the newest commit of each open pull request, as Markdown.
    pub plans: Arc<BTreeMap<u64, String>>,
}

/// A file of a pull request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PullFile {
    /// `pulls/<n>.yaml`.
    Record(u64),
    /// `pulls/<n>.md`.
    Plan(u64),
}

impl PullFile {
    /// Returns the file that a path names; `None` for any other path.
    pub fn of(path: &str) -> Option<Self> {
        let (number, extension) = path.strip_prefix(DIRECTORY)?.split_once('.')?;
        let number: u64 = number.parse().ok()?;
        let file = match extension {
            "yaml" => Self::Record(number),
            "md" => Self::Plan(number),
            _ => return None,
        };
        // `01.yaml` and `+1.yaml` name the same number.
        (file.path() == path).then_some(file)
    }

    /// Returns its path.
    pub fn path(self) -> String {
        match self {
            Self::Record(number) => format!("{DIRECTORY}{number}.yaml"),
            Self::Plan(number) => format!("{DIRECTORY}{number}.md"),
        }
    }
}

/// Returns the files of pull requests.
///
/// # Errors
/// [`Unwritable`] if a document cannot be written as YAML.
pub(super) fn files(facts: &PullFacts) -> Result<BTreeMap<String, Vec<u8>>, Unwritable> {
    let mut files = BTreeMap::new();
    for (number, record) in facts.records.iter() {
        let path = PullFile::Record(*number).path();
        let document = PullDocument {
            api_version: API_VERSION.to_owned(),
            kind: "PullRequest".to_owned(),
            number: *number,
            record: record.clone(),
        };
        files.insert(path.clone(), yaml(&path, &document)?);
    }
    let plans = facts.plans.iter().map(|(number, plan)| (PullFile::Plan(*number).path(), plan.clone().into_bytes()));
    files.extend(plans);
    Ok(files)
}

/// Reads the pull requests from the files of the journal. One that cannot be read is left out: the forge knows it.
pub(super) fn read(files: &BTreeMap<String, Vec<u8>>) -> Pulls {
    let record = |(path, bytes): (&String, &Vec<u8>)| {
        let PullFile::Record(number) = PullFile::of(path)? else { return None };
        let document: PullDocument = serde_saphyr::from_str(std::str::from_utf8(bytes).ok()?).ok()?;
        (document.number == number).then_some((number, document.record))
    };
    files.iter().filter_map(record).collect()
}

/// Reads the plans from the files of the journal.
pub(super) fn plans(files: &BTreeMap<String, Vec<u8>>) -> BTreeMap<u64, String> {
    let plan = |(path, bytes): (&String, &Vec<u8>)| {
        let PullFile::Plan(number) = PullFile::of(path)? else { return None };
        Some((number, String::from_utf8(bytes.clone()).ok()?))
    };
    files.iter().filter_map(plan).collect()
}

/// Returns the message of a commit that changes only pull requests, from the paths of the changed files.
pub(super) fn subject<'p>(paths: impl Iterator<Item = &'p str>) -> Option<String> {
    let mut numbers: Vec<u64> = Vec::new();
    for path in paths {
        match PullFile::of(path)? {
            PullFile::Record(number) | PullFile::Plan(number) => numbers.push(number),
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    match numbers.as_slice() {
        [] => None,
        [one] => Some(format!("pull request {one}")),
        [one, others @ ..] => Some(format!("pull request {one}; and {} more", others.len())),
    }
}
