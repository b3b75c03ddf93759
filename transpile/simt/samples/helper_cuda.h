// Checks and choice of a device by the interface that CUDA's samples have, for programs whose own copy is not there.
#ifndef SIMT_HELPER_CUDA_H
#define SIMT_HELPER_CUDA_H

#include "simt/simt.h"

#include "helper_string.h"

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

static inline const char *_cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }

/// End the program with a message where a call has failed, whatever the type of its status.
template <class T>
void check(T result, const char *call, const char *file, int line) {
    if (result == static_cast<T>(0)) return;
    fprintf(stderr, "CUDA error at %s:%d code=%u \"%s\"\n", file, line, static_cast<unsigned>(result), call);
    exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)

inline bool transpile_told(const char *message, const char *file, int line) {
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) return false;
    fprintf(stderr, "%s(%d): CUDA error: %s: (%d) %s\n", file, line, message, static_cast<int>(error), cudaGetErrorString(error));
    return true;
}
inline void __getLastCudaError(const char *message, const char *file, int line) {
    if (transpile_told(message, file, line)) exit(EXIT_FAILURE);
}
inline void __printLastCudaError(const char *message, const char *file, int line) { transpile_told(message, file, line); }
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)

inline int ftoi(float value) { return static_cast<int>(value >= 0 ? value + 0.5 : value - 0.5); }

/// Return the cores of a multiprocessor of a compute capability.
inline int _ConvertSMVer2Cores(int major, int minor) {
    switch (major) {
        case 3: return 192;
        case 6: return minor == 0 ? 64 : 128;
        case 7: return 64;
        case 8: return minor == 0 ? 64 : 128;
        default: return 128;
    }
}

inline int gpuDeviceInit(int device) {
    checkCudaErrors(cudaSetDevice(device));
    return device;
}
inline int gpuGetMaxGflopsDeviceId() { return 0; }

/// Take the device that the command line asks for ("-device=n"), or the first.
inline int findCudaDevice(int argc, const char **argv) {
    return gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device"));
}

inline bool checkCudaCapabilities(int major, int minor) {
    cudaDeviceProp properties;
    checkCudaErrors(cudaGetDeviceProperties(&properties, 0));
    return properties.major > major || (properties.major == major && properties.minor >= minor);
}

#endif
