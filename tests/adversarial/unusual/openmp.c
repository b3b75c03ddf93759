// Translations to OpenMP that must be kept, however they look: function | name

// === axpy | a guard within the loop
void axpy(int n, double a, const double *x, double *y) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (i < n) y[i] += a * x[i];
}

// === axpy | null pointers and negative numbers
void axpy(int n, double a, const double *x, double *y) {
    if (!x || !y) return;
    if (n < 0) return;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}

// === axpy | a negative number becomes zero
void axpy(int n, double a, const double *x, double *y) {
    if (n < 0) n = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}

// === axpy | null after the number
void axpy(int n, double a, const double *x, double *y) {
    if (n <= 0 || x == NULL || y == NULL) {
        return;
    }
    #pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) {
        y[i] = y[i] + a * x[i];
    }
}

// === axpy | four at a time with a tail
void axpy(int n, double a, const double *x, double *y) {
    int whole = n / 4 * 4;
    #pragma omp parallel for
    for (int i = 0; i < whole; i += 4) {
        y[i] += a * x[i];
        y[i + 1] += a * x[i + 1];
        y[i + 2] += a * x[i + 2];
        y[i + 3] += a * x[i + 3];
    }
    for (int i = whole; i < n; i++) y[i] += a * x[i];
}

// === axpy | a tail by a switch
void axpy(int n, double a, const double *x, double *y) {
    if (n <= 0) return;
    int whole = n - n % 4;
    #pragma omp parallel for
    for (int i = 0; i < whole; i += 4)
        for (int k = 0; k < 4; k++) y[i + k] += a * x[i + k];
    switch (n % 4) {
        case 3: y[n - 3] += a * x[n - 3];
        /* falls through */
        case 2: y[n - 2] += a * x[n - 2];
        /* falls through */
        case 1: y[n - 1] += a * x[n - 1];
        case 0: break;
        default: break;
    }
}

// === axpy | a tail by bits
void axpy(int n, double a, const double *x, double *y) {
    if (n < 1) return;
    int whole = n & ~3;
    #pragma omp parallel for
    for (int b = 0; b < whole >> 2; b++) {
        const double *from = x + (b << 2);
        double *to = y + (b << 2);
        to[0] += a * from[0]; to[1] += a * from[1]; to[2] += a * from[2]; to[3] += a * from[3];
    }
    switch (n & 3) {
        case 3: y[whole + 2] += a * x[whole + 2]; /* falls through */
        case 2: y[whole + 1] += a * x[whole + 1]; /* falls through */
        case 1: y[whole] += a * x[whole];
    }
}

// === axpy | chunks by the number of a thread
#include <omp.h>
void axpy(int n, double a, const double *x, double *y) {
    #pragma omp parallel
    {
        int threads = omp_get_num_threads(), me = omp_get_thread_num();
        int chunk = (n + threads - 1) / threads;
        int start = me * chunk;
        int end = start + chunk;
        if (end > n) end = n;
        if (start > n) start = n;
        for (int i = start; i < end; i++) y[i] += a * x[i];
    }
}

// === axpy | fair chunks
#include <omp.h>
void axpy(int n, double a, const double *x, double *y) {
    if (n <= 0) return;
    #pragma omp parallel
    {
        int threads = omp_get_num_threads(), me = omp_get_thread_num();
        int each = n / threads, more = n % threads;
        int start = me * each + (me < more ? me : more);
        int end = start + each + (me < more ? 1 : 0);
        #pragma omp simd
        for (int i = start; i < end; i++) y[i] += a * x[i];
    }
}

// === axpy | small calls on one thread
void axpy(int n, double a, const double *x, double *y) {
    if (n < 256) {
        for (int i = 0; i < n; i++) y[i] += a * x[i];
        return;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}

// === axpy | tasks of a grain
void axpy(int n, double a, const double *x, double *y) {
    #pragma omp parallel
    #pragma omp single
    for (int start = 0; start < n; start += 64) {
        int end = start + 64 < n ? start + 64 : n;
        #pragma omp task firstprivate(start, end)
        for (int i = start; i < end; i++) y[i] += a * x[i];
    }
}

// === axpy | a taskloop
void axpy(int n, double a, const double *x, double *y) {
    #pragma omp parallel
    #pragma omp master
    #pragma omp taskloop grainsize(32)
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}

// === axpy | two sections
void axpy(int n, double a, const double *x, double *y) {
    int half = n / 2;
    #pragma omp parallel sections
    {
        #pragma omp section
        for (int i = 0; i < half; i++) y[i] += a * x[i];
        #pragma omp section
        for (int i = half; i < n; i++) y[i] += a * x[i];
    }
}

// === axpy | tiles with a guard
void axpy(int n, double a, const double *x, double *y) {
    const int tile = 128;
    int tiles = (n + tile - 1) / tile;
    #pragma omp parallel for schedule(dynamic)
    for (int t = 0; t < tiles; t++)
        for (int k = 0; k < tile; k++) {
            int i = t * tile + k;
            if (i < n) y[i] += a * x[i];
        }
}

// === axpy | tiles that clamp and guard as well
void axpy(int n, double a, const double *x, double *y) {
    #pragma omp parallel for
    for (int t = 0; t < n; t += 100) {
        int end = t + 100;
        if (end > n) end = n;
        for (int i = t; i < end; i++) {
            if (i >= n) break;
            y[i] += a * x[i];
        }
    }
}

// === axpy | private scratch on the heap
#include <stdlib.h>
void axpy(int n, double a, const double *x, double *y) {
    if (n <= 0) return;
    double *t = (double *)malloc(n * sizeof(double));
    if (t == NULL) return;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) t[i] = a * x[i];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += t[i];
    free(t);
}

// === dot | a sum of each thread
#include <omp.h>
#include <stdlib.h>
double dot(int n, const double *x, const double *y) {
    int most = omp_get_max_threads();
    double *own = (double *)calloc(most, sizeof(double));
    if (!own) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += x[i] * y[i];
        return sum;
    }
    #pragma omp parallel
    {
        double sum = 0;
        #pragma omp for nowait
        for (int i = 0; i < n; i++) sum += x[i] * y[i];
        own[omp_get_thread_num()] = sum;
    }
    double sum = 0;
    for (int t = 0; t < most; t++) sum += own[t];
    free(own);
    return sum;
}

// === dot | four sums and a tail
double dot(int n, const double *x, const double *y) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int whole = n - (n % 4 + 4) % 4;
    #pragma omp parallel for reduction(+ : s0, s1, s2, s3)
    for (int i = 0; i < whole; i += 4) {
        s0 += x[i] * y[i];
        s1 += x[i + 1] * y[i + 1];
        s2 += x[i + 2] * y[i + 2];
        s3 += x[i + 3] * y[i + 3];
    }
    for (int i = whole < 0 ? 0 : whole; i < n; i++) s0 += x[i] * y[i];
    return (s0 + s1) + (s2 + s3);
}

// === dot | a critical section for each thread
double dot(int n, const double *x, const double *y) {
    double sum = 0.0;
    #pragma omp parallel
    {
        double own = 0.0;
        #pragma omp for
        for (int i = 0; i < n; i++) own += x[i] * y[i];
        #pragma omp critical
        sum += own;
    }
    return sum;
}

// === dot | Kahan in each thread
#include <math.h>
double dot(int n, const double *x, const double *y) {
    double sum = 0.0;
    #pragma omp parallel reduction(+ : sum)
    {
        double own = 0.0, lost = 0.0;
        #pragma omp for
        for (int i = 0; i < n; i++) {
            volatile double term = x[i] * y[i] - lost;
            volatile double next = own + term;
            lost = isfinite(next) ? (next - own) - term : 0;
            own = next;
        }
        sum += own;
    }
    return sum;
}

// === dot | by halves
static double between(const double *x, const double *y, int low, int high) {
    if (high - low <= 8) {
        double sum = 0;
        for (int i = low; i < high; i++) sum += x[i] * y[i];
        return sum;
    }
    int middle = low + (high - low) / 2;
    double left = 0, right = 0;
    #pragma omp task shared(left) if (high - low > 64)
    left = between(x, y, low, middle);
    right = between(x, y, middle, high);
    #pragma omp taskwait
    return left + right;
}
double dot(int n, const double *x, const double *y) {
    double sum = 0;
    if (n <= 0) return 0;
    #pragma omp parallel
    #pragma omp single
    sum = between(x, y, 0, n);
    return sum;
}

// === dot | an array of partial sums of tiles
#include <stdlib.h>
double dot(int n, const double *x, const double *y) {
    if (n <= 0) return 0.0;
    const int tile = 50;
    int tiles = (n + tile - 1) / tile;
    double *part = malloc(sizeof(double) * tiles);
    #pragma omp parallel for
    for (int t = 0; t < tiles; t++) {
        double sum = 0;
        int last = (t + 1) * tile < n ? (t + 1) * tile : n;
        for (int i = t * tile; i < last; i++) sum += x[i] * y[i];
        part[t] = sum;
    }
    for (int step = 1; step < tiles; step *= 2)
        for (int t = 0; t + step < tiles; t += 2 * step) part[t] += part[t + step];
    double sum = part[0];
    free(part);
    return sum;
}

// === rows | columns in pieces
void rows(int n, int m, const double *x, double *y) {
    if (n <= 0) return;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = 0;
    for (int base = 0; base < m; base += 32) {
        int end = base + 32 > m ? m : base + 32;
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = base; j < end; j++) y[i] += x[i * m + j];
    }
}

// === rows | one row is a reduction
void rows(int n, int m, const double *x, double *y) {
    if (n == 1) {
        double sum = 0;
        #pragma omp parallel for reduction(+ : sum)
        for (int j = 0; j < m; j++) sum += x[j];
        y[0] = sum;
        return;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = 0;
        const double *row = x + (long)i * m;
        #pragma omp simd reduction(+ : sum)
        for (int j = 0; j < m; j++) sum += row[j];
        y[i] = sum;
    }
}

// === rows | nothing to sum
void rows(int n, int m, const double *x, double *y) {
    if (n <= 0) return;
    if (m <= 0) {
        for (int i = 0; i < n; i++) y[i] = 0;
        return;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = x[i * m];
        for (int j = 1; j < m; j++) sum += x[i * m + j];
        y[i] = sum;
    }
}

// === histogram | bins of each thread
#include <omp.h>
#include <stdlib.h>
void histogram(int n, const unsigned char *x, int *bins) {
    int threads = omp_get_max_threads();
    int *own = (int *)calloc((size_t)threads * 256, sizeof(int));
    #pragma omp parallel num_threads(threads)
    {
        int *mine = own + omp_get_thread_num() * 256;
        #pragma omp for
        for (int i = 0; i < n; i++) mine[x[i]]++;
        #pragma omp for
        for (int b = 0; b < 256; b++) {
            int sum = 0;
            for (int t = 0; t < threads; t++) sum += own[t * 256 + b];
            bins[b] = sum;
        }
    }
    free(own);
}

// === histogram | merged under a lock
#include <string.h>
void histogram(int n, const unsigned char *x, int *bins) {
    memset(bins, 0, 256 * sizeof *bins);
    #pragma omp parallel
    {
        int own[256] = {0};
        #pragma omp for schedule(guided) nowait
        for (int i = 0; i < n; i++) own[x[i]]++;
        #pragma omp critical
        for (int b = 0; b < 256; b++)
            if (own[b]) bins[b] += own[b];
    }
}

// === histogram | guarded bins
void histogram(int n, const unsigned char *x, int *bins) {
    for (int b = 0; b < 256; b++) bins[b] = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int b = x[i];
        if (b >= 0 && b < 256) {
            #pragma omp atomic update
            bins[b]++;
        }
    }
}

// === histogram | a reduction of a section
void histogram(int n, const unsigned char *x, int *bins) {
    #pragma omp parallel for
    for (int b = 0; b < 256; b++) bins[b] = 0;
    #pragma omp parallel for reduction(+ : bins[:256])
    for (int i = 0; i < n; i++) bins[x[i]] += 1;
}

// === largest | a reduction of one's own
typedef struct { float value; int place; } Best;
static Best better(Best a, Best b) {
    if (a.place < 0) return b;
    if (b.place < 0) return a;
    if (b.value > a.value || (b.value == a.value && b.place < a.place)) return b;
    return a;
}
#pragma omp declare reduction(better : Best : omp_out = better(omp_out, omp_in)) initializer(omp_priv = (Best){0, -1})
int largest(int n, const float *x) {
    if (n > 0 && x[0] != x[0]) return 0;
    Best best = {0, -1};
    #pragma omp parallel for reduction(better : best)
    for (int i = 0; i < n; i++)
        if (best.place < 0 || x[i] > best.value) {
            if (x[i] == x[i]) best = (Best){x[i], i};
        }
    return best.place;
}

// === largest | two passes
#include <math.h>
int largest(int n, const float *x) {
    if (n <= 0) return -1;
    if (isnan(x[0])) return 0;
    float most = x[0];
    #pragma omp parallel for reduction(max : most)
    for (int i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
    int place = n;
    #pragma omp parallel for reduction(min : place)
    for (int i = 0; i < n; i++)
        if (x[i] == most && i < place) place = i;
    return place;
}

// === largest | of each thread in order
#include <omp.h>
#include <stdlib.h>
int largest(int n, const float *x) {
    if (n <= 0) return -1;
    if (x[0] != x[0]) return 0;
    int threads = omp_get_max_threads();
    int *own = (int *)malloc(threads * sizeof(int));
    for (int t = 0; t < threads; t++) own[t] = 0;
    #pragma omp parallel num_threads(threads)
    {
        int best = 0;
        #pragma omp for schedule(static, 16)
        for (int i = 0; i < n; i++)
            if (x[i] > x[best]) best = i;
        own[omp_get_thread_num()] = best;
    }
    int best = 0;
    for (int t = 0; t < threads; t++)
        if (x[own[t]] > x[best] || (x[own[t]] == x[best] && own[t] < best)) best = own[t];
    free(own);
    return best;
}

// === smooth | edges apart
void smooth(int n, const float *x, float *y) {
    if (n <= 0) return;
    if (n == 1) {
        y[0] = 0.25f * x[0] + 0.5f * x[0] + 0.25f * x[0];
        return;
    }
    y[0] = 0.25f * x[0] + 0.5f * x[0] + 0.25f * x[1];
    #pragma omp parallel for
    for (int i = 1; i < n - 1; i++) y[i] = 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
    y[n - 1] = 0.25f * x[n - 2] + 0.5f * x[n - 1] + 0.25f * x[n - 1];
}

// === smooth | inside edges that cannot be
void smooth(int n, const float *x, float *y) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int l = i - 1, r = i + 1;
        if (l < 0) l = 0;
        if (r > n - 1) r = n - 1;
        if (l >= n) l = n - 1;
        if (r < 0) r = 0;
        y[i] = 0.25f * x[l] + 0.5f * x[i] + 0.25f * x[r];
    }
}

// === smooth | tiles with a halo
void smooth(int n, const float *x, float *y) {
    enum { TILE = 64 };
    #pragma omp parallel for
    for (int base = 0; base < n; base += TILE) {
        float t[TILE + 2];
        int count = n - base < TILE ? n - base : TILE;
        for (int k = -1; k <= count; k++) {
            int i = base + k;
            i = i < 0 ? 0 : i;
            i = i >= n ? n - 1 : i;
            t[k + 1] = x[i];
        }
        for (int k = 0; k < count; k++)
            y[base + k] = 0.25f * t[k] + 0.5f * t[k + 1] + 0.25f * t[k + 2];
    }
}

// === blend | nothing kept of y as it is
void blend(int n, float alpha, float beta, const float *x, float *y) {
    if (n <= 0) return;
    if (beta == 1.0f) {
        #pragma omp parallel for simd
        for (int i = 0; i < n; i++) y[i] += alpha * x[i];
    } else if (alpha == 1.0f) {
        #pragma omp parallel for simd
        for (int i = 0; i < n; i++) y[i] = x[i] + beta * y[i];
    } else {
        #pragma omp parallel for simd
        for (int i = 0; i < n; i++) y[i] = alpha * x[i] + beta * y[i];
    }
}

// === blend | a vector of eight and what is left
void blend(int n, float alpha, float beta, const float *x, float *y) {
    int blocks = n > 0 ? n / 8 : 0;
    #pragma omp parallel for
    for (int b = 0; b < blocks; b++) {
        float t[8];
        for (int k = 0; k < 8; k++) t[k] = alpha * x[8 * b + k];
        #pragma omp simd
        for (int k = 0; k < 8; k++) y[8 * b + k] = t[k] + beta * y[8 * b + k];
    }
    int i = 8 * blocks;
    while (i < n) {
        y[i] = alpha * x[i] + beta * y[i];
        ++i;
    }
}

// === prefix | sums of chunks
#include <omp.h>
#include <stdlib.h>
void prefix(int n, const unsigned *x, unsigned *y) {
    if (n <= 0) return;
    unsigned *sums = NULL;
    #pragma omp parallel
    {
        int threads = omp_get_num_threads(), me = omp_get_thread_num();
        #pragma omp single
        sums = (unsigned *)calloc(threads + 1, sizeof(unsigned));
        unsigned sum = 0;
        #pragma omp for schedule(static)
        for (int i = 0; i < n; i++) {
            sum += x[i];
            y[i] = sum;
        }
        sums[me + 1] = sum;
        #pragma omp barrier
        unsigned before = 0;
        for (int t = 0; t <= me; t++) before += sums[t];
        #pragma omp for schedule(static)
        for (int i = 0; i < n; i++) y[i] += before;
    }
    free(sums);
}

// === prefix | doubling between two buffers
#include <stdlib.h>
#include <string.h>
void prefix(int n, const unsigned *x, unsigned *y) {
    if (n < 1) return;
    unsigned *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    if (!a || !b) {
        free(a);
        free(b);
        return;
    }
    memcpy(a, x, n * sizeof *a);
    for (long step = 1; step < n; step *= 2) {
        #pragma omp parallel for
        for (int i = 0; i < n; i++) b[i] = i >= step ? a[i] + a[i - step] : a[i];
        unsigned *t = a;
        a = b;
        b = t;
    }
    memcpy(y, a, n * sizeof *a);
    free(a);
    free(b);
}

// === prefix | a scan
void prefix(int n, const unsigned *x, unsigned *y) {
    unsigned sum = 0;
    #pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < n; i++) {
        sum += x[i];
        #pragma omp scan inclusive(sum)
        y[i] = sum;
    }
}

// === count | without a branch
int count(int n, const int *x, int key) {
    int found = 0;
    #pragma omp parallel for reduction(+ : found)
    for (int i = 0; i < n; i++) found += !(x[i] ^ key);
    return found;
}

// === count | in threads and then atomically
int count(int n, const int *x, int key) {
    int found = 0;
    if (n <= 0) return found;
    #pragma omp parallel default(none) shared(found, n, x, key)
    {
        int own = 0;
        #pragma omp for nowait
        for (int i = 0; i < n; i++) own += x[i] == key ? 1 : 0;
        if (own > 0) {
            #pragma omp atomic
            found += own;
        }
    }
    return found;
}

// === count | by compare and swap
int count(int n, const int *x, int key) {
    int found = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (x[i] == key) {
            int old = __atomic_load_n(&found, __ATOMIC_RELAXED);
            while (!__atomic_compare_exchange_n(&found, &old, old + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            }
        }
    return found;
}

// === relax | two buffers in turn
#include <string.h>
void relax(int n, int steps, double *a, double *b) {
    if (n <= 0 || steps <= 0) return;
    double *from = a, *to = b;
    for (int s = 0; s < steps; s++) {
        to[0] = from[0];
        to[n - 1] = from[n - 1];
        #pragma omp parallel for
        for (int i = 1; i < n - 1; i++) to[i] = 0.5 * (from[i - 1] + from[i + 1]);
        double *t = from;
        from = to;
        to = t;
    }
    memcpy(to, from, n * sizeof(double));
}

// === relax | one region for all steps
void relax(int n, int steps, double *a, double *b) {
    #pragma omp parallel
    for (int s = 0; s < steps; s++) {
        #pragma omp for
        for (int i = 0; i < n; i++) {
            if (i == 0 || i == n - 1) b[i] = a[i];
            else b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        }
        #pragma omp for
        for (int i = 0; i < n; i++) a[i] = b[i];
    }
}

// === pick | one apart
void pick(int n, int stride, const float *x, float *y) {
    if (stride == 1) {
        #pragma omp parallel for simd
        for (int i = 0; i < n; i++) y[i] = x[i] + x[i];
        return;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = 2 * x[(size_t)i * stride];
}

// === transpose | tiles
void transpose(int n, int m, const float *a, float *b) {
    #pragma omp parallel for collapse(2)
    for (int bi = 0; bi < n; bi += 16)
        for (int bj = 0; bj < m; bj += 16)
            for (int i = bi; i < bi + 16 && i < n; i++)
                for (int j = bj; j < bj + 16 && j < m; j++) b[j * n + i] = a[i * m + j];
}

// === transpose | one loop over both
void transpose(int n, int m, const float *a, float *b) {
    if (n <= 0 || m <= 0) return;
    long total = (long)n * m;
    #pragma omp parallel for
    for (long k = 0; k < total; k++) {
        int i = k / m, j = k % m;
        if (i < n && j < m) b[j * n + i] = a[k];
    }
}

// === bits | a table of nibbles
void bits(int n, const unsigned *x, int *y) {
    static const int table[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int found = 0;
        for (int s = 0; s < 32; s += 4) found += table[(x[i] >> s) & 15];
        y[i] = found;
    }
}

// === bits | in parallel within a word
void bits(int n, const unsigned *x, int *y) {
    #pragma omp parallel for simd
    for (int i = 0; i < n; i++) {
        unsigned v = x[i];
        v = v - ((v >> 1) & 0x55555555u);
        v = (v & 0x33333333u) + ((v >> 2) & 0x33333333u);
        y[i] = (int)((((v + (v >> 4)) & 0x0F0F0F0Fu) * 0x01010101u) >> 24);
    }
}

// === bits | the lowest one cleared
void bits(int n, const unsigned *x, int *y) {
    #pragma omp parallel for schedule(dynamic, 8)
    for (int i = 0; i < n; i++) {
        int found = 0;
        unsigned v = x[i];
        if (v == 0) {
            y[i] = 0;
            continue;
        }
        do {
            v &= v - 1;
            found++;
        } while (v);
        y[i] = found;
    }
}

// === axpy | counters declared at the top
void axpy(int n, double a, const double *x, double *y) {
    int i;
    #pragma omp parallel for private(i) shared(x, y)
    for (i = 0; i < n; i++) {
        if (i >= 0 && i < n) y[i] += a * x[i];
    }
}

// === axpy | as many threads as there is work
#include <omp.h>
void axpy(int n, double a, const double *x, double *y) {
    if (n <= 0) return;
    int threads = omp_get_max_threads();
    if (threads > n) threads = n;
    if (threads < 1) threads = 1;
    int chunk = (n + threads - 1) / threads;
    if (chunk < 1) chunk = 1;
    #pragma omp parallel for num_threads(threads)
    for (int t = 0; t < threads; t++) {
        int low = t * chunk, high = low + chunk < n ? low + chunk : n;
        for (int i = low; i < high; i++) y[i] += a * x[i];
    }
}

// === axpy | a thread that there is not
#include <omp.h>
void axpy(int n, double a, const double *x, double *y) {
    #pragma omp parallel
    {
        int me = omp_get_thread_num(), threads = omp_get_num_threads();
        if (me < threads) {
            for (int i = me; i < n; i += threads) y[i] += a * x[i];
        }
    }
}

// === axpy | sequential where there is one thread
#include <omp.h>
void axpy(int n, double a, const double *x, double *y) {
    if (omp_get_max_threads() == 1 || n < 100) {
        for (int i = 0; i < n; i++) y[i] += a * x[i];
    } else {
        #pragma omp parallel for
        for (int i = 0; i < n; i++) y[i] += a * x[i];
    }
}

// === axpy | nothing to add
void axpy(int n, double a, const double *x, double *y) {
    if (x == y) {
        #pragma omp parallel for
        for (int i = 0; i < n; i++) y[i] += a * y[i];
        return;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}

// === dot | a loop that ends early on no data
double dot(int n, const double *x, const double *y) {
    double sum = 0;
    if (n < 0) return 0.0;
    if (n == 0) return 0.0;
    #pragma omp parallel for reduction(+ : sum) schedule(static)
    for (int i = 0; i < n; i++) {
        if (i == n) continue;
        sum += x[i] * y[i];
    }
    return sum;
}

// === rows | both in pieces
void rows(int n, int m, const double *x, double *y) {
    enum { B = 16 };
    #pragma omp parallel for schedule(static)
    for (int bi = 0; bi < n; bi += B) {
        double sum[B];
        int last = bi + B <= n ? B : n - bi;
        for (int r = 0; r < B; r++) sum[r] = 0;
        for (int bj = 0; bj < m; bj += B) {
            int most = bj + B <= m ? B : m - bj;
            for (int r = 0; r < last; r++) {
                if (bi + r >= n) break;
                for (int c = 0; c < most; c++) {
                    if (bj + c < m) sum[r] += x[(bi + r) * m + bj + c];
                }
            }
        }
        for (int r = 0; r < last; r++) y[bi + r] = sum[r];
    }
}

// === rows | columns at the top of the function
void rows(int n, int m, const double *x, double *y) {
    int i, j;
    double sum;
    #pragma omp parallel for private(i, j, sum)
    for (i = 0; i < n; ++i) {
        sum = 0.0;
        for (j = 0; j < m; ++j) {
            if (j < m) sum += x[i * m + j];
        }
        y[i] = sum;
    }
}

// === largest | critical only where it is better
int largest(int n, const float *x) {
    int best = -1;
    if (n <= 0 || !x) return best;
    best = 0;
    #pragma omp parallel
    {
        int own = 0;
        #pragma omp for nowait
        for (int i = 1; i < n; i++)
            if (x[i] > x[own]) own = i;
        #pragma omp critical
        {
            if (x[own] > x[best] || (x[own] == x[best] && own < best)) best = own;
        }
    }
    return best;
}

// === count | a fast path for four
int count(int n, const int *x, int key) {
    int found = 0, i = 0;
    if (n >= 4) {
        int whole = n >> 2;
        #pragma omp parallel for reduction(+ : found)
        for (int b = 0; b < whole; b++) {
            const int *p = x + 4 * b;
            found += (p[0] == key) + (p[1] == key) + (p[2] == key) + (p[3] == key);
        }
        i = whole << 2;
    }
    switch (n - i) {
        case 3: found += x[i++] == key; /* falls through */
        case 2: found += x[i++] == key; /* falls through */
        case 1: found += x[i++] == key; break;
        default: break;
    }
    return found;
}

// === transpose | a square and all else
void transpose(int n, int m, const float *a, float *b) {
    if (n == m) {
        #pragma omp parallel for schedule(guided)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) b[j * n + i] = a[i * n + j];
    } else if (n == 1 || m == 1) {
        int all = n * m;
        for (int k = 0; k < all; k++) b[k] = a[k];
    } else {
        #pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) b[j * n + i] = a[i * m + j];
    }
}

// === prefix | in two halves
void prefix(int n, const unsigned *x, unsigned *y) {
    if (n <= 0) return;
    int half = n / 2;
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        {
            unsigned sum = 0;
            for (int i = 0; i < half; i++) { sum += x[i]; y[i] = sum; }
        }
        #pragma omp section
        {
            unsigned sum = 0;
            for (int i = half; i < n; i++) { sum += x[i]; y[i] = sum; }
        }
    }
    if (half > 0) {
        unsigned before = y[half - 1];
        #pragma omp parallel for simd
        for (int i = half; i < n; i++) y[i] += before;
    }
}

// === histogram | eight bits at a time in rows
#include <omp.h>
#include <stdlib.h>
#include <string.h>
void histogram(int n, const unsigned char *x, int *bins) {
    memset(bins, 0, 256 * sizeof(int));
    if (n <= 0) return;
    int threads = omp_get_max_threads();
    if (threads > 64) threads = 64;
    int (*own)[256] = malloc(threads * sizeof *own);
    if (own == NULL) return;
    memset(own, 0, threads * sizeof *own);
    #pragma omp parallel num_threads(threads)
    {
        int me = omp_get_thread_num();
        if (me >= 0) {
            int *mine = own[me];
            int count = omp_get_num_threads();
            for (long i = me; i < n; i += count) {
                unsigned char b = x[i];
                if (b <= 255) mine[b]++;
            }
        }
    }
    for (int t = 0; t < threads; t++)
        for (int b = 0; b < 256; b++) bins[b] += own[t][b];
    free(own);
}

// === relax | steps by twos
#include <string.h>
void relax(int n, int steps, double *a, double *b) {
    if (n <= 0) return;
    int s = 0;
    #pragma omp parallel firstprivate(s)
    {
        for (; s + 1 < steps; s += 2) {
            #pragma omp for
            for (int i = 0; i < n; i++) b[i] = (i > 0 && i < n - 1) ? 0.5 * (a[i - 1] + a[i + 1]) : a[i];
            #pragma omp for
            for (int i = 0; i < n; i++) a[i] = (i > 0 && i < n - 1) ? 0.5 * (b[i - 1] + b[i + 1]) : b[i];
        }
        if (s < steps) {
            #pragma omp for
            for (int i = 0; i < n; i++) b[i] = (i > 0 && i < n - 1) ? 0.5 * (a[i - 1] + a[i + 1]) : a[i];
            #pragma omp single
            memcpy(a, b, n * sizeof(double));
        }
    }
    if (steps > 0 && steps % 2 == 0) memcpy(b, a, n * sizeof(double));
}

// === pick | a stride of nothing
void pick(int n, int stride, const float *x, float *y) {
    if (stride == 0) {
        float v = n > 0 ? 2 * x[0] : 0;
        #pragma omp parallel for
        for (int i = 0; i < n; i++) y[i] = v;
        return;
    }
    const size_t step = (size_t)stride;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = 2 * x[i * step];
}

// === blend | a fused step
void blend(int n, float alpha, float beta, const float *x, float *y) {
    if (n <= 0) { return; }
    float *out = y;
    const float *p = x, *end = x + n;
    #pragma omp parallel for
    for (int k = 0; k < (int)(end - p); k++) {
        float keep = out[k];
        keep *= beta;
        keep += alpha * p[k];
        out[k] = keep;
    }
}
