//! Builds the parts of a daemon from the arguments and the configuration file.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use kube::config::{KubeConfigOptions, Kubeconfig};
use ring::rand::{SecureRandom as _, SystemRandom};

use crate::cli::args::{HubArgs, RunArgs, SourceArgs, Span};
use crate::cli::config::{File, Verify};
use crate::cli::conversion;
use crate::cli::failure::Failure;
use tidegate_daemon::hub::{self, Hub, Options};
use tidegate_daemon::reconciler::clock::Clock;
use tidegate_daemon::reconciler::source::{Floor, FloorFiles, Policy, read_floor, read_keys};
use tidegate_daemon::telemetry::metrics::Metrics;
use tidegate_git::{Credentials, InvalidReference, Reference, Remote};
use tidegate_go::canonical::sha256_hex;
use tidegate_journal::writer::Writer;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::instance::{Instance, InstanceId};
use tidegate_model::time::{SignedDuration, to_seconds};
use tidegate_signature::{SigningKey, Store};

/// The environment variable with the access token for Git.
const TOKEN_VARIABLE: &str = "TIDEGATE_GIT_TOKEN";

/// A config repository, and the reference to follow.
#[derive(Debug)]
pub(super) struct Source {
    /// The path or URL.
    pub place: String,
    /// How to reach it.
    pub remote: Remote,
    /// The reference to follow.
    pub reference: Reference,
    /// The journal's branch, if it is not the one in `tidegate.toml`.
    pub journal_branch: Option<String>,
    /// The configuration file.
    pub file: File,
}

/// Returns how to reach the config repository: from the flags, or else from the configuration file.
pub(super) fn source(args: &SourceArgs) -> Result<Source, Failure> {
    named_source(args)?.ok_or_else(|| {
        Failure::Usage(
            "no config repository is named; give --source, or [source] url in the file of --config".to_owned(),
        )
    })
}

/// Returns how to reach the repository whose journal is read: the one that is named, or else the one that contains the
/// current directory, with `true`.
pub(super) fn source_or_here(args: &SourceArgs) -> Result<(Source, bool), Failure> {
    if let Some(source) = named_source(args)? {
        return Ok((source, false));
    }
    let here = SourceArgs { source: Some(".".to_owned()), ..args.clone() };
    source(&here).map(|source| (source, true))
}

/// Returns the config repository that the flags or the configuration file name, if any.
fn named_source(args: &SourceArgs) -> Result<Option<Source>, Failure> {
    let file = File::read(args.config.as_deref())?;
    let Some(place) = args.source.clone().or_else(|| file.source.url.clone()) else { return Ok(None) };
    let either = |flag: &Option<PathBuf>, setting: &Option<PathBuf>| flag.clone().or_else(|| setting.clone());
    let credentials = match either(&args.git_token_file, &file.source.token_file) {
        Some(path) => Credentials::TokenFile(path),
        None if std::env::var_os(TOKEN_VARIABLE).is_some() => Credentials::TokenEnv(TOKEN_VARIABLE.to_owned()),
        None => Credentials::None,
    };
    let mut remote = Remote::new(&place, credentials)
        .map_err(|error| Failure::Usage(format!("--source: {}", ErrorChain(&error))))?;
    if let Some(user) = args.git_user.as_ref().or(file.source.user.as_ref()) {
        remote = remote.with_user(user);
    }
    if let Some(path) = either(&args.git_ca_file, &file.source.ca_file) {
        remote = remote.with_authority(path);
    }
    if let Some(path) = either(&args.git_ssh_key_file, &file.source.ssh_key_file) {
        remote = remote.with_key(path);
    }
    if let Some(path) = either(&args.git_known_hosts_file, &file.source.known_hosts_file) {
        remote = remote.with_known_hosts(path);
    }
    let reference = args.reference.as_ref().or(file.source.reference.as_ref()).map_or("main", String::as_str);
    let reference = reference.parse().map_err(|error: InvalidReference| Failure::Usage(format!("--ref: {error}")))?;
    let journal_branch = args.journal_branch.clone().or_else(|| file.journal.branch.clone());
    Ok(Some(Source { place, remote, reference, journal_branch, file }))
}

/// Returns the trust policy of the configuration file, if it is consistent.
pub(super) fn policy(file: &File) -> Result<Policy, Failure> {
    let File { verify: Verify { commits, trusted_keys, rewrites }, .. } = file;
    let claimed_authors = file.approvals.claimed_authors;
    let policy = Policy { commits: *commits, keys: trusted_keys.clone(), rewrites: *rewrites, claimed_authors };
    if policy.looks_at_signatures() && policy.keys.is_empty() {
        return Err(Failure::Usage(
            "[verify] requires signatures but names no trusted_keys: list files of allowed signers (ssh) or OpenPGP keyrings".to_owned(),
        ));
    }
    // Report a mistake at the start, not when the first revision arrives.
    read_keys(&policy.keys).map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(policy)
}

/// Reads the rules of the configuration file.
pub(super) fn floor(file: &File) -> Result<Floor, Failure> {
    let files = FloorFiles {
        policies: file.policies.files.clone(),
        rollouts: file.policies.rollouts.clone(),
        people: file.people.clone(),
        delay: file.policies.delay.map(|Span(delay)| SignedDuration::try_from(delay).unwrap_or(SignedDuration::MAX)),
    };
    read_floor(files).map_err(|error| Failure::Usage(error.to_string()))
}

/// Reads files of trusted keys.
pub(super) fn keys(files: &[PathBuf]) -> Result<Store, Failure> {
    read_keys(files).map_err(|error| Failure::Usage(error.to_string()))
}

/// Reads the key that signs the commits of the journal.
pub(super) fn signer(file: &File) -> Result<Option<Arc<SigningKey>>, Failure> {
    let Some(path) = &file.journal.signing_key_file else { return Ok(None) };
    let unusable = |why: String| {
        Failure::Usage(format!(
            "the key {} cannot sign the journal: {why}; name an OpenSSH private key",
            path.display()
        ))
    };
    let text = std::fs::read_to_string(path).map_err(|error| unusable(error.to_string()))?;
    tidegate_git::check_private_key(path)
        .map_err(|error| Failure::Usage(format!("the journal cannot be signed: {error}")))?;
    SigningKey::read(&text).map(|key| Some(Arc::new(key))).map_err(|error| unusable(error.to_string()))
}

/// A directory for the mirror of a repository: the given one, or a temporary one that is removed with this value.
#[derive(Debug)]
pub(super) enum StateDir {
    /// The given directory, which is kept.
    Kept(PathBuf),
    /// A temporary directory.
    Temporary(tempfile::TempDir),
}

impl StateDir {
    /// Uses the given directory, or creates a temporary one.
    pub(super) fn of(given: Option<&PathBuf>) -> Result<Self, Failure> {
        match given {
            Some(path) => Ok(Self::Kept(path.clone())),
            None => tempfile::Builder::new().prefix("tidegate-").tempdir().map(Self::Temporary).map_err(|error| {
                Failure::Usage(format!("cannot create a temporary directory: {error}; give one with --state-dir"))
            }),
        }
    }

    /// Keeps the directory after the end of the process, and returns it.
    pub(super) fn keep(self) -> PathBuf {
        match self {
            Self::Kept(path) => path,
            Self::Temporary(directory) => directory.keep(),
        }
    }

    /// Returns the directory of the mirror.
    pub(super) fn mirror(&self) -> PathBuf {
        match self {
            Self::Kept(path) => path.join("mirror.git"),
            Self::Temporary(directory) => directory.path().join("mirror.git"),
        }
    }
}

/// Returns the name of this process in the journal: the name of the machine, and digits that are unique to the process.
pub(super) fn writer(clock: &Clock) -> Writer {
    let since = clock.now();
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").ok().or_else(|| std::env::var("HOSTNAME").ok());
    let machine = machine.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let machine = machine.unwrap_or_else(|| "tidegate".to_owned());
    let digits = sha256_hex(format!("{machine} {} {}", std::process::id(), since.as_nanosecond()).as_bytes());
    Writer { name: format!("{machine}/{}", digits.get(..8).unwrap_or_default()), since: to_seconds(since), term: 0 }
}

/// Returns an instance with a random identity.
pub(super) fn new_instance(name: String) -> Result<Instance, Failure> {
    let mut bytes = [0; 8];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| Failure::Internal("the operating system provides no random numbers".to_owned()))?;
    Ok(Instance { id: InstanceId::of(u64::from_be_bytes(bytes)), name })
}

/// Connects to the hub that a kubeconfig names, or to the one in which the process runs.
pub(super) async fn hub(args: &RunArgs, metrics: &Metrics) -> Result<Hub, Failure> {
    let client = client(&args.hub).await?;
    let options = Options { concurrency: usize::from(args.hub_concurrency), ..Options::default() };
    let hub = connected(client, options, metrics).await?;
    conversion::check(&hub).await?;
    Ok(hub)
}

/// Connects a client, and waits until every kind has been listed once.
pub(super) async fn connected(client: kube::Client, options: Options, metrics: &Metrics) -> Result<Hub, Failure> {
    let metrics = metrics.register(hub::Metrics::register);
    let hint = "check the address and the credentials in the kubeconfig, and that the CRDs of OCM are installed (tidegate crds prints them)";
    let hub = Hub::connect(client, options, metrics).await.map_err(|error| Failure::unreachable(&error, hint))?;
    // A first list of ten thousand clusters takes seconds. A hub that needs a minute does not answer.
    hub.synced(Duration::from_secs(60)).await.map_err(|error| Failure::unreachable(&error, hint))?;
    Ok(hub)
}

/// Returns the failure for a hub that neither a flag nor the environment names.
fn no_hub(error: &kube::config::KubeconfigError, inside: &kube::config::InClusterError) -> Failure {
    if std::env::var_os("KUBERNETES_SERVICE_HOST").is_some() {
        let hint = "check the service account of the pod, or name a kubeconfig with --kubeconfig";
        return Failure::unreachable(inside, hint);
    }
    let why = ErrorChain(error);
    Failure::Unreachable {
        message: format!(
            "no hub is named: no kubeconfig can be used ({why}), and the process does not run inside a hub"
        ),
        hint: "name a kubeconfig with --kubeconfig, or run inside the hub with a service account".to_owned(),
    }
}

/// Returns a client of the hub that a kubeconfig names, or of the one in which the process runs.
pub(super) async fn client(args: &HubArgs) -> Result<kube::Client, Failure> {
    let mut config = access(args).await?;
    // Watches are silent for minutes on a quiet hub; the server ends them itself.
    config.read_timeout = None;
    kube::Client::try_from(config).map_err(|error| unusable(args, &error))
}

fn unusable(args: &HubArgs, error: &dyn std::error::Error) -> Failure {
    let place = args.kubeconfig.as_ref().map_or_else(|| "the kubeconfig".to_owned(), |path| path.display().to_string());
    Failure::Usage(format!("{place} cannot be used: {}; check --kubeconfig and --context", ErrorChain(error)))
}

/// Returns how to reach the hub: from the flags, or else from the environment.
pub(super) async fn access(args: &HubArgs) -> Result<kube::Config, Failure> {
    let options = KubeConfigOptions { context: args.context.clone(), ..KubeConfigOptions::default() };
    let named = |error: &dyn std::error::Error| unusable(args, error);
    Ok(match &args.kubeconfig {
        Some(path) => {
            // The library's message for a file that cannot be opened quotes its path twice.
            std::fs::File::open(path).map_err(|error| named(&error))?;
            let file = Kubeconfig::read_from(path).map_err(|error| named(&error))?;
            kube::Config::from_custom_kubeconfig(file, &options).await.map_err(|error| named(&error))?
        }
        None if args.context.is_some() => {
            kube::Config::from_kubeconfig(&options).await.map_err(|error| named(&error))?
        }
        // As `kube::Config::infer`, whose message starts with the way that is meant for a process inside a cluster.
        None => match kube::Config::from_kubeconfig(&options).await {
            Ok(config) => config,
            Err(error) => kube::Config::incluster().map_err(|inside| no_hub(&error, &inside))?,
        },
    })
}
