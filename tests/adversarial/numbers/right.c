// Right translations: function | name

// === rotated | loop
void rotated(int n, uint64_t by, const uint64_t *x, uint64_t *y) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[i] + by;
}

// === over | reduction
int over(int n, double least, const double *x) {
    int count = 0;
    #pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < n; i++) count += x[i] > least;
    return count;
}

// === rounded | loop
void rounded(int n, float scale, const float *x, int *y) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float v = x[i] * scale;
        y[i] = v >= 0 && v < 1e6f ? (int)(v + 0.5f) : 0;
    }
}

// === signs | reduction
int signs(int n, const float *x) {
    int count = 0;
    #pragma omp parallel for reduction(+ : count)
    for (int i = 1; i < n; i++) count += (x[i] < 0) != (x[i - 1] < 0);
    return count;
}

// === doubled | shared out by hand
void doubled(int n, const int *x, int *y) {
    #pragma omp parallel
    {
        long threads = omp_get_num_threads(), thread = omp_get_thread_num();
        for (long i = n * thread / threads; i < n * (thread + 1) / threads; i++) y[i] = (int)(2u * (unsigned)x[i]);
    }
}

// === lowest | merged
int lowest(int n, const double *x) {
    int place = -1;
    double least = INFINITY;
    #pragma omp parallel
    {
        int own = -1;
        double low = INFINITY;
        #pragma omp for nowait
        for (int i = 0; i < n; i++)
            if (x[i] < low) {
                low = x[i];
                own = i;
            }
        #pragma omp critical
        if (own >= 0 && (low < least || (low == least && own < place))) {
            least = low;
            place = own;
        }
    }
    return place;
}

// === keyed | without a branch
void keyed(int n, unsigned key, unsigned *x) {
    int red = key >> 16 & 255;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int away = abs((int)(x[i] >> 16 & 255) - red);
        if (away < 9) x[i] = 0;
    }
}

// === turned | loop
void turned(int n, double *angle) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (angle[i] > M_PI) angle[i] -= 2 * M_PI;
}

// === gathered | rows in parallel
void gathered(int n, int width, const int *at, const double *x, double *y) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < width; k++) {
            int place = at[k * n + i];
            if (place < 0) break;
            s += x[place];
        }
        y[i] = s;
    }
}
