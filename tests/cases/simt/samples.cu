// run: -n=12 --scale=2.5 -verbose -input=data.txt => exit 0
#include "expect.h"

#include <cstring>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>
#include <helper_timer.h>

// The helpers of CUDA's samples, as programs call them.
__global__ void shift(float3 *points, float3 by, int n) {
    const int i = threadIdx.x;
    if (i < n) points[i] += 2.0f * by;
}

int main(int count, char **arguments) {
    const char **given = const_cast<const char **>(arguments);
    EXPECT(findCudaDevice(count, given) == 0);
    EXPECT(checkCmdLineFlag(count, given, "verbose") && !checkCmdLineFlag(count, given, "quiet"));
    EXPECT(getCmdLineArgumentInt(count, given, "n") == 12 && getCmdLineArgumentFloat(count, given, "scale") == 2.5f);
    char *input = nullptr;
    EXPECT(getCmdLineArgumentString(count, given, "input", &input) && std::strcmp(input, "data.txt") == 0);
    EXPECT(!getCmdLineArgumentString(count, given, "output", &input) && input == nullptr);

    StopWatchInterface *timer = nullptr;
    EXPECT(sdkCreateTimer(&timer) && sdkStartTimer(&timer));
    float3 *points;
    checkCudaErrors(cudaMalloc(&points, 4 * sizeof(float3)));
    checkCudaErrors(cudaMemset(points, 0, 4 * sizeof(float3)));
    shift<<<1, 4>>>(points, make_float3(1, 2, 3), 4);
    getLastCudaError("shift");
    float3 host[4];
    checkCudaErrors(cudaMemcpy(host, points, sizeof host, cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaFree(points));
    EXPECT(host[3].x == 2 && host[3].y == 4 && host[3].z == 6);
    EXPECT(sdkStopTimer(&timer) && sdkGetTimerValue(&timer) >= 0 && sdkGetAverageTimerValue(&timer) >= 0);
    EXPECT(sdkResetTimer(&timer) && sdkGetTimerValue(&timer) == 0);
    EXPECT(sdkDeleteTimer(&timer) && timer == nullptr);

    EXPECT(dot(host[0], make_float3(1.0f)) == 12 && length(make_float2(3, 4)) == 5);
    EXPECT(cross(make_float3(1, 0, 0), make_float3(0, 1, 0)).z == 1);
    EXPECT(lerp(make_float2(0, 10), make_float2(1, 20), 0.5f).y == 15 && clamp(make_int2(7, -7), -1, 1).y == -1);
    const float one[] = {1, 2, 3}, two[] = {1, 2, 3.5f};
    EXPECT(sdkCompareL2fe(one, one, 3, 1e-6f) && !sdkCompareL2fe(one, two, 3, 1e-6f));
    EXPECT(compareData(one, two, 3, 1.0f, 0.0f) && !compareData(one, two, 3, 0.1f, 0.0f));
    return failed_expectations != 0;
}
