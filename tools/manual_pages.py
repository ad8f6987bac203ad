#!/usr/bin/env python3
"""Manual pages and shell completion, made of what `ptxmc --help` and `ptxmc VERB --help` print.

    tools/manual_pages.py PTXMC DESTINATION

writes DESTINATION/share/man/man1/ptxmc*.1 and the completion for bash, zsh and fish below DESTINATION/share.
"""
import pathlib
import re
import subprocess
import sys


COLUMN = " " * 30  # before the texts of a help


class Flag:
    """A flag: its names, the name of its value, and the values that it may have."""

    def __init__(self, head, text):
        words = head.split()
        self.names = words[0].split(",")
        value = " ".join(words[1:]).split(" Excludes:")[0].split(" Needs:")[0]
        choices = re.search(r"\{([^}]*)\}", value)
        self.choices = choices.group(1).split(",") if choices else []
        self.value = re.split(r"[:=]\{|=(?=[^=]*$)| \.\.\.", value)[0].replace(" REQUIRED", "") if value else ""
        self.text = text

    @property
    def takes_file(self):
        return bool(re.search(r"FILE|DIR|\.toml|\.ptx", self.value)) and not self.choices


class Help:
    """The help of the program or of a verb: purpose, usage, positionals, flags, verbs."""

    def __init__(self, text):
        self.purpose, self.usage = text.split("\n")[:2]
        self.purpose = self.purpose.strip()
        self.usage = self.usage.removeprefix("Usage: ")
        self.sections = {}
        section = None
        lines = text.split("\n")[2:] + [""]
        for line, following in zip(lines, lines[1:]):
            if re.fullmatch(r"\w+:", line):
                section = self.sections.setdefault(line[:-1], [])
            elif section is not None and line.startswith(COLUMN):
                section[-1][1] = line.strip()
            elif section is not None and line.startswith("  "):
                # The text begins in its column, or on the next line if the head is too long.
                end = len(line) if following.startswith(COLUMN) else len(COLUMN)
                section.append([line[:end].strip(), line[end:].strip()])
        self.flags = [Flag(head, text) for head, text in self.sections.get("Options", [])]
        self.positionals = self.sections.get("Positionals", [])
        self.verbs = self.sections.get("Subcommands", [])


def help_of(program, *verb):
    return Help(subprocess.run([program, *verb, "--help"], capture_output=True, text=True, check=True).stdout)


def roff(text):
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped


def manual_page(name, version, own, verbs=()):
    lines = [f'.TH "{name.upper()}" 1 "" "ptxmc {version}" "User Commands"', ".SH NAME",
             f"{roff(name)} \\- {roff(own.purpose)}", ".SH SYNOPSIS", f".B {roff(own.usage)}"]

    def section(title, entries):
        if entries:
            lines.append(f".SH {title}")
        for head, text in entries:
            lines.extend([".TP", f".B {roff(head)}", roff(text)])

    section("ARGUMENTS", own.positionals)
    section("OPTIONS", own.sections.get("Options", []))
    section("COMMANDS", own.verbs)
    lines += [".SH EXIT STATUS",
              "0: every answer is positive, or as its file expects. 1: some answer is not. 2: some input or the command "
              "line is wrong. 3: some answer is unknown, or some input is unsupported. 70: a mistake in this program."]
    others = [f"ptxmc\\-{verb}" for verb in verbs if f"ptxmc-{verb}" != name] + (["ptxmc"] if name != "ptxmc" else [])
    lines += [".SH SEE ALSO", ", ".join(f".BR {one} (1)".removeprefix(".BR ").replace(" (", "(") for one in others)]
    return "\n".join(lines) + "\n"


def bash(helps):
    cases, values = [], {}
    for verb, own in helps.items():
        names = " ".join(name for flag in own.flags for name in flag.names)
        cases.append(f'    {verb}) flags="{names}" ;;')
        for flag in own.flags:
            if flag.choices:
                values["|".join(f'"{verb} {name}"' for name in flag.names)] = " ".join(flag.choices)
    choices = [f'    {names}) COMPREPLY=($(compgen -W "{words}" -- "$current")); return ;;'
               for names, words in sorted(values.items())]
    return "\n".join([
        "# bash completion for ptxmc, made of its --help", "_ptxmc() {",
        '  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} flags=""',
        "  if [ $COMP_CWORD -eq 1 ]; then",
        f'    COMPREPLY=($(compgen -W "{" ".join(helps)} --help --version" -- "$current"))', "    return", "  fi",
        '  case "${COMP_WORDS[1]} $previous" in', *choices, "  esac", "  case ${COMP_WORDS[1]} in", *cases, "  esac",
        "  if [[ $current == -* ]]; then",
        '    COMPREPLY=($(compgen -W "$flags" -- "$current"))', "  else",
        '    COMPREPLY=($(compgen -f -- "$current"))', "  fi", "}",
        "complete -o filenames -F _ptxmc ptxmc", ""])


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_argument(flag):
    text = re.sub(r"([\[\]:\\])", r"\\\1", flag.text)
    value = ""
    if flag.choices:
        value = f":value:({' '.join(flag.choices)})"
    elif flag.value:
        value = ":file:_files" if flag.takes_file else ":value:"
    return " ".join(quoted(f"*{name}[{text}]{value}") for name in flag.names)


def zsh(main, helps):
    lines = ["#compdef ptxmc", "# made of the --help of ptxmc", "_ptxmc() {", "  if (( CURRENT == 2 )); then",
             "    local -a verbs=("]
    lines += [f"      {quoted(verb + ':' + text.replace(':', chr(92) + ':'))}" for verb, text in main.verbs]
    lines += ["    )", "    _describe verb verbs", "    return", "  fi", "  local verb=$words[2]", "  shift words",
              "  (( CURRENT-- ))", "  case $verb in"]
    for verb, own in helps.items():
        lines.append(f"    {verb}) _arguments {' '.join(zsh_argument(flag) for flag in own.flags)} '*:file:_files' ;;")
    return "\n".join(lines + ["  esac", "}", '_ptxmc "$@"', ""])


def fish(main, helps):
    lines = ["# fish completion for ptxmc, made of its --help"]
    for verb, text in main.verbs:
        lines.append(f"complete -c ptxmc -f -n __fish_use_subcommand -a {verb} -d {quoted(text)}")
    for verb, own in helps.items():
        for flag in own.flags:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in flag.names)
            value = f" -x -a {quoted(' '.join(flag.choices))}" if flag.choices else " -r" if flag.value else ""
            lines.append(f"complete -c ptxmc -n '__fish_seen_subcommand_from {verb}' {names}{value} -d {quoted(flag.text)}")
    return "\n".join(lines) + "\n"


def main():
    program, destination = sys.argv[1], pathlib.Path(sys.argv[2])
    own = help_of(program)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    helps = {verb: help_of(program, verb) for verb, _ in own.verbs}
    files = {"man/man1/ptxmc.1": manual_page("ptxmc", version, own, helps),
             "bash-completion/completions/ptxmc": bash(helps),
             "zsh/vendor-completions/_ptxmc": zsh(own, helps),
             "fish/vendor_completions.d/ptxmc.fish": fish(own, helps)}
    for verb, one in helps.items():
        files[f"man/man1/ptxmc-{verb}.1"] = manual_page(f"ptxmc-{verb}", version, one, helps)
    for name, text in files.items():
        path = destination / "share" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
