#include "src/ptx/lexical.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace ptxmc::syntax;

namespace {

/// The tokens of a text, each as its kind's initial and its text: "i:add".
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> found;
  for (std::size_t at = 0;;) {
    const Token token = read_token(text, at);
    if (token.kind == TokenKind::end) return found;
    found.push_back(std::string(1, "eiwnsp#?"[static_cast<std::size_t>(token.kind)]) + ":" +
                    std::string(token.text));
    at = static_cast<std::size_t>(token.text.data() - text.data()) + token.text.size();
  }
}

using Tokens = std::vector<std::string>;

}  // namespace

TEST_CASE("identifiers may begin with a letter, `_`, `$` or `%`, and take what follows after dots") {
  CHECK(tokens_of("a_$1 %r1 $L __x _ %tid.x ld.shared::cta.u32") ==
        Tokens{"i:a_$1", "i:%r1", "i:$L", "i:__x", "i:_", "i:%tid.x", "i:ld.shared::cta.u32"});
}

TEST_CASE("a label ends at its colon, a modifier goes on after two") {
  CHECK(tokens_of("L:.reg") == Tokens{"i:L", "p::", "w:.reg"});
  CHECK(tokens_of(".L2::cache_hint.b32") == Tokens{"w:.L2::cache_hint", "w:.b32"});
}

TEST_CASE("comments and blanks separate tokens") {
  CHECK(tokens_of("a/* b\n * c */d // e\n\tf/**/") == Tokens{"i:a", "i:d", "i:f"});
}

TEST_CASE("strings keep their quotes and escapes") {
  CHECK(tokens_of(R"("a // \" b";)") == Tokens{R"(s:"a // \" b")", "p:;"});
}

TEST_CASE("preprocessor lines are one token") {
  CHECK(tokens_of("#line 3 \"a.cu\"\nx") == Tokens{"#:#line 3 \"a.cu\"", "i:x"});
}

TEST_CASE("what begins no token is a byte of its own") {
  CHECK(tokens_of("`") == Tokens{"?:`"});
  CHECK(tokens_of("\"abc\n") == Tokens{"?:\"", "i:abc"});
  CHECK(tokens_of("/* abc").front() == "?:/*");
}

TEST_CASE("numbers and punctuation") {
  CHECK(tokens_of("%r<100>; [a+-4], @!p") == Tokens{"i:%r", "p:<", "n:100", "p:>", "p:;", "p:[", "i:a", "p:+",
                                                    "p:-", "n:4", "p:]", "p:,", "p:@", "p:!", "i:p"});
}
