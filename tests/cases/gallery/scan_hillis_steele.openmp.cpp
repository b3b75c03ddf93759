// scan(g_odata, g_idata, n, gridDim.x, blockDim.x)
void scan(int *g_odata, const int *g_idata, int n, int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        int temp[2][N];
        int pout = 0;
        int pin = 1;
        for (int thid = 0; thid < threads; ++thid) {
            temp[pout][thid] = g_idata[block * n + thid];
        }
        for (int offset = 1; offset < n; offset *= 2) {
            pout = 1 - pout;  // swap double buffer indices
            pin = 1 - pout;
            for (int thid = 0; thid < threads; ++thid) {
                if (thid >= offset)
                    temp[pout][thid] = temp[pin][thid] + temp[pin][thid - offset];
                else
                    temp[pout][thid] = temp[pin][thid];
            }
        }
        for (int thid = 0; thid < threads; ++thid) {
            g_odata[block * n + thid] = temp[pout][thid];
        }
    }
}
