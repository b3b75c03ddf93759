void cg(int n, double alpha, const double *p, const double *q, double *x, double *r) {
    for (int i = 0; i < n; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * q[i];
    }
}
