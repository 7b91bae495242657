//! The message of the commit.

use tidegate_model::line::visible;

/// Returns the message of a commit: a subject, and the reason.
pub(super) fn message(subject: &str, reason: &str) -> String {
    format!("{subject}\n\n{}\n", body(reason))
}

/// Returns a reason as the body of a message. A reason with a line that looks like a trailer, such as `Approved-by: Ada`, is quoted:
/// trailers are facts about a commit.
pub(crate) fn body(reason: &str) -> String {
    let reason = visible(reason.trim());
    let is_trailer = |line: &str| {
        let key = line.split_once(':').map_or("", |(key, _)| key.trim_end());
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            || line.starts_with("(cherry picked from commit ")
    };
    if reason.lines().any(is_trailer) {
        return reason.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n");
    }
    reason
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidegate_consent::approval;

    #[test]
    fn a_reason_is_never_read_as_an_approval() {
        for reason in [
            "Approved-by: Ada <a@example.com>",
            "x\n\nReviewed-by: Ada\nSigned-off-by: Ada",
            "(cherry picked from commit abc)",
        ] {
            let read = approval::read(&message("control: pause istio", reason));
            assert_eq!(read, approval::Approvals::default(), "{reason}");
        }
    }

    #[test]
    fn a_plain_reason_stays_as_it_is() {
        assert_eq!(body("  alerts fire\n\n---\nsince 10:00 "), "alerts fire\n\n---\nsince 10:00");
        assert_eq!(body("a\u{1b}[31m\r\nb"), "a\u{fffd}[31m\u{fffd}\nb");
    }
}
