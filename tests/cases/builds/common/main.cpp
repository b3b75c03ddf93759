#include "axpy.h"
#include <stdio.h>

int main(void)
{
    float x[1000], y[1000], sum = 0;
    for (int i = 0; i < 1000; i++) x[i] = i % 7, y[i] = 1;
    axpy(1000, 2, x, y);
    for (int i = 0; i < 1000; i++) sum += y[i];
    printf("%g\n", sum);
    return 0;
}
