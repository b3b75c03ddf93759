// Loads one library and makes the calls of a batch, each with fresh copies of its data.
//
//   worker LIBRARY BATCH RESULTS PROGRESS COMPLAINTS FIRST PLACEMENT TIMEOUT_MILLISECONDS MOST_WORK
//
// BATCH, RESULTS, PROGRESS and COMPLAINTS are descriptors of open files: calls can put nothing in place of
// them. What a call left behind is appended to RESULTS as soon as it is done. A fault ends the worker; the
// caller starts another one at the next call.
#include <algorithm>
#include <cfenv>
#include <ctime>
#include <csignal>
#include <cstdio>
#include <dlfcn.h>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <ucontext.h>

#include "batch.h"
#include "directed.h"
#include "entry.h"
#include "placement.h"
#include "regions.h"
#include "surroundings.h"
#include "trace.h"

#ifdef TRANSPILE_ADDRESS
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#endif

namespace {

Progress *progress;
const unsigned char *batch;
int results;
long timeout_milliseconds;
unsigned char *stack_low;

using Entry = int (*)(void **);

[[noreturn]] void end(std::uint64_t reason) {
    progress->reason = reason;
    trace::save_coverage();
    _exit(97);
}

#ifndef TRANSPILE_SANITIZED
// A frame larger than the stack: the pointer of the stack has left it.
bool below_stack(const void *context) {
#if defined(__x86_64__)
    const auto pointer = std::uintptr_t(static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
    const auto pointer = std::uintptr_t(static_cast<const ucontext_t *>(context)->uc_mcontext.sp);
#else
    const auto pointer = reinterpret_cast<std::uintptr_t>(stack_low);
#endif
    const auto low = reinterpret_cast<std::uintptr_t>(stack_low);
    return pointer < low && low - pointer < std::uintptr_t{1} << 30;
}

// An address that is no multiple of what the instruction takes, or one that no pointer can hold: x86 tells neither.
bool misaligned(int number, const siginfo_t *info) {
#if defined(__x86_64__)
    return number == SIGSEGV && info->si_code == SI_KERNEL;
#else
    return number == SIGBUS && info->si_code == BUS_ADRALN;
#endif
}

// Only touches memory of its own, so that it may interrupt anything.
void on_fault(int number, siginfo_t *info, void *context) {
    std::uint64_t reason = number == SIGBUS   ? reason_bus
                           : number == SIGFPE ? reason_arithmetic
                           : number == SIGILL ? reason_illegal
                                              : reason_segmentation;
    if (misaligned(number, info)) {
        reason = reason_misaligned;
    } else if (number == SIGSEGV || number == SIGBUS) {
        placement::attribute(*progress, info->si_addr);
        auto *address = static_cast<unsigned char *>(info->si_addr);
        const bool beside = address < stack_low && address > stack_low - (1 << 20);
        if (progress->argument < 0 && (beside || below_stack(context))) reason = reason_stack;
        if (progress->argument >= 0) {
            const auto &buffer = placement::buffers[std::size_t(progress->argument)];
            const bool device = buffer.on_device();
            const bool within = address >= buffer.start && address < buffer.start + buffer.size;
            if (buffer.fixed && within) reason = reason_fixed;
            if (placement::closed && !device) reason = reason_host_memory;
            if (!placement::closed && device) reason = reason_device_memory;
        }
    }
    end(reason);
}
#endif

// Time is that of processors, which a busy machine does not shorten. What sleeps is ended by the caller.
void on_alarm(int) { end(reason_timeout); }

void catch_signals() {
    static unsigned char alternative[64 << 10];
    stack_t stack = {};
    stack.ss_sp = alternative;
    stack.ss_size = sizeof alternative;
    sigaltstack(&stack, nullptr);
    struct sigaction action = {};
    action.sa_flags = SA_ONSTACK;
    action.sa_handler = on_alarm;
    sigaction(SIGPROF, &action, nullptr);
#ifndef TRANSPILE_SANITIZED
    action.sa_flags = SA_ONSTACK | SA_SIGINFO;
    action.sa_sigaction = on_fault;
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(number, &action, nullptr);
#endif
}

void set_alarm(long milliseconds) {
    const char *threads = getenv("OMP_NUM_THREADS");
    const long most = milliseconds * std::max(threads ? atol(threads) : 1, 1L);
    itimerval timer = {};
    timer.it_value.tv_sec = most / 1000;
    timer.it_value.tv_usec = most % 1000 * 1000;
    setitimer(ITIMER_PROF, &timer, nullptr);
}

double seconds_of(clockid_t clock) {
    timespec now = {};
    clock_gettime(clock, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

// While a timer of processor time runs, the clock of that name moves from tick to tick: 0 for short calls.
double processor_seconds() {
    rusage used = {};
    getrusage(RUSAGE_SELF, &used);
    const timeval &user = used.ru_utime, &system = used.ru_stime;
    return double(user.tv_sec + system.tv_sec) + 1e-6 * double(user.tv_usec + system.tv_usec);
}

// Of the heap, device memory of the emulator included; known in one flavour only.
std::int64_t allocated() {
#ifdef TRANSPILE_ADDRESS
    return std::int64_t(__sanitizer_get_current_allocated_bytes());
#else
    return 0;
#endif
}

const unsigned char *map(int file, bool shared) {
    struct stat status;
    if (fstat(file, &status)) placement::give_up("fstat");
    void *memory = mmap(nullptr, std::size_t(status.st_size), PROT_READ | (shared ? PROT_WRITE : 0),
                        shared ? MAP_SHARED : MAP_PRIVATE, file, 0);
    if (memory == MAP_FAILED) placement::give_up("mmap");
    close(file);
    return static_cast<unsigned char *>(memory);
}

void *look_up(void *library, const std::string &name) {
    void *symbol = dlsym(library, name.c_str());
    if (symbol) return symbol;
    fprintf(stderr, "%s\n", dlerror());
    end(reason_load);
}

const transpile_global *find_global(const transpile_global *row, const char *name) {
    for (; row->name; row++)
        if (!strcmp(row->name, name)) return row;
    fprintf(stderr, "no global %s\n", name);
    end(reason_load);
}

struct Took {
    double processor, wall;  // seconds
};

struct Storage {
    alignas(64) unsigned char bytes[256];
};

// All that one call needs while it is going on.
class Running {
  public:
    Running(void *library, const BatchCall &call) : call_(call) {
        arguments_ = reinterpret_cast<const BatchArgument *>(&call + 1);
        globals_ = reinterpret_cast<const BatchGlobal *>(arguments_ + call.arguments);
        entry_ = reinterpret_cast<Entry>(look_up(library, "transpile_entry_" + std::to_string(call.entry)));
        if (call.globals) {
            auto table = static_cast<const transpile_global *>(
                look_up(library, "transpile_globals_" + std::to_string(call.entry)));
            for (std::size_t i = 0; i < call.globals; i++) {
                const transpile_global *row = find_global(table, reinterpret_cast<const char *>(batch + globals_[i].name));
                addresses_.push_back(static_cast<unsigned char *>(row->address));
                sizes_.push_back(row->size < globals_[i].size ? row->size : globals_[i].size);
            }
        }
    }

    int make(std::string &out, surroundings::State &around) {
        place();
        set_alarm(timeout_milliseconds);
        regions::begin();
        trace::begin(placement::buffers, addresses_, sizes_);
        const std::int64_t before = allocated();
        const double start = processor_seconds(), began = seconds_of(CLOCK_MONOTONIC);
        feclearexcept(FE_ALL_EXCEPT);  // of what our own arithmetic raised
        int status = directed_entry();
        placement::open_all();
        bool inexact = fetestexcept(FE_INEXACT) != 0;  // before our own arithmetic raises it
        const double elapsed = seconds_of(CLOCK_MONOTONIC) - began;
        const double seconds = processor_seconds() - start;
        const std::int64_t held = allocated() - before;
        trace::finish();
        set_alarm(0);
        const std::uint64_t altered = surroundings::altered(around);
        look_beside();
        collect(out, status, {seconds, elapsed}, inexact, held, altered);
        for (auto &buffer : placement::buffers) placement::release(buffer);
        return status;
    }

  private:
    int directed_entry() {
        if (directed::mode == FE_TONEAREST) return entry_(slots_.data());
        const directed::Rounding rounding(directed::mode);
        return entry_(slots_.data());
    }

    const BatchCall &call_;
    const BatchArgument *arguments_;
    const BatchGlobal *globals_;
    Entry entry_;
    std::vector<unsigned char *> addresses_;
    std::vector<std::size_t> sizes_;
    std::vector<void *> slots_;
    std::vector<std::vector<Storage>> values_;
    std::vector<unsigned char *> shared_;  // pointers into the buffers of other arguments
    std::vector<Storage> returned_;
    transpile_launch launch_;

    void place() {
        placement::alignment = call_.alignment;
        placement::buffers.assign(call_.arguments, {});
        values_.resize(call_.arguments);
        shared_.resize(call_.arguments);
        slots_.resize(call_.arguments + 2);
        for (std::size_t i = 0; i < call_.arguments; i++) {
            const BatchArgument &argument = arguments_[i];
            if (argument.buffer == 1) {
                auto &buffer = placement::buffers[i] = placement::place(argument.size, argument.before, i);
                memcpy(buffer.start, batch + argument.data, argument.size);
                if (argument.fixed) placement::fix(buffer);
                slots_[i] = &buffer.pointer;
            } else if (argument.buffer == 0) {
                values_[i].resize(argument.size / sizeof(Storage) + 1);
                memcpy(static_cast<void *>(values_[i].data()), batch + argument.data, argument.size);
                slots_[i] = values_[i].data();
            }
        }
        for (std::size_t i = 0; i < call_.arguments; i++) {
            const BatchArgument &argument = arguments_[i];
            if (argument.buffer < 2) continue;
            if (argument.buffer != null_buffer)
                shared_[i] = placement::buffers[argument.buffer - 2].start + argument.before;
            slots_[i] = &shared_[i];
        }
        for (std::size_t i = 0; i < call_.globals; i++) memcpy(addresses_[i], batch + globals_[i].data, sizes_[i]);
        for (int axis = 0; axis < 3; axis++) {
            launch_.grid[axis] = std::uint32_t(call_.grid[axis]);
            launch_.block[axis] = std::uint32_t(call_.block[axis]);
        }
        launch_.shared = call_.shared;
        launch_.seed = call_.seed;
        returned_.resize(call_.returns / sizeof(Storage) + 1);
        slots_[call_.arguments] = &launch_;
        slots_[call_.arguments + 1] = returned_.data();
    }

    // Bytes between data and guard are nobody's.
    void look_beside() {
        if (!placement::guards()) return;
        for (auto &buffer : placement::buffers)
            if (const unsigned char *byte = placement::trespassed(buffer)) {
                placement::attribute(*progress, byte);
                end(reason_beside);
            }
    }

    void collect(std::string &out, int status, Took took, bool inexact, std::int64_t held,
                 std::uint64_t altered) {
        std::uint64_t head[7] = {std::uint64_t(status), inexact, 0, 0, std::uint64_t(held), trace::work, altered};
        memcpy(&head[2], &took, sizeof took);
        trace::append(out, head, sizeof head);
        for (auto &buffer : placement::buffers) trace::append(out, buffer.start, buffer.size);
        for (std::size_t i = 0; i < addresses_.size(); i++) {
            trace::append(out, addresses_[i], sizes_[i]);
            out.append((globals_[i].size + 7) / 8 * 8 - (sizes_[i] + 7) / 8 * 8, '\0');
        }
        trace::append(out, returned_.data(), call_.returns);
        regions::report(out);
        trace::report(out);
    }
};

void write_all(const std::string &data) {
    for (std::size_t done = 0; done < data.size();) {
        ssize_t written = write(results, data.data() + done, data.size() - done);
        if (written < 0) end(reason_results);  // A call may have closed them.
        done += std::size_t(written);
    }
}

}  // namespace

#ifdef TRANSPILE_ADDRESS
extern "C" void *__asan_get_report_address();
extern "C" void __asan_on_error() {
    placement::attribute(*progress, __asan_get_report_address());
    progress->reason = reason_sanitizer;
}
#endif

// Called by the emulator around every kernel, where a call wants memory kept apart.
extern "C" __attribute__((visibility("default"))) void simt_host_memory(int open) { placement::open(open != 0); }

// Called by an entry ahead of such a call, where the candidate takes memory of the device.
extern "C" __attribute__((visibility("default"))) void transpile_memory_of(const void *argument, int device) {
    placement::assign(argument, device != 0);
}

int main(int count, char **words) {
    if (count != 10) return 99;
    batch = map(atoi(words[2]), false);
    results = atoi(words[3]);
    progress = reinterpret_cast<Progress *>(const_cast<unsigned char *>(map(atoi(words[4]), true)));
    trace::progress = placement::progress = progress;
    std::size_t first = strtoul(words[6], nullptr, 10);
    placement::kind = placement::Kind(atoi(words[7]));
    timeout_milliseconds = atol(words[8]);
    trace::most_work = strtoull(words[9], nullptr, 10);
    directed::ask(getenv("TRANSPILE_ROUNDING"));
    stack_low = static_cast<unsigned char *>(__builtin_frame_address(0)) - (8 << 20) + (64 << 10);
    catch_signals();
#ifndef TRANSPILE_SANITIZED
    surroundings::watch_output(atoi(words[5]));
#endif
    progress->argument = -1;
    progress->begun = first + 1;  // What loading the library runs is blamed on the first call.
    set_alarm(timeout_milliseconds);
    void *library = dlopen(words[1], RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        end(reason_load);
    }
    regions::library = library;
    trace::find_coverage(library);
    auto number = reinterpret_cast<const std::uint64_t *>(batch);
    std::string out;
    surroundings::State around = surroundings::now();
    for (std::size_t i = first; i < number[0]; i++) {
        progress->begun = i + 1;
        Running running(library, *reinterpret_cast<const BatchCall *>(batch + number[1 + i]));
        out.clear();
        running.make(out, around);
        write_all(out);
        progress->done = i + 1;
    }
    fflush(nullptr);
    trace::save_coverage();
    _exit(0);
}
