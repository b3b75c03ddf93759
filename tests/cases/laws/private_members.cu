// A class whose pointers are private: calls put it together all the same.
#include <cuda_runtime.h>

template <typename T> class Points {
public:
    __device__ T x(int i) const { return x_[i]; }
    __device__ T &x(int i) { return x_[i]; }
    __device__ T y(int i) const { return y_[i]; }

private:
    T *x_, *y_;
};

template <typename T> __global__ void moved(Points<T> points, const Points<T> speed, float step, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    points.x(i) += step * speed.y(i);
}

void move(Points<float> points, Points<float> speed, int n) { moved<<<(n + 255) / 256, 256>>>(points, speed, 0.5f, n); }
