//! Where everything meets: from arguments to the parts of a daemon.

use std::path::{Path, PathBuf};
use std::time::Duration;

use kube::config::{KubeConfigOptions, Kubeconfig};

use super::args::{RunArgs, SourceArgs};
use super::failure::Failure;
use crate::git::{Credentials, Remote};
use crate::hub::{self, Hub, Options};
use crate::journal::writer::Writer;
use crate::model::canonical::sha256_hex;
use crate::model::time::{Timestamp, to_seconds};
use crate::telemetry::chain::Chain;
use crate::telemetry::metrics::Metrics;

/// The environment variable with the access token for Git.
const TOKEN_VARIABLE: &str = "TIDEGATE_GIT_TOKEN";

/// Returns how to reach the config repository.
pub fn remote(args: &SourceArgs) -> Result<Remote, Failure> {
    let credentials = match &args.git_token_file {
        Some(path) => Credentials::TokenFile(path.clone()),
        None if std::env::var_os(TOKEN_VARIABLE).is_some() => Credentials::TokenEnv(TOKEN_VARIABLE.to_owned()),
        None => Credentials::None,
    };
    let remote = Remote::new(&args.source, credentials)
        .map_err(|error| Failure::Usage(format!("--source: {}", Chain(&error))))?;
    Ok(match &args.git_user {
        Some(user) => remote.with_user(user),
        None => remote,
    })
}

/// A directory for the mirror of a repository: the given one, or a temporary one that goes with this value.
#[derive(Debug)]
pub enum StateDir {
    /// Somebody keeps it.
    Kept(PathBuf),
    /// It goes with the process.
    Temporary(tempfile::TempDir),
}

impl StateDir {
    /// Takes the given directory, or makes a temporary one.
    pub fn of(given: Option<&PathBuf>) -> Result<Self, Failure> {
        match given {
            Some(path) => Ok(Self::Kept(path.clone())),
            None => tempfile::Builder::new().prefix("tidegate-").tempdir().map(Self::Temporary).map_err(|error| {
                Failure::Usage(format!("no temporary directory can be made: {error}; give one with --state-dir"))
            }),
        }
    }

    /// Returns where the mirror goes.
    pub fn mirror(&self) -> PathBuf {
        match self {
            Self::Kept(path) => path.join("mirror.git"),
            Self::Temporary(directory) => directory.path().join("mirror.git"),
        }
    }
}

/// Returns who this process is in the journal: the name of the machine, and digits unlike those of any other process.
pub fn writer() -> Writer {
    let since = Timestamp::now();
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").ok().or_else(|| std::env::var("HOSTNAME").ok());
    let machine = machine.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let machine = machine.unwrap_or_else(|| "tidegate".to_owned());
    let digits = sha256_hex(format!("{machine} {} {}", std::process::id(), since.as_nanosecond()).as_bytes());
    Writer { name: format!("{machine}/{}", digits.get(..8).unwrap_or_default()), since: to_seconds(since) }
}

/// Connects to the hub that a kubeconfig names, or to the one that the process runs in.
pub async fn hub(args: &RunArgs, metrics: &Metrics) -> Result<Hub, Failure> {
    let client = client(args.kubeconfig.as_deref(), args.context.as_deref()).await?;
    let options = Options { concurrency: usize::from(args.hub_concurrency), ..Options::default() };
    connected(client, options, metrics).await
}

/// Connects a client, and waits until everything has been seen once.
pub async fn connected(client: kube::Client, options: Options, metrics: &Metrics) -> Result<Hub, Failure> {
    let metrics = metrics.register(hub::Metrics::register);
    let hint = "check the address and the credentials in the kubeconfig, and that the CRDs of OCM are installed (tidegate crds prints them)";
    let hub = Hub::connect(client, options, metrics).await.map_err(|error| Failure::unreachable(&error, hint))?;
    // A first list of ten thousand clusters takes seconds; a minute is a hub that does not answer.
    hub.synced(Duration::from_secs(60)).await.map_err(|error| Failure::unreachable(&error, hint))?;
    Ok(hub)
}

async fn client(kubeconfig: Option<&Path>, context: Option<&str>) -> Result<kube::Client, Failure> {
    let options = KubeConfigOptions { context: context.map(str::to_owned), ..KubeConfigOptions::default() };
    let named = |error: &dyn std::error::Error| {
        let place = kubeconfig.map_or_else(|| "the kubeconfig".to_owned(), |path| path.display().to_string());
        Failure::Usage(format!("{place} cannot be used: {}; check --kubeconfig and --context", Chain(error)))
    };
    let mut config = match kubeconfig {
        Some(path) => {
            let file = Kubeconfig::read_from(path).map_err(|error| named(&error))?;
            kube::Config::from_custom_kubeconfig(file, &options).await.map_err(|error| named(&error))?
        }
        None if context.is_some() => kube::Config::from_kubeconfig(&options).await.map_err(|error| named(&error))?,
        None => kube::Config::infer().await.map_err(|error| {
            Failure::unreachable(
                &error,
                "name a kubeconfig with --kubeconfig, or run inside the hub with a service account",
            )
        })?,
    };
    // Watches are silent for minutes on a quiet hub; the server ends them itself.
    config.read_timeout = None;
    kube::Client::try_from(config).map_err(|error| named(&error))
}
