#include "recursion.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Prints what a function returns, or a digest of what it sorts, and its seconds: NAME SIZE. */
int main(int count, char **words)
{
    if (count != 3)
        return 1;
    const char *name = words[1];
    int n = atoi(words[2]);
    int *a = malloc(sizeof(int) * (n + 1)), *b = malloc(sizeof(int) * (n + 1));
    unsigned state = 1;
    for (int i = 0; i < n; i++)
        a[i] = (int)((state = state * 1664525u + 1013904223u) >> 8);
    double result = 0;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    if (strcmp(name, "fibonacci") == 0)
        result = fibonacci(n);
    if (strcmp(name, "queens") == 0)
        result = queens((1u << n) - 1, 0, 0, 0);
    if (strcmp(name, "area") == 0)
        result = area(0, 1, 1e-9, n);
    if (strcmp(name, "merge_sort") == 0)
        merge_sort(a, b, 0, n);
    if (strcmp(name, "quick_sort") == 0)
        quick_sort(a, 0, n - 1);
    clock_gettime(CLOCK_MONOTONIC, &end);
    for (int i = 0; strstr(name, "sort") && i < n; i++)
        result += (double)a[i] * (i % 97);
    printf("%.15g %.6f\n", result, (end.tv_sec - begin.tv_sec) + 1e-9 * (end.tv_nsec - begin.tv_nsec));
    return 0;
}
