#pragma once

#include <string>
#include <vector>

#include "src/cli/campaign.hpp"
#include "src/cli/litmus_result.hpp"
#include "src/report/campaign_records.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// Whether `--shard` divides the exploration of one test, in place of a list of tests.
bool divides_one_test(const std::vector<std::string>& paths, const CampaignOptions&);

/// Throws InputError if a flag of the command asks for something that the parts of a test do not have.
void require_divisible(const CampaignOptions&, const CLI::App& command);

/// Makes a record of a part from one of the file's only test. Throws InputError if it has several tests.
void mark_part(Record&, const std::vector<LitmusResult>&, const Shard& part);

}  // namespace ptxmc
