#pragma once

#include "grid.cuh"

void set_weights(float diffusivity, float decay);
void heat_plate(float *d_field, Grid grid, float background);
void diffuse_step(float *d_next, const float *d_field, Grid grid, cudaStream_t stream);
void add_heat(float *d_field, const float *d_heaters, int n, float share, cudaStream_t stream);

__global__ void drift(Tracer *tracers, int n, const float *field, Grid grid, float speed);

struct Summary {
    double sum;
    float maximum;
};

Summary summarise(const float *d_field, int n);
void histogram_of(const float *d_field, int n, float low, float high, int *bins, int bin_count);
