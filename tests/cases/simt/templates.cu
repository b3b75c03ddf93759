// run: => exit 0
#include "expect.h"

// What a launch of a template passes on: literals for pointers, and arguments to deduce from.
struct Half {
    int value;
    __host__ __device__ Half(int whole) : value(whole / 2) {}
};

template <class T>
__global__ void explicit_type(T a, T b, const int *given, int *out) {
    if (given == nullptr) *out = a.value + b.value;
}
template <>
__global__ void explicit_type<int>(int a, int b, const int *given, int *out) {
    if (given == nullptr) *out = a + b;
}

template <class T>
__global__ void deduced(T *out, T first, const int *given = nullptr) {
    out[threadIdx.x] = first + (given == nullptr ? static_cast<T>(threadIdx.x) : given[threadIdx.x]);
}

template <class... T>
__global__ void several(int *out, T... values) {
    *out = (0 + ... + static_cast<int>(values));
}

template <class... T>
void launch_several(int *out, T... values) {
    several<<<1, 1>>>(out, values..., 0);
}

#define ARGUMENTS out.device, 5
#define RUN(kernel, ...) kernel<<<1, 1>>>(out.device, __VA_ARGS__, 0)

int main() {
    Buffer<int> out(32);
    explicit_type<Half><<<1, 1>>>(10, 4, 0, out.device);
    EXPECT(out[0] == 7);
    explicit_type<int><<<1, 1>>>(10, 0, NULL, out.device);
    EXPECT(out[0] == 10);
    deduced<<<1, 32>>>(out.device, 3, 0L);
    EXPECT(out[0] == 3 && out[31] == 34);
    deduced<<<1, 32>>>(out.device, 0);
    EXPECT(out[0] == 0 && out[31] == 31);
    deduced<<<1, 32>>>(ARGUMENTS, nullptr);
    EXPECT(out[0] == 5 && out[31] == 36);
    launch_several(out.device, 1, 2.0, 3u);
    EXPECT(out[0] == 6);
    RUN(several, 4, 5);
    EXPECT(out[0] == 9);
    return failed_expectations != 0;
}
