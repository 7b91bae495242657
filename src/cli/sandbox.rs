//! `tidegate sandbox`: the embedded hub alone, for kubectl; and the simulated fleet, which the demonstration uses too.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::args::SandboxArgs;
use super::failure::Failure;
use super::run::stop_on_signal;
use crate::api::ocm::crds;
use crate::model::time::Timestamp;
use crate::sandbox::Sandbox;
use crate::sandbox::agents::{Agents, Clusters, Outcome, Rule, Script};
use crate::sandbox::fleet::{self, FleetSpec};

/// An embedded hub with a simulated fleet.
pub struct Fleet {
    sandbox: Sandbox,
}

impl Fleet {
    /// Starts a hub with so many clusters, the first ten of which are canaries, whose agents follow a script.
    pub fn start(clusters: usize, script: Script, stop: &CancellationToken) -> Result<Self, Failure> {
        let crds = crds::all().map_err(|error| Failure::internal(&error))?;
        let sandbox = Sandbox::new(&crds, Timestamp::now);
        let spec = FleetSpec { clusters, since: Timestamp::now(), ..FleetSpec::default() };
        sandbox.seed(fleet::clusters(&spec)).map_err(|refusal| Failure::Internal(format!("{refusal:?}")))?;
        let (hub, stop) = (sandbox.clone(), stop.clone());
        tokio::spawn(async move { Agents::new(script).run(hub, stop).await });
        Ok(Self { sandbox })
    }

    /// Returns a client that needs no socket.
    pub fn client(&self) -> kube::Client {
        self.sandbox.client()
    }

    /// Serves the hub on a loopback port until told to stop; returns its address.
    pub async fn serve(&self, port: u16, stop: &CancellationToken) -> Result<SocketAddr, Failure> {
        let bound = TcpListener::bind(("127.0.0.1", port)).await;
        let listener =
            bound.map_err(|error| Failure::Usage(format!("--port {port}: {error}; 0 chooses a free one")))?;
        let address = listener.local_addr().map_err(|error| Failure::internal(&error))?;
        let (sandbox, stop) = (self.sandbox.clone(), stop.clone());
        tokio::spawn(async move {
            if let Err(error) = sandbox.serve(listener, stop).await {
                tracing::error!(%error, "the hub is no longer served");
            }
        });
        Ok(address)
    }
}

/// Serves the embedded hub until stopped.
pub async fn run(args: SandboxArgs) -> Result<(), Failure> {
    let stop = stop_on_signal()?;
    let rule = Rule { clusters: Clusters::Named(args.fail.clone()), containing: None, outcome: Outcome::Unhealthy };
    let rules = if args.fail.is_empty() { Vec::new() } else { vec![rule] };
    let script = Script { delay: Duration::ZERO..=args.delay.0, rules };
    let fleet = Fleet::start(args.clusters as usize, script, &stop)?;
    let address = fleet.serve(args.port, &stop).await?;
    anstream::println!("the hub is at http://{address}, with {} simulated clusters; Ctrl-C ends it", args.clusters);
    if let Some(path) = &args.kubeconfig {
        let written = std::fs::write(path, kubeconfig(address));
        written.map_err(|error| Failure::Usage(format!("--kubeconfig {}: {error}", path.display())))?;
        anstream::println!("try: kubectl --kubeconfig {} get managedclusters", path.display());
    } else {
        anstream::println!("try: kubectl --server http://{address} get managedclusters");
    }
    stop.cancelled().await;
    Ok(())
}

fn kubeconfig(address: SocketAddr) -> String {
    format!(
        "apiVersion: v1\nkind: Config\nclusters:\n  - name: sandbox\n    cluster:\n      server: http://{address}\n\
         users:\n  - name: sandbox\n    user: {{}}\ncontexts:\n  - name: sandbox\n    context:\n      cluster: sandbox\n      \
         user: sandbox\ncurrent-context: sandbox\n"
    )
}
