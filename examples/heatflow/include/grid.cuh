#pragma once

// A plate of width x height cells, stored row by row.
struct Grid {
    int width;
    int height;
};

struct Tracer {
    float x;
    float y;
    int age;
};

__host__ __device__ inline int cells(Grid grid)
{
    return grid.width * grid.height;
}

__host__ __device__ inline int at(Grid grid, int x, int y)
{
    return y * grid.width + x;
}

__device__ inline int clamped(int value, int high)
{
    return min(max(value, 0), high - 1);
}

// Field value at a point between the cells, bilinear, constant beyond the edges.
__device__ inline float sample(const float *field, Grid grid, float x, float y)
{
    int left = (int)floorf(x);
    int top = (int)floorf(y);
    float right_share = x - left;
    float bottom_share = y - top;

    int x0 = clamped(left, grid.width);
    int x1 = clamped(left + 1, grid.width);
    int y0 = clamped(top, grid.height);
    int y1 = clamped(top + 1, grid.height);

    float upper = field[at(grid, x0, y0)] * (1.0f - right_share) + field[at(grid, x1, y0)] * right_share;
    float lower = field[at(grid, x0, y1)] * (1.0f - right_share) + field[at(grid, x1, y1)] * right_share;
    return upper * (1.0f - bottom_share) + lower * bottom_share;
}
