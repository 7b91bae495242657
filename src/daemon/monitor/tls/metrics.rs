//! Metrics of certificates.

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::{Registry, Unit};

use super::server::Tls;
use tidegate_model::time::Timestamp;

/// A certificate whose end is watched.
#[derive(Debug)]
pub enum Watched {
    /// The one with which the page is served.
    Page(Tls),
    /// The one with which the daemon proves to the hub who it is, and when it ends.
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

/// Reads at each scrape when certificates end, so that a renewed one is seen although no reader has connected.
#[derive(Debug)]
struct Ends(Vec<Watched>);

/// Registers when certificates end. Without a certificate, there is no metric.
pub fn register(registry: &mut Registry, watched: Vec<Watched>) {
    if !watched.is_empty() {
        registry.register_collector(Box::new(Ends(watched)));
    }
}

impl Collector for Ends {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let (name, help) = ("tidegate_certificate_expiration_timestamp", "When a certificate ends, in Unix time");
        let mut family = encoder.encode_descriptor(name, help, Some(&Unit::Seconds), MetricType::Gauge)?;
        for watched in &self.0 {
            let Some(ends) = watched.expires() else { continue };
            let labels = [("certificate", watched.name())];
            ConstGauge::new(ends.as_second()).encode(family.encode_family(&labels)?)?;
        }
        Ok(())
    }
}
