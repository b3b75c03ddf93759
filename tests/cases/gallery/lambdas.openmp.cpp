// weighed(x, y, n, kind)
void weighed(const float *x, float *y, int n, int kind)
{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        auto weight = [=](int at) {
            switch (kind) {
            case 0: return x[at] * 2.0f;
            case 1: return x[at] + 1.0f;
            default: return 0.5f;
            }
        };
        auto sum = [&](int from, int to) {
            float s = 0;
            for (int j = from; j < to; ++j) {
                if (j >= n) break;
                s += weight(j);
            }
            return s;
        };
        y[i] = sum(i, i + 3);
    }
}

// guarded(x, y, n)
void guarded(const float *x, float *y, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        auto larger = [](float a, float b) { if (a > b) return a; return b; };
        y[i] = larger(x[i], 0.25f);
    }
}
