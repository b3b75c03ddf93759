#include "heatflow.cuh"

// Moves every tracer down the gradient, towards the cold.
__global__ void drift(Tracer *tracers, int n, const float *field, Grid grid, float speed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Tracer tracer = tracers[i];
        float slope_x = sample(field, grid, tracer.x + 0.5f, tracer.y) - sample(field, grid, tracer.x - 0.5f, tracer.y);
        float slope_y = sample(field, grid, tracer.x, tracer.y + 0.5f) - sample(field, grid, tracer.x, tracer.y - 0.5f);
        tracer.x = fminf(fmaxf(tracer.x - speed * slope_x, 0.0f), grid.width - 1.0f);
        tracer.y = fminf(fmaxf(tracer.y - speed * slope_y, 0.0f), grid.height - 1.0f);
        tracer.age += 1;
        tracers[i] = tracer;
    }
}
