#pragma once

#include <functional>
#include <optional>
#include <string>

#include "model/cat/checked_model.hpp"

namespace ptxmc::cat {

/// A file of a model.
struct Source {
  std::string file;  ///< its path, or its name when it is embedded: for messages and for includes beside it
  std::string text;
};

/// Finds the file that the file `from` includes under a name.
using IncludeResolver =
    std::function<std::optional<Source>(const std::string& name, const std::string& from)>;

/// Reads and checks a model. Throws InputError and Unsupported.
Model parse(Source, const IncludeResolver&);

/// An embedded model, with or without `.cat`, which is parsed once; null if there is none of the name.
const Model* embedded_model(const std::string& name);

/// Loads a model. A path with a slash, or of an existing file that ends in `.cat`, names a file. Any other
/// text names an embedded model ("ptx-6.4", "ptx-6.4.cat") if there is one, otherwise an existing file. An
/// included file is searched in the folder of the including file, then among the embedded models; an embedded
/// model includes embedded files only.
Model load(const std::string& name_or_path);

}  // namespace ptxmc::cat
