// Alignments as CUDA and as compilers spell them, hints to compilers, and operations on integers and on bits.
template <int COUNT>
__device__ __attribute__((always_inline)) inline double mean(const double *x)
{
    double sum __attribute__((unused)), count __attribute__((unused));
    sum = 0;
    count = COUNT;
    for (int k = 0; k < COUNT; ++k) sum += x[k];
    return sum / count;
}

__global__ void tiles(const double *in, double *out)
{
    __shared__ __align__(16) double tile[64];
    __align__(8) __shared__ double other[64];
    __attribute__((aligned(16))) double own[2];
    double pair[2] __attribute__((aligned(16)));
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    tile[t] = in[i];
    other[63 - t] = in[i];
    __syncthreads();
    pair[0] = own[0] = tile[63 - t];
    pair[1] = own[1] = other[63 - t];
    out[i] = mean<2>(pair) + own[0];
}

__global__ void sized(const double *in, double *out)
{
    extern __shared__ __align__(sizeof(double)) unsigned char bytes[];
    double *tile = reinterpret_cast<double *>(bytes);
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t] = in[i];
    __syncthreads();
    out[i] = tile[blockDim.x - 1 - t];
}

__global__ void integers(const int *in, unsigned *out, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = __sad(in[i], 3, 4) + __usad(7u, out[i], 1u) + __umul64hi(in[i], 3ull);
        out[i] ^= __brev(in[i]) + __funnelshift_l(in[i], in[i], 7);
        y[i] = __hiloint2double(__double2hiint(x[i]), __double2loint(x[i]) + __double2int_rd(x[i]));
    }
}
