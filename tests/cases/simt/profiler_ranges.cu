// NVTX: programs that name their ranges for a profiler behave as they do without one.
#include <nvToolsExt.h>
#include <nvtx3/nvtx3.hpp>

#include "expect.h"

__global__ void fill(int *data) { data[threadIdx.x] = threadIdx.x; }

int main()
{
    nvtxEventAttributes_t event = {};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.colorType = NVTX_COLOR_ARGB;
    event.color = 0xff00aa00u;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = "fill";
    nvtxRangePushEx(&event);
    nvtx3::scoped_range whole{"whole"};
    nvtxRangeId_t range = nvtxRangeStart("range");
    int *data;
    cudaMallocManaged(&data, 32 * sizeof(int));
    fill<<<1, 32>>>(data);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && data[31] == 31);
    nvtxRangeEnd(range);
    nvtxMark("done");
    nvtxRangePop();
    return failed_expectations;
}
// run: => exit 0
