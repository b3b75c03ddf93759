#pragma once
#ifdef __cplusplus
extern "C"
#endif
void axpy(int n, float a, const float *x, float *y);
