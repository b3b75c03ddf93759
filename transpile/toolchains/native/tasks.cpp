// What a worker adds where races are looked for: the memory of a task that has ended becomes that of another one.
// The runtime orders the two, but ThreadSanitizer does not see inside of it, and would call that a race.
#include <cstddef>
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#define UNSEEN __attribute__((no_sanitize("thread")))

namespace {

using Body = int (*)(int thread, void *task);

// How every task begins, by the interface between compilers and the runtime.
struct Task {
    Body *shared;
    Body body;
};

using Allocate = Task *(*)(void *place, int thread, int flags, std::size_t size, std::size_t shared, Body);

const auto allocate = reinterpret_cast<Allocate>(dlsym(RTLD_NEXT, "__kmpc_omp_task_alloc"));

UNSEEN int run(int thread, void *task) {
    const int result = static_cast<Task *>(task)->shared[-1](thread, task);
    __tsan_release(task);
    return result;
}

}  // namespace

// The task's own body is kept in front of what it shares.
extern "C" __attribute__((visibility("default"))) UNSEEN Task *__kmpc_omp_task_alloc(
    void *place, int thread, int flags, std::size_t size, std::size_t shared, Body body) {
    Task *task = allocate(place, thread, flags, size, sizeof(Body) + shared, run);
    __tsan_acquire(task);
    *task->shared++ = body;
    return task;
}
