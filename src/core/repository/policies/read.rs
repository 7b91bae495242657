//! Reads the policies of a directory.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde_json::Value;

use super::expression;
use super::schema::schema;
use super::types::{PlanPolicy, PolicySeverity, PolicyTest};
use crate::check;
use crate::complaint::{Complaint, Rule, mark_from};
use crate::read::file::documents;
use crate::read::notes::Notes;
use crate::read::object::{Object, path};
use crate::read::policy_file::{DIRECTORY, GROUP, KIND, is_policy};
use tidegate_api::schema::Schema;
use tidegate_api::schema::path::Path;
use tidegate_kustomize::yaml::{Node, NodeBudget, Provenance};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::document::API_VERSION;
use tidegate_model::name::ClusterName;
use tidegate_model::object::ObjectKey;
use tidegate_model::tree::Tree;

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::compile(&schema()));

/// Reads the policies of a repository; `None` if one of them has an error, so that not all of them are known.
pub(crate) fn read(tree: &Tree, complaints: &mut Vec<Complaint>, budget: &NodeBudget) -> Option<Vec<PlanPolicy>> {
    let (policies, mut found) = below(tree, DIRECTORY, budget);
    let is_complete = !found.iter().any(Complaint::is_error);
    complaints.append(&mut found);
    is_complete.then_some(policies)
}

/// Reads the policies in the YAML and JSON files below a directory, which is empty or ends with `/`. Other documents are skipped.
///
/// # Shape
/// Sorted by file and place. A policy with an error is left out.
pub fn plan_policies(tree: &Tree, directory: &str) -> (Vec<PlanPolicy>, Vec<Complaint>) {
    below(tree, directory, &NodeBudget::default())
}

fn below(tree: &Tree, directory: &str, budget: &NodeBudget) -> (Vec<PlanPolicy>, Vec<Complaint>) {
    let mut reader = Reader::default();
    let is_read = |file: &str| [".yaml", ".yml", ".json"].iter().any(|ending| file.ends_with(ending));
    let below = |file: &&String| file.starts_with(directory) && is_read(file);
    for (file, bytes) in tree.files.iter().filter(|(file, _)| below(file)) {
        reader.file(file, &String::from_utf8_lossy(bytes), bytes, budget);
    }
    for (file, why) in tree.skipped.iter().filter(|(file, _)| below(file)) {
        let message = format!("this is not read: {why}; write a regular file, if it contains a policy");
        reader.complaints.push(Complaint::new(Rule::Policy, Diagnostic::warning(Place::start_of(file), message)));
    }
    (reader.policies, reader.complaints)
}

#[derive(Default)]
struct Reader {
    policies: Vec<PlanPolicy>,
    complaints: Vec<Complaint>,
    /// The places of the policies by name.
    names: BTreeMap<String, Place>,
}

impl Reader {
    fn file(&mut self, file: &str, text: &str, bytes: &[u8], budget: &NodeBudget) {
        // Parsing takes time, and other files may be anything.
        if !text.contains(KIND) {
            return;
        }
        let mut provenance = Provenance::default();
        let source = provenance.add_source(file);
        match documents(source, bytes, budget) {
            Ok(documents) => {
                let provenance = Arc::new(provenance);
                documents.into_iter().for_each(|(node, value)| self.document(&provenance, text, node, value));
            }
            Err(error) => self.complaints.push(Complaint::new(Rule::Yaml, provenance.resolve(error))),
        }
    }

    fn document(&mut self, provenance: &Arc<Provenance>, text: &str, node: Node, value: Value) {
        let string = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
        if string("kind").ends_with("List") {
            let nodes = node.get("items").and_then(Node::as_sequence).unwrap_or_default().to_vec();
            let values = value.get("items").and_then(Value::as_array).cloned().unwrap_or_default();
            nodes.into_iter().zip(values).for_each(|(node, value)| self.document(provenance, text, node, value));
            return;
        }
        if !is_policy(string("apiVersion"), string("kind")) {
            return;
        }
        let version = string("apiVersion").to_owned();
        let name = value.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let key = ObjectKey::new(GROUP, KIND, "", &name);
        let provenance = Arc::clone(provenance);
        let object = Object { key, node, provenance, is_rendered: false, value, schema: Some(&SCHEMA) };
        let mut found = Vec::new();
        check::own(&object, &mut found);
        let mut notes = Notes { object: &object, complaints: &mut found };
        if version != API_VERSION {
            let origin = object.origin_of(&["apiVersion"]);
            notes.error(origin, format!("apiVersion {version:?} is not known for {KIND}; write {API_VERSION}"));
        }
        let is_sound = !notes.complaints.iter().any(Complaint::is_error);
        let policy = if is_sound { self.policy(&mut notes, text) } else { None };
        mark_from(&mut found, 0, Rule::Policy);
        let is_sound = !found.iter().any(Complaint::is_error);
        self.complaints.append(&mut found);
        self.policies.extend(policy.filter(|_| is_sound));
    }

    /// Reads an object that matches the schema.
    fn policy(&mut self, notes: &mut Notes<'_>, text: &str) -> Option<PlanPolicy> {
        let object = notes.object;
        let name = object.key.name.clone();
        if let Err(error) = name.parse::<ClusterName>() {
            let origin = object.origin_of(&["metadata", "name"]);
            notes
                .error(origin, format!("metadata.name {name:?} is not a valid name: {}; write another one", error.why));
            return None;
        }
        if let Some(first) = self.names.get(&name) {
            let origin = object.origin_of(&["metadata", "name"]);
            notes.error(origin, format!("policy {name} is already declared at {first}; rename one of the two"));
            return None;
        }
        self.names.insert(name.clone(), object.place());
        let spec = object.value.get("spec")?;
        let string = |field: &str| spec.get(field).and_then(Value::as_str).map(str::to_owned);
        let rule = string("rule")?;
        let (message, message_expression) = (string("message"), string("messageExpression"));
        if message.is_none() && message_expression.is_none() {
            let origin = object.origin_of(&["spec"]);
            notes.error(origin, "spec.message is missing; write what a change that breaks the policy did wrong");
        }
        let expressions = [("rule", Some(&rule)), ("messageExpression", message_expression.as_ref())];
        for (field, expression) in expressions.into_iter().filter_map(|(field, found)| Some((field, found?))) {
            let origin = object.origin_of(&["spec", field]);
            if let Err((origin, message)) = expression::check(expression, text, origin, field == "rule") {
                notes.error(origin, format!("spec.{field}: {message}"));
            }
        }
        let items = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
        let addons = items(spec.pointer("/match/addons"));
        let tests = items(spec.get("tests")).into_iter().enumerate();
        Some(PlanPolicy {
            message: message.unwrap_or_else(|| "the rule is not true".to_owned()),
            name,
            severity: if string("severity").as_deref() == Some("warning") {
                PolicySeverity::Warning
            } else {
                PolicySeverity::Error
            },
            addons: addons.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            rule,
            message_expression,
            remedy: string("remedy"),
            tests: tests.map(|(index, test)| self::test(object, index, &test)).collect(),
            place: object.place_of(object.origin_of(&["spec", "rule"])),
        })
    }
}

fn test(object: &Object, index: usize, test: &Value) -> PolicyTest {
    let values = |name: &str| test.get(name).cloned().unwrap_or_else(|| Value::Object(serde_json::Map::new()));
    let string = |name: &str| test.get(name).and_then(Value::as_str).unwrap_or_default();
    let at: Path = path(&["spec", "tests"]).item(index);
    PolicyTest {
        name: string("name").to_owned(),
        addon: values("addon"),
        plan: values("plan"),
        passes: string("expect") == "pass",
        place: object.place_of(object.value_origin(&at)),
    }
}
