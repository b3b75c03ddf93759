// Random numbers as thrust draws them: its engines and distributions, number by number.
//
// The formulas are those of its documentation; an H100 with CUDA 13.0 gave the same numbers (tests/cases/simt/random_numbers.cu).
#ifndef SIMT_THRUST_RANDOM_H
#define SIMT_THRUST_RANDOM_H

#include "thrust/thrust.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace thrust {
namespace random {

/// A generator x = (a x + c) mod m; m is 0 for all of the type's numbers.
template <class Number, Number a, Number c, Number m>
class linear_congruential_engine {
  public:
    using result_type = Number;
    static constexpr Number multiplier = a, increment = c, modulus = m, default_seed = 1;
    static constexpr Number min = c == 0 ? 1 : 0, max = m - 1;

    explicit linear_congruential_engine(Number value = default_seed) { seed(value); }
    void seed(Number value = default_seed) { state_ = c % m == 0 && value % m == 0 ? 1 : value % m; }
    Number operator()() {
        state_ = static_cast<Number>((static_cast<std::uint64_t>(a) * state_ + c) % m);
        return state_;
    }
    void discard(unsigned long long count) {
        for (; count > 0; --count) (*this)();
    }
    friend bool operator==(const linear_congruential_engine &left, const linear_congruential_engine &right) {
        return left.state_ == right.state_;
    }
    friend bool operator!=(const linear_congruential_engine &left, const linear_congruential_engine &right) {
        return !(left == right);
    }

  private:
    Number state_;
};

using minstd_rand0 = linear_congruential_engine<std::uint32_t, 16807, 0, 2147483647>;
using minstd_rand = linear_congruential_engine<std::uint32_t, 48271, 0, 2147483647>;
using default_random_engine = minstd_rand;

/// What every distribution has: its parameters.
template <class Result>
class two_parameters {
  public:
    using result_type = Result;
    two_parameters(Result first, Result second) : first_(first), second_(second) {}
    void reset() {}

  protected:
    Result first_, second_;
};

template <class Real = double>
class uniform_real_distribution : public two_parameters<Real> {
  public:
    explicit uniform_real_distribution(Real a = 0, Real b = 1) : two_parameters<Real>(a, b) {}
    template <class Engine>
    Real operator()(Engine &engine) {
        const Real drawn = static_cast<Real>(engine() - Engine::min);
        const Real part = drawn / (Real(1) + static_cast<Real>(Engine::max - Engine::min));
        return part * (this->second_ - this->first_) + this->first_;
    }
    Real a() const { return this->first_; }
    Real b() const { return this->second_; }
};

template <class Whole = int>
class uniform_int_distribution : public two_parameters<Whole> {
  public:
    explicit uniform_int_distribution(Whole a = 0, Whole b = std::numeric_limits<Whole>::max()) : two_parameters<Whole>(a, b) {}
    template <class Engine>
    Whole operator()(Engine &engine) {
        // One more than the greatest, so that each has the same chance.
        uniform_real_distribution<double> real(static_cast<double>(this->first_), static_cast<double>(this->second_) + 1.0);
        return static_cast<Whole>(std::floor(real(engine)));
    }
    Whole a() const { return this->first_; }
    Whole b() const { return this->second_; }
};

template <class Real = double>
class normal_distribution : public two_parameters<Real> {
  public:
    explicit normal_distribution(Real mean = 0, Real stddev = 1) : two_parameters<Real>(mean, stddev) {}
    template <class Engine>
    Real operator()(Engine &engine) {
        using Number = typename Engine::result_type;
        constexpr Number most = Engine::max - Engine::min;
        const Real scale = Real(1) / static_cast<Real>(most), half = scale / 2;
        Real sign = Real(-1.4142135623730950488016887242097);
        Number drawn = engine() - Engine::min;
        if (drawn >= most / 2) {
            sign = -sign;
            drawn = most - drawn;
        }
        const Real part = static_cast<Real>(drawn) * scale + half;
        return this->first_ + this->second_ * sign * static_cast<Real>(erfcinv(Real(2) * part));
    }
    Real mean() const { return this->first_; }
    Real stddev() const { return this->second_; }
};

}  // namespace random

using random::default_random_engine;
using random::linear_congruential_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

}  // namespace thrust

#endif
