void jacobi(int n, const double *in, const double *right, double *out) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            out[i * n + j] = 0.25 * (in[(i - 1) * n + j] + in[(i + 1) * n + j] + in[i * n + j - 1]
                                     + in[i * n + j + 1] + right[i * n + j]);
}
