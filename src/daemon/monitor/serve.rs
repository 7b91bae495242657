//! Serves on a socket, also to strangers: a connection has a limited time, and a new one always gets a place.
//!
//! Who connects is not known before the request is read, so no place can be kept for a kubelet. Instead, the oldest connection is closed if
//! there are too many: those of the same peer first. So hundreds of connections that are held open keep no probe from its answer.

use std::collections::VecDeque;
use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::tls::{Socket, Stream, Tls, accept};

/// Pause after a connection could not be accepted, usually because the system has too many open files. Only waiting helps.
const NO_ROOM: Duration = Duration::from_secs(1);

/// The limits on the connections of a listener.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum number of connections. A kubelet, a few scrapers and a forge need a handful.
    pub connections: usize,
    /// Maximum number of connections of one peer. An ingress or a proxy is one peer.
    pub per_peer: usize,
    /// Timeout for the header of a request. Also limits how long a connection stays open between requests.
    pub header: Duration,
    /// How long a connection may exist, however much it is used.
    pub lifetime: Duration,
    /// How long the answer to a request that is under way may take after that, or after the server was stopped.
    pub grace: Duration,
    /// Whether a connection stays open after an answer.
    pub keeps_alive: bool,
}

impl Limits {
    /// Returns the limits for probes and metrics.
    pub fn pages() -> Self {
        Self {
            connections: 256,
            per_peer: 32,
            header: Duration::from_secs(15),
            lifetime: Duration::from_secs(120),
            grace: Duration::from_secs(5),
            keeps_alive: true,
        }
    }

    /// Returns the limits for the page: a reader keeps a connection open for updates, and a proxy has many of them.
    pub fn page() -> Self {
        Self { connections: 2_048, per_peer: 1_536, ..Self::pages() }
    }

    /// Returns the limits for webhooks: one request for each connection, which has the time of a webhook and a little more.
    pub fn webhooks() -> Self {
        Self { lifetime: Duration::from_secs(30), keeps_alive: false, ..Self::pages() }
    }
}

/// Who has connected, in the extensions of a request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer {
    /// The address.
    pub(super) address: IpAddr,
    /// Whether the connection is plain although the server has a certificate.
    pub(super) lacks_tls: bool,
}

/// Serves the routes until stopped; requests that are under way are still answered.
pub async fn serve(socket: impl Into<Socket>, router: Router, limits: Limits, stop: CancellationToken) {
    let Socket { listener, tls } = socket.into();
    let mut watches = JoinSet::new();
    watches.extend(tls.clone().map(Tls::watch));
    let mut places = Places::default();
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(ended) = connections.join_next() => {
                places.leave(ended.ok());
                continue;
            }
            () = stop.cancelled() => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                let (id, close) = places.enter(network(peer.ip()), limits);
                let (router, tls, tokens) = (router.clone(), tls.clone(), (stop.clone(), close));
                connections.spawn(async move {
                    answer((stream, peer.ip()), tls, router, limits, tokens).await;
                    id
                });
            }
            Err(error) => {
                tracing::debug!(%error, "failed to accept a connection");
                tokio::time::sleep(NO_ROOM).await;
            }
        }
    }
    while connections.join_next().await.is_some() {}
}

/// The open connections, oldest first.
#[derive(Default)]
struct Places {
    open: VecDeque<Place>,
    next: u64,
}

struct Place {
    id: u64,
    peer: IpAddr,
    close: CancellationToken,
}

impl Places {
    /// Adds a connection, and closes an older one if there are too many. Returns its number, and the token that closes it.
    fn enter(&mut self, peer: IpAddr, limits: Limits) -> (u64, CancellationToken) {
        let of_peer = |place: &Place| place.peer == peer;
        if self.open.iter().filter(|place| of_peer(place)).count() >= limits.per_peer {
            self.close(self.open.iter().position(of_peer));
        } else if self.open.len() >= limits.connections {
            self.close(Some(0));
        }
        let (id, close) = (self.next, CancellationToken::new());
        self.next += 1;
        self.open.push_back(Place { id, peer, close: close.clone() });
        (id, close)
    }

    fn close(&mut self, at: Option<usize>) {
        if let Some(place) = at.and_then(|at| self.open.remove(at)) {
            place.close.cancel();
        }
    }

    /// Removes a connection that has ended.
    fn leave(&mut self, id: Option<u64>) {
        self.open.retain(|place| Some(place.id) != id);
    }
}

/// Returns the network that counts as one peer: an IPv4 address, or the 64 bits of IPv6 that a site has at least.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(address) => IpAddr::V4(address),
            None => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
        },
    }
}

async fn answer(
    (stream, address): (TcpStream, IpAddr),
    tls: Option<Tls>,
    router: Router,
    limits: Limits,
    (stop, close): (CancellationToken, CancellationToken),
) {
    let end = Instant::now() + limits.lifetime;
    let accepted = tokio::select! {
        accepted = tokio::time::timeout(limits.header, accept(stream, tls.as_ref())) => accepted,
        () = close.cancelled() => return,
        () = stop.cancelled() => return,
    };
    let stream = match accepted {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) => return tracing::debug!(%error, "failed to accept a connection"),
        Err(_) => return,
    };
    let peer = Peer { address, lacks_tls: tls.is_some() && matches!(stream, Stream::Left(_)) };
    let service = TowerToHyperService::new(router.layer(Extension(peer)));
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.header).keep_alive(limits.keeps_alive);
    let mut connection = std::pin::pin!(builder.serve_connection(TokioIo::new(stream), service));
    let served = tokio::select! {
        served = connection.as_mut() => served,
        () = close.cancelled() => return,
        () = async { tokio::select! { () = stop.cancelled() => {}, () = tokio::time::sleep_until(end) => {} } } => {
            connection.as_mut().graceful_shutdown();
            // A reader that does not read must not keep the connection or the daemon.
            match tokio::time::timeout(limits.grace, connection).await {
                Ok(served) => served,
                Err(_) => return,
            }
        }
    };
    if let Err(error) = served {
        tracing::debug!(%error, "a connection broke off");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_that_opens_too_many_connections_loses_its_own_oldest_one() {
        let limits = Limits { connections: 4, per_peer: 2, ..Limits::pages() };
        let mut places = Places::default();
        let [one, other, third] = ["10.0.0.1", "10.0.0.2", "10.0.0.3"].map(|ip| ip.parse::<IpAddr>().unwrap());
        let first = places.enter(one, limits).1;
        let [a, b, c] = [0, 1, 2].map(|_| places.enter(other, limits).1);
        assert_eq!([&first, &a, &b, &c].map(CancellationToken::is_cancelled), [false, true, false, false]);
        let second = places.enter(one, limits).1;
        // The place of someone new is that of the oldest connection.
        places.enter(third, limits);
        assert_eq!([&first, &second, &b, &c].map(CancellationToken::is_cancelled), [true, false, false, false]);
    }

    #[test]
    fn the_addresses_of_a_site_are_one_peer() {
        let of = |address: &str| network(address.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:2"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
    }
}
