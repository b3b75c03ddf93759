// What a program has given to its streams. As a rule it is done at once, in program order. Where memory is kept
// apart and the schedule is not the forward one, it waits until something waits for it, as late as CUDA allows,
// so that a synchronisation that is missing shows in the results.
#ifndef SIMT_QUEUES_H
#define SIMT_QUEUES_H

#include <cstdint>
#include <utility>

#include "simt/isolation.h"

typedef struct CUstream_st *cudaStream_t;

namespace simt {

struct Work {
    Work *next = nullptr;
    virtual void run() = 0;
    virtual ~Work() = default;
};

template <class Action>
struct WorkOf final : Work {
    Action action;
    explicit WorkOf(Action given) : action(std::move(given)) {}
    void run() override { action(); }
};

}  // namespace simt

struct CUstream_st {
    unsigned flags;  // 1: in no order with the default stream
    int priority;
    simt::Work *first = nullptr, **end = &first;
    std::uint64_t given = 0, done = 0;
    CUstream_st *next = nullptr;

    void drain(std::uint64_t until) {
        while (first != nullptr && done < until) {
            simt::Work *work = first;
            first = work->next;
            if (first == nullptr) end = &first;
            ++done;
            work->run();
            delete work;
        }
    }
    void drain() { drain(given); }
};

namespace simt {

inline CUstream_st default_stream{0, 0};
inline CUstream_st *streams = nullptr;  // those that were made while work waits

SIMT_NOINLINE inline CUstream_st &stream_of(cudaStream_t stream) {
    // The values 1 and 2 name the default stream, too.
    return reinterpret_cast<std::uintptr_t>(stream) <= 2 ? default_stream : *stream;
}

// Does what has to come before the next work of a stream, in other streams.
SIMT_NOINLINE inline void put_in_order(const CUstream_st &stream) {
    if (&stream != &default_stream) {
        if (stream.flags == 0) default_stream.drain();
        return;
    }
    for (CUstream_st *other = streams; other != nullptr; other = other->next)
        if (other->flags == 0) other->drain();
}

SIMT_NOINLINE inline void wait_for(cudaStream_t stream) {
    CUstream_st &queue = stream_of(stream);
    put_in_order(queue);
    queue.drain();
}

SIMT_NOINLINE inline void wait_for_all() {
    for (CUstream_st *stream = streams; stream != nullptr; stream = stream->next) stream->drain();
    default_stream.drain();
}

// While it lives, an algorithm of the library works on device memory by itself.
struct AtOnce {
  private:
    // First, since what is waited for closes the memory behind itself.
    struct Waited {
        Waited() { wait_for_all(); }
    } waited_;
    BothSides reach_;
};

template <class Action>
void put(cudaStream_t stream, Action action) {
    CUstream_st &queue = stream_of(stream);
    put_in_order(queue);
    *queue.end = new WorkOf<Action>(std::move(action));
    queue.end = &(*queue.end)->next;
    ++queue.given;
}

}  // namespace simt

#endif
