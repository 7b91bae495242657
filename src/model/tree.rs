//! The files of one commit, as Git hands them to the repository loader.

use std::collections::BTreeMap;

/// So many symbolic links lead to a file at most.
const MAX_LINKS: usize = 40;

/// The files of one commit below the configured path.
///
/// # Shape
/// Keys are paths relative to the root of the repository, with `/` between the parts and no leading `/`.
/// Only regular files are there: symbolic links and submodules are left out and named in [`Tree::skipped`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    /// Path to content.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What was not read, with the reason, as a person would want to know it.
    pub skipped: BTreeMap<String, String>,
    /// Symbolic links, with what they hold. Overlays follow them inside of the repository.
    pub links: BTreeMap<String, String>,
}

/// Why symbolic links lead nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// They lead out of the repository.
    Outside,
    /// They lead to one another without end.
    Endless,
}

impl Tree {
    /// Returns where a path leads when all symbolic links on it are followed, whether something is there or not.
    ///
    /// # Errors
    /// [`Lost`] if a link does not lead to any place of the repository.
    pub fn follow(&self, path: &str) -> Result<String, Lost> {
        if self.links.is_empty() {
            return Ok(path.to_owned());
        }
        let mut followed = String::new();
        let mut rest: Vec<&str> = path.split('/').rev().collect();
        let mut links = 0;
        while let Some(part) = rest.pop() {
            let parent = followed.rfind('/').unwrap_or(0);
            match part {
                "" | "." => continue,
                ".." if followed.is_empty() => return Err(Lost::Outside),
                ".." => {
                    followed.truncate(parent);
                    continue;
                }
                part => {
                    if !followed.is_empty() {
                        followed.push('/');
                    }
                    followed.push_str(part);
                }
            }
            let Some(target) = self.links.get(&followed) else { continue };
            links += 1;
            if links > MAX_LINKS {
                return Err(Lost::Endless);
            }
            if target.starts_with('/') {
                return Err(Lost::Outside);
            }
            followed.truncate(followed.rfind('/').unwrap_or(0));
            rest.extend(target.split('/').rev());
        }
        Ok(followed)
    }
}

#[cfg(test)]
mod tests {
    use super::{Lost, Tree};

    #[test]
    fn links_are_followed_inside_of_the_repository() {
        let links = [
            ("file", "a/b.yaml"),
            ("a/up", "../c"),
            ("c/again", "../a/./up//x"),
            ("out", "../etc"),
            ("a/out", "../../etc"),
            ("root", "/etc"),
            ("round", "round"),
            ("one", "two/x"),
            ("two", "one"),
        ];
        let links = links.map(|(path, target)| (path.to_owned(), target.to_owned())).into();
        let tree = Tree { links, ..Tree::default() };
        for (path, followed) in [
            ("file", "a/b.yaml"),
            ("a/up/d", "c/d"),
            ("c/again/y", "c/x/y"),
            ("a/up/..", ""),
            ("none/x", "none/x"),
            ("", ""),
        ] {
            assert_eq!(tree.follow(path), Ok(followed.to_owned()), "{path}");
        }
        for (path, lost) in [
            ("out", Lost::Outside),
            ("a/out/passwd", Lost::Outside),
            ("root", Lost::Outside),
            ("round/x", Lost::Endless),
            ("one", Lost::Endless),
        ] {
            assert_eq!(tree.follow(path), Err(lost), "{path}");
        }
    }
}
