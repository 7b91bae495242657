//! The permissions that Tidegate needs on a hub, each with its reason: the only place that lists them. The manifest in `deploy`
//! is generated from this table.

use tidegate_api::key::{ADDON_GROUP, CERTIFICATES_GROUP, CLUSTER_GROUP, WORK_GROUP};

/// Verbs on the same resources of one group, with one reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Permission {
    /// Why it is needed.
    pub why: &'static str,
    /// The API group; empty for the core group.
    pub group: &'static str,
    /// The resources, with their subresource if there is one, such as `placements/status`.
    pub resources: &'static [&'static str],
    /// The only object that the verbs are granted for; empty for all.
    pub name: &'static str,
    /// The verbs.
    pub verbs: &'static [&'static str],
    /// What needs it.
    pub need: Need,
    /// Whether it is needed only where Tidegate delivers add-ons itself, and not OCM's add-on manager.
    pub is_native: bool,
    /// How the hub checks it.
    pub proof: Proof,
}

/// What needs a permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Every daemon.
    Always,
    /// A daemon with `--placement builtin`.
    BuiltinPlacement,
    /// A daemon with `--events on`.
    Events,
    /// A daemon whose repository declares such objects, or templates that need it.
    Declared,
    /// Only `tidegate doctor`.
    Doctor,
}

/// How the hub checks a permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// A request of the daemon needs it, so a recorded run shows that it is used.
    Request,
    /// A request of `tidegate doctor` needs it.
    Doctor,
    /// An admission plugin or webhook of the hub checks it during another request. The text states which one.
    Admission(&'static str),
}

/// What it takes to keep a kind as the repository declares it. An object is written by server-side apply, which is a patch, and also
/// a creation if the object does not exist yet.
const KEEP: &[&str] = &["list", "watch", "create", "patch", "delete"];
/// The same for a kind that is not one of OCM's. An object without a mark is looked at, and left alone.
pub(super) const KEEP_PLAIN: &[&str] = &["get", "list", "watch", "create", "patch", "delete"];
const OBSERVE: &[&str] = &["list", "watch"];

const OWNER_REFERENCES: Proof =
    Proof::Admission("the plugin OwnerReferencesPermissionEnforcement, when an object names an owner that it blocks");

const fn row(
    why: &'static str,
    (group, resources): (&'static str, &'static [&'static str]),
    verbs: &'static [&'static str],
    need: Need,
) -> Permission {
    Permission { why, group, resources, name: "", verbs, need, is_native: false, proof: Proof::Request }
}

/// A permission that is needed only where Tidegate delivers add-ons itself.
const fn native(permission: Permission) -> Permission {
    Permission { is_native: true, ..permission }
}

const fn proven(permission: Permission, proof: Proof) -> Permission {
    Permission { proof, ..permission }
}

/// Every permission that Tidegate needs, in the order of the manifest.
pub const PERMISSIONS: &[Permission] = &[
    row(
        "To find out which version of the add-on group the hub stores.",
        ("apiextensions.k8s.io", &["customresourcedefinitions"]),
        &["get"],
        Need::Always,
    ),
    row(
        "The add-ons, on the hub and on each cluster, and their configurations.",
        (ADDON_GROUP, &["clustermanagementaddons", "managedclusteraddons", "addontemplates", "addondeploymentconfigs"]),
        KEEP,
        Need::Always,
    ),
    native(row(
        "The progress of a rollout.",
        (ADDON_GROUP, &["clustermanagementaddons/status", "managedclusteraddons/status"]),
        &["patch"],
        Need::Always,
    )),
    proven(
        row(
            "Required for the owner references of the add-ons on clusters, which block deletion.",
            (ADDON_GROUP, &["clustermanagementaddons/finalizers"]),
            &["update"],
            Need::Always,
        ),
        OWNER_REFERENCES,
    ),
    native(proven(
        row(
            "Required for the owner references of works and RoleBindings, which block deletion.",
            (ADDON_GROUP, &["managedclusteraddons/finalizers"]),
            &["update"],
            Need::Always,
        ),
        OWNER_REFERENCES,
    )),
    row("What the agents report about the clusters.", (WORK_GROUP, &["manifestworks"]), OBSERVE, Need::Always),
    native(row(
        "What the agents apply on the clusters.",
        (WORK_GROUP, &["manifestworks"]),
        &["create", "patch", "delete"],
        Need::Always,
    )),
    native(row(
        "The roles of add-on agents on the hub. Kubernetes lets Tidegate bind only roles whose permissions it has: add them here, or bind.",
        ("rbac.authorization.k8s.io", &["rolebindings"]),
        KEEP,
        Need::Always,
    )),
    native(row(
        "The certificates of add-on agents: their requests. If no template has a registration, leave these rules out.",
        (CERTIFICATES_GROUP, &["certificatesigningrequests"]),
        OBSERVE,
        Need::Declared,
    )),
    native(row(
        "The approval of these requests.",
        (CERTIFICATES_GROUP, &["certificatesigningrequests/approval"]),
        &["update"],
        Need::Declared,
    )),
    native(Permission {
        name: "kubernetes.io/kube-apiserver-client",
        ..proven(
            row(
                "Certificates for the API server of the hub. A custom signer needs more rules; docs/hub.md lists them.",
                (CERTIFICATES_GROUP, &["signers"]),
                &["approve"],
                Need::Declared,
            ),
            Proof::Admission("the plugin CertificateApproval, when a request is approved"),
        )
    }),
    native(row(
        "Roles of agents that use tokens. They need one more rule, which docs/hub.md lists. Without such agents, list and watch are enough.",
        ("rbac.authorization.k8s.io", &["roles"]),
        KEEP,
        Need::Declared,
    )),
    row(
        "The clusters, and what selects among them.",
        (
            CLUSTER_GROUP,
            &[
                "managedclusters",
                "managedclustersets",
                "managedclustersetbindings",
                "placements",
                "placementdecisions",
                "addonplacementscores",
            ],
        ),
        OBSERVE,
        Need::Always,
    ),
    row(
        "Cluster sets, their bindings and placements that a repository declares.",
        (CLUSTER_GROUP, &["managedclustersets", "managedclustersetbindings", "placements"]),
        &["create", "patch", "delete"],
        Need::Declared,
    ),
    row(
        "Clusters that a repository declares. If it declares none, leave this rule out.",
        (CLUSTER_GROUP, &["managedclusters"]),
        &["create", "patch", "delete"],
        Need::Declared,
    ),
    proven(
        row(
            "Checked when a cluster set is bound to a namespace, and when a cluster joins a set.",
            (CLUSTER_GROUP, &["managedclustersets/bind", "managedclustersets/join"]),
            &["create"],
            Need::Declared,
        ),
        Proof::Admission("the webhooks of OCM's registration"),
    ),
    row(
        "The decisions of Tidegate's own scheduler. With --placement hub, leave these rules out.",
        (CLUSTER_GROUP, &["placementdecisions"]),
        &["create", "patch", "delete"],
        Need::BuiltinPlacement,
    ),
    row(
        "The results of Tidegate's own scheduler.",
        (CLUSTER_GROUP, &["placements/status", "placementdecisions/status"]),
        &["patch"],
        Need::BuiltinPlacement,
    ),
    proven(
        row(
            "Required for the owner references of its decisions.",
            (CLUSTER_GROUP, &["placements/finalizers"]),
            &["update"],
            Need::BuiltinPlacement,
        ),
        OWNER_REFERENCES,
    ),
    row(
        "Whether OCM's add-on manager runs, with [delivery] mode \"auto\", and for `tidegate doctor`: which components of OCM run.",
        ("coordination.k8s.io", &["leases"]),
        &["list"],
        Need::Always,
    ),
    proven(
        row(
            "For `tidegate doctor` alone: which feature gates of OCM are set.",
            ("operator.open-cluster-management.io", &["clustermanagers"]),
            &["list"],
            Need::Doctor,
        ),
        Proof::Doctor,
    ),
    row(
        "Kubernetes Events about what happened. Without this rule, run with --events off.",
        ("", &["events"]),
        &["create", "patch"],
        Need::Events,
    ),
    native(row(
        "ServiceAccounts of agents that use tokens. Without such agents, list and watch are enough.",
        ("", &["serviceaccounts"]),
        KEEP,
        Need::Declared,
    )),
    row(
        "Namespaces that a repository declares. Other kinds that [hub] kinds allows need a rule like this one.",
        ("", &["namespaces"]),
        KEEP_PLAIN,
        Need::Declared,
    ),
    row(
        "Roles of agents that a repository declares. The hub refuses a role with permissions that Tidegate does not have itself.",
        ("rbac.authorization.k8s.io", &["clusterroles"]),
        KEEP_PLAIN,
        Need::Declared,
    ),
];
