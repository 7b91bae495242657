//! `tidegate app orphans`: works of applications that nothing declares, and what is left of works on a cluster. Only reads.

use serde::Serialize;
use serde_json::{Value, json};

use super::chain::WORKS;
use super::declared::{Declared, short};
use super::recorded;
use crate::cli::args::AppOrphansArgs;
use crate::cli::commands::doctor::request::{Requests, Resource};
use crate::cli::compose;
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use crate::doctor::Unknown;
use tidegate_api::fleet::unit_of_work;
use tidegate_api::key;
use tidegate_journal::Journal;
use tidegate_model::line::one_line;
use tidegate_model::plural::counted;

/// What a work agent has applied on its cluster.
const APPLIED: Resource = Resource::new("/apis/work.open-cluster-management.io/v1", "appliedmanifestworks");

/// Something that nothing declares.
#[derive(Debug, Serialize)]
struct Orphan {
    kind: &'static str,
    name: String,
    why: String,
}

/// Prints the orphans of a hub, or of a cluster.
///
/// # Errors
/// [`Failure::Findings`] if there are some; [`Failure::Unreachable`] if a list cannot be read completely.
pub(super) async fn run(process: &Process, args: &AppOrphansArgs) -> Result<(), Failure> {
    let declared = Declared::read(process, &args.source)?;
    if !declared.loaded.repository.unreadable_files.is_empty() {
        declared.warn(process);
        let message = "it is not known what is declared, because a file cannot be read; fix it first";
        return Err(Failure::Unfinished(message.to_owned()));
    }
    let recorded = recorded::if_any(process, &args.source, &declared.root).await?;
    let requests = Requests(compose::client(&args.hub).await?);
    let works = requests.list_labeled(WORKS, Some(key::UNIT_LABEL.to_owned())).await;
    let applied = requests.list(APPLIED).await;
    let is_absent = |list: &Result<Vec<Value>, Unknown>| matches!(list, Err(Unknown::NotServed { .. }));
    if is_absent(&works) && is_absent(&applied) {
        let message = "this is neither a hub nor a cluster with a work agent: it serves neither ManifestWorks nor AppliedManifestWorks";
        return Err(Failure::Usage(format!("{message}; check --kubeconfig and --context")));
    }
    let works = complete(works)?;
    let left = complete(applied)?;
    let journal = recorded.as_ref().map(|recorded| &recorded.journal);
    let instance = journal.and_then(Journal::instance).map(|instance| instance.id.to_string());
    let (own, others): (Vec<&Value>, Vec<&Value>) =
        works.iter().partition(|work| instance.as_deref().is_none_or(|own| label(work, key::INSTANCE_LABEL) == own));
    let of_works = own.into_iter().filter_map(|work| of_work(work, &declared, journal));
    let orphans: Vec<Orphan> = of_works.chain(left.iter().filter_map(of_cluster)).collect();
    say(process, args, &orphans)?;
    if !others.is_empty() {
        process.warn_line(&format!("left out: {} of other instances", counted(others.len(), "work")));
    }
    if orphans.is_empty() { Ok(()) } else { Err(Failure::Findings) }
}

fn say(process: &Process, args: &AppOrphansArgs, orphans: &[Orphan]) -> Result<(), Failure> {
    match args.output {
        Some(output) => process.say_line(printed(output, &json!({ "orphans": orphans }))?.trim_end()),
        None if orphans.is_empty() => process.say_line("there are no orphans"),
        None => orphans
            .iter()
            .try_for_each(|Orphan { kind, name, why }| process.say_line(&one_line(&format!("{kind} {name}: {why}")))),
    }
}

/// Returns a whole list; an empty one if the resource is not served.
fn complete(list: Result<Vec<Value>, Unknown>) -> Result<Vec<Value>, Failure> {
    match list {
        Ok(list) => Ok(list),
        Err(Unknown::NotServed { .. }) => Ok(Vec::new()),
        Err(unknown) => Err(Failure::Unreachable {
            message: format!("the list of orphans is not complete: {unknown}"),
            hint: "check that the account may list ManifestWorks on the hub, or AppliedManifestWorks on the cluster"
                .to_owned(),
        }),
    }
}

fn text<'v>(object: &'v Value, pointer: &str) -> &'v str {
    object.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn label<'v>(object: &'v Value, name: &str) -> &'v str {
    object.pointer("/metadata/labels").and_then(|labels| labels.get(name)?.as_str()).unwrap_or_default()
}

/// Returns why nothing declares a work, if that is so.
fn of_work(work: &Value, declared: &Declared, journal: Option<&Journal>) -> Option<Orphan> {
    let cluster = text(work, "/metadata/namespace");
    let is_declared = |name: &str| declared.applications.iter().any(|outline| outline.name.as_str() == name);
    let why = match unit_of_work(work) {
        Err(wrong) => format!("its annotation {} does not name an application: {wrong}", key::UNIT),
        Ok(None) => format!("it has the label {}, and no annotation with the name of an application", key::UNIT_LABEL),
        Ok(Some(unit)) if unit.addon().is_some() => return None,
        Ok(Some(unit)) if !is_declared(unit.as_str()) => {
            format!("the repository declares no application {}", short(unit.as_str()))
        }
        Ok(Some(unit)) => {
            let clusters = journal.and_then(|journal| journal.lists.get(&unit))?;
            if clusters.contains_key(cluster) {
                return None;
            }
            format!("no step of {} selects {cluster}, according to the journal", short(unit.as_str()))
        }
    };
    let deleted = if text(work, "/metadata/deletionTimestamp").is_empty() { "" } else { "; it is being deleted" };
    let name = format!("{cluster}/{}", text(work, "/metadata/name"));
    Some(Orphan { kind: "ManifestWork", name, why: format!("{why}{deleted}") })
}

/// Returns what an agent is about to remove because its work is gone from the hub.
fn of_cluster(applied: &Value) -> Option<Orphan> {
    let since = text(applied, "/status/evictionStartTime");
    if since.is_empty() {
        return None;
    }
    let objects = applied.pointer("/status/appliedResources").and_then(Value::as_array).map_or(0, Vec::len);
    let (work, count) = (text(applied, "/spec/manifestWorkName"), counted(objects, "object"));
    let why = format!(
        "the work {work} is gone from the hub since {since}; the agent removes its {count} after a grace period, 60 minutes by default"
    );
    Some(Orphan { kind: "AppliedManifestWork", name: text(applied, "/metadata/name").to_owned(), why })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c19_only_what_an_agent_is_about_to_remove_is_an_orphan_of_a_cluster() {
        let applied = |status: Value| json!({ "metadata": { "name": "8f3-app-web-0" }, "spec": { "manifestWorkName": "app-web-0" }, "status": status });
        assert!(of_cluster(&applied(json!({}))).is_none());
        assert!(of_cluster(&json!({ "status": { "evictionStartTime": 1 } })).is_none());
        let status = json!({ "evictionStartTime": "2026-11-21T10:00:00Z", "appliedResources": [{}, {}] });
        let orphan = of_cluster(&applied(status)).unwrap();
        assert_eq!((orphan.kind, orphan.name.as_str()), ("AppliedManifestWork", "8f3-app-web-0"));
        assert_eq!(
            orphan.why,
            "the work app-web-0 is gone from the hub since 2026-11-21T10:00:00Z; the agent removes its 2 objects after a grace period, 60 \
             minutes by default"
        );
    }

    #[test]
    fn a_list_that_is_not_complete_is_an_error() {
        let forbidden = Unknown::Forbidden { verb: "list", resource: "manifestworks".to_owned() };
        assert!(matches!(complete(Err(forbidden)), Err(Failure::Unreachable { .. })));
        let absent = Unknown::NotServed { resource: "manifestworks".to_owned() };
        assert_eq!(complete(Err(absent)).unwrap_or_default().len(), 0);
    }
}
