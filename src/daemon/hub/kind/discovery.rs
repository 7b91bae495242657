//! Discovers which kinds the hub serves, and in which version to read and write them.

use std::collections::BTreeMap;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{APIResource, APIResourceList};
use kube::core::Request;
use kube::core::params::GetParams;

use super::resource::Resource;
use super::watched::fixed;
use crate::hub::answer::within;
use crate::hub::error::Error;
use tidegate_api::key::ADDON_GROUP;
use tidegate_api::ocm::convert::AddonVersion;
use tidegate_model::object::GroupKind;

/// One discovery of what the hub serves. Documents are read when they are first needed, and cached in this value.
pub(in crate::hub) struct Discovery<'a> {
    client: &'a kube::Client,
    /// Group to versions, the preferred one first.
    groups: Option<BTreeMap<String, Vec<String>>>,
    /// Group and version to served resources.
    resources: BTreeMap<(String, String), Vec<APIResource>>,
}

impl<'a> Discovery<'a> {
    pub(in crate::hub) fn new(client: &'a kube::Client) -> Self {
        Self { client, groups: None, resources: BTreeMap::new() }
    }

    /// Returns the resource of a kind, or `None` if it is not served.
    ///
    /// # Errors
    /// Any error that keeps the discovery documents from being read.
    pub(in crate::hub) async fn find(&mut self, kind: &GroupKind) -> Result<Option<Resource>, Error> {
        let mut served = BTreeMap::new();
        let versions = self.versions(&kind.group).await?;
        let needed = fixed(kind).and_then(|fixed| fixed.version);
        for version in versions.iter().filter(|version| needed.is_none_or(|needed| needed == version.as_str())) {
            let found = self.resources(&kind.group, version).await?.iter().find(|resource| {
                // A subresource such as `placements/status` has the kind of its parent.
                resource.kind == kind.kind && !resource.name.contains('/')
            });
            let Some(found) = found else { continue };
            let resource = Resource {
                kind: kind.clone(),
                version: version.clone(),
                plural: found.name.clone(),
                namespaced: found.namespaced,
            };
            if kind.group != ADDON_GROUP {
                return Ok(Some(resource));
            }
            served.insert(version.clone(), resource);
        }
        self.addon_version(served).await
    }

    /// Picks, among the served versions of a kind of the add-on group, the one that the hub does not have to convert: the
    /// conversion webhook may be down, and costs a round trip for each object.
    async fn addon_version(&self, mut served: BTreeMap<String, Resource>) -> Result<Option<Resource>, Error> {
        let Some(any) = served.values().next() else { return Ok(None) };
        if served.len() > 1
            && let Some(stored) = self.storage_version(&format!("{}.{ADDON_GROUP}", any.plural)).await?
            && let Some(resource) = served.remove(&stored)
            && resource.addon_version().is_some()
        {
            return Ok(Some(resource));
        }
        let known = [AddonVersion::V1Alpha1, AddonVersion::V1Beta1];
        Ok(known.iter().find_map(|version| served.remove(version.as_str())))
    }

    /// Returns the storage version of a CRD, or `None` if the CRD may not be read.
    async fn storage_version(&self, crd: &str) -> Result<Option<String>, Error> {
        let what = "reading a CustomResourceDefinition";
        let request = Request::new("/apis/apiextensions.k8s.io/v1/customresourcedefinitions")
            .get(crd, &GetParams::default())
            .map_err(|source| Error::of(what, kube::Error::BuildRequest(source)))?;
        match within(what, self.client.request::<CustomResourceDefinition>(request)).await {
            Ok(crd) => Ok(crd.spec.versions.into_iter().find(|version| version.storage).map(|version| version.name)),
            Err(error) if error.is_transient() => Err(error),
            Err(_) => Ok(None),
        }
    }

    async fn versions(&mut self, group: &str) -> Result<Vec<String>, Error> {
        if group.is_empty() {
            return Ok(vec!["v1".to_owned()]);
        }
        if self.groups.is_none() {
            let list = within("listing the API groups", self.client.list_api_groups()).await?;
            let groups = list.groups.into_iter().map(|group| {
                let preferred = group.preferred_version.map(|version| version.version);
                let mut versions: Vec<String> = group.versions.into_iter().map(|version| version.version).collect();
                // The sort is stable, so the other versions keep the order in which the hub prefers them.
                versions.sort_by_key(|version| Some(version) != preferred.as_ref());
                (group.name, versions)
            });
            self.groups = Some(groups.collect());
        }
        Ok(self.groups.as_ref().and_then(|groups| groups.get(group)).cloned().unwrap_or_default())
    }

    async fn resources(&mut self, group: &str, version: &str) -> Result<&[APIResource], Error> {
        let at = (group.to_owned(), version.to_owned());
        if !self.resources.contains_key(&at) {
            let what = format!("listing the resources of {group}/{version}");
            let list: Result<APIResourceList, Error> = if group.is_empty() {
                within(what, self.client.list_core_api_resources(version)).await
            } else {
                within(what, self.client.list_api_group_resources(&format!("{group}/{version}"))).await
            };
            let list = match list {
                Ok(list) => list.resources,
                // The group disappeared between the two requests.
                Err(error) if error.is_missing() => Vec::new(),
                Err(error) => return Err(error),
            };
            self.resources.insert(at.clone(), list);
        }
        Ok(self.resources.get(&at).map_or(&[], Vec::as_slice))
    }
}
