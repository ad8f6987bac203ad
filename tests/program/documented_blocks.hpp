#pragma once

#include <string>
#include <vector>

/// A command that a document shows after `$ `, and the output that the document shows.
struct DocumentedCommand {
  std::size_t line = 0;  ///< of the document, from 1
  std::string command;   ///< for the shell
  std::string output;
};

/// The commands of the indented and the fenced blocks of a Markdown text, in order. A line that ends with a
/// backslash continues on the next line; its output ends at the next command, at a blank line or with the
/// block.
std::vector<DocumentedCommand> commands_in(const std::string& markdown);

/// The part of an output that is the same on every machine: without blank lines, with `#` for seconds.
std::string lasting(const std::string& output);

/// Whether an output is as shown, where a shown line `…` stands for any lines.
bool is_as_shown(const std::string& output, const std::string& shown);
