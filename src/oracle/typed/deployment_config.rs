//! The types of an AddOnDeploymentConfig, v1beta1.
//!
//! # Source
//! `open-cluster-management.io/api` addon/v1beta1, `k8s.io/api` v0.35 core/v1.

use super::metadata::{API_VERSION, KIND, METADATA};
use super::shape::{STRING, Struct, Type, always, given};

/// AddOnDeploymentConfig.
pub(crate) static ADD_ON_DEPLOYMENT_CONFIG: Type = Type::Struct(&OBJECT);

static OBJECT: Struct = Struct {
    name: "v1beta1.AddOnDeploymentConfig",
    fields: &[KIND, API_VERSION, METADATA, always("spec", Type::Struct(&SPEC))],
};

static SPEC: Struct = Struct {
    name: "v1beta1.AddOnDeploymentConfigSpec",
    fields: &[
        given("customizedVariables", Type::List(&Type::Struct(&CUSTOMIZED_VARIABLE))),
        given("nodePlacement", Type::Pointer(&Type::Struct(&NODE_PLACEMENT))),
        given("registries", Type::List(&Type::Struct(&IMAGE_MIRROR))),
        given("proxyConfig", Type::Struct(&PROXY_CONFIG)),
        given("agentInstallNamespace", STRING),
        given("resourceRequirements", Type::List(&Type::Struct(&CONTAINER_RESOURCES))),
    ],
};

static CUSTOMIZED_VARIABLE: Struct =
    Struct { name: "v1beta1.CustomizedVariable", fields: &[always("name", STRING), always("value", STRING)] };

static NODE_PLACEMENT: Struct = Struct {
    name: "v1beta1.NodePlacement",
    fields: &[
        given("nodeSelector", Type::Map("map[string]string", &STRING)),
        given("tolerations", Type::List(&Type::Struct(&TOLERATION))),
    ],
};

static TOLERATION: Struct = Struct {
    name: "v1.Toleration",
    fields: &[
        given("key", STRING),
        given("operator", Type::Text("v1.TolerationOperator")),
        given("value", STRING),
        given("effect", Type::Text("v1.TaintEffect")),
        given("tolerationSeconds", Type::Pointer(&Type::Int64)),
    ],
};

static IMAGE_MIRROR: Struct =
    Struct { name: "v1beta1.ImageMirror", fields: &[always("mirror", STRING), always("source", STRING)] };

static PROXY_CONFIG: Struct = Struct {
    name: "v1beta1.ProxyConfig",
    fields: &[
        given("httpProxy", STRING),
        given("httpsProxy", STRING),
        given("caBundle", Type::Bytes),
        given("noProxy", STRING),
    ],
};

static CONTAINER_RESOURCES: Struct = Struct {
    name: "v1beta1.ContainerResourceRequirements",
    fields: &[always("containerID", STRING), always("resources", Type::Struct(&RESOURCE_REQUIREMENTS))],
};

static RESOURCE_REQUIREMENTS: Struct = Struct {
    name: "v1.ResourceRequirements",
    fields: &[
        given("limits", RESOURCE_LIST),
        given("requests", RESOURCE_LIST),
        given("claims", Type::List(&Type::Struct(&RESOURCE_CLAIM))),
    ],
};

const RESOURCE_LIST: Type = Type::Map("v1.ResourceList", &Type::Quantity);

static RESOURCE_CLAIM: Struct =
    Struct { name: "v1.ResourceClaim", fields: &[always("name", STRING), given("request", STRING)] };
