// Transforms in several dimensions over dense arrays, the last dimension's numbers beside each other.
#ifndef SIMT_FOURIER_GRID_H
#define SIMT_FOURIER_GRID_H

#include <cstddef>
#include <vector>

#include "simt/fourier/transform.h"

namespace simt::fourier {

using Lengths = std::vector<std::size_t>;

inline std::size_t product_of(const Lengths &lengths) {
    std::size_t product = 1;
    for (const std::size_t length : lengths) product *= length;
    return product;
}

class Grid {
public:
    explicit Grid(const Lengths &lengths) : lengths_(lengths) {
        for (const std::size_t length : lengths) transforms_.emplace_back(length);
    }
    const Lengths &lengths() const { return lengths_; }

    void forward(std::vector<Complex> &data) const {
        std::size_t stride = 1;
        for (std::size_t dimension = lengths_.size(); dimension-- > 0; stride *= lengths_[dimension])
            along(dimension, stride, data);
    }
    void inverse(std::vector<Complex> &data) const {
        for (Complex &value : data) value = conjugate(value);
        forward(data);
        for (Complex &value : data) value = conjugate(value);
    }

private:
    void along(std::size_t dimension, std::size_t stride, std::vector<Complex> &data) const {
        const std::size_t length = lengths_[dimension];
        std::vector<Complex> line(length);
        for (std::size_t first = 0; first < data.size(); ++first) {
            if (first / stride % length != 0) continue;
            for (std::size_t i = 0; i < length; ++i) line[i] = data[first + i * stride];
            transforms_[dimension].run(line);
            for (std::size_t i = 0; i < length; ++i) data[first + i * stride] = line[i];
        }
    }

    Lengths lengths_;
    std::vector<Transform> transforms_;
};

}  // namespace simt::fourier

#endif
