// Writes the arguments of calls down instead of making them, one line of text for each call.
#pragma once
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

namespace captured {
inline void bytes(const void *from, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) std::printf("%02x", ((const unsigned char *)from)[i]);
    std::printf(" ");
}
template <class T>
void type() {
    if constexpr (std::is_floating_point_v<T>) std::printf("f%zu ", sizeof(T));
    else if constexpr (std::is_same_v<T, bool>) std::printf("?1 ");
    else if constexpr (std::is_integral_v<T>) std::printf("%c%zu ", std::is_signed_v<T> ? 'i' : 'u', sizeof(T));
    else std::printf("b%zu ", sizeof(T));
}
template <class P, class A>
void argument(A &&given) {
    using Given = std::remove_reference_t<A>;
    if constexpr (std::is_pointer_v<P> && std::is_array_v<Given>) {
        using Element = std::remove_cv_t<std::remove_all_extents_t<Given>>;
        std::printf("array ");
        type<Element>();
        bytes(&given, sizeof given);
    } else if constexpr (std::is_pointer_v<P>) std::printf("unknown b1 00 ");
    else {
        using Value = std::remove_cv_t<P>;
        const Value value = static_cast<Value>(given);
        std::printf("value ");
        type<Value>();
        bytes(&value, sizeof value);
    }
}
template <class F>
struct Of;
template <class R, class... P>
struct Of<R(P...)> {
    template <class... A>
    static void call(A &&...given) {
        if constexpr (std::is_void_v<R>) std::printf("v0 ");
        else type<R>();
        (argument<P>(std::forward<A>(given)), ...);
        std::printf("\n");
    }
};
}  // namespace captured
