// Error codes of the runtime API, with CUDA's numbers, names and texts.
#ifndef SIMT_ERRORS_H
#define SIMT_ERRORS_H

#define SIMT_ERRORS(row)                                                                                               \
    row(cudaSuccess, 0, "no error") row(cudaErrorInvalidValue, 1, "invalid argument") row(                             \
        cudaErrorMemoryAllocation, 2, "out of memory") row(cudaErrorInitializationError, 3, "initialization error")    \
        row(cudaErrorCudartUnloading, 4, "driver shutting down") row(                                                  \
            cudaErrorInvalidConfiguration, 9, "invalid configuration argument") row(cudaErrorInvalidPitchValue, 12,    \
                                                                                    "invalid pitch argument")          \
            row(cudaErrorInvalidSymbol, 13, "invalid device symbol") row(                                              \
                cudaErrorInvalidHostPointer, 16, "invalid host pointer") row(cudaErrorInvalidDevicePointer, 17,        \
                                                                             "invalid device pointer")                 \
                row(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") row(                     \
                    cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")   \
                    row(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured") row(          \
                        cudaErrorLaunchMaxDepthExceeded, 65,                                                           \
                        "launch would exceed maximum depth of nested launches") row(cudaErrorInvalidDeviceFunction,    \
                                                                                    98, "invalid device function")     \
                        row(cudaErrorNoDevice, 100, "no CUDA-capable device is detected") row(                         \
                            cudaErrorInvalidDevice, 101,                                                               \
                            "invalid device ordinal") row(cudaErrorPeerAccessUnsupported, 217,                         \
                                                          "peer access is not supported between these two devices")    \
                            row(cudaErrorInvalidSource, 300, "device kernel image is invalid") row(                    \
                                cudaErrorInvalidResourceHandle, 400,                                                   \
                                "invalid resource handle") row(cudaErrorNotReady, 600, "device not ready")             \
                                row(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered") row(     \
                                    cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")     \
                                    row(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated") row(   \
                                        cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")      \
                                        row(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")    \
                                            row(cudaErrorAssert, 710, "device-side assert triggered") row(             \
                                                cudaErrorHostMemoryAlreadyRegistered, 712,                             \
                                                "part or all of the requested memory range is already mapped")         \
                                                row(cudaErrorHostMemoryNotRegistered, 713,                             \
                                                    "pointer does not correspond to a registered memory region")       \
                                                    row(cudaErrorLaunchFailure, 719, "unspecified launch failure")     \
                                                        row(cudaErrorCooperativeLaunchTooLarge, 720,                   \
                                                            "too many blocks in cooperative launch")                   \
                                                            row(cudaErrorNotPermitted, 800, "operation not permitted") \
                                                                row(cudaErrorNotSupported, 801,                        \
                                                                    "operation not supported")                         \
                                                                    row(cudaErrorUnknown, 999, "unknown error")

#define SIMT_ROW(name, number, text) name = number,
enum cudaError { SIMT_ERRORS(SIMT_ROW) };
#undef SIMT_ROW
typedef cudaError cudaError_t;

#define SIMT_ROW(name, number, text) \
    case name: return #name;
inline const char *cudaGetErrorName(cudaError_t error) {
    switch (error) { SIMT_ERRORS(SIMT_ROW) }
    return "unrecognized error code";
}
#undef SIMT_ROW

#define SIMT_ROW(name, number, text) \
    case name: return text;
inline const char *cudaGetErrorString(cudaError_t error) {
    switch (error) { SIMT_ERRORS(SIMT_ROW) }
    return "unrecognized error code";
}
#undef SIMT_ROW

namespace simt {

inline cudaError_t last_error = cudaSuccess;
inline cudaError_t sticky_error = cudaSuccess;  // of a kernel that trapped: the context is lost

// Remembers an error for cudaGetLastError and returns it.
inline cudaError_t report(cudaError_t error) {
    if (sticky_error != cudaSuccess) error = sticky_error;
    if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
    return error;
}

// A device may not notice that a copy leaves its allocation: whoever judges a program has to know.
inline bool misused = false;

inline cudaError_t misuse() {
    misused = true;
    return report(cudaErrorInvalidValue);
}

}  // namespace simt

inline cudaError_t cudaGetLastError() {
    const cudaError_t error = simt::last_error;
    simt::last_error = simt::sticky_error;
    return error;
}
inline cudaError_t cudaPeekAtLastError() { return simt::last_error; }

#endif
