// Error codes of the runtime API, with CUDA's numbers, names and texts.
#ifndef SIMT_ERRORS_H
#define SIMT_ERRORS_H

// clang-format off
#define SIMT_ERRORS(row)                                                                                               \
    row(cudaSuccess, 0, "no error")                                                                                    \
    row(cudaErrorInvalidValue, 1, "invalid argument")                                                                  \
    row(cudaErrorMemoryAllocation, 2, "out of memory")                                                                 \
    row(cudaErrorInitializationError, 3, "initialization error")                                                       \
    row(cudaErrorCudartUnloading, 4, "driver shutting down")                                                           \
    row(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")                         \
    row(cudaErrorProfilerNotInitialized, 6, "profiler not initialized: call cudaProfilerInitialize()")                 \
    row(cudaErrorProfilerAlreadyStarted, 7, "profiler already started")                                                \
    row(cudaErrorProfilerAlreadyStopped, 8, "profiler already stopped")                                                \
    row(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                                            \
    row(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                                      \
    row(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                                           \
    row(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                                       \
    row(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                                   \
    row(cudaErrorInvalidTexture, 18, "invalid texture reference")                                                      \
    row(cudaErrorInvalidTextureBinding, 19, "texture is not bound to a pointer")                                       \
    row(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                                           \
    row(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                                      \
    row(cudaErrorAddressOfConstant, 22, "constant address")                                                            \
    row(cudaErrorTextureFetchFailed, 23, "fetch from texture failed")                                                  \
    row(cudaErrorTextureNotBound, 24, "cannot fetch from a texture that is not bound")                                 \
    row(cudaErrorSynchronizationError, 25, "incorrect use of __syncthreads()")                                         \
    row(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")                        \
    row(cudaErrorInvalidNormSetting, 27, "read as normalized float not supported for 32-bit non float type")           \
    row(cudaErrorMixedDeviceExecution, 28, "device emulation mode and device execution mode cannot be mixed")          \
    row(cudaErrorNotYetImplemented, 31, "feature not yet implemented")                                                 \
    row(cudaErrorMemoryValueTooLarge, 32, "memory size or pointer value too large to fit in 32 bit")                   \
    row(cudaErrorStubLibrary, 34, "CUDA driver is a stub library")                                                     \
    row(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")               \
    row(cudaErrorCallRequiresNewerDriver, 36, "API call is not supported in the installed CUDA driver")                \
    row(cudaErrorInvalidSurface, 37, "invalid surface reference")                                                      \
    row(cudaErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name")                      \
    row(cudaErrorDuplicateTextureName, 44, "duplicate texture looked up by string name")                               \
    row(cudaErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name")                               \
    row(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")                          \
    row(cudaErrorIncompatibleDriverContext, 49, "incompatible driver context")                                         \
    row(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")                               \
    row(cudaErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch")                                 \
    row(cudaErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches")                   \
    row(cudaErrorLaunchFileScopedTex, 66, "launch failed because kernel uses unsupported, file-scoped textures")       \
    row(cudaErrorLaunchFileScopedSurf, 67, "launch failed because kernel uses unsupported, file-scoped surfaces")      \
    row(cudaErrorSyncDepthExceeded, 68, "cudaDeviceSynchronize failed because its nesting is too deep")                \
    row(cudaErrorLaunchPendingCountExceeded, 69, "launch failed because too many launches are pending")                \
    row(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                                 \
    row(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                                  \
    row(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                                         \
    row(cudaErrorDeviceNotLicensed, 102, "device doesn't have valid Grid license")                                     \
    row(cudaErrorSoftwareValidityNotEstablished, 103, "integrity checks failed")                                       \
    row(cudaErrorStartupFailure, 127, "startup failure in cuda runtime")                                               \
    row(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")                                            \
    row(cudaErrorDeviceUninitialized, 201, "invalid device context")                                                   \
    row(cudaErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")                                        \
    row(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed")                                    \
    row(cudaErrorArrayIsMapped, 207, "array is mapped")                                                                \
    row(cudaErrorAlreadyMapped, 208, "resource already mapped")                                                        \
    row(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device")              \
    row(cudaErrorAlreadyAcquired, 210, "resource already acquired")                                                    \
    row(cudaErrorNotMapped, 211, "resource not mapped")                                                                \
    row(cudaErrorNotMappedAsArray, 212, "resource not mapped as array")                                                \
    row(cudaErrorNotMappedAsPointer, 213, "resource not mapped as pointer")                                            \
    row(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                                         \
    row(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")                                 \
    row(cudaErrorDeviceAlreadyInUse, 216, "exclusive-thread device already in use by a different thread")              \
    row(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices")                 \
    row(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")                                                      \
    row(cudaErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context")                                     \
    row(cudaErrorNvlinkUncorrectable, 220, "uncorrectable NVLink error detected during the execution")                 \
    row(cudaErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found")                                       \
    row(cudaErrorUnsupportedPtxVersion, 222, "the provided PTX was compiled with an unsupported toolchain")            \
    row(cudaErrorJitCompilationDisabled, 223, "PTX JIT compilation was disabled")                                      \
    row(cudaErrorUnsupportedExecAffinity, 224, "this API requires a newer exec affinity")                              \
    row(cudaErrorUnsupportedDevSideSync, 225, "the provided PTX contains an unsupported call to cudaDeviceSynchronize") \
    row(cudaErrorInvalidSource, 300, "device kernel image is invalid")                                                 \
    row(cudaErrorFileNotFound, 301, "file not found")                                                                  \
    row(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")                                    \
    row(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed")                                   \
    row(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")                         \
    row(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                                \
    row(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")                          \
    row(cudaErrorLossyQuery, 402, "an object was not queried as a whole")                                              \
    row(cudaErrorSymbolNotFound, 500, "named symbol not found")                                                        \
    row(cudaErrorNotReady, 600, "device not ready")                                                                    \
    row(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                                      \
    row(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                                 \
    row(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                                        \
    row(cudaErrorLaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode")                          \
    row(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                                      \
    row(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                                        \
    row(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")                         \
    row(cudaErrorContextIsDestroyed, 709, "context is destroyed")                                                      \
    row(cudaErrorAssert, 710, "device-side assert triggered")                                                          \
    row(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted")                                                \
    row(cudaErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped")      \
    row(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region")            \
    row(cudaErrorHardwareStackError, 714, "hardware stack error")                                                      \
    row(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")                                    \
    row(cudaErrorMisalignedAddress, 716, "misaligned address")                                                         \
    row(cudaErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space")                   \
    row(cudaErrorInvalidPc, 718, "invalid program counter")                                                            \
    row(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                                     \
    row(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                              \
    row(cudaErrorNotPermitted, 800, "operation not permitted")                                                         \
    row(cudaErrorNotSupported, 801, "operation not supported")                                                         \
    row(cudaErrorSystemNotReady, 802, "system not yet initialized")                                                    \
    row(cudaErrorSystemDriverMismatch, 803, "system has unsupported display driver / cuda driver combination")         \
    row(cudaErrorCompatNotSupportedOnDevice, 804, "forward compatibility was attempted on non supported HW")           \
    row(cudaErrorMpsConnectionFailed, 805, "MPS client failed to connect to the MPS control daemon or the MPS server") \
    row(cudaErrorMpsRpcFailure, 806, "the remote procedural call between the MPS server and the MPS client failed")    \
    row(cudaErrorMpsServerNotReady, 807, "MPS server is not ready to accept new MPS client requests")                  \
    row(cudaErrorMpsMaxClientsReached, 808, "the hardware resources required to create MPS client have been exhausted") \
    row(cudaErrorMpsMaxConnectionsReached, 809, "the hardware resources required to support device connections are exhausted") \
    row(cudaErrorMpsClientTerminated, 810, "the MPS client has been terminated by the server")                         \
    row(cudaErrorCdpNotSupported, 811, "the program is using CUDA dynamic parallelism, which is not supported")        \
    row(cudaErrorCdpVersionMismatch, 812, "the versions of CUDA dynamic parallelism do not match")                     \
    row(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")                    \
    row(cudaErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error during capture")             \
    row(cudaErrorStreamCaptureMerge, 902, "operation would result in a merge of separate capture sequences")           \
    row(cudaErrorStreamCaptureUnmatched, 903, "capture was not ended in the same stream as it began")                  \
    row(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")                                     \
    row(cudaErrorStreamCaptureIsolation, 905, "dependency created on uncaptured work in another stream")               \
    row(cudaErrorStreamCaptureImplicit, 906, "operation would make the legacy stream depend on a capturing one")       \
    row(cudaErrorCapturedEvent, 907, "operation not permitted on an event last recorded in a capturing stream")        \
    row(cudaErrorStreamCaptureWrongThread, 908, "attempt to end a thread-local capture sequence from another thread")  \
    row(cudaErrorTimeout, 909, "wait operation timed out")                                                             \
    row(cudaErrorGraphExecUpdateFailure, 910, "the graph update was not performed because it violated constraints")    \
    row(cudaErrorExternalDevice, 911, "an async error has occurred in external entity outside of CUDA")                \
    row(cudaErrorInvalidClusterSize, 912, "a cluster launch has an invalid size")                                      \
    row(cudaErrorFunctionNotLoaded, 913, "the function is not loaded")                                                 \
    row(cudaErrorInvalidResourceType, 914, "an invalid resource type was passed")                                      \
    row(cudaErrorInvalidResourceConfiguration, 915, "an invalid resource configuration was passed")                    \
    row(cudaErrorUnknown, 999, "unknown error")
// clang-format on

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
