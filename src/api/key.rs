//! Labels, annotations, reasons and other fixed strings of the Kubernetes and OCM APIs.
//!
//! # Source
//! `open-cluster-management.io/api` and `addon-framework`, read 2026-08-11.

/// API group of the add-on kinds.
pub const ADDON_GROUP: &str = "addon.open-cluster-management.io";
/// API group of clusters, sets and placements.
pub const CLUSTER_GROUP: &str = "cluster.open-cluster-management.io";
/// API group of ManifestWork.
pub const WORK_GROUP: &str = "work.open-cluster-management.io";

/// API group of the kinds of Tidegate itself.
pub const TIDEGATE_GROUP: &str = "tidegate.io";

/// API group of CertificateSigningRequests.
pub const CERTIFICATES_GROUP: &str = "certificates.k8s.io";
/// API group of roles and their bindings.
pub const RBAC_GROUP: &str = "rbac.authorization.k8s.io";

/// The `apiVersion` of add-on objects inside Tidegate; `hub` converts them to the version that the hub serves.
pub const ADDON_V1BETA1: &str = "addon.open-cluster-management.io/v1beta1";

/// Plural resource name of AddOnTemplate in configuration references.
pub const ADDON_TEMPLATES: &str = "addontemplates";
/// API group of applications.
pub const APPLICATION_GROUP: &str = "core.oam.dev";
/// Resource of Applications.
pub const APPLICATIONS: &str = "applications";
/// Resource of published revisions of applications.
pub const APPLICATION_REVISIONS: &str = "applicationrevisions";
/// Plural resource name of AddOnDeploymentConfig in configuration references.
pub const ADDON_DEPLOYMENT_CONFIGS: &str = "addondeploymentconfigs";

/// Field manager of every write.
pub const FIELD_MANAGER: &str = "tidegate";
/// Label on objects that the repository declares; its value is `true`.
pub const OWNED_LABEL: &str = "tidegate.io/owned";
/// Label on every object that an instance owns; its value is the identity of the instance.
pub const INSTANCE_LABEL: &str = "tidegate.io/instance";
/// Annotation next to [`INSTANCE_LABEL`]: the readable name of the instance, for messages of other instances.
pub const INSTANCE_NAME: &str = "tidegate.io/instance-name";
/// Annotation on declared objects: the SHA-256 of the object as last applied, which detects removed fields.
pub const APPLIED_HASH: &str = "tidegate.io/applied-hash";

/// Label of the ManifestWorks of a unit that is not an add-on: the first 20 digits of the SHA-256 of its name.
pub const UNIT_LABEL: &str = "tidegate.io/unit";
/// Annotation next to [`UNIT_LABEL`]: the name of the unit.
pub const UNIT: &str = "tidegate.io/unit";
/// Annotation of a ManagedClusterAddOn that OCM's add-on manager delivers: what Tidegate has assigned to the cluster, as JSON. It is also on
/// one ManifestWork of each cluster of a unit that is not an add-on.
pub const ASSIGNMENT: &str = "tidegate.io/assignment";
/// Label of each object of an application with the name of its component.
pub const COMPONENT: &str = "app.oam.dev/component";
/// Annotation of an ApplicationRevision: the digest of its content when it was published.
pub const REVISION_DIGEST: &str = "tidegate.io/digest";
/// Annotation of an object of an application: the conditions that it has to meet until it counts as ready, as a list in JSON.
pub const READY_WHEN: &str = "tidegate.io/ready-when";
/// Annotation of a StatefulSet or CloneSet of an application whose replicas are replaced in batches: the replicas of each batch, as a list in JSON.
pub const BATCHES: &str = "tidegate.io/batches";
/// Annotation of an Application: the units that a cluster must have, done and healthy, before it gets the application, separated by commas.
pub const REQUIRES: &str = "tidegate.io/requires";
/// Annotation of a ClusterManagementAddOn: the digest that failed and is taken back, as JSON.
pub const REJECTED: &str = "tidegate.io/rejected";
/// Annotation of a configuration that is a copy: the original and the hash of its content, as JSON.
pub const COPY_OF: &str = "tidegate.io/copy-of";
/// Annotation of a ClusterManagementAddOn that OCM's add-on manager delivers: the declared install strategy, as JSON. Tidegate carries it
/// out.
pub const INSTALL_STRATEGY: &str = "tidegate.io/install-strategy";
/// Annotation next to [`INSTALL_STRATEGY`]: the declared default configurations, as JSON. Each cluster names its configurations itself.
pub const DEFAULT_CONFIGS: &str = "tidegate.io/default-configs";
/// Annotation on a CRD of the embedded API server, which converts between versions by itself. CRDs have no field for that.
pub const CONVERTED: &str = "tidegate.io/converted";

/// Condition of a ManagedClusterAddOn: `True` if its cluster missed its deadline, `False` once it has completed
/// late.
pub const OVERDUE: &str = "tidegate.io/Overdue";

/// Condition of a ManagedClusterAddOn: `True` since its cluster was first seen to have applied its configurations. The message has the
/// generations of the workloads from before.
pub const DELIVERED: &str = "tidegate.io/Delivered";

/// The controller of an add-on: upstream's if absent or `addon-manager`, another one for any other value.
pub const LIFECYCLE: &str = "addon.open-cluster-management.io/lifecycle";
/// Value of [`LIFECYCLE`] on the add-ons that Tidegate manages.
pub const LIFECYCLE_SELF: &str = "self";
/// Value of [`LIFECYCLE`] on the add-ons that upstream's manager manages.
pub const LIFECYCLE_ADDON_MANAGER: &str = "addon-manager";
/// Prefix of the ManagedCluster annotations that its add-ons inherit. Upstream compares it without a slash.
pub const INHERITED_ANNOTATION_PREFIX: &str = "addon.open-cluster-management.io";
/// Hosted mode: the cluster that hosts the add-on.
pub const HOSTING_CLUSTER: &str = "addon.open-cluster-management.io/hosting-cluster-name";
/// Where an object of a hosted add-on belongs: `managed`, `hosting` or `none`; an annotation or a label.
pub const HOSTED_LOCATION: &str = "addon.open-cluster-management.io/hosted-manifest-location";
/// v1alpha1's `spec.installNamespace` in v1beta1.
pub const INSTALL_NAMESPACE: &str = "addon.open-cluster-management.io/v1alpha1-install-namespace";
/// Marks a Job or Pod that runs before an add-on is deleted; an annotation or a label. On a ManagedClusterAddOn, the finalizer that waits
/// for it.
pub const PRE_DELETE: &str = "addon.open-cluster-management.io/addon-pre-delete";
/// The finalizers of upstream that wait for pre-delete hooks: the current one, and its older form.
pub const PRE_DELETE_FINALIZERS: [&str; 2] = [PRE_DELETE, "cluster.open-cluster-management.io/addon-pre-delete"];
/// Annotation of a ManagedClusterAddOn that is being deleted: `true` skips its pre-delete hooks.
pub const SKIP_PRE_DELETE: &str = "tidegate.io/skip-pre-delete-hook";
/// Marks a manifest that stays on the cluster when its work is deleted.
pub const DELETION_ORPHAN: &str = "addon.open-cluster-management.io/deletion-orphan";
/// Marks an object of a kind that stays on clusters by default, and that is deleted because a policy of its application says so.
pub const DELETE_WITH_UNIT: &str = "tidegate.io/delete-with-unit";
/// Label of a ClusterRole on a cluster: `true` adds its rules to those of the work agent.
pub const AGGREGATE_TO_WORK: &str = "open-cluster-management.io/aggregate-to-work";
/// Configuration hashes that a work was rendered from.
pub const CONFIG_SPEC_HASH: &str = "open-cluster-management.io/config-spec-hash";
/// Image registries of a ManagedCluster, as JSON.
pub const IMAGE_REGISTRIES: &str = "open-cluster-management.io/image-registries";
/// Label of a work: the name of its add-on.
pub const ADDON_NAME: &str = "open-cluster-management.io/addon-name";
/// Label of a work that is not in the namespace of its add-on: that namespace.
pub const ADDON_NAMESPACE: &str = "open-cluster-management.io/addon-namespace";
/// Label of a RoleBinding created from an AddOnTemplate; its value is always empty.
pub const ADDON_TEMPLATE_NAME: &str = "open-cluster-management.io/addon-template-name";
/// Label of the objects with which an agent requests tokens: the name of its add-on.
pub const TOKEN_ADDON: &str = "addon.open-cluster-management.io/name";
/// Label of the objects with which an agent requests tokens; its value is `true`.
pub const TOKEN_INFRASTRUCTURE: &str = "addon.open-cluster-management.io/token-infrastructure";
/// Label of a hub object: the cluster it belongs to.
pub const CLUSTER_NAME: &str = "open-cluster-management.io/cluster-name";
/// The name in a v1beta1 default configuration that means "supported, but without a default object".
pub const RESERVED_NO_DEFAULT: &str = "__reserved_no_default__";
/// The namespace of OCM's controllers on the hub.
pub const HUB_NAMESPACE: &str = "open-cluster-management-hub";
/// The namespace that add-ons are installed in by default.
pub const DEFAULT_INSTALL_NAMESPACE: &str = "open-cluster-management-agent-addon";

/// Label of a cluster: the exclusive cluster set that it belongs to.
pub const CLUSTER_SET: &str = "cluster.open-cluster-management.io/clusterset";
/// The cluster set of the clusters without a set of their own. Every hub has it, and sets its name as [`CLUSTER_SET`].
pub const DEFAULT_CLUSTER_SET: &str = "default";
/// The cluster set of all clusters. Every hub has it.
pub const GLOBAL_CLUSTER_SET: &str = "global";
/// Label of a PlacementDecision: its Placement.
pub const PLACEMENT: &str = "cluster.open-cluster-management.io/placement";
/// Label of a PlacementDecision: the index of its group.
pub const GROUP_INDEX: &str = "cluster.open-cluster-management.io/decision-group-index";
/// Label of a PlacementDecision: the name of its group.
pub const GROUP_NAME: &str = "cluster.open-cluster-management.io/decision-group-name";
/// Annotation of a Placement that schedulers must ignore.
pub const SCHEDULING_DISABLED: &str = "cluster.open-cluster-management.io/experimental-scheduling-disable";

/// Condition of a ManagedCluster: whether its API server answers.
pub const CLUSTER_AVAILABLE: &str = "ManagedClusterConditionAvailable";
/// Condition types of ManagedClusterAddOn and ManifestWork.
pub const AVAILABLE: &str = "Available";
/// See [`AVAILABLE`].
pub const APPLIED: &str = "Applied";
/// See [`AVAILABLE`].
pub const CONFIGURED: &str = "Configured";
/// See [`AVAILABLE`].
pub const PROGRESSING: &str = "Progressing";
/// See [`AVAILABLE`].
pub const MANIFEST_APPLIED: &str = "ManifestApplied";
/// See [`AVAILABLE`]. `False` while the agent of the add-on does not have all of its permissions on the hub.
pub const REGISTRATION_APPLIED: &str = "RegistrationApplied";
/// See [`AVAILABLE`]. `True` once an agent that uses tokens can request them; the message has the uid of its ServiceAccount.
pub const TOKEN_READY: &str = "TokenInfrastructureReady";
/// See [`AVAILABLE`]. Whether the pre-delete hooks of an add-on that is being deleted have completed.
pub const HOOK_COMPLETED: &str = "HookManifestCompleted";
/// See [`AVAILABLE`].
pub const HOSTING_MANIFEST_APPLIED: &str = "HostingManifestApplied";
/// Condition types of Placement.
pub const PLACEMENT_SATISFIED: &str = "PlacementSatisfied";
/// See [`PLACEMENT_SATISFIED`].
pub const PLACEMENT_MISCONFIGURED: &str = "PlacementMisconfigured";
