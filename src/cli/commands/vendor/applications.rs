//! Renders the applications that `[[vendor]]` declares.

use super::fetcher::NotFetched;
use super::run::Run;
use super::update::Update;
use super::vela::{misplaced, outdated, render, undeclared};
use tidegate_model::diagnostic::Diagnostic;
use tidegate_repository::{Rendering, Settings, renderings, settings};

impl Run<'_> {
    /// Renders the applications that are not as they are declared.
    pub(super) fn applications(&mut self, update: &Update) {
        // Mistakes in the settings are reported with the needs.
        let Ok(Settings { path, .. }) = settings(&self.state.tree) else { return };
        for rendering in renderings(&self.state.tree) {
            if let Err(error) = self.application(&rendering, &path, update) {
                self.has_failed = true;
                self.is_transient &= error.is_transient;
                self.report.push(Diagnostic::error(rendering.place, error.message));
            }
        }
    }

    fn application(&mut self, rendering: &Rendering, path: &str, update: &Update) -> Result<(), NotFetched> {
        if let Some(why) = misplaced(&self.state.tree, &self.state.lock, path, rendering) {
            return Err(why.into());
        }
        let is_current = outdated(&self.state.tree, &self.state.lock, rendering).is_none();
        if is_current && !update.selects_application(rendering) {
            return Ok(());
        }
        self.process.progress(&format!("rendering {}", rendering.app));
        let (application, content) = render(self.fetcher.vela()?, &self.state.tree, rendering)?;
        self.state.put_application(application, content)
    }

    /// Forgets the applications that nothing declares.
    pub(super) fn release(&mut self) {
        let declared = renderings(&self.state.tree);
        let files: Vec<String> = undeclared(&self.state.lock, &declared).map(|known| known.file.clone()).collect();
        files.iter().for_each(|file| self.state.release(file));
    }
}
