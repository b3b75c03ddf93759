// Calls in which every operation rounds up, or down: results that are the same either way were exact.
//
// What rounds to a whole number on purpose does so to the nearest one as ever: rint() and its like would
// otherwise follow the direction, though nothing was inexact. They stand in front of those of the C library, and
// are these unless a direction was asked for.
#pragma once
#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>

namespace directed {

inline int mode = FE_TONEAREST;

// "up" or "down", or nothing.
inline void ask(const char *word) {
#if defined(FE_UPWARD) && defined(FE_DOWNWARD)
    if (word && *word == 'u') mode = FE_UPWARD;
    if (word && *word == 'd') mode = FE_DOWNWARD;
#else
    (void)word;
#endif
}

class Rounding {
  public:
    explicit Rounding(int wanted) : before_(fegetround()) {
        if (wanted != before_) fesetround(wanted);
    }
    ~Rounding() {
        if (fegetround() != before_) fesetround(before_);
    }

  private:
    int before_;
};

template <class To, class From> To nearest(To (*function)(From), From x) {
    if (mode == FE_TONEAREST) return function(x);
    const Rounding rounding(FE_TONEAREST);
    return function(x);
}

template <class Function> Function *next(const char *name) {
    return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

}  // namespace directed

#define TRANSPILE_NEAREST(to, name, from)                                                    \
    extern "C" __attribute__((visibility("default"))) to name(from x) noexcept {             \
        static to (*const function)(from) = directed::next<to(from)>(#name);                 \
        return directed::nearest(function, x);                                               \
    }

TRANSPILE_NEAREST(double, rint, double)
TRANSPILE_NEAREST(float, rintf, float)
TRANSPILE_NEAREST(double, nearbyint, double)
TRANSPILE_NEAREST(float, nearbyintf, float)
TRANSPILE_NEAREST(long, lrint, double)
TRANSPILE_NEAREST(long, lrintf, float)
TRANSPILE_NEAREST(long long, llrint, double)
TRANSPILE_NEAREST(long long, llrintf, float)
