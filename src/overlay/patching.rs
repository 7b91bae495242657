//! `patches`, `patchesStrategicMerge`, `patchesJson6902` and `replacements`.

use super::kustomization::Kustomization;
use super::layer::Session;
use super::resource::Resource;
use crate::yaml::Fault;

pub(super) fn strategic_merges(
    _: &mut Session<'_>,
    k: &Kustomization,
    _: &str,
    _: &mut Vec<Resource>,
) -> Result<(), Fault> {
    if k.strategic_merges.is_empty() { Ok(()) } else { Err(Fault::new(k.origin, "TODO")) }
}
pub(super) fn patches(_: &mut Session<'_>, k: &Kustomization, _: &str, _: &mut Vec<Resource>) -> Result<(), Fault> {
    if k.patches.is_empty() { Ok(()) } else { Err(Fault::new(k.origin, "TODO")) }
}
pub(super) fn json_patches(
    _: &mut Session<'_>,
    k: &Kustomization,
    _: &str,
    _: &mut Vec<Resource>,
) -> Result<(), Fault> {
    if k.json_patches.is_empty() { Ok(()) } else { Err(Fault::new(k.origin, "TODO")) }
}
pub(super) fn replacements(
    _: &mut Session<'_>,
    k: &Kustomization,
    _: &str,
    _: &mut Vec<Resource>,
) -> Result<(), Fault> {
    if k.replacements.is_empty() { Ok(()) } else { Err(Fault::new(k.origin, "TODO")) }
}
