// Calls a function with arguments that lie somewhere.
#pragma once
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace oracle {
/// Take an argument from where it lies: pointers are where, all else lies there.
template <class P>
P argument(void *place) {
    if constexpr (std::is_pointer_v<P>) return (P)place;
    else return *(std::remove_const_t<std::remove_reference_t<P>> *)place;
}

template <class R, class... P, std::size_t... I>
void invoke(R (*function)(P...), void **places, void *returned, std::index_sequence<I...>) {
    if constexpr (std::is_void_v<R>) function(argument<P>(places[I])...);
    else {
        R result = function(argument<P>(places[I])...);
        std::memcpy(returned, &result, sizeof result);
    }
}
template <class R, class... P>
void invoke(R (*function)(P...), void **places, void *returned) {
    invoke(function, places, returned, std::index_sequence_for<P...>{});
}
}  // namespace oracle
