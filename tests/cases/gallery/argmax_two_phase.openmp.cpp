Best better(Best a, Best b)
{
    if (b.value > a.value || (b.value == a.value && b.index < a.index)) return b;
    return a;
}

// argmax_blocks(x, n, partial, gridDim.x, blockDim.x)
void argmax_blocks(const float *x, int n, Best *partial, int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        Best s[128];
        for (int t = 0; t < threads; ++t) {
            Best mine = {-1e30f, n};
            for (int i = block * threads + t; i < n; i += blocks * threads) {
                Best here = {x[i], i};
                mine = better(mine, here);
            }
            s[t] = mine;
        }
        for (int half = threads / 2; half > 0; half /= 2) {
            for (int t = 0; t < half; ++t) {
                s[t] = better(s[t], s[t + half]);
            }
        }
        partial[block] = s[0];
    }
}

// argmax_final(partial, blocks, result)
void argmax_final(const Best *partial, int blocks, Best *result)
{
    Best best = partial[0];
    for (int b = 1; b < blocks; ++b) best = better(best, partial[b]);
    *result = best;
}
