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

#ifdef __SANITIZE_ADDRESS__
extern "C" void __asan_poison_memory_region(const volatile void *, std::size_t);
extern "C" void __asan_unpoison_memory_region(const volatile void *, std::size_t);
#endif

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

// The same for a string, behind whose characters there is a zero.
template <class Text>
class borrowed_text {
  public:
    borrowed_text(void *data, std::size_t size) {
        Element *first = static_cast<Element *>(data);
        if (first[size] != Element()) first[size] = Element();
        const std::size_t parts[4] = {reinterpret_cast<std::size_t>(first), size, size, 0};
        static_assert(sizeof parts == sizeof(Text), "a string is a pointer, its size and what it has room for");
        __builtin_memcpy(bytes_, parts, sizeof parts);
    }
    Text &get() { return *reinterpret_cast<Text *>(bytes_); }
    void check(void *data, std::size_t size) {
        if (get().data() != data || get().size() != size) __builtin_trap();
    }

  private:
    using Element = typename Text::value_type;
    alignas(Text) unsigned char bytes_[sizeof(Text)];
};

// Strings in objects that lie in a trial's memory, of the characters there up to the first zero, as short
// strings of libstdc++ lie in themselves. One that is longer after the call ends the process.
template <class Object, std::size_t... offsets>
class borrowed_texts {
  public:
    borrowed_texts(void *objects, std::size_t count)
        : objects_(static_cast<unsigned char *>(objects)), count_(count) {
        for (std::size_t at = 0; at < count_; at++) {
            // Traced, unlike what the library itself does to a string.
            static_cast<void>(*static_cast<volatile unsigned char *>(objects_ + at * sizeof(Object)));
            (begin(at, offsets), ...);
        }
    }
    TRANSPILE_UNTRACED void check() {
        for (std::size_t at = 0; at < count_; at++) (end(at, offsets), ...);
    }

  private:
    struct Text {
        char *first;
        std::size_t size;
        char own[16];
    };
    TRANSPILE_UNTRACED Text &text(std::size_t at, std::size_t offset) {
        return *reinterpret_cast<Text *>(objects_ + at * sizeof(Object) + offset);
    }
    TRANSPILE_UNTRACED void begin(std::size_t at, std::size_t offset) {
        Text &text = this->text(at, offset);
        text.first = text.own;
        for (text.size = 0; text.size < sizeof text.own - 1 && text.own[text.size]; text.size++) {}
        clear(text);
    }
    TRANSPILE_UNTRACED void end(std::size_t at, std::size_t offset) {
        Text &text = this->text(at, offset);
        if (text.first != text.own || text.size >= sizeof text.own) __builtin_trap();
        clear(text);
    }
    // What lies behind the end is nothing that two calls have to agree on.
    TRANSPILE_UNTRACED static void clear(Text &text) {
        for (std::size_t at = text.size; at < sizeof text.own; at++) text.own[at] = 0;
    }
    unsigned char *objects_;
    std::size_t count_;
};

// A vector of bits, made of truth values in memory that is not its own, which are set again behind the call.
// Around its bits lies a pattern that nobody may change.
template <class Vector>
class borrowed_bits {
  public:
    borrowed_bits(void *data, std::size_t size)
        : values_(static_cast<bool *>(data)), size_(size), used_((size + width - 1) / width) {
        if (size > most) __builtin_trap();
        for (unsigned long &word : words_) word = pattern;
        for (std::size_t at = 0; at < size; at++)
            if (values_[at] != bit(at)) first_[at / width] ^= 1ul << at % width;
        const Layout parts = {first_, 0, first_ + size / width, unsigned(size % width), first_ + used_};
        static_assert(sizeof parts == sizeof(Vector), "a vector of bits is two places and an end");
        __builtin_memcpy(bytes_, &parts, sizeof parts);
        shade(true);
    }
    Vector &get() { return *reinterpret_cast<Vector *>(bytes_); }
    void check() {
        shade(false);
        Layout parts;
        __builtin_memcpy(&parts, bytes_, sizeof parts);
        if (parts.first != first_ || get().size() != size_ || words_[0] != pattern) __builtin_trap();
        for (std::size_t at = size_; at < (used_ + 1) * width; at++)
            if (bit(at) != (pattern >> at % width & 1)) __builtin_trap();
        for (std::size_t at = 0; at < size_; at++)
            if (values_[at] != bit(at)) values_[at] = bit(at);
    }

  private:
    struct Layout {
        unsigned long *first;
        unsigned offset;
        unsigned long *last;
        unsigned last_offset;
        unsigned long *end;
    };
    static constexpr std::size_t width = 64, most = std::size_t(1) << 20;
    static constexpr unsigned long pattern = 0x9999999999999999;
    bool bit(std::size_t at) const { return first_[at / width] >> at % width & 1; }
    TRANSPILE_UNTRACED void shade(bool on) {
#ifdef __SANITIZE_ADDRESS__
        const std::size_t bytes = sizeof words_ - (1 + used_) * sizeof *words_;
        if (on) __asan_poison_memory_region(words_, sizeof *words_);
        else __asan_unpoison_memory_region(words_, sizeof *words_);
        if (on) __asan_poison_memory_region(first_ + used_, bytes);
        else __asan_unpoison_memory_region(first_ + used_, bytes);
#else
        (void)on;
#endif
    }
    bool *values_;
    std::size_t size_, used_;
    unsigned long words_[1 + most / width + 1];
    unsigned long *const first_ = words_ + 1;
    alignas(Vector) unsigned char bytes_[sizeof(Vector)];
};

// A vector of vectors whose rows lie in one array, at equal distances. What lies between them is nobody's.
template <class Outer>
class borrowed_rows {
  public:
    TRANSPILE_UNTRACED borrowed_rows(void *data, std::size_t rows, std::size_t columns, unsigned stride, unsigned ragged)
        : first_(static_cast<Element *>(data)), rows_(rows), columns_(columns), stride_(stride), ragged_(ragged) {
        if (rows > most) __builtin_trap();
        for (std::size_t row = 0; row < most; row++) {
            Element *const begin = first_ + row * stride, *const end = begin + length(row);
            Element *const parts[3] = {begin, end, end};
            __builtin_memcpy(inner_[row], parts, sizeof parts);
        }
        unsigned char *const parts[3] = {inner_[0], inner_[rows], inner_[rows]};
        __builtin_memcpy(outer_, parts, sizeof parts);
        shade(true);
    }
    Outer &get() { return *reinterpret_cast<Outer *>(outer_); }
    TRANSPILE_UNTRACED void check() {
        shade(false);
        Inner *const inner = reinterpret_cast<Inner *>(inner_[0]);
        if (get().data() != inner || get().size() != rows_) __builtin_trap();
        for (std::size_t row = 0; row < rows_; row++)
            if (inner[row].data() != first_ + row * stride_ || inner[row].size() != length(row)) __builtin_trap();
    }

  private:
    using Inner = typename Outer::value_type;
    using Element = typename Inner::value_type;
    static constexpr std::size_t most = 4096;
    TRANSPILE_UNTRACED std::size_t length(std::size_t row) const {
        const std::size_t spread = (ragged_ < columns_ ? ragged_ : columns_) + 1;
        return columns_ - (row * 5 + row / 3) % spread;
    }
    TRANSPILE_UNTRACED void shade(bool on) {
#ifdef __SANITIZE_ADDRESS__
        for (std::size_t row = 0; row + 1 < rows_; row++) {
            Element *const end = first_ + row * stride_ + length(row);
            const std::size_t bytes = (stride_ - length(row)) * sizeof(Element);
            if (stride_ <= length(row)) continue;
            if (on) __asan_poison_memory_region(end, bytes);
            else __asan_unpoison_memory_region(end, bytes);
        }
#else
        (void)on;
#endif
    }
    Element *first_;
    std::size_t rows_, columns_;
    unsigned stride_, ragged_;
    alignas(Inner) unsigned char inner_[most + 1][sizeof(Inner)];
    alignas(Outer) unsigned char outer_[sizeof(Outer)];
    static_assert(sizeof(Inner) == 3 * sizeof(void *) && sizeof(Outer) == sizeof(Inner), "a vector is three pointers");
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
extern "C" {
// Says whose memory the buffer of a trial is that an argument leads to.
__attribute__((visibility("default"), weak)) void transpile_memory_of(const void *argument, int device);
}

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

// What is wrong of a call that came back: the number that worker.py knows for copies that leave allocations, or
// an error of what has not ended by then, where the call may leave that running.
inline int status(bool waits) {
    const int error = waits ? int(cudaDeviceSynchronize()) : 0;
    return simt::misused ? 1000 : error;
}

// From now on, kernels reach no memory of the host, the host none of the device, and streams are waited for; or not.
inline void isolate(bool wanted) { simt::isolation.wanted = wanted && simt::Isolation::possible; }

// The trial's buffer that an argument leads to is memory of the device, or of the host.
inline void memory_of(const void *argument, bool device) {
    if (simt::isolation.wanted && transpile_memory_of != nullptr) transpile_memory_of(argument, device);
}

// Runs a kernel of the source as the launch among the arguments says; not 0 where it was refused.
template <class... Types>
int launch(const char *name, void (*kernel)(Types...), void **arguments) {
    return launch(name, kernel, arguments, std::index_sequence_for<Types...>());
}

}  // namespace transpile
#else
namespace transpile {
inline void prepare(const transpile_launch &) {}
inline int status(bool) { return 0; }
inline void isolate(bool) {}
inline void memory_of(const void *, bool) {}
}  // namespace transpile
#endif

#ifdef TRANSPILE_COVERAGE
extern "C" void __gcov_dump();
extern "C" TRANSPILE_EXPORT inline void transpile_write_coverage() { __gcov_dump(); }
// An inline function is emitted where it is used.
[[maybe_unused]] static void (*const transpile_keeps_coverage)() __attribute__((used)) = transpile_write_coverage;
#endif

#endif  // __cplusplus
