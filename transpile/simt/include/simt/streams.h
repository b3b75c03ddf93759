// Streams and events. Work is done at once, or waits in its stream (queues.h); events note the time.
#ifndef SIMT_STREAMS_H
#define SIMT_STREAMS_H

#include <cstdlib>
#include <ctime>

#include "simt/errors.h"
#include "simt/launch.h"

struct CUevent_st {
    bool recorded = false;
    timespec time = {};
    CUstream_st *stream = nullptr;
    std::uint64_t behind = 0;  // how much work of the stream it stands behind

    void wait() const {
        const simt::Exclusive exclusive;
        if (stream != nullptr) stream->drain(behind);
    }
};
typedef struct CUevent_st *cudaEvent_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
typedef void (*cudaHostFn_t)(void *data);

#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaEventInterprocess 4
#define cudaEventRecordDefault 0
#define cudaEventWaitDefault 0
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(0x1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(0x2))

inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
    *stream = new CUstream_st{flags, priority};
    if (simt::deferring()) {
        (*stream)->next = simt::streams;
        simt::streams = *stream;
    }
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaStreamCreate(cudaStream_t *stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (stream == nullptr) return simt::report(cudaErrorInvalidResourceHandle);
    if (!simt::deferring()) delete stream;  // Its work goes on, and events may name it.
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    const simt::Exclusive exclusive;
    if (simt::deferring()) simt::wait_for(stream);
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t event, unsigned = 0) {
    if (event != nullptr) event->wait();
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, std::size_t = 0, unsigned = 4) {
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned) {
    simt::perform(stream, [=] { callback(stream, cudaSuccess, data); });
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
    simt::perform(stream, [=] { function(data); });
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}

inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
    *event = new CUevent_st{};
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags = 0) {
    return cudaEventCreateWithFlags(event, flags);
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (event == nullptr) return simt::report(cudaErrorInvalidResourceHandle);
    event->wait();
    delete event;
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr) {
    const simt::Exclusive exclusive;
    if (event == nullptr) return simt::report(cudaErrorInvalidResourceHandle);
    event->wait();
    event->recorded = true;
    simt::perform(stream, [event] { clock_gettime(CLOCK_MONOTONIC, &event->time); });
    if (simt::deferring()) {
        event->stream = &simt::stream_of(stream);
        event->behind = event->stream->given;
    }
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr, unsigned = 0) {
    return cudaEventRecord(event, stream);
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (event != nullptr) event->wait();
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
    if (from == nullptr || to == nullptr || !from->recorded || !to->recorded)
        return simt::report(cudaErrorInvalidResourceHandle);
    from->wait();
    to->wait();
    const double seconds = static_cast<double>(to->time.tv_sec - from->time.tv_sec);
    *milliseconds =
        static_cast<float>(seconds * 1e3 + static_cast<double>(to->time.tv_nsec - from->time.tv_nsec) * 1e-6);
    return simt::report(cudaSuccess);
}

#endif
