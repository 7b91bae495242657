//! The metadata that all objects have. It is not hashed, but it can be invalid.

use super::shape::{Field, STRING, Struct, Type, always, given};

pub(super) const KIND: Field = Field { path: "TypeMeta.kind", ..given("kind", STRING) };
pub(super) const API_VERSION: Field = Field { path: "TypeMeta.apiVersion", ..given("apiVersion", STRING) };
pub(super) const METADATA: Field = always("metadata", Type::Struct(&OBJECT_META));

const UID: Type = Type::Text("types.UID");
const STRINGS: Type = Type::Map("map[string]string", &STRING);

static OBJECT_META: Struct = Struct {
    name: "v1.ObjectMeta",
    fields: &[
        given("name", STRING),
        given("generateName", STRING),
        given("namespace", STRING),
        given("selfLink", STRING),
        given("uid", UID),
        given("resourceVersion", STRING),
        given("generation", Type::Int64),
        given("creationTimestamp", Type::Time),
        given("deletionTimestamp", Type::Pointer(&Type::Time)),
        given("deletionGracePeriodSeconds", Type::Pointer(&Type::Int64)),
        given("labels", STRINGS),
        given("annotations", STRINGS),
        given("ownerReferences", Type::List(&Type::Struct(&OWNER_REFERENCE))),
        given("finalizers", Type::List(&STRING)),
        given("managedFields", Type::List(&Type::Struct(&MANAGED_FIELDS_ENTRY))),
    ],
};

static OWNER_REFERENCE: Struct = Struct {
    name: "v1.OwnerReference",
    fields: &[
        always("apiVersion", STRING),
        always("kind", STRING),
        always("name", STRING),
        always("uid", UID),
        given("controller", Type::Pointer(&Type::Flag)),
        given("blockOwnerDeletion", Type::Pointer(&Type::Flag)),
    ],
};

static MANAGED_FIELDS_ENTRY: Struct = Struct {
    name: "v1.ManagedFieldsEntry",
    fields: &[
        given("manager", STRING),
        given("operation", Type::Text("v1.ManagedFieldsOperationType")),
        given("apiVersion", STRING),
        given("time", Type::Pointer(&Type::Time)),
        given("fieldsType", STRING),
        given("fieldsV1", Type::Pointer(&Type::Raw)),
        given("subresource", STRING),
    ],
};
