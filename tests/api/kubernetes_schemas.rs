//! Derives the definitions in `src/api/kubernetes.json` from `k8s-openapi` again, and compares.

use std::collections::BTreeMap;

use k8s_openapi::api::{
    admissionregistration, apps, authentication, authorization, autoscaling, batch, certificates, coordination, core,
    discovery, events, flowcontrol, networking, node, policy, rbac, scheduling, storage,
};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions;
use k8s_openapi::apimachinery::pkg::apis::meta;
use k8s_openapi::kube_aggregator::pkg::apis::apiregistration;
use serde_json::Value;

/// Returns the definitions that some types need, by name.
macro_rules! definitions {
    ($($of:ty),* $(,)?) => {{
        let mut generator = schemars::generate::SchemaSettings::openapi3().into_generator();
        $(generator.subschema_for::<$of>();)*
        generator.take_definitions(true).into_iter().collect::<BTreeMap<String, Value>>()
    }};
}

/// The kinds that are served, modified or embedded.
fn described() -> BTreeMap<String, Value> {
    definitions!(
        meta::v1::ObjectMeta,
        admissionregistration::v1::ValidatingWebhookConfiguration,
        apiextensions::v1::CustomResourceDefinition,
        apps::v1::DaemonSet,
        apps::v1::Deployment,
        authentication::v1::TokenReview,
        authorization::v1::SelfSubjectAccessReview,
        certificates::v1::CertificateSigningRequest,
        coordination::v1::Lease,
        core::v1::ConfigMap,
        core::v1::Event,
        core::v1::Namespace,
        core::v1::Secret,
        core::v1::ServiceAccount,
        events::v1::Event,
        rbac::v1::ClusterRole,
        rbac::v1::ClusterRoleBinding,
        rbac::v1::Role,
        rbac::v1::RoleBinding,
    )
}

/// The other kinds that manifests are checked against.
fn checked() -> BTreeMap<String, Value> {
    definitions!(
        admissionregistration::v1::MutatingWebhookConfiguration,
        admissionregistration::v1::ValidatingAdmissionPolicy,
        admissionregistration::v1::ValidatingAdmissionPolicyBinding,
        apiregistration::v1::APIService,
        apps::v1::ReplicaSet,
        apps::v1::StatefulSet,
        autoscaling::v1::HorizontalPodAutoscaler,
        autoscaling::v2::HorizontalPodAutoscaler,
        batch::v1::CronJob,
        batch::v1::Job,
        core::v1::Endpoints,
        core::v1::LimitRange,
        core::v1::PersistentVolume,
        core::v1::PersistentVolumeClaim,
        core::v1::Pod,
        core::v1::PodTemplate,
        core::v1::ReplicationController,
        core::v1::ResourceQuota,
        core::v1::Service,
        discovery::v1::EndpointSlice,
        flowcontrol::v1::FlowSchema,
        flowcontrol::v1::PriorityLevelConfiguration,
        networking::v1::Ingress,
        networking::v1::IngressClass,
        networking::v1::NetworkPolicy,
        node::v1::RuntimeClass,
        policy::v1::PodDisruptionBudget,
        scheduling::v1::PriorityClass,
        storage::v1::CSIDriver,
        storage::v1::StorageClass,
        storage::v1::VolumeAttributesClass,
    )
}

/// Removes the descriptions from a schema.
fn strip(schema: &mut Value) {
    match schema {
        Value::Object(keywords) => {
            keywords.remove("description");
            for (keyword, nested) in keywords {
                match nested {
                    // A field may have the name of a keyword.
                    Value::Object(fields) if keyword == "properties" => fields.values_mut().for_each(strip),
                    nested => strip(nested),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

#[test]
fn kubernetes_schemas_match_the_crate() {
    let mut all = checked();
    all.values_mut().for_each(strip);
    all.extend(described());
    let lines: Vec<String> = all.iter().map(|(name, schema)| format!("\"{name}\": {schema}")).collect();
    let derived = format!("{{\n{}\n}}\n", lines.join(",\n"));
    let path = "kubernetes.json";
    if std::env::var_os("TIDEGATE_UPDATE").is_some() {
        std::fs::write(path, &derived).unwrap();
    }
    assert!(
        std::fs::read_to_string(path).unwrap() == derived,
        "{path} is out of date; run this test with TIDEGATE_UPDATE=1"
    );
}
