// Whether the address sanitizer watches: it puts guards around every variable and makes a test several times slower.
#pragma once

#if defined(__has_feature)
#define STRATA_TEST_HAS_FEATURE(feature) __has_feature(feature)
#else
#define STRATA_TEST_HAS_FEATURE(feature) 0
#endif

namespace strata::test {

#if defined(__SANITIZE_ADDRESS__) || STRATA_TEST_HAS_FEATURE(address_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// Nodes of a chain that no function survives which calls itself for each of them: its frames would take more than the
/// usual 8 MiB of stack, at 50 bytes each; at 200 where the sanitizer guards the variables in them.
inline constexpr unsigned kLongChain = kSanitized ? 50'000 : 200'000;

}  // namespace strata::test
