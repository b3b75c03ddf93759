// Wrong on numbers that no usual call has: function | name | what refuses them

// === rotated | in 32 bits | exact
void rotated(int n, uint64_t by, const uint64_t *x, uint64_t *y) {
    unsigned kept = (unsigned)by;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[i] + kept;
}

// === rotated | in 48 bits | exact
void rotated(int n, uint64_t by, const uint64_t *x, uint64_t *y) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[i] + (by & 0xffffffffffff);
}

// === rotated | in 15 bits | exact
void rotated(int n, uint64_t by, const uint64_t *x, uint64_t *y) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[i] + by % 32768;
}

// === over | a limit that was thought large | exact
int over(int n, double least, const double *x) {
    int count = 0;
    double limit = fmin(least, 1e9);
    #pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < n; i++) count += x[i] > limit;
    return count;
}

// === over | equal ones, too | exact
int over(int n, double least, const double *x) {
    int count = 0;
    #pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < n; i++) count += x[i] >= least;
    return count;
}

// === settled | another round where nothing changes | exact
int settled(int n, double *u, double close, int rounds) {
    int round = 0;
    double change = 0;
    if (n < 3) return 0;
    do {
        change = 0;
        for (int i = 1; i + 1 < n; i++) {
            double next = 0.5 * (u[i - 1] + u[i + 1]);
            change = fmax(change, fabs(next - u[i]));
            u[i] = next;
        }
        round++;
    } while (change >= close && round < rounds);
    return round;
}

// === greatest | begins where nothing was thought to be less | exact untouched tolerance
double greatest(int n, const double *x) {
    double most = -1e300;
    #pragma omp parallel for reduction(max : most)
    for (int i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
    return n > 0 ? most : -INFINITY;
}

// === signs | forgets what is no number | exact
int signs(int n, const float *x) {
    int count = 0;
    #pragma omp parallel for reduction(+ : count)
    for (int i = 1; i < n; i++) count += (x[i] < 0 && !(x[i - 1] < 0)) || (x[i] >= 0 && x[i - 1] < 0);
    return count;
}

// === doubled | as many threads as there might be | exact unwritten
void doubled(int n, const int *x, int *y) {
    #pragma omp parallel
    {
        long threads = omp_get_max_threads(), thread = omp_get_thread_num();
        for (long i = n * thread / threads; i < n * (thread + 1) / threads; i++) y[i] = (int)(2u * (unsigned)x[i]);
    }
}

// === doubled | cancelled | policy
void doubled(int n, const int *x, int *y) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        y[i] = (int)(2u * (unsigned)x[i]);
        #pragma omp cancellation point for
    }
}

// === lowest | begins below the greatest number | exact
int lowest(int n, const double *x) {
    int place = -1;
    double least = 1e308;
    #pragma omp parallel
    {
        int own = -1;
        double low = 1e308;
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

// === keyed | seven bits of the key | exact
void keyed(int n, unsigned key, unsigned *x) {
    int red = key >> 16 & 127;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int away = abs((int)(x[i] >> 16 & 255) - red);
        if (away < 9) x[i] = 0;
    }
}

// === turned | from a number of the library on | exact untouched
void turned(int n, double *angle) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (angle[i] >= M_PI) angle[i] -= 2 * M_PI;
}

// === gathered | one number alone ends a row | bounds
void gathered(int n, int width, const int *at, const double *x, double *y) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < width; k++) {
            int place = at[k * n + i];
            if (place == -1) break;
            s += x[place];
        }
        y[i] = s;
    }
}
