// Versions that call parallel algorithms: function | name | checks of which one must refuse it

// === axpy | one element each
#include <algorithm>
#include <execution>
#include <index_range.h>
void axpy(int n, float a, const float *x, float *y) {
    const index_range<int> range(0, n);
    std::for_each(std::execution::par_unseq, range.begin(), range.end(), [=](int i) { y[i] += a * x[i]; });
}

// === axpy | the last product in a place for all | race
#include <algorithm>
#include <execution>
#include <index_range.h>
void axpy(int n, float a, const float *x, float *y) {
    float last = 0;
    const index_range<int> range(0, n);
    std::for_each(std::execution::par, range.begin(), range.end(), [=, &last](int i) {
        const float product = a * x[i];
        last = product;
        y[i] += product;
    });
    (void)last;
}

// === dot | a sum of products
#include <execution>
#include <functional>
#include <index_range.h>
#include <numeric>
double dot(int n, const double *x, const double *y) {
    const index_range<int> range(0, n);
    return std::transform_reduce(
        std::execution::par, range.begin(), range.end(), 0.0, std::plus<>(), [=](int i) { return x[i] * y[i]; });
}

// === dot | results that are not added in pairs | exact tolerance
#include <execution>
#include <index_range.h>
#include <numeric>
double dot(int n, const double *x, const double *y) {
    const index_range<int> range(0, n);
    return std::transform_reduce(
        std::execution::par, range.begin(), range.end(), 0.0,
        [](double sum, double product) { return sum + product * (product != sum); },
        [=](int i) { return x[i] * y[i]; });
}

// === histogram | atomic updates
#include <algorithm>
#include <atomic>
#include <execution>
#include <index_range.h>
void histogram(const unsigned char *data, int n, int *bins) {
    for (int b = 0; b < 256; b++) bins[b] = 0;
    const index_range<int> range(0, n);
    std::for_each(std::execution::par, range.begin(), range.end(), [=](int i) {
        std::atomic_ref(bins[data[i]]).fetch_add(1);
    });
}

// === histogram | updates that others come between | race exact
#include <algorithm>
#include <execution>
#include <index_range.h>
void histogram(const unsigned char *data, int n, int *bins) {
    for (int b = 0; b < 256; b++) bins[b] = 0;
    const index_range<int> range(0, n);
    std::for_each(std::execution::par, range.begin(), range.end(), [=](int i) { bins[data[i]]++; });
}

// === shift | elements that another iteration has replaced | race exact untouched
#include <algorithm>
#include <execution>
#include <index_range.h>
void shift(double *x, int n) {
    const index_range<int> range(0, n - 1);
    std::for_each(std::execution::par, range.begin(), range.end(), [=](int i) { x[i] = x[i + 1]; });
}
