//! Completion scripts with the names of games, and man pages of every command.

use clap::CommandFactory as _;
use clap_complete::Shell;
use impartial::Error;
use impartial::game::catalogue;

use crate::args::Args;

/// The commands whose first argument is a GAME.
fn game_commands() -> Vec<String> {
    let takes_game = |command: &&clap::Command| {
        command.get_positionals().next().is_some_and(|argument| matches!(argument.get_id().as_str(), "game" | "file"))
    };
    let command = Args::command();
    command.get_subcommands().filter(takes_game).map(|command| command.get_name().to_owned()).collect()
}

/// The completion script of a shell; after a command that takes a GAME it offers the names of the catalogue, and files.
pub fn completions(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "impartial", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let names: Vec<&str> = catalogue::entries().map(|entry| entry.name).collect();
    let names = names.join(" ");
    let commands = game_commands();
    match shell {
        Shell::Bash => format!(
            "{script}
_impartial_games() {{
    _impartial \"$@\"
    local cur=\"${{COMP_WORDS[COMP_CWORD]}}\"
    case \"${{COMP_WORDS[1]}}\" in
        {}) [[ $COMP_CWORD -eq 2 && $cur != -* ]] && COMPREPLY=( $(compgen -W \"{names}\" -- \"$cur\") $(compgen -f -- \"$cur\") ) ;;
    esac
}}
complete -F _impartial_games -o bashdefault -o default impartial
",
            commands.join("|")
        ),
        Shell::Zsh => {
            let games = format!(
                "_impartial_games() {{\n    _alternative 'games:game:({names})' 'files:file:_files'\n}}\n"
            );
            let script = script.replace("':game:_default'", "':game:_impartial_games'");
            let script = ["game", "file"].iter().fold(script, |script, name| {
                // Arguments with a help text: `:game -- A GAME or a strategy file:_default`.
                script
                    .lines()
                    .map(|line| {
                        let ours = line.starts_with(&format!("':{name} -- ")) && line.contains("GAME");
                        if ours { line.replace(":_default'", ":_impartial_games'") } else { line.to_owned() }
                    })
                    .collect::<Vec<_>>()
                    .join("\n")
            });
            script.replacen("autoload -U is-at-least\n", &format!("autoload -U is-at-least\n\n{games}"), 1)
        }
        Shell::Fish => format!(
            "{script}complete -c impartial -n \"__fish_seen_subcommand_from {}\" -a \"{names}\"\n",
            commands.join(" ")
        ),
        _ => script,
    }
}

/// The man page of the command, or of one of its commands.
pub fn man(name: Option<&str>) -> Result<String, Error> {
    let mut root = Args::command();
    root.build();
    let command = match name {
        None => root,
        Some(name) => {
            let names: Vec<&str> = root.get_subcommands().map(clap::Command::get_name).collect();
            let unknown =
                || Error::Input(format!("man {name}: no command has this name; it is one of {}", names.join(", ")));
            let found = root.find_subcommand(name).ok_or_else(unknown)?.clone();
            let title: &'static str = Box::leak(format!("impartial-{name}").into_boxed_str());
            found.name(title)
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).map_err(Error::input)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// The names of all commands.
pub fn command_names() -> Vec<String> {
    Args::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}
