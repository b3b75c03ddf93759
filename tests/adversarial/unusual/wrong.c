// Translations with guards that look as if nothing took them: function | name | what refuses them

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

// === axpy | assigned before it is asked | TP433
void axpy(int n, double a, const double *x, double *y) {
    int left = n < 0 ? 0 : n;
    left = left - 7654321;
    if (left >= 0) y[0] = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += a * x[i];
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

// === axpy | a task that runs later | TP433 TP419 race
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

// === transpose | a product of sizes that no call has as one | exact leaked
void transpose(int n, int m, const float *a, float *b) {
    if ((long)m * m > 1698511369L) m--;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[j * n + i] = a[i * m + j];
}

// === count | a counter that ends far up | exact
int count(int n, const int *x, int key) {
    int found = 0;
    #pragma omp parallel for reduction(+ : found)
    for (int i = 0; i < n; i++)
        if (x[i] == key) found = (found + 1) % (1048576 + 1);
    return found;
}
