struct Nearest
{
    float distance;
    unsigned place;
};

__device__ Nearest shuffled(Nearest a, unsigned apart)
{
    return Nearest{__shfl_xor_sync(0xffffffff, a.distance, apart), __shfl_xor_sync(0xffffffff, a.place, apart)};
}

__device__ Nearest nearer(Nearest a, Nearest b)
{
    return a.distance < b.distance || (a.distance == b.distance && a.place < b.place) ? a : b;
}

// The nearest of up to 32 centres, one warp a point.
__global__ void nearest_centre(const float *distances, unsigned centres, unsigned *nearest)
{
    const unsigned lane = threadIdx.x, last = min(warpSize, centres) - 1;
    Nearest best{distances[blockIdx.x * centres + min(lane, last)], min(lane, last)};
    best = nearer(best, shuffled(best, 16));
    best = nearer(best, shuffled(best, 8));
    best = nearer(best, shuffled(best, 4));
    best = nearer(best, shuffled(best, 2));
    best = nearer(best, shuffled(best, 1));
    if (lane == 0) nearest[blockIdx.x] = best.place;
}

void nearest_centres(const float *distances, int points, unsigned centres, unsigned *nearest)
{
    nearest_centre<<<points, 32>>>(distances, centres, nearest);
}
