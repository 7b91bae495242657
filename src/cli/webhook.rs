//! `[webhook]` of the daemon's file: the secrets of forges.

use std::path::Path;

use crate::cli::config::Webhook;
use crate::cli::failure::Failure;
use tidegate_daemon::reconciler::standard_webhook;

/// Reads the files with the secrets for webhooks. Returns `true` if there are any, so that webhooks are enabled.
pub(super) fn webhook_secrets(settings: &Webhook) -> Result<bool, Failure> {
    let Webhook { secret_file, gitlab_signing_token_file, listen: _ } = settings;
    if let Some(path) = secret_file {
        read("secret_file", path, "write the secret of the forge into it")?;
    }
    if let Some(path) = gitlab_signing_token_file {
        let (setting, fix) = ("gitlab_signing_token_file", "write the signing token of GitLab into it");
        let token = read(setting, path, fix)?;
        if !matches!(standard_webhook::key(&token), Some(Ok(_))) {
            return Err(unusable(setting, path, "it is not a signing token: whsec_ and base64", fix));
        }
    }
    Ok(secret_file.is_some() || gitlab_signing_token_file.is_some())
}

fn read(setting: &str, path: &Path, fix: &str) -> Result<String, Failure> {
    let content = std::fs::read_to_string(path);
    let content = content.map_err(|error| unusable(setting, path, &error.to_string(), fix))?;
    match content.trim() {
        "" => Err(unusable(setting, path, "it is empty", fix)),
        content => Ok(content.to_owned()),
    }
}

fn unusable(setting: &str, path: &Path, why: &str, fix: &str) -> Failure {
    Failure::Usage(format!("[webhook] {setting} {}: {why}; {fix}", path.display()))
}
