//! Metrics of certificates.

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;

use super::server::Tls;
use tidegate_model::time::Timestamp;

/// A certificate whose expiration is shown.
#[derive(Debug)]
pub enum Watched {
    /// The one with which the page is served.
    Page(Tls),
    /// The one with which the daemon proves to the hub who it is, and when it expires.
    Hub(Timestamp),
}

impl Watched {
    fn name(&self) -> &'static str {
        match self {
            Self::Page(_) => "page",
            Self::Hub(_) => "hub",
        }
    }

    fn expires(&self) -> Option<Timestamp> {
        match self {
            Self::Page(tls) => tls.expires(),
            Self::Hub(expires) => Some(*expires),
        }
    }
}

/// The certificates are asked at each scrape, because they may be renewed.
#[derive(Debug)]
struct Expirations(Vec<Watched>);

/// Registers when certificates expire. Without a certificate, there is no metric.
pub fn register(registry: &mut Registry, watched: Vec<Watched>) {
    if !watched.is_empty() {
        registry.register_collector(Box::new(Expirations(watched)));
    }
}

impl Collector for Expirations {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let (name, help) =
            ("tidegate_certificate_expiration_timestamp_seconds", "When a certificate expires, in Unix time");
        let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
        for watched in &self.0 {
            let Some(expires) = watched.expires() else { continue };
            let labels = [("certificate", watched.name())];
            ConstGauge::new(expires.as_second()).encode(family.encode_family(&labels)?)?;
        }
        Ok(())
    }
}
