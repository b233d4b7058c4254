//! `cargo xtask site`: the documentation as a folder of pages, in the order of `docs/SUMMARY.md`. Plain files: any server, or none, shows them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

const STYLE: &str = include_str!("site.css");

/// An entry of the summary: a heading, or a page with its title.
enum Entry {
    Part(String),
    Page { title: String, file: String },
}

/// The lines of a summary: `# Part` and `- [Title](file.md)`.
fn summary(text: &str) -> Vec<Entry> {
    let page = |line: &str| {
        let (title, file) = line.trim_start_matches("- ").strip_prefix('[')?.strip_suffix(')')?.split_once("](")?;
        Some(Entry::Page { title: title.to_owned(), file: file.to_owned() })
    };
    let part = |line: &str| Some(Entry::Part(line.strip_prefix("# ")?.to_owned())).filter(|_| line != "# Summary");
    text.lines().filter_map(|line| part(line).or_else(|| page(line))).collect()
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

/// The identifier of a heading, as GitHub makes it.
fn anchor(text: &str) -> String {
    let kept = text.to_lowercase().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>();
    kept.replace(' ', "-")
}

/// What is made of one page.
struct Page {
    body: String,
    anchors: BTreeSet<String>,
    /// Files below `docs` that it links to, with the anchors asked for.
    links: Vec<(PathBuf, Option<String>)>,
}

/// A link as the site has it; links to files are kept in mind.
fn linked(to: &str, file: &Path, links: &mut Vec<(PathBuf, Option<String>)>) -> String {
    if to.contains("://") || to.starts_with("mailto:") {
        return to.to_owned();
    }
    let (path, part) = to.split_once('#').map_or((to, None), |(path, part)| (path, Some(part.to_owned())));
    let target = if path.is_empty() { file.to_owned() } else { plain(&file.parent().unwrap_or(file).join(path)) };
    links.push((target, part.clone()));
    let path = path.strip_suffix(".md").map_or_else(|| path.to_owned(), |page| format!("{page}.html"));
    part.map_or(path.clone(), |part| format!("{path}#{part}"))
}

/// A page's text as HTML: headings get identifiers, links to pages lead to pages.
fn page(text: &str, file: &Path) -> Page {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    let mut events: Vec<Event<'_>> = Parser::new_ext(text, options).collect();
    let (mut anchors, mut links) = (BTreeSet::new(), Vec::new());
    let mut heading: Option<(usize, String)> = None;
    for at in 0..events.len() {
        match &mut events[at] {
            Event::Start(Tag::Heading { .. }) => heading = Some((at, String::new())),
            Event::Text(text) | Event::Code(text) => {
                if let Some((_, words)) = &mut heading {
                    words.push_str(text);
                }
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                *dest_url = CowStr::from(linked(dest_url, file, &mut links));
            }
            Event::End(TagEnd::Heading(_)) => {
                let Some((start, words)) = heading.take() else { continue };
                let name = anchor(&words);
                if let Event::Start(Tag::Heading { id, .. }) = &mut events[start] {
                    *id = Some(CowStr::from(name.clone()));
                }
                anchors.insert(name);
            }
            _ => {}
        }
    }
    // Wide tables are moved sideways by themselves, not with the page.
    let events = events.into_iter().flat_map(|event| match event {
        // A picture leads to itself, which a phone shows as large as one likes.
        Event::Start(Tag::Image { ref dest_url, .. }) => {
            vec![Event::InlineHtml(format!("<a href=\"{}\">", escaped(dest_url)).into()), event]
        }
        Event::End(TagEnd::Image) => vec![event, Event::InlineHtml("</a>".into())],
        Event::Start(Tag::Table(_)) => vec![Event::Html("<div class=\"wide\">".into()), event],
        Event::End(TagEnd::Table) => vec![event, Event::Html("</div>".into())],
        Event::Code(code) => vec![Event::InlineHtml(words(&code).into())],
        _ => vec![event],
    });
    let mut body = String::new();
    html::push_html(&mut body, events);
    Page { body, anchors, links }
}

/// Code within a line, whose words are kept whole: a browser breaks `--json` after its hyphens.
fn words(code: &str) -> String {
    let word = |word: &str| match word.len() {
        0..=24 if word.contains('-') => format!("<span>{}</span>", escaped(word)),
        _ => escaped(word),
    };
    format!("<code>{}</code>", code.split(' ').map(word).collect::<Vec<_>>().join(" "))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// The list of all pages, as seen from one of them.
fn contents(entries: &[Entry], here: &str, up: &str) -> String {
    let mut list = String::new();
    for entry in entries {
        let _ = match entry {
            Entry::Part(name) => writeln!(list, "<h2>{}</h2>", escaped(name)),
            Entry::Page { title, file } => {
                let mark = if file == here { " aria-current=\"page\"" } else { "" };
                let to = file.trim_end_matches(".md");
                writeln!(list, "<a href=\"{up}{to}.html\"{mark}>{}</a>", escaped(title))
            }
        };
    }
    list
}

/// Writes the site; the links that lead nowhere.
///
/// # Errors
/// A page of the summary that is not there, or a folder that cannot be written.
fn write(docs: &Path, folder: &Path) -> Result<Vec<String>, String> {
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let put = |path: PathBuf, bytes: &[u8]| {
        let made = std::fs::create_dir_all(path.parent().unwrap_or(folder));
        made.and_then(|()| std::fs::write(&path, bytes)).map_err(|error| format!("{}: {error}", path.display()))
    };
    let entries = summary(&read(&docs.join("SUMMARY.md"))?);
    let files: Vec<(&str, &str)> = entries
        .iter()
        .filter_map(|entry| match entry {
            Entry::Page { title, file } => Some((title.as_str(), file.as_str())),
            Entry::Part(_) => None,
        })
        .collect();
    let mut pages = Vec::new();
    for (_, file) in &files {
        pages.push(page(&read(&docs.join(file))?, Path::new(file)));
    }
    let mut dead = Vec::new();
    for (at, ((title, file), made)) in files.iter().zip(&pages).enumerate() {
        let up = "../".repeat(Path::new(file).components().count() - 1);
        let turn = |to: Option<&(&str, &str)>, words: &str| {
            let line = |(title, file): &(&str, &str)| {
                format!("<a href=\"{up}{}.html\">{words}: {}</a>", file.trim_end_matches(".md"), escaped(title))
            };
            to.map_or_else(|| "<span></span>".to_owned(), line)
        };
        let before = turn(at.checked_sub(1).and_then(|at| files.get(at)), "Before");
        let after = turn(files.get(at + 1), "Next");
        let list = contents(&entries, file, &up);
        let text = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
             <title>{} – impartial</title>\n<link rel=\"stylesheet\" href=\"{up}site.css\">\n</head>\n<body>\n\
             <nav><details><summary>Contents</summary>\n{list}</details></nav>\n<aside>{list}</aside>\n\
             <main>\n{}<footer>{before}{after}</footer>\n</main>\n</body>\n</html>\n",
            escaped(title),
            made.body
        );
        put(folder.join(file).with_extension("html"), text.as_bytes())?;
        for (target, part) in &made.links {
            let known = files.iter().position(|(_, file)| Path::new(file) == target);
            let found = match (known, part) {
                (Some(page), Some(part)) => pages[page].anchors.contains(part),
                (Some(_), None) => true,
                (None, _) => docs.join(target).exists(),
            };
            if !found {
                dead.push(format!(
                    "{file}: {}{}",
                    target.display(),
                    part.as_ref().map_or(String::new(), |p| format!("#{p}"))
                ));
            } else if known.is_none() && docs.join(target).is_file() {
                let bytes =
                    std::fs::read(docs.join(target)).map_err(|error| format!("{}: {error}", target.display()))?;
                put(folder.join(target), &bytes)?;
            }
        }
    }
    put(folder.join("site.css"), STYLE.as_bytes())?;
    Ok(dead)
}

/// Writes the site and says where it is.
pub fn run(root: &Path, folder: &Path) -> ExitCode {
    match write(&root.join("docs"), folder) {
        Ok(dead) if dead.is_empty() => {
            println!("wrote {}", folder.join("index.html").display());
            ExitCode::SUCCESS
        }
        Ok(dead) => {
            println!("links that lead nowhere:\n{}", dead.join("\n"));
            ExitCode::FAILURE
        }
        Err(why) => {
            println!("{why}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{anchor, page, write};

    #[test]
    fn headings_have_names_and_links_lead_to_pages() {
        let made = page(
            "# One `two` – three!\n\n[a](../b.md#c) [d](e.svg) `x --y<`\n\n| x |\n| - |\n| 1 |\n",
            Path::new("f/g.md"),
        );
        assert!(made.body.contains("<h1 id=\"one-two--three\">"), "{}", made.body);
        assert!(made.body.contains("href=\"../b.html#c\"") && made.body.contains("class=\"wide\""), "{}", made.body);
        assert!(made.body.contains("<code>x <span>--y&lt;</span></code>"), "{}", made.body);
        assert_eq!(made.links, [("b.md".into(), Some("c".to_owned())), ("f/e.svg".into(), None)]);
        assert_eq!(anchor("Form \"chains\""), "form-chains");
    }

    #[test]
    fn every_link_leads_somewhere() {
        let folder = std::env::temp_dir().join(format!("impartial-site-{}", std::process::id()));
        let dead = write(&crate::check::root().join("docs"), &folder);
        let _ = std::fs::remove_dir_all(&folder);
        assert_eq!(dead, Ok(vec![]));
    }
}
