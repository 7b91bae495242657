//! `[forge]` of the configuration file: the forge on which changes are reviewed.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use reqwest::{Certificate, Client, ClientBuilder, Url};

use super::forge_settings::{Progress, Section, Shown};
use crate::cli::config::File;
use crate::cli::failure::Failure;
use tidegate_daemon::reconciler::clock::Clock;
use tidegate_daemon::reconciler::forge::{Checks, ForgeConfig, Publish};
use tidegate_forge::{Auth, Forge, Settings, Transport, WRITE_GAP};
use tidegate_git::{Reference, install_tls_provider};
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::forge::ForgeKind;

/// Default for how often the forge is looked at.
const POLL: std::time::Duration = std::time::Duration::from_secs(60);
/// Default for the requests in an hour.
const BUDGET: u32 = 1_500;

/// Returns the forge of the configuration file; `None` if it has none. `source` is the address of the config repository. Without a
/// transport, the forge is reached over HTTP.
pub(super) fn forge(
    file: &File,
    source: &str,
    reference: &Reference,
    transport: Option<Transport>,
    clock: &Clock,
) -> Result<Option<ForgeConfig>, Failure> {
    let Some(section) = &file.forge else { return Ok(None) };
    if reference.branch().is_none() {
        return Err(usage("needs a branch to follow: pull requests are merged into branches, not tags"));
    }
    let place = place(section, source)?;
    let auth = match (&section.token_file, &section.app) {
        (Some(file), None) => Auth::TokenFile(file.clone()),
        (None, Some(app)) => Auth::App { client_id: app.client_id.clone(), key_file: app.key_file.clone() },
        (None, None) => return Err(usage("needs a token: write token_file, or app for a GitHub App")),
        (Some(_), Some(_)) => return Err(usage("has token_file and app; write one of them")),
    };
    let write_gap = if place.kind == ForgeKind::GitHub { WRITE_GAP } else { Default::default() };
    let clock = clock.clone();
    let settings = Settings {
        kind: place.kind,
        url: place.url,
        project: place.project.clone(),
        auth,
        budget: section.budget.unwrap_or(BUDGET),
        write_gap,
        clock: Arc::new(move || clock.now()),
    };
    let forge = match transport {
        None => Forge::new(settings, client(file)?),
        Some(transport) => Forge::over(settings, transport),
    };
    let forge = forge.map_err(|error| usage(ErrorChain(&error)))?;
    let publish = &section.publish;
    if publish.check == Shown::CheckRun && section.app.is_none() {
        return Err(usage("publish.check = \"check-run\" needs a GitHub App: write app, or check = \"status\""));
    }
    Ok(Some(ForgeConfig {
        forge,
        project: place.project,
        poll: section.poll.map_or(POLL, |span| span.0),
        commands: section.commands,
        publish: Publish {
            comments: publish.comment,
            checks: match publish.check {
                Shown::Status => Checks::Statuses,
                Shown::CheckRun => Checks::CheckRuns,
                Shown::Off => Checks::Off,
            },
            statuses: matches!(publish.progress, Progress::Status | Progress::Both),
            deployments: matches!(publish.progress, Progress::Deployment | Progress::Both),
            forks: publish.forks,
            drafts: publish.drafts,
            gates: publish.gates,
            link: publish.link.as_ref().map(|link| link.trim_end_matches('/').to_owned()),
        },
    }))
}

fn usage(why: impl fmt::Display) -> Failure {
    Failure::Usage(format!("[forge] {why}"))
}

/// Returns the HTTP client for the forge, which trusts the same certificates as Git does.
fn client(file: &File) -> Result<ClientBuilder, Failure> {
    install_tls_provider();
    let builder = Client::builder().user_agent("tidegate");
    let Some(path) = &file.source.ca_file else { return Ok(builder) };
    let unusable = |error: &dyn Error| {
        usage(format_args!("cannot use [source] ca_file {}: {}", path.display(), ErrorChain(error)))
    };
    let pem = std::fs::read(path).map_err(|error| unusable(&error))?;
    let certificates = Certificate::from_pem_bundle(&pem).map_err(|error| unusable(&error))?;
    Ok(certificates.into_iter().fold(builder, ClientBuilder::add_root_certificate))
}

/// Where the forge is.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    kind: ForgeKind,
    url: Url,
    project: String,
}

/// Finds out where the forge is, from the settings and the address of the config repository.
fn place(section: &Section, source: &str) -> Result<Place, Failure> {
    let origin = origin(source);
    let host = origin.as_ref().and_then(|(url, _)| url.host_str()).unwrap_or_default();
    let known = match host {
        "github.com" => Some(ForgeKind::GitHub),
        "gitlab.com" => Some(ForgeKind::GitLab),
        "codeberg.org" | "gitea.com" => Some(ForgeKind::Gitea),
        _ => None,
    };
    let kind = section.kind.or(known);
    let kind = kind.ok_or_else(|| {
        usage("needs the kind of the forge: write kind = \"github\", \"gitlab\" or \"gitea\" (also for Forgejo)")
    })?;
    let url = match (&section.url, &origin) {
        (Some(url), _) => Url::parse(url).map_err(|error| {
            usage(format_args!("url {url:?}: {error}; write such as \"https://git.example.com/api/v1\""))
        })?,
        (None, Some((origin, _))) => api(kind, origin),
        (None, None) => {
            return Err(usage("needs the address of the API: write url, such as \"https://git.example.com/api/v1\""));
        }
    };
    let project = section.project.clone().or_else(|| origin.map(|(_, path)| path));
    let project = project.filter(|project| project.split('/').filter(|part| !part.is_empty()).count() >= 2);
    let project = project.ok_or_else(|| usage("needs the project: write project, such as \"platform/fleet\""))?;
    Ok(Place { kind, url, project })
}

/// Returns the address of the API on a host.
fn api(kind: ForgeKind, origin: &Url) -> Url {
    let mut url = origin.clone();
    match kind {
        ForgeKind::GitHub if origin.host_str() == Some("github.com") => {
            // The API of github.com has a host of its own.
            if url.set_host(Some("api.github.com")).is_err() {
                return url;
            }
        }
        ForgeKind::GitHub => url.set_path("/api/v3"),
        ForgeKind::GitLab => url.set_path("/api/v4"),
        ForgeKind::Gitea => url.set_path("/api/v1"),
    }
    url
}

/// Returns the web origin of a Git remote, and the path of the repository without `.git`; `None` for a path on this machine.
fn origin(source: &str) -> Option<(Url, String)> {
    let project = |path: &str| path.trim_matches('/').trim_end_matches(".git").to_owned();
    if let Ok(mut url) = Url::parse(source) {
        let path = project(url.path());
        let web = match url.scheme() {
            "http" | "https" => {
                let (_, _) = (url.set_username(""), url.set_password(None));
                url.set_path("/");
                url.set_query(None);
                url
            }
            "ssh" => Url::parse(&format!("https://{}/", url.host_str()?)).ok()?,
            _ => return None,
        };
        return Some((web, path));
    }
    // user@host:path
    let (host, path) = source.split_once(':').filter(|(host, _)| !host.contains('/'))?;
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    Some((Url::parse(&format!("https://{host}/")).ok()?, project(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forge_is_derived_from_the_address_of_the_repository() {
        let of = |kind: Option<ForgeKind>, source: &str| {
            let place = place(&Section { kind, ..Section::default() }, source).unwrap();
            format!("{} {} {}", place.kind, place.url, place.project)
        };
        let gitea = Some(ForgeKind::Gitea);
        for (kind, source, expected) in [
            (None, "https://github.com/platform/fleet.git", "github https://api.github.com/ platform/fleet"),
            (None, "git@github.com:platform/fleet.git", "github https://api.github.com/ platform/fleet"),
            (None, "https://x:secret@gitlab.com/a/b/fleet", "gitlab https://gitlab.com/api/v4 a/b/fleet"),
            (None, "ssh://git@codeberg.org:22/platform/fleet.git", "gitea https://codeberg.org/api/v1 platform/fleet"),
            (gitea, "http://127.0.0.1:3000/platform/fleet.git", "gitea http://127.0.0.1:3000/api/v1 platform/fleet"),
            (Some(ForgeKind::GitHub), "https://ghe.example.com/a/b", "github https://ghe.example.com/api/v3 a/b"),
        ] {
            assert_eq!(of(kind, source), expected, "{source}");
        }
    }

    #[test]
    fn what_cannot_be_derived_must_be_written() {
        let why = |section: Section, source: &str| format!("{:?}", place(&section, source).unwrap_err());
        assert!(why(Section::default(), "https://git.example.com/a/b").contains("kind = "));
        let gitea = || Section { kind: Some(ForgeKind::Gitea), ..Section::default() };
        assert!(why(gitea(), "/srv/fleet.git").contains("write url"));
        assert!(why(gitea(), "https://git.example.com/fleet.git").contains("write project"));
        let url = Section { url: Some("git.example.com".to_owned()), ..gitea() };
        assert!(why(url, "/srv/fleet.git").contains("https://git.example.com/api/v1"));
    }
}
