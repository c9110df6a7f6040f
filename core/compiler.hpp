// Macros that hide the differences between compilers. All other files of the library are plain C++20.
//
// Tested: g++ 12 and clang 14 on Linux, with libstdc++ 12; clang 14 with libc++ 16. Not tested: MSVC, for which this
// header follows its documentation. With any other compiler, the library is slower and does not know the position of a
// call that broke a contract, and the program has to define STRATA_FUNCTION_SIGNATURE. The shared library was only
// tested on Linux, not as a DLL.
#pragma once

// With -std=c++20, g++ 10 gives __cplusplus a lower value than the C++20 standard prescribes. So every value
// above that of C++17 is accepted.
#if (defined(_MSVC_LANG) && _MSVC_LANG <= 201703L) || (!defined(_MSVC_LANG) && __cplusplus <= 201703L)
#error "strata needs C++20: compile with -std=c++20 or /std:c++20"
#endif

#include <cstdint>

#if !defined(__GNUC__)
#include <atomic>
#endif

/// STRATA_API: marks the classes, functions and variables that a program uses from the library, directly or through
/// code in headers. The shared library exports what is marked and nothing else. Two macros control STRATA_API:
/// - STRATA_SHARED: has to be defined when the shared library is compiled, and when programs that use the shared
///   library are compiled (pkg-config, Meson and CMake define it for these programs). Without STRATA_SHARED, the
///   library is static and STRATA_API is empty: the program that contains the library decides what to export.
/// - STRATA_BUILDING: has to be defined only when the shared library itself is compiled.
#if !defined(STRATA_SHARED)
#define STRATA_API
#elif defined(__GNUC__) && !defined(_WIN32)
#define STRATA_API __attribute__((visibility("default")))
#elif defined(_WIN32) && defined(STRATA_BUILDING)
#define STRATA_API __declspec(dllexport)
#elif defined(_WIN32)
#define STRATA_API __declspec(dllimport)
#else
#define STRATA_API
#endif

/// STRATA_ACCESS_GUARD: 1 in checked builds, in which World::access_guard can find threads that use a world at the same
/// time although one of them changes it; otherwise 0, and no check is compiled. The library and the programs that use
/// the library have to be compiled with the same value; otherwise they do not link. (pkg-config, Meson and CMake define
/// the macro for programs if the library was configured with the option `access_guard`, STRATA_ACCESS_GUARD in CMake.)
#if !defined(STRATA_ACCESS_GUARD)
#define STRATA_ACCESS_GUARD 0
#endif

/// Attributes of functions, which only affect speed.
/// STRATA_ALWAYS_INLINE, STRATA_NOINLINE: the function is always inlined, or never.
/// STRATA_COLD: the function is rarely called.
/// STRATA_PURE: the function changes nothing; its result depends on its arguments and on memory.
/// STRATA_CONST: the function changes nothing; its result depends on its arguments alone.
#if defined(__GNUC__)
#define STRATA_ALWAYS_INLINE [[gnu::always_inline]]
#define STRATA_NOINLINE [[gnu::noinline]]
#define STRATA_COLD [[gnu::cold]]
#define STRATA_PURE [[gnu::pure]]
#define STRATA_CONST [[gnu::const]]
#elif defined(_MSC_VER)
#define STRATA_ALWAYS_INLINE [[msvc::forceinline]]
#define STRATA_NOINLINE [[msvc::noinline]]
#define STRATA_COLD
#define STRATA_PURE
#define STRATA_CONST
#else
#define STRATA_ALWAYS_INLINE
#define STRATA_NOINLINE
#define STRATA_COLD
#define STRATA_PURE
#define STRATA_CONST
#endif

/// STRATA_NO_UNIQUE_ADDRESS: an attribute of data members. A member takes no memory if its class is empty.
#if defined(_MSC_VER)
#define STRATA_NO_UNIQUE_ADDRESS [[msvc::no_unique_address]]
#else
#define STRATA_NO_UNIQUE_ADDRESS [[no_unique_address]]
#endif

/// STRATA_UNREACHABLE(): a statement that is never executed. g++, clang and MSVC optimise the code around it
/// accordingly; with any other compiler, it does nothing.
#if defined(__GNUC__)
#define STRATA_UNREACHABLE() __builtin_unreachable()
#elif defined(_MSC_VER)
#define STRATA_UNREACHABLE() __assume(false)
#else
#define STRATA_UNREACHABLE() static_cast<void>(0)
#endif

/// STRATA_CALLER_FILE, STRATA_CALLER_LINE: as default arguments of a function, the file and line of its
/// caller. They replace std::source_location, which clang 14 does not have.
#if defined(__GNUC__) || (defined(_MSC_VER) && _MSC_VER >= 1926)
#define STRATA_CALLER_FILE __builtin_FILE()
#define STRATA_CALLER_LINE __builtin_LINE()
#else
#define STRATA_CALLER_FILE ""
#define STRATA_CALLER_LINE 0
#endif

/// STRATA_CALLER_FUNCTION: as default argument of a function, the name of its caller.
#if defined(__GNUC__) || (defined(_MSC_VER) && _MSC_VER >= 1926)
#define STRATA_CALLER_FUNCTION __builtin_FUNCTION()
#else
#define STRATA_CALLER_FUNCTION "a function"
#endif

/// STRATA_FUNCTION_SIGNATURE: the name of the function in which the macro is used, with its template arguments.
#if defined(__GNUC__)
#define STRATA_FUNCTION_SIGNATURE __PRETTY_FUNCTION__
#elif defined(_MSC_VER)
#define STRATA_FUNCTION_SIGNATURE __FUNCSIG__
#elif !defined(STRATA_FUNCTION_SIGNATURE)
#error \
    "strata: define STRATA_FUNCTION_SIGNATURE as what spells the template arguments of the current function"
#endif

namespace strata::detail {

/// Returns: the address of an object, even if its type overloads operator&. std::addressof does the same, but its
/// header includes stream headers, which take long to compile.
template <class T>
constexpr T* address_of(T& object) noexcept {
  return __builtin_addressof(object);
}

/// Prefetches a cache line that is going to be read soon: the line that contains the address `at`. With compilers
/// other than g++ and clang, does nothing. The address may be outside of any allocation.
inline void prefetch_to_read([[maybe_unused]] const void* at) noexcept {
#if defined(__GNUC__)
  __builtin_prefetch(at);
#endif
}

/// Prefetches a cache line that is going to be written soon: the line that contains the address `at`. With
/// compilers other than g++ and clang, does nothing. The address may be outside of any allocation.
inline void prefetch_to_write([[maybe_unused]] const void* at) noexcept {
#if defined(__GNUC__)
  __builtin_prefetch(at, 1);
#endif
}

/// Sets `number` to `value` if `value` is greater. Other threads may call this function for the same number at the same
/// time, but must not access the number in any other way. `number` is a plain integer and not a std::atomic, so that
/// code in which only one thread uses the number has no extra cost. (libc++ 16 has no std::atomic_ref.)
inline void atomic_raise(std::uint64_t& number, std::uint64_t value) noexcept {
#if defined(__GNUC__)
  std::uint64_t before = __atomic_load_n(&number, __ATOMIC_RELAXED);
  while (before < value &&
         !__atomic_compare_exchange_n(&number, &before, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
#else
  const std::atomic_ref<std::uint64_t> shared(number);
  std::uint64_t before = shared.load(std::memory_order_relaxed);
  while (before < value && !shared.compare_exchange_weak(before, value, std::memory_order_relaxed)) {
  }
#endif
}

}  // namespace strata::detail
