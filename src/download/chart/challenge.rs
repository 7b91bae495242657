//! The challenge of a registry that wants a token.

/// Most parameters that are read.
const PARAMETERS: usize = 16;

/// Where a token is issued, and for what.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Challenge {
    pub(super) realm: String,
    /// `service` and `scope`, as far as they are there.
    pub(super) parameters: Vec<(String, String)>,
}

impl Challenge {
    /// Parses a `WWW-Authenticate` header; `None` if it has another scheme than `Bearer`, or names no issuer.
    ///
    /// # Source
    /// RFC 7235, section 2.1, and the token authentication specification of the Docker registry.
    pub(super) fn parse(header: &str) -> Option<Self> {
        let (scheme, mut rest) = header.trim().split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        let (mut realm, mut parameters) = (None, Vec::new());
        for _ in 0..PARAMETERS {
            let Some((key, after)) = rest.trim_start_matches([' ', ',']).split_once('=') else { break };
            let (value, after) = match after.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"')?,
                None => after.split_once(',').unwrap_or((after, "")),
            };
            match key.trim() {
                "realm" => realm = Some(value.to_owned()),
                key @ ("service" | "scope") => parameters.push((key.to_owned(), value.to_owned())),
                _ => {}
            }
            rest = after;
        }
        realm.map(|realm| Self { realm, parameters })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn challenges_of_registries_are_parsed() {
        let parsed = |header: &str| {
            Challenge::parse(header).map(|challenge| format!("{} {:?}", challenge.realm, challenge.parameters))
        };
        assert_eq!(
            parsed(r#"Bearer realm="https://auth.example.com/token",service="r.example.com",scope="repository:a/b:pull,push""#),
            Some(
                r#"https://auth.example.com/token [("service", "r.example.com"), ("scope", "repository:a/b:pull,push")]"#
                    .to_owned()
            )
        );
        assert_eq!(parsed("bearer realm=https://a/t, error=x"), Some("https://a/t []".to_owned()));
        for header in ["Basic realm=\"x\"", "Bearer", "Bearer service=\"x\"", "Bearer realm=\"x", ""] {
            assert_eq!(parsed(header), None, "{header}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_header_is_read_or_refused(header in "(Bearer )?[a-z=\", ]{0,40}") {
            Challenge::parse(&header);
        }
    }
}
