#pragma once

#include <string>
#include <vector>

/// A command that a document shows after `$ `, and what it prints as shown.
struct DocumentedCommand {
  std::size_t line = 0;  ///< of the document, from 1
  std::string command;   ///< for the shell
  std::string output;
};

/// The commands of the indented and the fenced blocks of a Markdown text, in order. A command goes on after a
/// line that ends with a backslash; its output ends at the next command, at a blank line or with the block.
std::vector<DocumentedCommand> commands_in(const std::string& markdown);

/// What a command may print on another machine, at another time: without blank lines, with `#` for seconds.
std::string lasting(const std::string& output);

/// Whether an output is as shown, where a shown line `…` stands for any lines.
bool is_as_shown(const std::string& output, const std::string& shown);
