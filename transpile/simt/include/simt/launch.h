// Kernel launches: what lowering makes of kernel<<<grid, block, shared, stream>>>(arguments).
#ifndef SIMT_LAUNCH_H
#define SIMT_LAUNCH_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include <assert.h>

#include <pthread.h>
#include <unistd.h>

#include "simt/carve.h"
#include "simt/errors.h"
#include "simt/queues.h"
#include "simt/record.h"
#include "simt/scheduler.h"
#include "simt/seed.h"
#include "simt/traits.h"

extern "C" void *__libc_stack_end;

namespace simt {

// Host threads may launch; the emulator runs one grid at a time. Recursive, so that a kernel that launches is
// told so.
inline pthread_mutex_t launch_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

struct Exclusive {
    Exclusive() { pthread_mutex_lock(&launch_lock); }
    ~Exclusive() { pthread_mutex_unlock(&launch_lock); }
    Exclusive(const Exclusive &) = delete;
    Exclusive &operator=(const Exclusive &) = delete;
};

// Whether work waits in its stream.
inline bool deferring() { return isolation.wanted && schedule_seed != 0; }

inline constexpr std::size_t default_shared_limit = 48 << 10;
inline std::size_t dynamic_shared_limit = default_shared_limit;  // raised by cudaFuncSetAttribute

struct Configuration {
    dim3 grid, block;
    std::size_t shared_bytes;
    cudaStream_t stream;
    bool cooperative = false;
    std::uint64_t most = maximum_threads;  // of a block, by the kernel's launch bounds

    Configuration(dim3 blocks, dim3 threads, std::size_t shared = 0, cudaStream_t queue = nullptr)
        : grid(blocks), block(threads), shared_bytes(shared), stream(queue) {}

    Configuration within(std::uint64_t bound) const {
        Configuration bounded = *this;
        bounded.most = bound;
        return bounded;
    }
};

inline cudaError_t check(const Configuration &c) {
    const std::uint64_t threads = std::uint64_t{c.block.x} * c.block.y * c.block.z;
    if (c.grid.x == 0 || c.grid.y == 0 || c.grid.z == 0 || threads == 0) return cudaErrorInvalidConfiguration;
    if (c.grid.x > 0x7FFFFFFFu || c.grid.y > 65535 || c.grid.z > 65535) return cudaErrorInvalidConfiguration;
    if (c.block.x > 1024 || c.block.y > 1024 || c.block.z > 64 || threads > maximum_threads)
        return cudaErrorInvalidConfiguration;
    if (threads > c.most) return cudaErrorLaunchOutOfResources;
    if (c.shared_bytes > dynamic_shared_limit) return cudaErrorInvalidValue;
    if (c.cooperative && std::uint64_t{c.grid.x} * c.grid.y * c.grid.z >
                             std::uint64_t{multiprocessors} * blocks_that_fit(threads, c.shared_bytes))
        return cudaErrorCooperativeLaunchTooLarge;
    return cudaSuccess;
}

// Does something at once, or puts it into its stream where work waits there.
template <class Action>
void perform(cudaStream_t stream, Action action) {
    if (deferring()) {
        put(stream, std::move(action));
    } else {
        action();
    }
}

SIMT_QUIET void watch_faults();

// Whether an argument leads to a variable of the host's own stack, which no device reaches. Only the main thread's
// is told: it lies above the running function, up to where the program began.
template <class Argument>
bool on_host_stack(const Argument &argument) {
    if constexpr (std::is_pointer_v<Argument>) {
        const auto place = reinterpret_cast<std::uintptr_t>(argument);
        const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
        const auto end = reinterpret_cast<std::uintptr_t>(__libc_stack_end);
        return here < place && place < end && getpid() == gettid();
    } else {
        return false;
    }
}

// Runs `call` once for every thread of the grid.
template <class Call>
cudaError_t launch_call(const char *name, const Configuration &configuration, Call call) {
    if (in_kernel()) fail("kernel %s launched from within kernel %s (dynamic parallelism)", name, machine.kernel);
    const cudaError_t error = sticky_error != cudaSuccess ? sticky_error : check(configuration);
    if (error != cudaSuccess) return report(error);
    watch_faults();
    perform(configuration.stream, [=]() mutable {
        run_grid(
            name, configuration.grid, configuration.block, configuration.shared_bytes, configuration.cooperative,
            schedule_seed,
            [](void *closure) { (*static_cast<Call *>(closure))(); }, &call);
    });
    return report(cudaSuccess);
}

template <class Kernel, class... Arguments>
cudaError_t launch_with(const char *name, const Configuration &configuration, Kernel kernel, Arguments... arguments) {
#ifndef SIMT_WIDE  // whose numbers take more room
    static_assert((std::size_t{0} + ... + sizeof(Arguments)) <= 32764,
                  "a kernel's parameters are limited to 32,764 bytes");
#endif
    const Exclusive exclusive;
    if (isolation.wanted && (on_host_stack(arguments) || ...))
        fail("kernel %s is passed an address of the host's stack", name);
    record_launch(name, configuration, arguments...);
    Carving carving;
    carving.begin(name, configuration, arguments...);
    const cudaError_t error = launch_call(name, configuration, [=]() mutable { kernel(arguments...); });
    carving.end();
    return error;
}

template <class... Parameters>
cudaError_t launch(const char *name, const Configuration &configuration, void (*kernel)(Parameters...),
                   Given<Parameters>... arguments) {
    return launch_with(name, configuration, kernel, arguments...);
}

// For kernels that are templates: a lambda that names the instantiation.
template <class Kernel, class... Arguments,
          std::enable_if_t<!std::is_pointer_v<std::decay_t<Kernel>> && !std::is_function_v<Kernel>, int> = 0>
cudaError_t launch(const char *name, const Configuration &configuration, Kernel kernel, Arguments... arguments) {
    return launch_with(name, configuration, kernel, arguments...);
}

// Ends the running grid with an error that stays, as a trap or a failed assertion does on a device.
[[noreturn]] SIMT_QUIET inline void trap(cudaError_t error) {
    if (!in_kernel()) std::abort();
    sticky_error = last_error = error;
    abandon_grid();
}

}  // namespace simt

[[noreturn]] inline void __trap() {
    std::fprintf(stderr, "simt: __trap() in kernel %s, block (%u,%u,%u), thread (%u,%u,%u)\n", simt::machine.kernel,
                 blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
    simt::trap(cudaErrorLaunchFailure);
}
inline void __brkpt() { __trap(); }

// What assert.h of the emulator calls. In a kernel the message is CUDA's.
[[noreturn]] inline void simt::assertion_failed(const char *text, const char *file, unsigned line,
                                                const char *function) {
    std::fflush(stdout);
    if (!in_kernel()) {
        std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, text);
        std::abort();
    }
    std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
                 function, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, text);
    trap(cudaErrorAssert);
}

#endif
