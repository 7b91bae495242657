//! Kustomizations, rendered byte for byte as `kustomize build` prints them, with the file and line that set each value.
//!
//! [`yaml`] reads and writes YAML as Go does; [`overlay`] is kustomize's accumulator with its generators, transformers and patches;
//! [`vendor`] finds what lies outside the repository, and the copies of it in the repository.
//!
//! ```
//! use tidegate_kustomize::overlay;
//! use tidegate_model::tree::Tree;
//!
//! let mut tree = Tree::default();
//! tree.files.insert("kustomization.yaml".into(), "namePrefix: prod-\nresources: [web.yaml]\n".into());
//! tree.files.insert("web.yaml".into(), "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n".into());
//!
//! let rendered = overlay::render(&tree, ".");
//! assert_eq!(rendered.to_yaml()?, "apiVersion: v1\nkind: Service\nmetadata:\n  name: prod-web\n");
//!
//! // Every value has an origin, and the steps that changed it.
//! let name = rendered.objects.iter().find_map(|object| object.node.find(&["metadata", "name"]));
//! let step = name.and_then(|name| rendered.provenance.steps(name.origin).next());
//! assert_eq!(step.map(|step| rendered.provenance.place(step.at).to_string()), Some("kustomization.yaml:1:13".into()));
//! # Ok::<(), tidegate_kustomize::yaml::Error>(())
//! ```

pub mod fix;
pub mod format;
pub mod overlay;
pub mod vendor;
pub mod yaml;
