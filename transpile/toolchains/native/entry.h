// What a library built for judging shares with the worker that loads it. Included before any source, so
// that macros of the source cannot reach it.
#pragma once

#include "abi.h"

#ifdef __cplusplus

#include <cstddef>
#include <cstdint>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

// Becomes the dim3 of whichever header the code under test brings.
struct transpile_dim3 {
    unsigned x, y, z;
    template <class Other, class = std::enable_if_t<std::is_class<Other>::value>>
    operator Other() const {
        return Other{x, y, z};
    }
};

namespace transpile {

template <class Function>
struct parameters_of;
template <class Result, class... Types>
struct parameters_of<Result (*)(Types...)> {
    template <std::size_t index>
    using at = std::remove_cv_t<std::remove_reference_t<std::tuple_element_t<index, std::tuple<Types...>>>>;
};

// Becomes a pointer of whichever type is asked for: rows of any length are numbers in a row.
struct anything {
    void *address;
    template <class Type>
    operator Type *() const {
        return static_cast<Type *>(address);
    }
};

// A vector whose elements lie in memory that is not its own. It is never destroyed, and may not change its size.
template <class Vector>
class borrowed {
  public:
    borrowed(void *data, std::size_t size) {
        Element *first = static_cast<Element *>(data);
        Element *const parts[3] = {first, first + size, first + size};
        static_assert(sizeof parts == sizeof(Vector), "a vector is three pointers");
        __builtin_memcpy(bytes_, parts, sizeof parts);
    }
    Vector &get() { return *reinterpret_cast<Vector *>(bytes_); }
    void check(void *data, std::size_t size) {
        if (get().data() != data || get().size() != size) __builtin_trap();
    }

  private:
    using Element = typename Vector::value_type;
    alignas(Vector) unsigned char bytes_[sizeof(Vector)];
};

template <class Type>
Type &argument(void **arguments, std::size_t index) {
    return *static_cast<Type *>(arguments[index]);
}

// Calls and leaves what is returned, if anything, where the caller wants it.
template <class Call>
int keep_result(Call call, void *place) {
    using Result = decltype(call());
    if constexpr (std::is_void_v<Result>) call();
    else ::new (place) std::remove_cv_t<std::remove_reference_t<Result>>(call());
    return 0;
}

}  // namespace transpile

#ifdef TRANSPILE_EMULATED
namespace transpile {

template <class... Types, std::size_t... index>
int launch(const char *name, void (*kernel)(Types...), void **arguments, std::index_sequence<index...>) {
    const auto &how = argument<const transpile_launch>(arguments, sizeof...(Types));
    const dim3 grid(how.grid[0], how.grid[1], how.grid[2]), block(how.block[0], how.block[1], how.block[2]);
    simt::schedule_seed = how.seed;
    simt::dynamic_shared_limit = simt::shared_limit;  // which programs raise before they launch
    cudaDeviceReset();                                // a call that trapped spoils none after it
    return int(simt::launch(name, simt::Configuration(grid, block, how.shared), kernel,
                 argument<std::remove_cv_t<std::remove_reference_t<Types>>>(arguments, index)...));
}

// What a call of a host function finds: the schedule of the call, and no trace of calls before it.
inline void prepare(const transpile_launch &how) {
    simt::schedule_seed = how.seed;
    simt::dynamic_shared_limit = simt::shared_limit;
    simt::misused = false;
    cudaDeviceReset();
}

// What is wrong of a call that came back: the number that worker.py knows for copies that leave allocations.
inline int status() { return simt::misused ? 1000 : 0; }

// From now on, kernels reach no memory of the host, the host none of the device, and streams are waited for; or not.
inline void isolate(bool wanted) { simt::isolation.wanted = wanted && simt::Isolation::possible; }

// Runs a kernel of the source as the launch among the arguments says; not 0 where it was refused.
template <class... Types>
int launch(const char *name, void (*kernel)(Types...), void **arguments) {
    return launch(name, kernel, arguments, std::index_sequence_for<Types...>());
}

}  // namespace transpile
#else
namespace transpile {
inline void prepare(const transpile_launch &) {}
inline int status() { return 0; }
inline void isolate(bool) {}
}  // namespace transpile
#endif

#ifdef TRANSPILE_COVERAGE
extern "C" void __gcov_dump();
extern "C" TRANSPILE_EXPORT inline void transpile_write_coverage() { __gcov_dump(); }
// An inline function is emitted where it is used.
[[maybe_unused]] static void (*const transpile_keeps_coverage)() __attribute__((used)) = transpile_write_coverage;
#endif

#endif  // __cplusplus
