//! An object that moves between the application of a history and another one.

/// The file of the other application.
pub(super) const FILE: &str = "fleet/notes.yaml";

const COMPONENTS: &str = "  components:\n";

/// Returns a component with a ConfigMap.
fn component(object: &str) -> String {
    format!(
        "    - name: {object}
      type: k8s-objects
      properties: {{objects: [{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {object}}}}}]}}
"
    )
}

/// Returns the declaration of an application with the object. One without components of its own stays as it is.
pub(super) fn added(application: &str) -> String {
    application.replace(COMPONENTS, &format!("{COMPONENTS}{}", component("notes")))
}

/// Returns the declaration of the other application. It has the object, or another one.
pub(super) fn other(has_it: bool) -> String {
    let component = component(if has_it { "notes" } else { "remarks" });
    format!(
        "apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {{name: notes, namespace: fleet-addons}}
spec:
{COMPONENTS}{component}  policies:
    - {{name: fleet, type: placement, properties: {{name: fleet}}}}
"
    )
}
