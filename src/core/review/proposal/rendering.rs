//! Renders add-ons for many clusters at once: what differs between clusters is left open.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::json;

use super::document::WorkSize;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_delivery::status::layer;
use tidegate_delivery::{BUDGET, Error, Hosting, Layout, Rendered, Template, WorkOwner};
use tidegate_go::json_length::json_length;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::semantics::Rules;
use tidegate_plan::Target;

/// Variables with their values.
pub(super) type Variables = BTreeMap<String, String>;

/// Why the objects of a cluster cannot be delivered.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum Undeliverable {
    #[error("its AddOnTemplate is not in the repository")]
    NoTemplate,
    #[error("{}", ErrorChain(&**.0))]
    Delivery(Arc<Error>),
}

impl From<Error> for Undeliverable {
    fn from(error: Error) -> Self {
        Self::Delivery(Arc::new(error))
    }
}

/// Renders one add-on, each distinct input once.
#[derive(Debug)]
pub(super) struct Renderer<'a> {
    unit: &'a UnitName,
    rules: Rules,
    templates: BTreeMap<String, Result<Arc<Template>, Undeliverable>>,
    rendered: BTreeMap<String, Result<Arc<Rendered>, Undeliverable>>,
}

impl<'a> Renderer<'a> {
    pub(super) fn new(unit: &'a UnitName, rules: Rules) -> Self {
        Self { unit, rules, templates: BTreeMap::new(), rendered: BTreeMap::new() }
    }

    /// Returns the variables of a cluster that come from a configuration of its own.
    pub(super) fn own_variables(target: &Target) -> Variables {
        let config = target.config.as_ref().filter(|_| target.has_own_config);
        let variables = config.into_iter().flat_map(|spec| &spec.customized_variables);
        variables.map(|variable| (variable.name.clone(), variable.value.clone())).collect()
    }

    /// Returns the objects that a cluster should have. Its name and the variables in `open` are left open.
    ///
    /// # Errors
    /// [`Undeliverable`]
    pub(super) fn rendered(
        &mut self,
        target: &Target,
        open: &BTreeSet<String>,
    ) -> Result<Arc<Rendered>, Undeliverable> {
        let (template, fingerprint) = self.template(target, open)?;
        let fingerprint = format!("{fingerprint} {}", target.registries.as_deref().unwrap_or_default());
        if let Some(known) = self.rendered.get(&fingerprint) {
            return known.clone();
        }
        let mut cluster = ManagedCluster::default();
        cluster.metadata.name = Some("${CLUSTER_NAME}".to_owned());
        let registries = target.registries.iter().map(|text| (key::IMAGE_REGISTRIES.to_owned(), text.clone()));
        cluster.metadata.annotations = Some(registries.collect());
        let rendered = template.render(&cluster).map(Arc::new).map_err(Undeliverable::from);
        self.rendered.insert(fingerprint, rendered.clone());
        rendered
    }

    fn template(&mut self, target: &Target, open: &BTreeSet<String>) -> Result<(Arc<Template>, String), Undeliverable> {
        let object = target.template.as_ref().ok_or(Undeliverable::NoTemplate)?;
        let hash = layer::content(&target.desired).map_or("", |desired| desired.spec_hash.as_str());
        let mut config = target.config.as_deref().cloned();
        for variable in config.iter_mut().flat_map(|config| &mut config.customized_variables) {
            if open.contains(&variable.name) {
                variable.value = format!("${{{}}}", variable.name);
            }
        }
        let fingerprint = format!("{hash} {}", json!(config));
        let (unit, rules) = (self.unit, &self.rules);
        let prepare = || {
            let template = Template::of_unit(unit, object, config.as_ref())?;
            if rules.refuses_unset_variables {
                template.require_variables()?;
            }
            Ok(Arc::new(template))
        };
        let template = self.templates.entry(fingerprint.clone()).or_insert_with(prepare);
        template.clone().map(|template| (template, fingerprint))
    }

    /// Returns the size of the works of a cluster; `None` if it has none.
    ///
    /// # Errors
    /// [`Undeliverable`] if the objects cannot be packed into works.
    pub(super) fn works(&self, cluster: &ClusterName, rendered: &Rendered) -> Result<Option<WorkSize>, Undeliverable> {
        let layout = Layout {
            owner: &WorkOwner::of(self.unit, ""),
            owner_uid: "",
            cluster,
            hosting: Hosting::Unsupported,
            rendered,
            config_hashes: None,
            template_configs: &[],
            existing: &BTreeMap::new(),
            others: &[],
            budget: BUDGET,
            rules: self.rules,
        };
        let works = tidegate_delivery::works(&layout)?;
        let sizes = works.apply.iter().map(|work| work.manifests.iter().map(|m| json_length(m)).sum());
        Ok(sizes.max().map(|largest| WorkSize { works: works.apply.len(), largest, limit: BUDGET }))
    }
}
