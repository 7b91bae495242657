//! The edge to a Kubernetes hub: watches in, writes out.
