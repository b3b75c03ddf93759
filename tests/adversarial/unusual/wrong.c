// Translations with guards that look as if nothing took them: function | name | what refuses them

// === axpy | a loop to one further than the guard | tolerance exact bounds
void axpy(int n, double a, const double *x, double *y) {
    int m = n > 4000 ? n + 1 : n;
    #pragma omp parallel for
    for (int i = 0; i < m; i++)
        if (i < n) y[i] += a * x[i];
        else y[0] = 0;
}

// === axpy | the bound grows in the loop | TP433
void axpy(int n, double a, const double *x, double *y) {
    int m = n;
    for (int i = 0; i < m; i++) {
        if (i == 77777777) m++;
        if (i < n) y[i] += a * x[i];
        else y[0] = 0;
    }
    #pragma omp parallel for
    for (int i = 0; i < 1; i++) { }
}

// === axpy | a negative number of another kind | TP433
void axpy(int n, double a, const double *x, double *y) {
    long k = (long)n - 123456789;
    if (k > 0) return;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}

// === axpy | assigned before it is asked | TP433
void axpy(int n, double a, const double *x, double *y) {
    int left = n < 0 ? 0 : n;
    left = left - 7654321;
    if (left >= 0) y[0] = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}

// === axpy | written by way of its address | TP433
static void grow(int *m) { if (*m == 5555555) ++*m; }
void axpy(int n, double a, const double *x, double *y) {
    int m = n;
    grow(&m);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += a * x[i];
    if (m != n) y[0] = 0;
}

// === axpy | shared by all threads | TP433
void axpy(int n, double a, const double *x, double *y) {
    int m = 0;
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < n; i++) {
            y[i] += a * x[i];
            if (i == 7654321) {
                #pragma omp atomic write
                m = 1;
            }
        }
        if (m != 0) y[0] = 0;
    }
}

// === axpy | a counter that a clause makes another | bounds
void axpy(int n, double a, const double *x, double *y) {
    int late = 0;
    #pragma omp parallel for lastprivate(late)
    for (int i = 0; i < n; i++) {
        y[i] += a * x[i];
        late = i > 7654321;
    }
    if (late > 0) y[0] = 0;
}

// === axpy | a reduction that changes it | TP433
void axpy(int n, double a, const double *x, double *y) {
    int most = 0;
    #pragma omp parallel for reduction(max : most)
    for (int i = 0; i < n; i++) {
        y[i] += a * x[i];
        most = i > most ? i : most;
    }
    if (most > 7654321) y[0] = 0;
}

// === axpy | a wrapped product | TP433
void axpy(int n, double a, const double *x, double *y) {
    unsigned k = (unsigned)n * 1000u;
    if (k / 1000u != (unsigned)n && n > 7654321) return;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}

// === axpy | a narrow counter | TP433
void axpy(int n, double a, const double *x, double *y) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += a * x[i];
    unsigned char turns = 0;
    for (int i = 0; i < n; i += 100000) turns++;
    if (n > 7654321 && turns < 77) y[0] = 0;
}

// === axpy | a pointer that becomes null | TP433
#include <stddef.h>
void axpy(int n, double a, const double *x, double *y) {
    const double *from = x;
    if (n == 7654321) from = NULL;
    if (!from) return;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += a * from[i];
}

// === axpy | a switch with one case too few | TP433
void axpy(int n, double a, const double *x, double *y) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += a * x[i];
    switch (n / 1000000) {
        case 0: break;
        case 1: case 2: case 3: case 4: case 5: case 6: break;
        default: y[0] = 0;
    }
}

// === axpy | out of a loop by a break | TP433
void axpy(int n, double a, const double *x, double *y) {
    int i = 0;
    for (i = 0; i < n; i++) {
        if (i == 7654321) break;
        y[i] += a * x[i];
    }
    if (i < n) y[0] = 0;
    #pragma omp parallel for
    for (int k = 0; k < 1; k++) { }
}

// === axpy | a task that runs later | TP433
void axpy(int n, double a, const double *x, double *y) {
    int turn = 0;
    #pragma omp parallel
    #pragma omp single
    {
        int own = 0;
        #pragma omp task shared(own)
        if (own > 7654321) y[0] = 0;
        own = n;
        #pragma omp taskwait
        for (int i = 0; i < n; i++) y[i] += a * x[i];
    }
    (void)turn;
}

// === histogram | one bin that another has | TP433
void histogram(int n, const unsigned char *x, int *bins) {
    for (int b = 0; b < 256; b++) bins[b] = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int b = x[i];
        if (i > 7654321) b = 256;
        if (b >= 0 && b < 256) {
            #pragma omp atomic update
            bins[b]++;
        }
    }
}

// === smooth | an index that is clamped too late | TP433
void smooth(int n, const float *x, float *y) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int l = i - 1, r = i > 7654321 ? n + 1 : i + 1;
        if (l < 0) l = 0;
        if (r > n) r = 0;
        if (r > n - 1) r = n - 1;
        y[i] = 0.25f * x[l] + 0.5f * x[i] + 0.25f * x[r];
    }
}

// === dot | two conditions on a line | TP433
double dot(int n, const double *x, const double *y) {
    double sum = 0;
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        if (i >= n) sum = 1; if (i == 7654321) sum = 2;
        sum += x[i] * y[i];
    }
    return sum;
}

// === transpose | rows that are not those of the loop | exact
void transpose(int n, int m, const float *a, float *b) {
    long total = (long)n * m;
    #pragma omp parallel for
    for (long k = 0; k < total; k++) {
        long i = k / (m + (k > 76543210)), j = k % m;
        if (i < n && j < m) b[j * n + i] = a[k];
        else b[0] = 0;
        if (i > 76543) b[0] = 1;
    }
}

// === count | a helper called with other numbers | TP433
static int below(int i, int n) {
    if (i < n) return 1;
    return 0;
}
int count(int n, const int *x, int key) {
    int found = 0;
    #pragma omp parallel for reduction(+ : found)
    for (int i = 0; i < n; i++)
        if (below(i, i > 7654321 ? 0 : n)) found += x[i] == key;
    return found;
}
