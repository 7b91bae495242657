//! A layer of a build.

/// The position of a layer.
pub(super) struct Layer<'l> {
    pub(super) directory: &'l str,
    /// The directories from the one being built down to this one.
    pub(super) above: &'l [String],
    /// Its namespace, or that of the nearest layer around it that has one.
    pub(super) namespace: Option<&'l str>,
}
