// run: => exit 0
#include "expect.h"

#include <cmath>
#include <thrust/random.h>

// What an H100 drew with CUDA 13.0.
__global__ void draw(unsigned *whole, float *real, int *dice) {
    thrust::default_random_engine engine(7);
    thrust::uniform_real_distribution<float> uniform(2.f, 5.f);
    thrust::uniform_int_distribution<int> number(10, 99);
    thrust::minstd_rand0 other;
    for (int i = 0; i < 8; ++i) whole[i] = engine();
    for (int i = 0; i < 8; ++i) real[i] = uniform(engine);
    for (int i = 0; i < 8; ++i) dice[i] = number(engine);
    thrust::uniform_real_distribution<double> unit;
    engine.discard(5);
    real[8] = static_cast<float>(unit(engine));
    whole[8] = other();
    thrust::normal_distribution<float> normal(1.f, 2.f);
    for (int i = 9; i < 14; ++i) real[i] = normal(engine);
}

int main() {
    const unsigned whole[] = {337897, 1278240558, 449829614, 518142577, 1665781405, 704006134, 1298864186, 1688048241, 16807};
    const float real[] = {4.52102947f, 2.61376143f, 3.88050318f, 4.76818848f, 2.22682357f, 4.00089979f, 2.43029451f,
                          3.74596357f, 0.0581830442f, 1.27005625f, 3.59199762f, -0.995526135f, 1.52872837f, 2.46460676f};
    const int dice[] = {22, 96, 17, 78, 17, 98, 36, 61};
    Buffer<unsigned> a(16);
    Buffer<float> b(16);
    Buffer<int> c(16);
    draw<<<1, 1>>>(a.device, b.device, c.device);
    for (int i = 0; i < 9; ++i) EXPECT_EQUAL(i, a[i], whole[i]);
    for (int i = 0; i < 14; ++i) EXPECT(std::fabs(b[i] - real[i]) <= 1e-6f * std::fabs(real[i]));
    for (int i = 0; i < 8; ++i) EXPECT_EQUAL(i, c[i], dice[i]);
    return failed_expectations != 0;
}
