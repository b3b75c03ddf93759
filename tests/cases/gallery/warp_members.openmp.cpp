#include <algorithm>
#include <cassert>

Nearest nearer(Nearest a, Nearest b)
{
    return a.distance < b.distance || (a.distance == b.distance && a.place < b.place) ? a : b;
}

// nearest_centre(distances, centres, nearest, gridDim.x, blockDim.x)
void nearest_centre(const float *distances, unsigned centres, unsigned *nearest, int blocks, int threads)
{
    assert(threads % 32 == 0);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        const unsigned last = std::min<unsigned>(32, centres) - 1;
        for (int warp = 0; warp < threads / 32; ++warp) {
            Nearest best[32];
            float value[32];
            unsigned value_here[32];
            for (int lane_index = 0; lane_index < 32; ++lane_index) {
                unsigned lane = warp * 32 + lane_index;
                best[lane_index] = {distances[block * centres + std::min(lane, last)], std::min(lane, last)};
                value[lane_index] = best[lane_index].distance;
                value_here[lane_index] = best[lane_index].place;
            }
            for (int lane_index = 0; lane_index < 32; ++lane_index) {
                best[lane_index] = nearer(best[lane_index], Nearest{value[lane_index ^ 16], value_here[lane_index ^ 16]});
            }
            float value2[32];
            unsigned value3[32];
            for (int lane_index = 0; lane_index < 32; ++lane_index) {
                value2[lane_index] = best[lane_index].distance;
                value3[lane_index] = best[lane_index].place;
            }
            for (int lane_index = 0; lane_index < 32; ++lane_index) {
                best[lane_index] = nearer(best[lane_index], Nearest{value2[lane_index ^ 8], value3[lane_index ^ 8]});
            }
            float value4[32];
            unsigned value5[32];
            for (int lane_index = 0; lane_index < 32; ++lane_index) {
                value4[lane_index] = best[lane_index].distance;
                value5[lane_index] = best[lane_index].place;
            }
            for (int lane_index = 0; lane_index < 32; ++lane_index) {
                best[lane_index] = nearer(best[lane_index], Nearest{value4[lane_index ^ 4], value5[lane_index ^ 4]});
            }
            float value6[32];
            unsigned value7[32];
            for (int lane_index = 0; lane_index < 32; ++lane_index) {
                value6[lane_index] = best[lane_index].distance;
                value7[lane_index] = best[lane_index].place;
            }
            for (int lane_index = 0; lane_index < 32; ++lane_index) {
                best[lane_index] = nearer(best[lane_index], Nearest{value6[lane_index ^ 2], value7[lane_index ^ 2]});
            }
            float value8[32];
            unsigned value9[32];
            for (int lane_index = 0; lane_index < 32; ++lane_index) {
                value8[lane_index] = best[lane_index].distance;
                value9[lane_index] = best[lane_index].place;
            }
            for (int lane_index = 0; lane_index < 32; ++lane_index) {
                best[lane_index] = nearer(best[lane_index], Nearest{value8[lane_index ^ 1], value9[lane_index ^ 1]});
            }
            for (int lane_index = 0; lane_index < 32; ++lane_index) {
                unsigned lane = warp * 32 + lane_index;
                if (lane == 0) nearest[block] = best[lane_index].place;
            }
        }
    }
}
