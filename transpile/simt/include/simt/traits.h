// Types for the templates of the emulator.
#ifndef SIMT_TRAITS_H
#define SIMT_TRAITS_H

#include <type_traits>

// g++ reports no access where the result of a call goes to memory, as in `y[i] = make_float4(…)`. An assignment
// member by member is reported.
#ifdef SIMT_TRACE
#pragma GCC diagnostic ignored "-Wdeprecated-copy"
#define SIMT_ASSIGNMENT(type, members)            \
    constexpr type &operator=(const type &from) { \
        members;                                  \
        return *this;                             \
    }
#else
#define SIMT_ASSIGNMENT(type, members)
#endif

namespace simt {

// Not deduced, so that an argument converts to what another argument settled.
template <class T>
struct Same {
    using type = T;
};
template <class T>
using Given = typename Same<T>::type;

// A type that can be copied byte by byte, whether or not its assignment is one of ours.
template <class T>
inline constexpr bool plain = std::is_trivially_copy_constructible_v<T> && std::is_trivially_destructible_v<T>;

// The type of 32 bits, also for headers that come after a macro has widened `float`.
using Single = float;

}  // namespace simt

#endif
