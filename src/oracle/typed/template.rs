//! The types of an AddOnTemplate, v1alpha1.
//!
//! # Source
//! `open-cluster-management.io/api` addon/v1alpha1 and work/v1, `k8s.io/api` v0.35 rbac/v1.

use super::metadata::{API_VERSION, KIND, METADATA};
use super::shape::{Field, STRING, Struct, Type, always, given};

/// AddOnTemplate.
pub(crate) static ADD_ON_TEMPLATE: Type = Type::Struct(&OBJECT);

static OBJECT: Struct = Struct {
    name: "v1alpha1.AddOnTemplate",
    fields: &[KIND, API_VERSION, METADATA, always("spec", Type::Struct(&SPEC))],
};

static SPEC: Struct = Struct {
    name: "v1alpha1.AddOnTemplateSpec",
    fields: &[
        always("addonName", STRING),
        always("agentSpec", Type::Struct(&MANIFEST_WORK_SPEC)),
        always("registration", Type::List(&Type::Struct(&REGISTRATION_SPEC))),
    ],
};

static MANIFEST_WORK_SPEC: Struct = Struct {
    name: "v1.ManifestWorkSpec",
    fields: &[
        given("workload", Type::Struct(&MANIFESTS_TEMPLATE)),
        given("deleteOption", Type::Pointer(&Type::Struct(&DELETE_OPTION))),
        given("manifestConfigs", Type::List(&Type::Struct(&MANIFEST_CONFIG_OPTION))),
        given("executor", Type::Pointer(&Type::Struct(&EXECUTOR))),
    ],
};

static MANIFESTS_TEMPLATE: Struct =
    Struct { name: "v1.ManifestsTemplate", fields: &[given("manifests", Type::List(&Type::Raw))] };

static DELETE_OPTION: Struct = Struct {
    name: "v1.DeleteOption",
    fields: &[
        always("propagationPolicy", Type::Text("v1.DeletePropagationPolicyType")),
        given("selectivelyOrphans", Type::Pointer(&Type::Struct(&SELECTIVELY_ORPHAN))),
        given("ttlSecondsAfterFinished", Type::Pointer(&Type::Int64)),
    ],
};

static SELECTIVELY_ORPHAN: Struct = Struct {
    name: "v1.SelectivelyOrphan",
    fields: &[given("orphaningRules", Type::List(&Type::Struct(&ORPHANING_RULE)))],
};

const IDENTIFIER: &[Field] =
    &[always("group", STRING), always("resource", STRING), always("name", STRING), always("namespace", STRING)];

static ORPHANING_RULE: Struct = Struct { name: "v1.OrphaningRule", fields: IDENTIFIER };

static RESOURCE_IDENTIFIER: Struct = Struct { name: "v1.ResourceIdentifier", fields: IDENTIFIER };

static MANIFEST_CONFIG_OPTION: Struct = Struct {
    name: "v1.ManifestConfigOption",
    fields: &[
        always("resourceIdentifier", Type::Struct(&RESOURCE_IDENTIFIER)),
        given("feedbackRules", Type::List(&Type::Struct(&FEEDBACK_RULE))),
        given("updateStrategy", Type::Pointer(&Type::Struct(&UPDATE_STRATEGY))),
        given("conditionRules", Type::List(&Type::Struct(&CONDITION_RULE))),
        given("feedbackScrapeType", Type::Text("v1.FeedbackScrapeType")),
    ],
};

static FEEDBACK_RULE: Struct = Struct {
    name: "v1.FeedbackRule",
    fields: &[always("type", Type::Text("v1.FeedBackType")), given("jsonPaths", Type::List(&Type::Struct(&JSON_PATH)))],
};

static JSON_PATH: Struct =
    Struct { name: "v1.JsonPath", fields: &[always("name", STRING), given("version", STRING), always("path", STRING)] };

static UPDATE_STRATEGY: Struct = Struct {
    name: "v1.UpdateStrategy",
    fields: &[
        given("type", Type::Text("v1.UpdateStrategyType")),
        given("serverSideApply", Type::Pointer(&Type::Struct(&SERVER_SIDE_APPLY))),
    ],
};

static SERVER_SIDE_APPLY: Struct = Struct {
    name: "v1.ServerSideApplyConfig",
    fields: &[
        always("force", Type::Flag),
        given("fieldManager", STRING),
        given("ignoreFields", Type::List(&Type::Struct(&IGNORE_FIELD))),
    ],
};

static IGNORE_FIELD: Struct = Struct {
    name: "v1.IgnoreField",
    fields: &[
        always("condition", Type::Text("v1.IgnoreFieldsCondition")),
        given("jsonPaths", Type::List(&STRING)),
        given("jsonPointers", Type::List(&STRING)),
        given("jqPathExpressions", Type::List(&STRING)),
    ],
};

static CONDITION_RULE: Struct = Struct {
    name: "v1.ConditionRule",
    fields: &[
        always("condition", STRING),
        always("type", Type::Text("v1.ConditionRuleType")),
        always("celExpressions", Type::List(&STRING)),
        always("message", STRING),
        always("messageExpression", STRING),
    ],
};

static EXECUTOR: Struct =
    Struct { name: "v1.ManifestWorkExecutor", fields: &[always("subject", Type::Struct(&EXECUTOR_SUBJECT))] };

static EXECUTOR_SUBJECT: Struct = Struct {
    name: "v1.ManifestWorkExecutorSubject",
    fields: &[
        always("type", Type::Text("v1.ManifestWorkExecutorSubjectType")),
        given("serviceAccount", Type::Pointer(&Type::Struct(&SERVICE_ACCOUNT))),
    ],
};

static SERVICE_ACCOUNT: Struct = Struct {
    name: "v1.ManifestWorkSubjectServiceAccount",
    fields: &[always("namespace", STRING), always("name", STRING)],
};

static REGISTRATION_SPEC: Struct = Struct {
    name: "v1alpha1.RegistrationSpec",
    fields: &[
        always("type", Type::Text("v1alpha1.RegistrationType")),
        given("kubeClient", Type::Pointer(&Type::Struct(&KUBE_CLIENT))),
        given("customSigner", Type::Pointer(&Type::Struct(&CUSTOM_SIGNER))),
    ],
};

static KUBE_CLIENT: Struct = Struct {
    name: "v1alpha1.KubeClientRegistrationConfig",
    fields: &[given("hubPermissions", Type::List(&Type::Struct(&HUB_PERMISSION)))],
};

static HUB_PERMISSION: Struct = Struct {
    name: "v1alpha1.HubPermissionConfig",
    fields: &[
        always("type", Type::Text("v1alpha1.HubPermissionsBindingType")),
        given("currentCluster", Type::Pointer(&Type::Struct(&CURRENT_CLUSTER))),
        given("singleNamespace", Type::Pointer(&Type::Struct(&SINGLE_NAMESPACE))),
    ],
};

static CURRENT_CLUSTER: Struct =
    Struct { name: "v1alpha1.CurrentClusterBindingConfig", fields: &[always("clusterRoleName", STRING)] };

static SINGLE_NAMESPACE: Struct = Struct {
    name: "v1alpha1.SingleNamespaceBindingConfig",
    fields: &[always("namespace", STRING), always("roleRef", Type::Struct(&ROLE_REF))],
};

static ROLE_REF: Struct = Struct {
    name: "v1.RoleRef",
    fields: &[always("apiGroup", STRING), always("kind", STRING), always("name", STRING)],
};

static CUSTOM_SIGNER: Struct = Struct {
    name: "v1alpha1.CustomSignerRegistrationConfig",
    fields: &[
        always("signerName", STRING),
        given("subject", Type::Pointer(&Type::Struct(&SUBJECT))),
        always("signingCA", Type::Struct(&SIGNING_CA)),
    ],
};

static SUBJECT: Struct = Struct {
    name: "v1alpha1.Subject",
    fields: &[
        always("user", STRING),
        given("groups", Type::List(&STRING)),
        given("organizationUnit", Type::List(&STRING)),
    ],
};

static SIGNING_CA: Struct =
    Struct { name: "v1alpha1.SigningCARef", fields: &[always("name", STRING), given("namespace", STRING)] };
