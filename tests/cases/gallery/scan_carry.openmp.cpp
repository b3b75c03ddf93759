#include <vector>

// prefix_with_carry(in, out, n, blockDim.x)
void prefix_with_carry(const int *in, int *out, int n, int threads)
{
    int buf[THREADS];
    int carry;
    carry = 0;

    for (int start = 0; start < n; start += THREADS) {
        std::vector<int> mine(threads);
        for (int t = 0; t < threads; ++t) {
            const int i = start + t;
            mine[t] = i < n ? in[i] : 0;
            buf[t] = mine[t];
        }
        for (int d = 1; d < THREADS; d <<= 1) {
            std::vector<int> other(threads);
            for (int t = 0; t < threads; ++t) {
                other[t] = t >= d ? buf[t - d] : 0;
            }
            for (int t = 0; t < threads; ++t) {
                buf[t] += other[t];
            }
        }
        for (int t = 0; t < threads; ++t) {
            const int i = start + t;
            if (i < n) out[i] = carry + buf[t] - mine[t];
        }
        for (int t = 0; t < threads; ++t) {
            if (t == THREADS - 1) carry += buf[t];
        }
    }
}
