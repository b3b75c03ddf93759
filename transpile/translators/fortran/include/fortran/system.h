// Time and chance.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <limits>
#include <string>
#include <thread>

#include "array.h"
#include "expression.h"

namespace fortran {

inline double cpu_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
inline void sleep(int seconds) { std::this_thread::sleep_for(std::chrono::seconds(seconds)); }

// SYSTEM_CLOCK: milliseconds in 4 bytes, nanoseconds in 8.
template <class T> T clock_rate() { return sizeof(T) == 8 ? T(1000000000) : T(1000); }
template <class T> T clock_max() { return static_cast<T>(std::numeric_limits<T>::max()); }
template <class T> T clock_count() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const std::int64_t nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    return static_cast<T>(sizeof(T) == 8 ? nanoseconds : nanoseconds / 1000000 % std::numeric_limits<std::int32_t>::max());
}

inline std::tm local_time() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    return parts;
}
inline std::string date_text(const char *format) {
    char text[32];
    const std::tm parts = local_time();
    return std::string(text, std::strftime(text, sizeof text, format, &parts));
}
inline std::string date_date() { return date_text("%Y%m%d"); }
inline std::string date_time() { return date_text("%H%M%S") + ".000"; }
inline std::string date_zone() { return date_text("%z"); }
template <class A> void date_values(A &values) {
    const std::tm parts = local_time();
    const int all[] = {parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, static_cast<int>(parts.tm_gmtoff / 60),
                       parts.tm_hour, parts.tm_min, parts.tm_sec, 0};
    for (int i = 0; i < 8; ++i) values(values.lower(1) + i) = all[i];
}

// xoshiro256**: the generator that gfortran uses, from another seed.
inline std::uint64_t random_bits() {
    static thread_local std::uint64_t state[4] = {0x57ad2851f3d7a0c4u, 0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu};
    auto turned = [](std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); };
    const std::uint64_t result = turned(state[1] * 5, 7) * 9, shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = turned(state[3], 45);
    return result;
}
template <class T> T random_number() {
    if constexpr (sizeof(T) == 4) return static_cast<T>(random_bits() >> 40) * T(0x1p-24);
    else return static_cast<T>(random_bits() >> 11) * T(0x1p-53);
}
template <class A> void random_fill(A &&array) {
    using T = typename std::decay_t<A>::value_type;
    for_each_index(array, [&](auto... index) { array(index...) = random_number<T>(); });
}

} // namespace fortran
