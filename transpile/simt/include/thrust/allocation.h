// Device memory by thrust's own names.
#ifndef SIMT_THRUST_ALLOCATION_H
#define SIMT_THRUST_ALLOCATION_H

#include <cstddef>
#include <memory>
#include <new>

#include "thrust/thrust.h"

namespace thrust {

template <class T>
device_ptr<T> device_malloc(std::size_t count) {
    T *data = nullptr;
    if (cudaMalloc(&data, count * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    return device_ptr<T>(data);
}
template <class T>
void device_free(device_ptr<T> data) {
    cudaFree(data.get());
}
template <class T>
device_ptr<T> device_new(std::size_t count = 1, const T &value = T()) {
    const device_ptr<T> data = device_malloc<T>(count);
    std::uninitialized_fill_n(data.get(), count, value);
    return data;
}
template <class T>
void device_delete(device_ptr<T> data, std::size_t = 0) {
    device_free(data);
}

}  // namespace thrust

#endif
