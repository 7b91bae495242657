//! The arguments of `helm template`.

use super::declaration::ChartDeclaration;

impl ChartDeclaration {
    /// Returns the arguments of Helm that render the chart: `chart` is the path of its directory or archive, and `values` are the paths of
    /// the values files, in the order of [`ChartValues::merged`](super::ChartValues::merged).
    ///
    /// # Source
    /// kustomize `HelmChart.AsHelmArgs`. `debug` only adds what is no manifest, and `devel` is only used to choose the version.
    pub fn arguments(&self, chart: &str, values: &[String]) -> Vec<String> {
        let options = &self.options;
        let mut arguments = vec!["template".to_owned()];
        let mut add = |all: &[&str]| arguments.extend(all.iter().map(|argument| (*argument).to_owned()));
        match &options.name_template {
            Some(template) => add(&["--generate-name", "--name-template", template]),
            None => add(&[&self.release]),
        }
        add(&[chart]);
        if let Some(namespace) = &self.namespace {
            add(&["--namespace", namespace]);
        }
        values.iter().for_each(|file| add(&["-f", file]));
        options.api_versions.iter().for_each(|version| add(&["--api-versions", version]));
        if let Some(version) = &options.kube_version {
            add(&["--kube-version", version]);
        }
        let flags = [
            (options.include_crds, "--include-crds"),
            (options.skip_tests, "--skip-tests"),
            (options.skip_hooks, "--no-hooks"),
        ];
        flags.into_iter().filter(|(is_set, _)| *is_set).for_each(|(_, flag)| add(&[flag]));
        arguments
    }
}
