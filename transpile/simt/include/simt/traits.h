// A type that is not deduced, so that an argument converts to what another argument settled.
#ifndef SIMT_TRAITS_H
#define SIMT_TRAITS_H

namespace simt {

template <class T>
struct Same {
    using type = T;
};
template <class T>
using Given = typename Same<T>::type;

}  // namespace simt

#endif
