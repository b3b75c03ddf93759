// What the tests of our own algorithms need. Each prints "right" where all that it calls gives what it computes.
#include <cmath>
#include <cstdio>
#include <vector>

static double next() {
    static unsigned long long state = 1;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(state >> 11) / 9007199254740992.0 - 0.5;
}

static std::vector<double> random_array(int n) {
    std::vector<double> made(n);
    for (auto &value : made) value = next();
    return made;
}

template <class T>
static bool near(const std::vector<T> &found, const std::vector<T> &expected) {
    const double allowed = sizeof(T) == 4 ? 1e-4 : 1e-10;
    for (std::size_t i = 0; i < found.size(); i++)
        if (!(std::fabs(found[i] - expected[i]) <= allowed * (1 + std::fabs(expected[i])))) return false;
    return true;
}
