// Expectations of the cases: each failed one is printed, and main returns whether there was any.
#pragma once

#include <cstdio>

inline int failed_expectations = 0;

#define EXPECT(condition)                                                        \
    do {                                                                         \
        if (!(condition)) {                                                      \
            ++failed_expectations;                                               \
            std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);  \
        }                                                                        \
    } while (false)

#define EXPECT_EQUAL(index, got, expected)                                                                 \
    do {                                                                                                   \
        if ((got) != (expected)) {                                                                         \
            ++failed_expectations;                                                                         \
            std::printf("%s:%d: at %d: %g instead of %g\n", __FILE__, __LINE__, static_cast<int>(index),   \
                        static_cast<double>(got), static_cast<double>(expected));                          \
        }                                                                                                  \
    } while (false)

// Device memory with host access by copies, so that the cases go through the API.
template <class T>
struct Buffer {
    T *device = nullptr;
    int count;

    explicit Buffer(int n) : count(n) { EXPECT(cudaMalloc(&device, n * sizeof(T)) == cudaSuccess); }
    ~Buffer() { cudaFree(device); }
    T operator[](int index) const {
        T value;
        EXPECT(cudaMemcpy(&value, device + index, sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
        return value;
    }
    void set(int index, T value) { EXPECT(cudaMemcpy(device + index, &value, sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess); }
    void clear() { EXPECT(cudaMemset(device, 0, count * sizeof(T)) == cudaSuccess); }
};
