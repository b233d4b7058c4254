//! The console pages of the documentation, run as tests: every command prints what the page shows.

#[test]
fn console_pages() {
    trycmd::TestCases::new()
        .case("../../docs/console/*.md")
        .case("../../docs/guide/*.md")
        .case("../../docs/game-files.md")
        .case("../../README.md");
}
