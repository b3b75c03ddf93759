/* The triad of STREAM (McCalpin, 1995): prints bytes a second, the most of several passes. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words)
{
    const long length = count > 1 ? atol(words[1]) : 40000000;
    double *a = malloc(length * sizeof *a), *b = malloc(length * sizeof *b), *c = malloc(length * sizeof *c);
    if (!a || !b || !c) return 1;
#pragma omp parallel for
    for (long i = 0; i < length; i++) {
        a[i] = 0;
        b[i] = 1;
        c[i] = 2;
    }
    double best = 0;
    for (int pass = 0; pass < 10; pass++) {
        const double begun = omp_get_wtime();
#pragma omp parallel for
        for (long i = 0; i < length; i++) a[i] = b[i] + 3 * c[i];
        const double rate = 3 * sizeof *a * length / (omp_get_wtime() - begun);
        if (rate > best) best = rate;
    }
    printf("%.0f\n", best);
    return a[length / 2] != 7;
}
