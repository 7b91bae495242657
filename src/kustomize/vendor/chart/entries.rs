//! The charts of a kustomization.

use crate::yaml::{Fields, Node, Origin, Reader, Text};

/// An entry of `helmCharts`, or of the older `helmChartInflationGenerator`.
#[derive(Debug)]
pub(crate) struct ChartEntry {
    pub(crate) origin: Origin,
    pub(crate) name: Option<Text>,
    pub(super) repo: Option<Text>,
    pub(super) version: Option<Text>,
    pub(super) release: Option<Text>,
    pub(super) namespace: Option<Text>,
    pub(super) home: Option<Text>,
    pub(super) values_file: Option<Text>,
    pub(super) more_files: Vec<Text>,
    pub(super) inline: Option<Node>,
    pub(super) merge: Option<Text>,
    pub(super) name_template: Option<Text>,
    pub(super) api_versions: Vec<Text>,
    pub(super) kube_version: Option<Text>,
    pub(super) include_crds: bool,
    pub(super) skip_hooks: bool,
    pub(super) skip_tests: bool,
    pub(super) devel: bool,
}

const FIELDS: [&str; 17] = [
    "name",
    "version",
    "repo",
    "releaseName",
    "namespace",
    "additionalValuesFiles",
    "valuesFile",
    "valuesInline",
    "valuesMerge",
    "includeCRDs",
    "skipHooks",
    "apiVersions",
    "kubeVersion",
    "nameTemplate",
    "skipTests",
    "debug",
    "devel",
];

const OLD_FIELDS: [&str; 13] = [
    "chartName",
    "chartVersion",
    "chartRepoUrl",
    "chartHome",
    "chartRepoName",
    "helmBin",
    "helmHome",
    "values",
    "valuesLocal",
    "valuesMerge",
    "releaseName",
    "releaseNamespace",
    "extraArgs",
];

/// Fields that kustomize ignores, or that are about the machine that runs Helm.
const WITHOUT_EFFECT: [&str; 6] =
    ["configHome", "chartRepoName", "helmBin", "helmHome", "releaseNamespace", "extraArgs"];

/// Reads the charts of a kustomization.
///
/// # Source
/// kustomize `FixKustomization`: entries of the older field come last, and name the chart home only if `helmGlobals` is missing.
pub(crate) fn charts(fields: &Fields<'_>, reader: &mut Reader) -> Vec<ChartEntry> {
    let mut home = None;
    let globals = fields.get("helmGlobals").map(|node| {
        let globals = reader.fields(node, "helmGlobals", &["chartHome", "configHome"]);
        warn(&globals, reader);
        home = reader.text(&globals, "chartHome");
    });
    let mut charts: Vec<_> = reader.items(fields, "helmCharts").iter().map(|item| entry(item, reader)).collect();
    for item in reader.items(fields, "helmChartInflationGenerator") {
        let old = reader.fields(item, "an entry of helmChartInflationGenerator", &OLD_FIELDS);
        warn(&old, reader);
        let own = reader.text(&old, "chartHome");
        home = if globals.is_none() { own.or(home) } else { home };
        charts.push(ChartEntry {
            name: reader.text(&old, "chartName"),
            repo: reader.text(&old, "chartRepoUrl"),
            version: reader.text(&old, "chartVersion"),
            release: reader.text(&old, "releaseName"),
            values_file: reader.text(&old, "values"),
            inline: inline(&old, "valuesLocal", reader),
            merge: reader.text(&old, "valuesMerge"),
            ..ChartEntry::at(item.origin)
        });
    }
    charts.iter_mut().for_each(|chart| chart.home.clone_from(&home));
    charts
}

fn entry(item: &Node, reader: &mut Reader) -> ChartEntry {
    let fields = reader.fields(item, "an entry of helmCharts", &FIELDS);
    reader.flag(&fields, "debug");
    ChartEntry {
        name: reader.text(&fields, "name"),
        repo: reader.text(&fields, "repo"),
        version: reader.text(&fields, "version"),
        release: reader.text(&fields, "releaseName"),
        namespace: reader.text(&fields, "namespace"),
        values_file: reader.text(&fields, "valuesFile"),
        more_files: reader.texts(&fields, "additionalValuesFiles"),
        inline: inline(&fields, "valuesInline", reader),
        merge: reader.text(&fields, "valuesMerge"),
        name_template: reader.text(&fields, "nameTemplate"),
        api_versions: reader.texts(&fields, "apiVersions"),
        kube_version: reader.text(&fields, "kubeVersion"),
        include_crds: reader.flag(&fields, "includeCRDs"),
        skip_hooks: reader.flag(&fields, "skipHooks"),
        skip_tests: reader.flag(&fields, "skipTests"),
        devel: reader.flag(&fields, "devel"),
        ..ChartEntry::at(item.origin)
    }
}

fn inline(fields: &Fields<'_>, name: &str, reader: &mut Reader) -> Option<Node> {
    let node = fields.get(name)?;
    if node.as_mapping().is_none() {
        reader.error(node.origin, format!("{name} must be a mapping of values"));
    }
    (!node.is_empty()).then(|| node.clone())
}

fn warn(fields: &Fields<'_>, reader: &mut Reader) {
    for name in WITHOUT_EFFECT {
        if let Some(node) = fields.get(name) {
            reader.warn(node.origin, format!("{name} has no effect; remove it"));
        }
    }
}

impl ChartEntry {
    fn at(origin: Origin) -> Self {
        Self {
            origin,
            name: None,
            repo: None,
            version: None,
            release: None,
            namespace: None,
            home: None,
            values_file: None,
            more_files: Vec::new(),
            inline: None,
            merge: None,
            name_template: None,
            api_versions: Vec::new(),
            kube_version: None,
            include_crds: false,
            skip_hooks: false,
            skip_tests: false,
            devel: false,
        }
    }

    /// Returns the files that the entry names, which may be remote.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Text> {
        self.values_file.iter().chain(&self.more_files)
    }
}
