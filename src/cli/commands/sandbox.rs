//! `tidegate sandbox`: only the embedded hub, for kubectl. Also contains the simulated fleet, which the demo uses, too.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::cli::args::SandboxArgs;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use crate::cli::signal::stop_on_signal;
use tidegate_api::key::CONVERTED;
use tidegate_api::ocm::crds;
use tidegate_daemon::reconciler::clock::Clock;
use tidegate_model::time::Timestamp;
use tidegate_sandbox::Sandbox;
use tidegate_sandbox::agents::{Agents, Delay, Outcome, Rule, Script};
use tidegate_sandbox::fleet::{self, FleetSpec};

/// An embedded hub, with a simulated fleet if it has clusters.
pub(crate) struct Fleet {
    sandbox: Sandbox,
    /// The agents, and the server if the hub is served.
    tasks: JoinSet<Result<(), Failure>>,
}

impl Fleet {
    /// Starts a hub with this number of clusters, whose agents follow a script. The first ten clusters are canaries.
    pub(crate) fn start(
        clock: &Clock,
        clusters: usize,
        script: Script,
        stop: &CancellationToken,
    ) -> Result<Self, Failure> {
        let crds = converted()?;
        let sandbox = Sandbox::new(&crds, now(clock));
        let spec = FleetSpec { clusters, since: clock.now(), ..FleetSpec::default() };
        let objects = fleet::cluster_sets().into_iter().chain(fleet::clusters(&spec));
        sandbox.seed(objects).map_err(|refusal| Failure::Internal(format!("{refusal:?}")))?;
        let (hub, stop) = (sandbox.clone(), stop.clone());
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            Agents::new(script).run(hub, stop).await;
            Ok(())
        });
        Ok(Self { sandbox, tasks })
    }

    /// Starts an empty hub without controllers and agents.
    pub(crate) fn empty(clock: &Clock) -> Result<Self, Failure> {
        let crds = converted()?;
        Ok(Self { sandbox: Sandbox::without_controllers(&crds, now(clock)), tasks: JoinSet::new() })
    }

    /// Returns a client that needs no socket.
    pub(crate) fn client(&self) -> kube::Client {
        self.sandbox.client()
    }

    /// Serves the hub on a loopback address until stopped. Returns the address with its port once requests are answered.
    pub(crate) async fn serve(&mut self, address: SocketAddr, stop: &CancellationToken) -> Result<SocketAddr, Failure> {
        if !address.ip().is_loopback() {
            let why = "the hub has no authentication, so it is served on loopback addresses only, such as 127.0.0.1:0";
            return Err(Failure::Usage(format!("{address}: {why}")));
        }
        let bound = TcpListener::bind(address).await;
        let listener =
            bound.map_err(|error| Failure::Usage(format!("{address}: {error}; port 0 chooses a free one")))?;
        let address = listener.local_addr().map_err(|error| Failure::internal(&error))?;
        let (sandbox, stop) = (self.sandbox.clone(), stop.clone());
        self.tasks.spawn(async move { sandbox.serve(listener, stop).await.map_err(|error| Failure::internal(&error)) });
        Ok(address)
    }

    /// Waits until the agents or the server end with an error, and returns it. Never returns if they end because they were stopped.
    pub(crate) async fn failed(&mut self) -> Failure {
        while let Some(ended) = self.tasks.join_next().await {
            match ended {
                Ok(Ok(())) => {}
                Ok(Err(failure)) => return failure,
                Err(panic) => return Failure::internal(&panic),
            }
        }
        std::future::pending().await
    }
}

/// Returns a clock as the function that the sandbox calls.
fn now(clock: &Clock) -> impl Fn() -> Timestamp + Send + Sync + 'static {
    let clock = clock.clone();
    move || clock.now()
}

/// Returns the CRDs of OCM in all versions, with the mark of a server that converts between them.
fn converted() -> Result<Vec<CustomResourceDefinition>, Failure> {
    let mut crds = crds::all().map_err(|error| Failure::internal(&error))?;
    for crd in &mut crds {
        crd.metadata.annotations.get_or_insert_default().insert(CONVERTED.to_owned(), "true".to_owned());
    }
    Ok(crds)
}

/// Serves the embedded hub until stopped.
pub(crate) async fn run(process: &Process, args: SandboxArgs) -> Result<(), Failure> {
    let stop = stop_on_signal(process)?;
    let mut fleet = match args.clusters {
        0 => Fleet::empty(process.clock())?,
        clusters => Fleet::start(process.clock(), clusters as usize, script(&args)?, &stop)?,
    };
    let address = fleet.serve(args.listen, &stop).await?;
    process.say_line(&format!(
        "the hub is at http://{address}, with {} simulated clusters; press Ctrl-C to stop",
        args.clusters
    ))?;
    let reached = match &args.kubeconfig_out {
        None => format!("--server http://{address}"),
        Some(path) => {
            let written = write_whole(path, &kubeconfig(address));
            written.map_err(|error| Failure::Usage(format!("--kubeconfig-out {}: {error}", path.display())))?;
            format!("--kubeconfig {}", path.display())
        }
    };
    process.say_line(&format!("try: kubectl {reached} get managedclusters"))?;
    tokio::select! {
        () = stop.cancelled() => Ok(()),
        failure = fleet.failed() => Err(failure),
    }
}

/// Returns the behavior of the clusters: from the file, or else from the flags.
fn script(args: &SandboxArgs) -> Result<Script, Failure> {
    if let Some(path) = &args.agents {
        let shown = path.display();
        let text =
            std::fs::read_to_string(path).map_err(|error| Failure::Usage(format!("--agents {shown}: {error}")))?;
        return Script::from_toml(&text).map_err(|error| Failure::Usage(format!("{shown}:{error}")));
    }
    let rules = match args.fail.as_slice() {
        [] => Vec::new(),
        patterns => vec![Rule::named(patterns.to_vec(), Outcome::Unhealthy)],
    };
    Ok(Script { delay: Delay::Uniform(Duration::ZERO, args.delay.0), rules, ..Script::default() })
}

/// Writes a file atomically: no reader ever sees a part of it.
fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}

fn kubeconfig(address: SocketAddr) -> String {
    format!(
        "apiVersion: v1\nkind: Config\nclusters:\n  - name: sandbox\n    cluster:\n      server: http://{address}\n\
         users:\n  - name: sandbox\n    user: {{}}\ncontexts:\n  - name: sandbox\n    context:\n      cluster: sandbox\n      \
         user: sandbox\ncurrent-context: sandbox\n"
    )
}
