#include <cstdio>
#include <cstdlib>
#include <utility>

#include "check.cuh"
#include "heatflow.cuh"

constexpr int BINS = 8;

static void place_heaters(float *heaters, Grid grid)
{
    for (int y = 0; y < grid.height; y++) {
        for (int x = 0; x < grid.width; x++) {
            bool first = x > grid.width / 8 && x < grid.width / 4 && y > grid.height / 4 && y < grid.height / 2;
            bool second = x > grid.width / 2 && y > 3 * grid.height / 4;
            heaters[at(grid, x, y)] = first ? 2.0f : second ? 0.5f : 0.0f;
        }
    }
}

static void scatter_tracers(Tracer *tracers, int n, Grid grid)
{
    unsigned int state = 12345;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        tracers[i].x = (state >> 8) % (100 * grid.width) / 100.0f;
        state = state * 1664525u + 1013904223u;
        tracers[i].y = (state >> 8) % (100 * grid.height) / 100.0f;
        tracers[i].age = 0;
    }
}

int main(int argc, char **argv)
{
    Grid grid = {argc > 1 ? atoi(argv[1]) : 192, argc > 2 ? atoi(argv[2]) : 128};
    int steps = argc > 3 ? atoi(argv[3]) : 40;
    int tracer_count = argc > 4 ? atoi(argv[4]) : 1000;
    if (grid.width < 1 || grid.height < 1 || steps < 0 || tracer_count < 1) {
        fprintf(stderr, "usage: %s [width height steps tracers]\n", argv[0]);
        return 1;
    }

    int device;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaSetDevice(device));

    int n = cells(grid);
    size_t field_bytes = n * sizeof(float);
    size_t tracer_bytes = tracer_count * sizeof(Tracer);
    float *h_heaters = (float *)malloc(field_bytes);
    float *h_field = (float *)malloc(field_bytes);
    Tracer *h_tracers = (Tracer *)malloc(tracer_bytes);
    place_heaters(h_heaters, grid);
    scatter_tracers(h_tracers, tracer_count, grid);

    float *d_field, *d_next, *d_heaters;
    Tracer *d_tracers;
    CHECK(cudaMalloc((void **)&d_field, field_bytes));
    CHECK(cudaMalloc((void **)&d_next, field_bytes));
    CHECK(cudaMalloc((void **)&d_heaters, field_bytes));
    CHECK(cudaMalloc((void **)&d_tracers, tracer_bytes));

    cudaStream_t flow, tracing;
    CHECK(cudaStreamCreate(&flow));
    CHECK(cudaStreamCreate(&tracing));
    cudaEvent_t start, stop, stepped;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventCreateWithFlags(&stepped, cudaEventDisableTiming));

    CHECK(cudaMemcpy(d_heaters, h_heaters, field_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyAsync(d_tracers, h_tracers, tracer_bytes, cudaMemcpyHostToDevice, tracing));
    set_weights(0.2f, 0.995f);
    heat_plate(d_field, grid, 20.0f);
    CHECK(cudaDeviceSynchronize());

    const int threads = 128;
    const int blocks = (tracer_count + threads - 1) / threads;
    CHECK(cudaEventRecord(start, flow));
    for (int step = 0; step < steps; step++) {
        diffuse_step(d_next, d_field, grid, flow);
        add_heat(d_next, d_heaters, n, 0.5f, flow);
        std::swap(d_field, d_next);
        CHECK(cudaEventRecord(stepped, flow));
        CHECK(cudaStreamWaitEvent(tracing, stepped, 0));
        drift<<<blocks, threads, 0, tracing>>>(d_tracers, tracer_count, d_field, grid, 0.25f);
        CHECK(cudaGetLastError());
        CHECK(cudaStreamSynchronize(tracing));
    }
    CHECK(cudaEventRecord(stop, flow));
    CHECK(cudaEventSynchronize(stop));
    float milliseconds = 0.0f;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));

    Summary summary = summarise(d_field, n);
    int bins[BINS];
    histogram_of(d_field, n, 0.0f, 2.0f * summary.maximum, bins, BINS);
    CHECK(cudaMemcpy(h_field, d_field, field_bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h_tracers, d_tracers, tracer_bytes, cudaMemcpyDeviceToHost));

    printf("plate %d x %d, %d steps, %d tracers\n", grid.width, grid.height, steps, tracer_count);
    printf("mean %.4f, maximum %.4f, middle %.4f\n", summary.sum / n, summary.maximum,
           h_field[at(grid, grid.width / 2, grid.height / 2)]);
    printf("histogram");
    for (int bin = 0; bin < BINS; bin++) {
        printf(" %d", bins[bin]);
    }
    double checksum = 0.0;
    for (int i = 0; i < tracer_count; i++) {
        checksum += h_tracers[i].x + 2.0 * h_tracers[i].y + h_tracers[i].age;
    }
    printf("\ntracer checksum %.3f\n", checksum);
    printf("time %.3f ms\n", milliseconds);

    CHECK(cudaStreamDestroy(flow));
    CHECK(cudaStreamDestroy(tracing));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaEventDestroy(stepped));
    CHECK(cudaFree(d_field));
    CHECK(cudaFree(d_next));
    CHECK(cudaFree(d_heaters));
    CHECK(cudaFree(d_tracers));
    free(h_heaters);
    free(h_field);
    free(h_tracers);
    return 0;
}
