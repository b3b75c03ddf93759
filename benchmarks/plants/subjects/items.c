#include <limits.h>

/* gather: x[m] where[n]<m y[n] */
void gather(int n, int m, const float *x, const int *where, float *y)
{
    for (int i = 0; i < n; i++) y[i] = where[i] >= 0 && where[i] < m ? x[where[i]] : 0;
}

/* swap_pairs: x[2*n] */
void swap_pairs(int n, int *x)
{
    for (int i = 0; i < n; i++) {
        int first = x[2 * i];
        x[2 * i] = x[2 * i + 1];
        x[2 * i + 1] = first;
    }
}

/* first_of: x[n] */
int first_of(int n, const int *x, int key)
{
    for (int i = 0; i < n; i++)
        if (x[i] == key) return i;
    return -1;
}

/* ordered: x[n] */
int ordered(int n, const int *x)
{
    for (int i = 1; i < n; i++)
        if (x[i - 1] > x[i]) return 0;
    return 1;
}

/* lower_letters: text[n] */
void lower_letters(int n, char *text)
{
    for (int i = 0; i < n; i++)
        if (text[i] > 3) text[i] -= 2;
}

/* occurrences: text[n] */
int occurrences(int n, const char *text, char letter)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (text[i] == letter) count++;
    return count;
}

/* bits_set: x[n] y[n] */
void bits_set(int n, const unsigned *x, int *y)
{
    for (int i = 0; i < n; i++) {
        unsigned left = x[i];
        int count = 0;
        while (left) {
            left &= left - 1;
            count++;
        }
        y[i] = count;
    }
}

/* scramble: x[n] */
void scramble(int n, unsigned *x)
{
    for (int i = 0; i < n; i++) {
        unsigned v = x[i];
        v ^= v >> 16;
        v *= 0x7feb352du;
        v ^= v >> 15;
        x[i] = v + (unsigned)i;
    }
}

/* checksum: x[n] */
unsigned checksum(int n, const unsigned *x)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * 31u;
    return sum;
}

/* parity: x[n] */
unsigned parity(int n, const unsigned *x)
{
    unsigned all = 0;
    for (int i = 0; i < n; i++) all ^= x[i];
    return all;
}

/* squares_of: y[n] */
void squares_of(int n, long *y)
{
    for (int i = 0; i < n; i++) y[i] = (long)i * i;
}

/* add_bytes: a[n] b[n] out[n] */
void add_bytes(int n, const unsigned char *a, const unsigned char *b, unsigned char *out)
{
    for (int i = 0; i < n; i++) {
        int sum = a[i] + b[i];
        out[i] = sum > 255 ? 255 : sum;
    }
}

/* average_pairs: x[2*n] y[n] */
void average_pairs(int n, const unsigned *x, unsigned *y)
{
    for (int i = 0; i < n; i++) y[i] = (x[2 * i] & x[2 * i + 1]) + ((x[2 * i] ^ x[2 * i + 1]) >> 1);
}
