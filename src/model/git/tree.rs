//! The files of one commit, as `git` passes them to `repository`.

use std::collections::BTreeMap;

/// Maximum number of symbolic links on the way to a file.
const MAX_LINKS: usize = 40;
/// Maximum number of path components on the way to a file.
const MAX_PARTS: usize = 1_000;

/// The files of one commit below the configured path.
///
/// # Shape
/// Keys are paths relative to the root of the repository, with `/` between the components and no leading `/`.
/// [`Tree::files`] holds only regular files. Everything else is in [`Tree::skipped`]; symbolic links are also in [`Tree::links`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    /// Content by path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Paths that were not read, with a reason for the user.
    pub skipped: BTreeMap<String, String>,
    /// Symbolic links with their targets. Overlays follow them inside the repository.
    pub links: BTreeMap<String, String>,
    /// Whether reading stopped at a limit, so that a missing file means nothing.
    pub is_cut: bool,
}

/// Why symbolic links cannot be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// They lead outside the repository.
    Outside,
    /// They form a loop, or there are too many.
    Endless,
}

impl Tree {
    /// Returns where a path leads when all symbolic links on it are followed; nothing needs to exist there. Adds the followed
    /// links to `passed`, even if the result is an error.
    ///
    /// # Errors
    /// [`Lost`] if a link does not lead to a path in the repository.
    pub fn follow(&self, path: &str, passed: &mut Vec<String>) -> Result<String, Lost> {
        if self.links.is_empty() {
            return Ok(path.to_owned());
        }
        let (mut links, mut parts) = (0, 0);
        let mut followed = String::new();
        let mut rest: Vec<&str> = path.split('/').rev().collect();
        while let Some(part) = rest.pop() {
            parts += 1;
            if parts > MAX_PARTS {
                return Err(Lost::Endless);
            }
            match part {
                "" | "." => continue,
                ".." if followed.is_empty() => return Err(Lost::Outside),
                ".." => {
                    followed.truncate(followed.rfind('/').unwrap_or(0));
                    continue;
                }
                part if followed.is_empty() => followed.push_str(part),
                part => followed.extend(["/", part]),
            }
            let Some(target) = self.links.get(&followed) else { continue };
            passed.push(followed.clone());
            links += 1;
            if links > MAX_LINKS {
                return Err(Lost::Endless);
            }
            if target.starts_with('/') {
                return Err(Lost::Outside);
            }
            followed.truncate(followed.rfind('/').unwrap_or(0));
            rest.extend(target.split('/').rev().take(MAX_PARTS));
        }
        Ok(followed)
    }
}

#[cfg(test)]
mod tests {
    use super::{Lost, Tree};

    #[test]
    fn links_are_followed_inside_the_repository() {
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
            assert_eq!(tree.follow(path, &mut Vec::new()), Ok(followed.to_owned()), "{path}");
        }
        for (path, lost) in [
            ("out", Lost::Outside),
            ("a/out/passwd", Lost::Outside),
            ("root", Lost::Outside),
            ("round/x", Lost::Endless),
            ("one", Lost::Endless),
        ] {
            assert_eq!(tree.follow(path, &mut Vec::new()), Err(lost), "{path}");
        }
        let mut passed = Vec::new();
        assert_eq!(tree.follow("c/again/y", &mut passed), Ok("c/x/y".to_owned()));
        assert_eq!(tree.follow("round", &mut passed), Err(Lost::Endless));
        assert_eq!(passed.get(..3).unwrap_or_default(), ["c/again", "a/up", "round"]);
    }
}
