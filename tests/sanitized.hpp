#pragma once

/// Whether the tests, and the program with them, are built with AddressSanitizer. It reserves terabytes of
/// addresses and keeps freed memory, so that limits on memory mean something else.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif
#else
constexpr bool is_sanitized = false;
#endif

/// Of so many random inputs, those that are tried: all, and a quarter of them under AddressSanitizer, which
/// takes four times as long and looks for faults that each input shows.
constexpr int sampled(int number) { return is_sanitized ? number / 4 : number; }
