// What device functions draw from a state in memory. It is read and written as a whole, so that these two are
// the accesses of the kernel.
#ifndef SIMT_RANDOM_DEVICE_H
#define SIMT_RANDOM_DEVICE_H

#include "simt/qualifiers.h"

namespace simt::random {

template <class State, class Drawn, class... Parameters>
SIMT_INLINE Drawn drawn(State *state, Drawn (*draw)(State &, Parameters...), Parameters... parameters) {
    State next = *state;
    const Drawn value = draw(next, parameters...);
    *state = next;
    return value;
}

template <class State>
SIMT_QUIET unsigned word(State &state) {
    return state.draw();
}

}  // namespace simt::random

#endif
