// What test.cpp needs besides the two functions under test: arrays of exactly the right size, and their comparison.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

namespace reproduction {

template <class Number, class Bits>
Number from_bits(Bits bits) {
    static_assert(sizeof(Number) == sizeof(Bits), "as many bits as the number has");
    Number number;
    std::memcpy(static_cast<void *>(&number), &bits, sizeof number);
    return number;
}

struct Bfloat16 {
    std::uint16_t bits;
    Bfloat16() = default;
    Bfloat16(float value) {
        std::uint32_t whole;
        std::memcpy(&whole, &value, sizeof whole);
        bits = static_cast<std::uint16_t>(whole >> 16);
    }
    operator double() const { return from_bits<float>(std::uint32_t(bits) << 16); }
};

// Numbers of 16 bits as IEEE has them. Only numbers that it can hold are ever put into it.
struct Half {
    std::uint16_t bits;
    Half() = default;
    Half(float value) {
        const int sign = std::signbit(value) ? 0x8000 : 0;
        int exponent = 0;
        const double fraction = std::frexp(std::fabs(double(value)), &exponent);
        if (std::isnan(value)) bits = std::uint16_t(sign | 0x7E00);
        else if (std::isinf(value)) bits = std::uint16_t(sign | 0x7C00);
        else if (value == 0) bits = std::uint16_t(sign);
        else if (exponent < -13) bits = std::uint16_t(sign | int(std::ldexp(fraction, exponent + 24)));
        else bits = std::uint16_t(sign | ((exponent + 14) << 10) | (int(std::ldexp(fraction, 11)) & 0x3FF));
    }
    operator double() const {
        const int exponent = (bits >> 10) & 31, fraction = bits & 0x3FF;
        double value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
        if (exponent == 31)
            value = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
        return bits & 0x8000 ? -value : value;
    }
};

// An address, as a pointer of whatever type is asked for.
struct Place {
    unsigned char *address;
    template <class Pointee>
    operator Pointee *() const {
        return reinterpret_cast<Pointee *>(address);
    }
};

// Memory of a number of elements and not a byte more. Each side of the test has its own.
template <class Element>
class Array {
  public:
    // Every byte holds `byte`; `before` elements lie below the address that is passed on.
    explicit Array(std::size_t count, unsigned char byte = 0, std::size_t before = 0)
        : bytes_(static_cast<unsigned char *>(std::malloc(count * sizeof(Element)))),
          count_(count),
          before_(before),
          byte_(byte) {
        if (bytes_ == nullptr && count != 0) std::abort();
        if (count != 0) std::memset(bytes_, byte, count * sizeof(Element));
    }
    Array(Array &&other)
        : bytes_(other.bytes_), count_(other.count_), before_(other.before_), byte_(other.byte_) {
        other.bytes_ = nullptr;
    }
    Array(const Array &) = delete;
    ~Array() { std::free(bytes_); }

    // Gives every element, or the member at an offset of every element, its value.
    template <class Number, std::size_t count>
    Array &&with(const Number (&values)[count], std::size_t offset = 0) && {
        for (std::size_t i = 0; i < count; i++)
            std::memcpy(bytes_ + i * sizeof(Element) + offset, &values[i], sizeof(Number));
        return static_cast<Array &&>(*this);
    }

    template <class Pointee>
    operator Pointee *() const {
        return reinterpret_cast<Pointee *>(bytes_ + before_ * sizeof(Element));
    }
    // The address of an element, counted from the one that is passed on: for pointers that share the array.
    Place at(std::ptrdiff_t index) const {
        return {bytes_ + (std::ptrdiff_t(before_) + index) * std::ptrdiff_t(sizeof(Element))};
    }
    Element &value() const { return *reinterpret_cast<Element *>(bytes_); }
    unsigned char *bytes() const { return bytes_; }
    std::size_t count() const { return count_; }
    std::size_t before() const { return before_; }

    // Whether a number still holds what outputs are filled with before the call.
    template <class Number>
    bool unwritten(const Number &number) const {
        unsigned char held[sizeof(Number)], filled[sizeof(Number)];
        std::memcpy(held, &number, sizeof held);
        std::memset(filled, byte_, sizeof filled);
        return byte_ != 0 && std::memcmp(held, filled, sizeof held) == 0;
    }

  private:
    unsigned char *bytes_;
    std::size_t count_, before_;
    unsigned char byte_;
};

template <class Number>
bool is_nan(Number value) {
    if constexpr (std::is_integral<Number>::value) return false;
    else return std::isnan(double(value));
}

template <class Number>
bool same(Number left, Number right) {
    if constexpr (std::is_integral<Number>::value) return left == right;
    else return double(left) == double(right) || (is_nan(left) && is_nan(right));
}

template <class Number>
void print(Number value) {
    if constexpr (!std::is_integral<Number>::value) std::printf("%.*g", sizeof(Number) < 8 ? 9 : 17, double(value));
    else if constexpr (std::is_signed<Number>::value) std::printf("%lld", static_cast<long long>(value));
    else std::printf("%llu", static_cast<unsigned long long>(value));
}

// How far the numbers of one array may be off, where the source rounds: measured, not chosen.
struct Tolerance {
    const double *reference = nullptr;  // in wider arithmetic where that exists, else what the source computed
    const double *allowed = nullptr;    // largest distance from it; negative where none is
};

class Report {
  public:
    // Compares a number of every element; prints the first that differ.
    template <class Number, class Element>
    void compare(const char *name, const Array<Element> &expected, const Array<Element> &got, const char *member = "",
                 std::size_t offset = 0, Tolerance tolerance = {}) {
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < expected.count(); i++) {
            const Number left = number<Number>(expected, i, offset), right = number<Number>(got, i, offset);
            if (same(left, right) || near(double(right), tolerance, i)) continue;
            if (wrong++ >= shown) continue;
            std::printf("%s[%lld]%s: expected ", name, (long long)i - (long long)expected.before(), member);
            print(left);
            std::printf(expected.unwritten(left) ? " (left alone), got " : ", got ");
            print(right);
            std::printf(got.unwritten(right) ? " (never written)\n" : "\n");
        }
        if (wrong > shown) std::printf("%s%s: %zu of %zu differ\n", name, member, wrong, expected.count());
        wrong_ += wrong;
    }

    bool failed() const { return wrong_ != 0; }

    // Says how it went, and returns the exit status.
    int end() const {
        if (failed()) std::printf("FAIL: %zu difference%s\n", wrong_, wrong_ == 1 ? "" : "s");
        else std::printf("ok: the translation agrees with its source\n");
        return failed() ? 1 : 0;
    }

  private:
    static constexpr std::size_t shown = 5;
    std::size_t wrong_ = 0;

    template <class Number, class Element>
    static Number number(const Array<Element> &array, std::size_t index, std::size_t offset) {
        Number found;
        std::memcpy(static_cast<void *>(&found), array.bytes() + index * sizeof(Element) + offset, sizeof found);
        return found;
    }

    static bool near(double value, Tolerance tolerance, std::size_t index) {
        if (tolerance.allowed == nullptr || !std::isfinite(value)) return false;
        return std::fabs(value - tolerance.reference[index]) <= tolerance.allowed[index];
    }
};

// Said before each call, so that a crash or a hang has a name.
inline void begin(const char *what) {
    std::printf("running %s\n", what);
    std::fflush(stdout);
}

}  // namespace reproduction
