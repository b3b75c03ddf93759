// A plan: a grid, and where the numbers of each batch stand in memory on either side.
#ifndef SIMT_FOURIER_PLAN_H
#define SIMT_FOURIER_PLAN_H

#include <cstddef>
#include <vector>

#include "simt/fourier/grid.h"
#include "simt/isolation.h"

namespace simt::fourier {

// The place of a number: its row-major number in an array of these lengths, times the stride.
struct Layout {
    Lengths embedding;
    std::size_t stride, distance;

    std::size_t place(const std::vector<std::size_t> &index) const {
        std::size_t number = 0;
        for (std::size_t i = 0; i < index.size(); ++i) number = number * embedding[i] + index[i];
        return number * stride;
    }
};

inline Layout dense(const Lengths &lengths) { return {lengths, 1, product_of(lengths)}; }

inline Lengths with_last(Lengths lengths, std::size_t last) {
    lengths.back() = last;
    return lengths;
}

// The half of the last dimension that a transform of real numbers has.
inline Lengths halved(const Lengths &lengths) { return with_last(lengths, lengths.back() / 2 + 1); }

// Steps through an array, the last dimension first; returns false at the end.
inline bool next(std::vector<std::size_t> &index, const Lengths &lengths) {
    for (std::size_t i = index.size(); i-- > 0;) {
        if (++index[i] < lengths[i]) return true;
        index[i] = 0;
    }
    return false;
}

// Calls with a number's place in a dense array and in memory, for each number of a box.
template <class Visit>
void for_each_place(const Lengths &lengths, const Lengths &box, const Layout &layout, Visit visit) {
    const Layout whole = dense(lengths);
    std::vector<std::size_t> index(lengths.size());
    do visit(whole.place(index), layout.place(index));
    while (next(index, box));
}

// What stands in memory: complex numbers, the half of them that determines the rest, or real ones.
enum class Content { complex, half, real };

struct Side {
    Content content;
    Layout layout;

    Lengths box(const Lengths &lengths) const { return content == Content::half ? halved(lengths) : lengths; }
};

inline std::vector<std::size_t> mirrored(std::size_t place, const Lengths &lengths) {
    std::vector<std::size_t> index(lengths.size());
    for (std::size_t i = lengths.size(); i-- > 0; place /= lengths[i])
        index[i] = (lengths[i] - place % lengths[i]) % lengths[i];
    return index;
}

// Completes what a transform of real numbers leaves out: X[-k] is the conjugate of X[k].
inline void complete(std::vector<Complex> &data, const Lengths &lengths) {
    const std::size_t last = lengths.back();
    const Layout whole = dense(lengths);
    for (std::size_t place = 0; place < data.size(); ++place)
        if (place % last > last / 2) data[place] = conjugate(data[whole.place(mirrored(place, lengths))]);
}

template <class Real>
std::vector<Complex> read(const Real *memory, const Lengths &lengths, const Side &side, std::size_t batch) {
    std::vector<Complex> data(product_of(lengths));
    const std::size_t base = batch * side.layout.distance;
    for_each_place(lengths, side.box(lengths), side.layout, [&](std::size_t place, std::size_t at) {
        const std::size_t i = base + at;
        data[place] = side.content == Content::real ? Complex{memory[i], 0.0}
                                                    : Complex{memory[2 * i], memory[2 * i + 1]};
    });
    if (side.content == Content::half) complete(data, lengths);
    return data;
}

template <class Real>
void write(Real *memory, const Lengths &lengths, const Side &side, std::size_t batch,
           const std::vector<Complex> &data) {
    const std::size_t base = batch * side.layout.distance;
    for_each_place(lengths, side.box(lengths), side.layout, [&](std::size_t place, std::size_t at) {
        const std::size_t i = base + at;
        if (side.content == Content::real) {
            memory[i] = static_cast<Real>(data[place].re);
        } else {
            memory[2 * i] = static_cast<Real>(data[place].re);
            memory[2 * i + 1] = static_cast<Real>(data[place].im);
        }
    });
}

// Transforms all batches. Everything is read before anything is written, so the two sides may be one.
template <class Real>
void execute(const Grid &grid, const Side &from, const Side &to, std::size_t batches, bool inverse, const Real *in,
             Real *out) {
    const BothSides reach;
    std::vector<std::vector<Complex>> data;
    for (std::size_t batch = 0; batch < batches; ++batch) data.push_back(read(in, grid.lengths(), from, batch));
    for (auto &one : data) inverse ? grid.inverse(one) : grid.forward(one);
    for (std::size_t batch = 0; batch < batches; ++batch) write(out, grid.lengths(), to, batch, data[batch]);
}

}  // namespace simt::fourier

#endif
