// A case compares what the device left with what the host computes, and ends with status 1 where they differ.
#include <cstdio>
#include <cstdlib>
#include <vector>

template <class T>
inline T *on_device(const std::vector<T> &values) {
    T *memory = nullptr;
    cudaMalloc(&memory, values.size() * sizeof(T));
    cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return memory;
}

template <class T>
inline void expect(const T *memory, const std::vector<T> &wanted) {
    std::vector<T> found(wanted.size());
    cudaMemcpy(found.data(), memory, found.size() * sizeof(T), cudaMemcpyDeviceToHost);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (found[i] == wanted[i]) continue;
        std::printf("at %zu: %g instead of %g\n", i, double(found[i]), double(wanted[i]));
        std::exit(1);
    }
}
