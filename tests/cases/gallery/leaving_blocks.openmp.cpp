// loss(p, q, total, grads, labels, ignored, columns, mode, labelled, gridDim.x, blockDim.x)
void loss(const float *p, const float *q, float *total, float *grads, const int *labels, int ignored,
          int columns, int mode, bool labelled, int blocks, int threads)
{
    #pragma omp parallel for
    for (int row = 0; row < blocks; ++row) {
        float partial[128];
        const float *p_row = p + row * columns;
        const float *q_row = q + row * columns;
        if (labelled) {
            int label = labels[row];
            if (label == ignored) {
                for (int c = 0; c < columns; ++c) {
                    grads[row * columns + c] = 0.0f;
                    if (mode == NONE) total[row] = 0.0f;
                }
                continue;
            }
        }
        for (int t = 0; t < threads; ++t) {
            float sum = 0.0f;
            for (int c = t; c < columns; c += threads) {
                sum += fabsf(p_row[c] - q_row[c]);
                grads[row * columns + c] = p_row[c] > q_row[c] ? 0.5f : -0.5f;
            }
            partial[t] = sum;
        }
        for (int stride = threads / 2; stride > 0; stride /= 2) {
            for (int t = 0; t < stride; ++t) {
                partial[t] += partial[t + stride];
            }
        }
        total[row] = partial[0];
    }
}
