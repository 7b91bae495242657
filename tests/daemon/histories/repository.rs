//! What people do in the repository and with the command line.

use super::super::world::{World, now};
use super::notes;
use super::plan;
use super::play::{DISABLED, ENABLED, SETTINGS, Stage};
use super::step::{Edit, Rule};
use super::unit::{DEFINITION, Form, Unit, application, as_candidate, definition};

impl Stage {
    /// Runs a command as a person does. It may be refused: it may be too late, or without effect.
    pub(super) fn command(&mut self, unit: Unit, arguments: &[&str], cluster: Option<&str>) {
        if !self.world.repository().exists() {
            return;
        }
        let source = self.world.repository();
        let mut line = vec![arguments[0], unit.name(), "--reason", "a history", "--source", source.to_str().unwrap()];
        line.extend(&arguments[1..]);
        line.extend(cluster.into_iter().flat_map(|name| ["--clusters", name]));
        let head = |world: &World| world.git(&["rev-parse", "main"]).trim().to_owned();
        let before = head(&self.world);
        let output = crate::cli::tidegate_at(now(), &line);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code().is_some_and(|code| code < 4), "{line:?}: {said}");
        assert!(!said.contains("panicked") && !said.contains("bug"), "{line:?}: {said}");
        if arguments[0] != "rollback" && head(&self.world) != before {
            self.decided.insert(head(&self.world), unit);
        }
        self.world.look();
    }

    /// Pushes the upgrade to a version, unless the repository declares it already. It uses the command, and edits the line if the command
    /// refuses.
    pub(super) fn push(&self, unit: Unit, version: &str) {
        if !self.world.repository().exists() || unit.declared(&self.world).is_none_or(|declared| declared == version) {
            return;
        }
        let source = self.world.repository();
        let line = ["upgrade", unit.name(), version, "--push", "--source", source.to_str().unwrap()];
        let said = crate::cli::tidegate_at(now(), &line);
        assert!(said.status.code().is_some_and(|code| code < 4), "{}", String::from_utf8_lossy(&said.stderr));
        if unit.declared(&self.world).as_deref() == Some(version) {
            self.world.look();
        } else {
            self.declare(unit, Some(unit.with(&self.world, version)));
        }
    }

    /// Writes the declaration of a unit, or removes it.
    fn declare(&self, unit: Unit, text: Option<String>) {
        self.world.commit(unit.name(), [(unit.file().to_owned(), text.map(String::into_bytes))].into());
    }

    /// Writes the definition of a type, which may have a mistake.
    fn define(&self, has_mistake: bool) {
        let text = definition(has_mistake);
        if self.world.read("main", DEFINITION) != text {
            self.world.commit("definition", [(DEFINITION.to_owned(), Some(text.into_bytes()))].into());
        }
    }

    /// Changes the file of the application, or whether applications are read.
    pub(super) fn edit(&mut self, edit: Edit) {
        if !self.world.repository().exists() {
            return;
        }
        let unit = Unit::Application;
        if let Some(version) = unit.declared(&self.world) {
            self.application = (version, Form::of(&self.world.read("main", unit.file())));
        }
        let (version, form) = &self.application;
        let declared = application(version, *form);
        match edit {
            Edit::Form(form) => self.declare(unit, Some(application(version, form))),
            Edit::Candidate => self.declare(unit, Some(as_candidate(&application(version, Form::Groups)))),
            Edit::Remove => self.declare(unit, None),
            Edit::Mistake => {
                let mistaken = declared.replace("webservice", "web-service").replace("type: page\n", "type: pages\n");
                let mistaken = mistaken.replace("tier: rest", "tier: canary");
                self.declare(unit, Some(mistaken));
            }
            Edit::Restore => {
                self.define(false);
                self.declare(unit, Some(declared));
            }
            Edit::Move { to_other } => {
                let own = if to_other { declared } else { notes::added(&declared) };
                let files = [(unit.file(), own), (notes::FILE, notes::other(to_other))];
                let files = files.map(|(path, text)| (path.to_owned(), Some(text.into_bytes())));
                self.world.commit("the object moves", files.into());
            }
            Edit::Definition => self.define(true),
            Edit::Enable(is_on) => {
                let settings = self.world.read("main", SETTINGS);
                let text =
                    settings.replace(if is_on { DISABLED } else { ENABLED }, if is_on { ENABLED } else { DISABLED });
                if text != settings {
                    self.world.commit("applications", [(SETTINGS.to_owned(), Some(text.into_bytes()))].into());
                }
            }
        }
    }

    /// Asks for the plan of a version. It must always be possible.
    pub(super) fn plan(&self, unit: Unit, version: &str) {
        if self.world.repository().exists() {
            plan::ask(&self.world, unit, version);
        }
    }

    /// Adds a rule, or removes it.
    pub(super) fn rule(&mut self, rule: Rule, is_there: bool) {
        // The team would have to review the removal of a freeze in a pull request, and people push here.
        let is_stuck = (rule == Rule::Freeze && self.had_team) || (rule == Rule::Team && self.was_frozen);
        if is_there && is_stuck {
            return;
        }
        self.had_team |= rule == Rule::Team && is_there;
        self.was_frozen |= rule == Rule::Freeze && is_there;
        self.was_unlimited |= rule == Rule::Continue && is_there;
        let (path, spec) = rule.file();
        if !self.world.repository().exists() || is_there != self.world.read("main", path).is_empty() {
            return;
        }
        let name = format!("{rule:?}").to_lowercase();
        let text = format!(
            "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {{name: {name}}}\nspec:\n  selector: {{addOns: [{}, {}]}}\n  {spec}\n",
            Unit::AddOn.name(),
            Unit::Application.name(),
        );
        let content = is_there.then(|| text.into_bytes());
        self.world.commit(&name, [(path.to_owned(), content)].into());
    }
}
