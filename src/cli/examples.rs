//! The example repository, as part of the binary: what the demonstration commits.

/// Path and content of every file of `examples-repo`.
pub const FILES: &[(&str, &str)] = &[
    ("README.md", include_str!("../../examples-repo/README.md")),
    ("addons/hello-template/addon.yaml", include_str!("../../examples-repo/addons/hello-template/addon.yaml")),
    ("addons/hello-template/config.yaml", include_str!("../../examples-repo/addons/hello-template/config.yaml")),
    (
        "addons/hello-template/template-0.4.0.yaml",
        include_str!("../../examples-repo/addons/hello-template/template-0.4.0.yaml"),
    ),
    (
        "addons/hello-template/template-0.4.1.yaml",
        include_str!("../../examples-repo/addons/hello-template/template-0.4.1.yaml"),
    ),
    (
        "addons/managed-serviceaccount/addon.yaml",
        include_str!("../../examples-repo/addons/managed-serviceaccount/addon.yaml"),
    ),
    (
        "addons/managed-serviceaccount/cluster-aws-007.yaml",
        include_str!("../../examples-repo/addons/managed-serviceaccount/cluster-aws-007.yaml"),
    ),
    (
        "addons/managed-serviceaccount/config-aws.yaml",
        include_str!("../../examples-repo/addons/managed-serviceaccount/config-aws.yaml"),
    ),
    (
        "addons/managed-serviceaccount/config-gcp.yaml",
        include_str!("../../examples-repo/addons/managed-serviceaccount/config-gcp.yaml"),
    ),
    (
        "addons/managed-serviceaccount/hub-role.yaml",
        include_str!("../../examples-repo/addons/managed-serviceaccount/hub-role.yaml"),
    ),
    (
        "addons/managed-serviceaccount/template-0.4.0.yaml",
        include_str!("../../examples-repo/addons/managed-serviceaccount/template-0.4.0.yaml"),
    ),
    (
        "addons/managed-serviceaccount/template-0.4.1.yaml",
        include_str!("../../examples-repo/addons/managed-serviceaccount/template-0.4.1.yaml"),
    ),
    ("clusters/fleet.yaml", include_str!("../../examples-repo/clusters/fleet.yaml")),
    ("placements/aws.yaml", include_str!("../../examples-repo/placements/aws.yaml")),
    ("placements/fleet.yaml", include_str!("../../examples-repo/placements/fleet.yaml")),
    ("placements/gcp.yaml", include_str!("../../examples-repo/placements/gcp.yaml")),
    ("tidegate.toml", include_str!("../../examples-repo/tidegate.toml")),
];
