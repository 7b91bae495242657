//! Gets a chart, and renders it.

use std::collections::BTreeMap;

use super::fetcher::{Fetched, Fetcher, NotFetched};
use super::objects::NotObjects;
use tidegate_download::{ChartRequest, Downloads, Release};
use tidegate_kustomize::vendor::{
    ChartDeclaration, ChartSource, Entry, LocalChart, MANIFESTS, VendoredChart, What, hash,
};
use tidegate_kustomize::yaml::{self, Input, Node, SourceId};
use tidegate_model::digest::Digest;
use tidegate_model::tree::Tree;

/// A chart that is there.
struct Obtained {
    version: String,
    digest: Digest,
    files: BTreeMap<String, Vec<u8>>,
}

/// Renders a chart. `locked` is the entry whose version is used.
pub(super) fn rendered(
    (fetcher, downloads): (&Fetcher<'_>, &Downloads),
    chart: &ChartDeclaration,
    locked: Option<&Entry>,
    tree: &Tree,
) -> Result<Fetched, NotFetched> {
    // Before the download, which would be in vain without it.
    let helm = fetcher.helm()?;
    let locked = locked.and_then(|entry| match &entry.what {
        What::Chart(old) if chart.is(old) => Some(old),
        _ => None,
    });
    let obtained = match &chart.source {
        ChartSource::Local(local) => of_tree(tree, local)?,
        ChartSource::Repository { url, .. } | ChartSource::Registry { url, .. } => {
            let version = locked.map(|old| old.version.as_str()).or(chart.source.version());
            let found = downloads.chart(&ChartRequest {
                repository: url.clone(),
                name: chart.name.clone(),
                version: version.unwrap_or_default().to_owned(),
                devel: chart.options.devel,
            })?;
            if let Some(old) = locked.filter(|old| old.digest != found.digest) {
                return Err(NotFetched::from(format!(
                    "the archive of the chart {} {} is not the locked one any more: its digest is sha256:{}, and the locked one is \
                     sha256:{}; if that is expected, run `tidegate vendor --update {}`",
                    chart.name,
                    old.version,
                    found.digest.as_str(),
                    old.digest.as_str(),
                    chart.name
                )));
            }
            Obtained { version: found.version, digest: found.digest, files: found.files }
        }
    };
    let values = chart.values.merged(obtained.files.get("values.yaml").map(Vec::as_slice));
    let values = values.map_err(|error| NotFetched::from(error.to_string()))?;
    let release = Release { chart: &obtained.files, values: &values };
    let manifests = helm.template(release, |path, values| chart.arguments(path, values))?;
    check(&manifests)
        .map_err(|why| format!("the output of helm for the chart {} cannot be used: {why}", chart.name))?;
    let what = What::Chart(VendoredChart {
        used_by: chart.used_by.clone(),
        name: chart.name.clone(),
        release: chart.release.clone(),
        namespace: chart.namespace.clone(),
        repository: chart.source.repository().to_owned(),
        request: chart.source.version().map(str::to_owned),
        version: obtained.version,
        digest: obtained.digest,
        values: chart.values_digest(),
        helm: helm.version().to_owned(),
    });
    let files = Tree { files: [(MANIFESTS.to_owned(), manifests)].into(), ..Tree::default() };
    Ok(Fetched { what, files, warning: None, is_tag: false })
}

/// Reads a chart of this repository.
fn of_tree(tree: &Tree, local: &LocalChart) -> Result<Obtained, NotFetched> {
    let directory = &local.directory;
    let below = format!("{directory}/");
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (path, bytes) in tree.files.range(below.clone()..).take_while(|(path, _)| path.starts_with(&below)) {
        files.insert(path.strip_prefix(&below).unwrap_or(path).to_owned(), bytes.clone());
    }
    for link in tree.links.keys().filter(|path| path.starts_with(&below)) {
        let target = tree.follow(link, &mut Vec::new()).ok();
        let bytes = target.and_then(|target| tree.files.get(&target));
        let bytes = bytes.ok_or_else(|| {
            format!(
                "{link} is a symbolic link that does not lead to a file of the repository; replace it with the file"
            )
        })?;
        files.insert(link.strip_prefix(&below).unwrap_or(link).to_owned(), bytes.clone());
    }
    let manifest = files.get("Chart.yaml").ok_or_else(|| format!("{directory} has no Chart.yaml"))?;
    let node = yaml::kustomization(Input::of_file(SourceId::default(), manifest)).ok().flatten();
    let version = node.as_ref().and_then(|node| node.get("version")).and_then(Node::as_scalar);
    let version = version.map(|scalar| scalar.text().to_owned()).filter(|version| !version.is_empty());
    let version = version.ok_or_else(|| format!("{directory}/Chart.yaml has no version"))?;
    let digest = hash(tree, directory).map_err(|unhashable| unhashable.to_string())?;
    Ok(Obtained { version, digest, files })
}

/// Checks that the output of helm consists of objects.
fn check(manifests: &[u8]) -> Result<(), NotObjects> {
    let nodes = yaml::resources(Input::of_file(SourceId::default(), manifests))?;
    let is_object = |node: &Node| node.get("kind").and_then(Node::as_str).is_some();
    match nodes.iter().position(|node| !is_object(node)) {
        Some(at) => Err(NotObjects::NoKind(at + 1)),
        None => Ok(()),
    }
}
