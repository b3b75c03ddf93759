// Relations of scalars that only launch sites and their callers tell.
#include <cuda_runtime.h>
#define BLOCK 512

struct Layer { int w, h, c, batch, inputs, groups, stride, spatial; };

__device__ void softmax_of(const float *in, int n, float heat, int stride, float *out)
{
    float sum = 0, largest = -1e30f;
    for (int i = 0; i < n; i++) largest = in[i * stride] > largest ? in[i * stride] : largest;
    for (int i = 0; i < n; i++) {
        float e = expf((in[i * stride] - largest) / heat);
        sum += e;
        out[i * stride] = e;
    }
    for (int i = 0; i < n; i++) out[i * stride] /= sum;
}

__global__ void grouped_softmax(const float *in, int n, int batch, int batch_offset, int groups, int group_offset,
                                int stride, float heat, float *out)
{
    int id = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
    if (id >= batch * groups) return;
    int b = id / groups, g = id % groups;
    softmax_of(in + b * batch_offset + g * group_offset, n, heat, stride, out + b * batch_offset + g * group_offset);
}

void softmax_gpu(const float *in, int n, int batch, int batch_offset, int groups, int group_offset, int stride,
                 float heat, float *out)
{
    grouped_softmax<<<(batch * groups + BLOCK - 1) / BLOCK, BLOCK>>>(in, n, batch, batch_offset, groups,
                                                                     group_offset, stride, heat, out);
}

__global__ void reorganise(int total, const float *x, int w, int h, int c, int batch, int stride, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total) return;
    int index = i;
    int at_w = i % w;
    i = i / w;
    int at_h = i % h;
    i = i / h;
    int at_c = i % c;
    i = i / c;
    int b = i % batch;
    int out_c = c / (stride * stride);
    int c2 = at_c % out_c, offset = at_c / out_c;
    int w2 = at_w * stride + offset % stride, h2 = at_h * stride + offset / stride;
    out[w2 + w * stride * (h2 + h * stride * (c2 + out_c * b))] = x[index];
}

void reorganise_gpu(const float *x, int w, int h, int c, int batch, int stride, float *out)
{
    int size = w * h * c * batch;
    reorganise<<<(size + BLOCK - 1) / BLOCK, BLOCK>>>(size, x, w, h, c, batch, stride, out);
}

__global__ void copied(int rows, int width, const float *from, int from_stride, float *to, int to_stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * width) return;
    to[(i / width) * to_stride + i % width] = from[(i / width) * from_stride + i % width];
}

void forward(Layer l, const float *in, float *out)
{
    softmax_gpu(in, l.inputs / l.groups, l.batch, l.inputs, l.groups, l.inputs / l.groups, 1, 1.0f, out);
    reorganise_gpu(in, l.w, l.h, l.c, l.batch, l.stride, out);
    copied<<<(l.h * l.w + BLOCK - 1) / BLOCK, BLOCK>>>(l.h, l.w, in, l.w, out, l.w);
}
