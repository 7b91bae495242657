//! Rules that every page keeps: landmarks, headings, names, colors, and no script or style inside.

use std::collections::BTreeMap;

use super::scene::Scene;
use super::shown::{shown, written};
use tidegate_page::{Links, html, site};

fn pages() -> Vec<(String, String)> {
    let facts = Scene::new().facts();
    let page = |path: String| (path.clone(), written(&shown(&facts, &path, &[]), &path, Links::served(&path, None)));
    site::paths(&facts).into_iter().map(page).collect()
}

#[test]
fn every_page_has_landmarks_and_one_first_heading() {
    for (path, page) in pages() {
        for (what, count) in
            [("<h1", 1), ("<main", 1), ("<header>", 1), ("<footer>", 1), ("<title>", 1), ("aria-live=", 1)]
        {
            assert_eq!(page.matches(what).count(), count, "{path}: {what}");
        }
        assert!(page.starts_with("<!DOCTYPE html><html lang=\"en\">") && page.contains("href=\"#main\""), "{path}");
        assert_eq!(page.matches("aria-current=\"page\"").count(), 1, "{path}");
        // Headings are not skipped.
        let levels: Vec<u32> = page.split("<h").skip(1).filter_map(|rest| rest.chars().next()?.to_digit(10)).collect();
        assert!(levels.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{path}: {levels:?}");
    }
}

#[test]
fn a_page_needs_neither_script_nor_style_of_its_own() {
    for (path, page) in pages() {
        assert!(!page.contains("style=") && !page.contains("<style"), "{path}");
        assert_eq!(page.matches("<script").count(), 1, "{path}");
        for attribute in [" onclick", " onload", " onchange", " onsubmit"] {
            assert!(!page.contains(attribute), "{path}: {attribute}");
        }
    }
}

#[test]
fn every_drawing_is_hidden_from_readers_and_every_field_has_a_name() {
    for (path, page) in pages() {
        for drawing in page.split("<svg").skip(1) {
            let tag = drawing.split('>').next().unwrap();
            let before = &page[..page.find(drawing).unwrap()];
            let in_timeline = before.rfind("class=\"timeline\" aria-hidden=\"true\"").is_some();
            assert!(tag.contains("aria-hidden=\"true\"") || in_timeline, "{path}: {tag}");
        }
        for field in page.split("<input").skip(1) {
            let tag = field.split('>').next().unwrap();
            let has_id = tag.split("id=\"").nth(1).map(|rest| rest.split('"').next().unwrap());
            let is_labelled = has_id.is_some_and(|id| page.contains(&format!("for=\"{id}\"")));
            let before = &page[..page.find(field).unwrap()];
            let in_label = before.rfind("<label").unwrap_or(0) > before.rfind("</label>").unwrap_or(0);
            assert!(is_labelled || in_label, "{path}: {tag}");
        }
        for cell in page.split("<td").skip(1) {
            assert!(cell.split('>').next().unwrap().contains("data-title="), "{path}: {cell}");
        }
    }
}

/// Returns the colors of a theme by name.
fn colors(style: &str) -> BTreeMap<&str, [f64; 3]> {
    let mut colors = BTreeMap::new();
    for part in style.split("--").skip(1) {
        let Some((name, rest)) = part.split_once(':') else { continue };
        let Some(hex) = rest.trim().strip_prefix('#') else { continue };
        let digits: String = hex.chars().take_while(char::is_ascii_hexdigit).collect();
        let Ok(number) = u32::from_str_radix(&digits, 16) else { continue };
        if digits.len() == 6 {
            colors.insert(name, [16, 8, 0].map(|shift| f64::from(number >> shift & 0xff) / 255.0));
        }
    }
    colors
}

/// Returns the contrast of two colors.
///
/// # Source
/// WCAG 2.2, "contrast ratio" and "relative luminance".
fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let luminance = |color: [f64; 3]| {
        let [red, green, blue] =
            color.map(|part| if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn texts_can_be_read_in_both_themes() {
    let style = html::style();
    let (mut light, mut dark) = (String::new(), String::new());
    for block in style.split(":root {").skip(1) {
        let block = block.split('}').next().unwrap();
        // The first block of each file is light, and the next one is dark. That of paper is the last.
        if light.matches("--text").count() + light.matches("--wait:").count()
            <= dark.matches("--text").count() + dark.matches("--wait:").count()
        {
            light.push_str(block);
        } else {
            dark.push_str(block);
        }
    }
    let pairs = [
        ("text", "page"),
        ("text", "card"),
        ("quiet", "page"),
        ("quiet", "card"),
        ("accent", "page"),
        ("accent", "card"),
        ("accent", "info-back"),
        ("good", "good-back"),
        ("bad", "bad-back"),
        ("wait", "wait-back"),
        ("warn", "warn-back"),
        ("odd", "odd-back"),
        ("text", "code"),
        ("card", "accent"),
    ];
    for (theme, block) in [("light", &light), ("dark", &dark)] {
        let colors = colors(block);
        for (front, back) in pairs {
            let ratio = contrast(colors[front], colors[back]);
            assert!(ratio >= 4.5, "{theme}: {front} on {back} has {ratio:.2}");
        }
    }
}
