// Compares results as the benchmarks do: floating numbers within a tolerance, all else byte by byte.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>

namespace oracle {
template <class T>
bool close(const char *left, const char *right) {
    T a, b;
    std::memcpy(&a, left, sizeof a);
    std::memcpy(&b, right, sizeof b);
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (a == b) return true;
    const double allowed = sizeof(T) == 4 ? 2e-4 : 1e-9;
    return std::fabs(double(a) - double(b)) <= allowed * std::max({1.0, std::fabs(double(a)), std::fabs(double(b))});
}

/// Return the first byte at which results differ, or -1.
inline long long difference(const char *left, const char *right, std::size_t size, char leaf) {
    const std::size_t step = leaf == 'f' ? 4 : leaf == 'd' ? 8 : 1;
    for (std::size_t i = 0; i + step <= size; i += step) {
        const bool same = leaf == 'f' ? close<float>(left + i, right + i)
                          : leaf == 'd' ? close<double>(left + i, right + i)
                                        : left[i] == right[i];
        if (!same) return (long long)i;
    }
    return -1;
}

inline std::string shown(const char *at, char leaf) {
    char text[64];
    if (leaf == 'f') std::snprintf(text, sizeof text, "%g", *(const float *)at);
    else if (leaf == 'd') std::snprintf(text, sizeof text, "%g", *(const double *)at);
    else std::snprintf(text, sizeof text, "byte %u", *(const unsigned char *)at);
    return text;
}
}  // namespace oracle
