// Types for the templates of the emulator.
#ifndef SIMT_TRAITS_H
#define SIMT_TRAITS_H

namespace simt {

// Not deduced, so that an argument converts to what another argument settled.
template <class T>
struct Same {
    using type = T;
};
template <class T>
using Given = typename Same<T>::type;

// The type of 32 bits, also for headers that come after a macro has widened `float`.
using Single = float;

}  // namespace simt

#endif
