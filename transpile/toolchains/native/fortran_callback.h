// Procedures that trials pass as arguments. Their answers depend on their arguments and, in some trials, on how often
// they were called; all that they are given is part of what a call shows.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>

#include "fortran_call.h"

// Of the traced source, which sees no accesses of procedures that trials pass.
extern "C" {
__attribute__((weak)) void __tsan_read4(void *address);
__attribute__((weak)) void __tsan_read8(void *address);
__attribute__((weak)) void __tsan_write4(void *address);
__attribute__((weak)) void __tsan_write8(void *address);
}

namespace fortran_call {

inline std::int64_t behaviours[64];  // of each argument that is a procedure, by its place
constexpr std::int64_t most_times = 20000;

class Answer {
  public:
    explicit Answer(int place) : seed_(std::uint64_t(behaviours[place % 64])) {
        // A search that does not end shows nothing.
        if (++times > most_times) leave(runtime_error, 2);
        mix(&place, sizeof place);
        for (std::size_t i = 0; i < watched_count; i++) mix(watched[i].data(), watched[i].bytes);
    }
    template <class T> void hear(const T &value) {
        touched(&value, sizeof value, __tsan_read4, __tsan_read8);
        T told = value == value ? value : T(std::nan(""));
        mix(&told, sizeof told);
        sum_ = sum_ / -2 + double(value);
    }
    template <class T> void hear(const std::complex<T> &value) {
        const T *parts = reinterpret_cast<const T *>(&value);
        hear(parts[0]);
        hear(parts[1]);
    }
    // Its value as a number; whole numbers are small.
    template <class T> T as() const {
        const double found = value();
        if constexpr (std::is_integral_v<T>) return T(found > -100 ? std::min(found, 100.0) : -100);
        return T(found);
    }
    bool holds() const { return value() > 0; }
    template <class T> void give(T &variable) const {
        touched(&variable, sizeof variable, __tsan_write4, __tsan_write8);
        variable = as<T>();
    }
    template <class T> void give(std::complex<T> &variable) const {
        T *parts = reinterpret_cast<T *>(&variable);
        give(parts[0]);
        give(parts[1]);
    }

  private:
    std::uint64_t seed_;
    double sum_ = 0;

    double value() const {
        const std::uint64_t drawn = seed_ >> 16;
        const bool plain = (seed_ >> 8) % 4 == 0;
        const double part = plain ? double(drawn % 3) - 1 : (double(drawn % 2001) - 1000) / 250;
        switch (seed_ % 8) {
        case 0: return sum_ - part;
        case 1: return (sum_ - part) * (sum_ * sum_ + 1);
        case 2: return part;
        case 3: return sum_ > part ? 1 : -1;
        case 4: return sum_ - part + double(times % 3);
        case 5: return 1 / (sum_ - part);
        case 6: return sum_ * sum_ + part;
        default: return part - sum_;
        }
    }
    template <class T> static void touched(T *place, std::size_t bytes, void (*four)(void *), void (*eight)(void *)) {
        void *address = const_cast<std::remove_const_t<T> *>(place);
        if (bytes >= 8 && eight) eight(address);
        if (bytes < 8 && four) four(address);
    }
    static void mix(const void *data, std::size_t count) {
        const auto *bytes = static_cast<const unsigned char *>(data);
        for (std::size_t i = 0; i < count; i++) heard = (heard ^ bytes[i]) * 1099511628211u;
    }
};

}  // namespace fortran_call
