#include "src/cli/number_options.hpp"

#include <doctest/doctest.h>

#include "semantics/language/diagnostic.hpp"

using namespace ptxmc;

TEST_CASE("whole numbers of flags are decimal and within their limits") {
  CHECK(whole_number("--bound", "0", {}) == 0);
  CHECK(whole_number("--bound", "18446744073709551615", {}) == 18446744073709551615U);
  CHECK(whole_number("--jobs", "7", {.lowest = 1, .highest = 7}) == 7);
  for (const char* text : {"", " 3", "3 ", "-5", "+5", "nan", "inf", "1e3", "2.0", "0x10",
                           "18446744073709551616", "99999999999999999999999", "abc"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(whole_number("--bound", text, {}), InputError);
  }
  CHECK_THROWS_AS(whole_number("--jobs", "0", {.lowest = 1}), InputError);
  CHECK_THROWS_WITH(whole_number("--jobs", "8", {.lowest = 1, .highest = 7}),
                    "found '8', expected a whole number from 1 to 7");
}

TEST_CASE("seconds of flags are finite and not negative") {
  CHECK(seconds_number("--timeout", "0") == 0);
  CHECK(seconds_number("--timeout", "0.25") == 0.25);
  CHECK(seconds_number("--timeout", "1e3") == 1000);
  for (const char* text : {"", " 3", "-5", "-0.001", "nan", "-nan", "inf", "infinity", "1e400",
                           "18446744073709551616", "0x10", "1s"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(seconds_number("--timeout", text), InputError);
  }
  CHECK_THROWS_WITH(seconds_number("--timeout", "nan"),
                    "found 'nan', expected seconds: a number from 0 to 1000000000");
}
