#include "recursion.h"
#include <math.h>

long fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

/* Bits say which columns and diagonals are taken. */
long queens(unsigned all, unsigned columns, unsigned left, unsigned right)
{
    if (columns == all)
        return 1;
    long count = 0;
    unsigned open = all & ~(columns | left | right);
    while (open) {
        unsigned bit = open & -open;
        open ^= bit;
        count += queens(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return count;
}

static double curve(double x)
{
    return sin(1 / (x * x + 1e-3));
}

double area(double from, double to, double tolerance, int depth)
{
    double middle = (from + to) / 2;
    double whole = (to - from) / 2 * (curve(from) + curve(to));
    double halves = (to - from) / 4 * (curve(from) + 2 * curve(middle) + curve(to));
    if (depth <= 0 || fabs(whole - halves) < tolerance)
        return halves;
    return area(from, middle, tolerance / 2, depth - 1) + area(middle, to, tolerance / 2, depth - 1);
}

static void merge(int *a, int *b, int low, int middle, int high)
{
    int i = low, j = middle;
    for (int k = low; k < high; k++)
        b[k] = i < middle && (j >= high || a[i] <= a[j]) ? a[i++] : a[j++];
    for (int k = low; k < high; k++)
        a[k] = b[k];
}

void merge_sort(int *a, int *b, int low, int high)
{
    if (high - low < 2)
        return;
    int middle = low + (high - low) / 2;
    merge_sort(a, b, low, middle);
    merge_sort(a, b, middle, high);
    merge(a, b, low, middle, high);
}

void quick_sort(int *a, int low, int high)
{
    if (low >= high)
        return;
    int pivot = a[low + (high - low) / 2], i = low, j = high;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            int other = a[i];
            a[i++] = a[j];
            a[j--] = other;
        }
    }
    quick_sort(a, low, j);
    quick_sort(a, i, high);
}
