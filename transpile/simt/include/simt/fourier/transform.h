// Discrete Fourier transforms of any length, in one dimension: forward, not normalised.
#ifndef SIMT_FOURIER_TRANSFORM_H
#define SIMT_FOURIER_TRANSFORM_H

#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "simt/mathematics.h"

namespace simt::fourier {

struct Complex {
    double re, im;
};
inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
inline Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
inline Complex conjugate(Complex a) { return {a.re, -a.im}; }

// exp(-2 pi i k / n)
inline Complex root_of_unity(std::size_t k, std::size_t n) {
    const double turns = 2.0 * static_cast<double>(k % n) / static_cast<double>(n);
    return {cosine_of_pi(turns), -sine_of_pi(turns)};
}

// The prime factors of a length, in ascending order.
inline std::vector<std::size_t> factors_of(std::size_t n) {
    std::vector<std::size_t> factors;
    for (std::size_t prime = 2; prime * prime <= n; ++prime)
        for (; n % prime == 0; n /= prime) factors.push_back(prime);
    if (n > 1) factors.push_back(n);
    return factors;
}

// Mixed radix, decimation in time (Cooley and Tukey, 1965).
class MixedRadix {
public:
    explicit MixedRadix(std::size_t n) : factors_(factors_of(n)), roots_(n) {
        for (std::size_t k = 0; k < n; ++k) roots_[k] = root_of_unity(k, n);
    }
    void run(std::vector<Complex> &data) const {
        const std::vector<Complex> in = data;
        step(in.data(), 1, data.data(), data.size(), 0);
    }

private:
    // Transforms n numbers that stand `stride` apart, which is also how far their roots of unity do.
    void step(const Complex *in, std::size_t stride, Complex *out, std::size_t n, std::size_t level) const {
        if (n == 1) {
            *out = *in;
            return;
        }
        const std::size_t radix = factors_[level], part = n / radix;
        for (std::size_t r = 0; r < radix; ++r) step(in + r * stride, stride * radix, out + r * part, part, level + 1);
        std::vector<Complex> terms(radix);
        for (std::size_t k = 0; k < part; ++k) {
            for (std::size_t r = 0; r < radix; ++r) terms[r] = out[r * part + k] * roots_[r * k * stride];
            for (std::size_t q = 0; q < radix; ++q) {
                Complex sum = terms[0];
                for (std::size_t r = 1; r < radix; ++r) sum = sum + terms[r] * roots_[r * q % radix * part * stride];
                out[q * part + k] = sum;
            }
        }
    }

    std::vector<std::size_t> factors_;
    std::vector<Complex> roots_;
};

// Any length, as a convolution of a length that is a power of two (Bluestein, 1970).
class Bluestein {
public:
    explicit Bluestein(std::size_t n) : chirp_(n), filter_(power_of_two(2 * n)), inner_(filter_.size()) {
        for (std::size_t k = 0; k < n; ++k) {
            chirp_[k] = root_of_unity(k * k % (2 * n), 2 * n);
            filter_[k] = filter_[(filter_.size() - k) % filter_.size()] = conjugate(chirp_[k]);
        }
        inner_.run(filter_);
    }
    void run(std::vector<Complex> &data) const {
        const std::size_t size = filter_.size();
        std::vector<Complex> wide(size);
        for (std::size_t k = 0; k < data.size(); ++k) wide[k] = data[k] * chirp_[k];
        inner_.run(wide);
        for (std::size_t k = 0; k < size; ++k) wide[k] = conjugate(wide[k] * filter_[k]);
        inner_.run(wide);
        const Complex scale = {1.0 / static_cast<double>(size), 0.0};
        for (std::size_t k = 0; k < data.size(); ++k) data[k] = conjugate(wide[k]) * scale * chirp_[k];
    }

private:
    static std::size_t power_of_two(std::size_t least) {
        std::size_t size = 1;
        while (size < least) size *= 2;
        return size;
    }

    std::vector<Complex> chirp_, filter_;
    MixedRadix inner_;
};

class Transform {
public:
    explicit Transform(std::size_t n) {
        if (n > 1 && factors_of(n).back() > largest_radix) {
            bluestein_ = std::make_unique<Bluestein>(n);
        } else {
            mixed_ = std::make_unique<MixedRadix>(n);
        }
    }
    void run(std::vector<Complex> &data) const {
        if (bluestein_ != nullptr) {
            bluestein_->run(data);
        } else {
            mixed_->run(data);
        }
    }

private:
    static constexpr std::size_t largest_radix = 31;
    std::unique_ptr<MixedRadix> mixed_;
    std::unique_ptr<Bluestein> bluestein_;
};

}  // namespace simt::fourier

#endif
