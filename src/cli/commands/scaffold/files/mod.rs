//! The texts of the files, in which names as `@ADDON@` are filled in.

/// A ClusterManagementAddOn.
pub(super) const ADDON: &str = include_str!("addon.yaml");
/// An AddOnTemplate with the manifests of a Helm chart.
pub(super) const CHART: &str = include_str!("chart.yaml");
/// A namespace, and the set of clusters that is bound to it.
pub(super) const CLUSTERS: &str = include_str!("clusters.yaml");
/// An AddOnDeploymentConfig.
pub(super) const CONFIG: &str = include_str!("config.yaml");
/// The settings of all editors.
pub(super) const EDITORCONFIG: &str = include_str!("editorconfig");
/// The manifests of the first add-on.
pub(super) const HELLO: &str = include_str!("hello.yaml");
/// The part of a strategy that lets canaries go first.
pub(super) const MANDATORY: &str = include_str!("mandatory.yaml");
/// The kustomization of an overlay.
pub(super) const OVERLAY: &str = include_str!("overlay.yaml");
/// The patch of an overlay.
pub(super) const OVERLAY_CONFIG: &str = include_str!("overlay_config.yaml");
/// A Placement.
pub(super) const PLACEMENT: &str = include_str!("placement.yaml");
/// The README for the team.
pub(super) const README: &str = include_str!("README.md");
/// The settings of the repository.
pub(super) const SETTINGS: &str = include_str!("tidegate.toml");
/// The strategy of an add-on.
pub(super) const STRATEGY: &str = include_str!("strategy.yaml");
/// An AddOnTemplate, up to its manifests.
pub(super) const TEMPLATE: &str = include_str!("template.yaml");
/// The settings of VS Code.
pub(super) const VSCODE: &str = include_str!("vscode.json");
