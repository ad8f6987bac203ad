#include "model/program/named_relations.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace ptxmc;

TEST_CASE("relations are found by their names, and listed when they are asked for") {
  NamedRelations relations;
  CHECK(relations.empty());
  int listed = 0;
  relations.set("rf", Pairs{{0, 1}});
  relations.set("co", [&] {
    ++listed;
    return Pairs{{0, 2}, {2, 3}};
  });
  CHECK(relations.names() == std::vector<std::string>{"co", "rf"});
  CHECK(listed == 0);
  CHECK(relations.at("co") == Pairs{{0, 2}, {2, 3}});
  CHECK(relations.pairs("rf") == Pairs{{0, 1}});
  CHECK(listed == 1);

  CHECK_FALSE(relations.contains("fr"));
  CHECK(relations.pairs("fr").empty());
  CHECK_THROWS_AS(relations.at("fr"), std::out_of_range);

  relations.set("rf", Pairs{{1, 1}});
  CHECK(relations.at("rf") == Pairs{{1, 1}});
  relations.erase("rf");
  CHECK_FALSE(relations.contains("rf"));
}

TEST_CASE("changed relations are changed copies, also of those that are changed already") {
  NamedRelations relations;
  relations.set("co", Pairs{{0, 1}});
  const auto next = [](const Pairs& pairs) {
    Pairs result;
    for (const auto& [a, b] : pairs) result.emplace_back(a + 1, b + 1);
    return result;
  };
  const NamedRelations once = relations.changed_by(next), twice = once.changed_by(next);
  relations.set("co", Pairs{});
  CHECK(once.at("co") == Pairs{{1, 2}});
  CHECK(twice.at("co") == Pairs{{2, 3}});
}
