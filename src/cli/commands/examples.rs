//! The example repository, embedded in the binary. The demo commits it.

/// Path and content of every file of `examples-repo`.
pub const FILES: &[(&str, &str)] = &[
    ("README.md", include_str!("../../../examples-repo/README.md")),
    (
        "base/managed-serviceaccount/addon.yaml",
        include_str!("../../../examples-repo/base/managed-serviceaccount/addon.yaml"),
    ),
    (
        "base/managed-serviceaccount/clusters.yaml",
        include_str!("../../../examples-repo/base/managed-serviceaccount/clusters.yaml"),
    ),
    (
        "base/managed-serviceaccount/config.yaml",
        include_str!("../../../examples-repo/base/managed-serviceaccount/config.yaml"),
    ),
    (
        "base/managed-serviceaccount/hub-role.yaml",
        include_str!("../../../examples-repo/base/managed-serviceaccount/hub-role.yaml"),
    ),
    (
        "base/managed-serviceaccount/kustomization.yaml",
        include_str!("../../../examples-repo/base/managed-serviceaccount/kustomization.yaml"),
    ),
    (
        "base/managed-serviceaccount/placement.yaml",
        include_str!("../../../examples-repo/base/managed-serviceaccount/placement.yaml"),
    ),
    (
        "base/managed-serviceaccount/template-0.4.0.yaml",
        include_str!("../../../examples-repo/base/managed-serviceaccount/template-0.4.0.yaml"),
    ),
    (
        "base/managed-serviceaccount/template-0.4.1.yaml",
        include_str!("../../../examples-repo/base/managed-serviceaccount/template-0.4.1.yaml"),
    ),
    (
        "fleet/addons/hello-template/addon.yaml",
        include_str!("../../../examples-repo/fleet/addons/hello-template/addon.yaml"),
    ),
    (
        "fleet/addons/hello-template/config.yaml",
        include_str!("../../../examples-repo/fleet/addons/hello-template/config.yaml"),
    ),
    (
        "fleet/addons/hello-template/template-0.4.0.yaml",
        include_str!("../../../examples-repo/fleet/addons/hello-template/template-0.4.0.yaml"),
    ),
    (
        "fleet/addons/hello-template/template-0.4.1.yaml",
        include_str!("../../../examples-repo/fleet/addons/hello-template/template-0.4.1.yaml"),
    ),
    (
        "fleet/addons/managed-serviceaccount/addon.yaml",
        include_str!("../../../examples-repo/fleet/addons/managed-serviceaccount/addon.yaml"),
    ),
    (
        "fleet/addons/managed-serviceaccount/cluster-aws-007.yaml",
        include_str!("../../../examples-repo/fleet/addons/managed-serviceaccount/cluster-aws-007.yaml"),
    ),
    (
        "fleet/addons/managed-serviceaccount/config-aws.yaml",
        include_str!("../../../examples-repo/fleet/addons/managed-serviceaccount/config-aws.yaml"),
    ),
    (
        "fleet/addons/managed-serviceaccount/config-gcp.yaml",
        include_str!("../../../examples-repo/fleet/addons/managed-serviceaccount/config-gcp.yaml"),
    ),
    (
        "fleet/addons/managed-serviceaccount/hub-role.yaml",
        include_str!("../../../examples-repo/fleet/addons/managed-serviceaccount/hub-role.yaml"),
    ),
    (
        "fleet/addons/managed-serviceaccount/template-0.4.0.yaml",
        include_str!("../../../examples-repo/fleet/addons/managed-serviceaccount/template-0.4.0.yaml"),
    ),
    (
        "fleet/addons/managed-serviceaccount/template-0.4.1.yaml",
        include_str!("../../../examples-repo/fleet/addons/managed-serviceaccount/template-0.4.1.yaml"),
    ),
    ("fleet/clusters/fleet.yaml", include_str!("../../../examples-repo/fleet/clusters/fleet.yaml")),
    ("fleet/placements/aws.yaml", include_str!("../../../examples-repo/fleet/placements/aws.yaml")),
    ("fleet/placements/fleet.yaml", include_str!("../../../examples-repo/fleet/placements/fleet.yaml")),
    ("fleet/placements/gcp.yaml", include_str!("../../../examples-repo/fleet/placements/gcp.yaml")),
    ("overlays/aws/config.yaml", include_str!("../../../examples-repo/overlays/aws/config.yaml")),
    ("overlays/aws/kustomization.yaml", include_str!("../../../examples-repo/overlays/aws/kustomization.yaml")),
    ("overlays/gcp/config.yaml", include_str!("../../../examples-repo/overlays/gcp/config.yaml")),
    ("overlays/gcp/kustomization.yaml", include_str!("../../../examples-repo/overlays/gcp/kustomization.yaml")),
    ("tidegate.toml", include_str!("../../../examples-repo/tidegate.toml")),
];
