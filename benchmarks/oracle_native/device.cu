// Runs calls of a source and its port on a real device, and prints what became of each.
//
// usage: device CALLS FIRST STEP    (the form of the file is in benchmarks/oracle.py)
//
// Every array of the caller ends where readable memory ends, to 16 bytes. A call that faults ends the process:
// whoever started it starts it again with the next one.
#include "calls.h"
#include "comparison.h"
#include "entry.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace oracle {
namespace {
/// Memory that ends beside a page that nobody may touch.
class Guarded {
  public:
    explicit Guarded(std::size_t size) {
        const std::size_t page = sysconf(_SC_PAGESIZE), room = (size + 15) / 16 * 16;
        length_ = (room + page - 1) / page * page + page;
        base_ = (char *)mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (base_ == MAP_FAILED || mprotect(base_ + length_ - page, page, PROT_NONE)) std::abort();
        data_ = base_ + length_ - page - room;
    }
    ~Guarded() { munmap(base_, length_); }
    Guarded(const Guarded &) = delete;
    Guarded &operator=(const Guarded &) = delete;
    char *data() const { return data_; }

  private:
    char *base_, *data_;
    std::size_t length_;
};

struct Made {
    std::vector<std::vector<char>> arrays;
    char returned[64] = {};
    std::string failure;
};

Made made_by(void (*function)(void **, void *), const Call &call) {
    std::vector<std::unique_ptr<Guarded>> held;
    std::vector<void *> places;
    for (const Argument &one : call.arguments) {
        held.push_back(std::make_unique<Guarded>(one.size));
        if (one.size) std::memcpy(held.back()->data(), one.data.data(), one.size);
        places.push_back(held.back()->data());
    }
    Made made;
    try {
        function(places.data(), made.returned);
    } catch (const std::exception &thrown) {
        made.failure = std::string("throws (") + thrown.what() + ")";
    }
    for (std::size_t i = 0; i < held.size(); ++i) {
        const Argument &one = call.arguments[i];
        made.arrays.emplace_back(held[i]->data(), held[i]->data() + (one.array ? one.size : 0));
    }
    return made;
}

std::string told(const Call &call) {
    const Entry &entry = entries[call.function];
    const Made expected = made_by(entry.source, call);
    Made got = made_by(entry.port, call);
    const cudaError_t error = cudaDeviceSynchronize();
    if (got.failure.empty() && error != cudaSuccess) got.failure = cudaGetErrorString(error);
    if (!got.failure.empty()) return "fault " + got.failure;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const Argument &one = call.arguments[i];
        if (!one.array) continue;
        const char *left = expected.arrays[i].data(), *right = got.arrays[i].data();
        const long long at = difference(left, right, one.size, char(one.leaf));
        if (at >= 0)
            return "differs argument " + std::to_string(i) + " at byte " + std::to_string(at) + ": " +
                   shown(right + at, char(one.leaf)) + ", not " + shown(left + at, char(one.leaf));
    }
    const std::size_t bytes = call.returned == 'f' ? 4 : call.returned ? 8 : 0;
    if (difference(expected.returned, got.returned, bytes, char(call.returned)) >= 0)
        return "differs what is returned: " + shown(got.returned, char(call.returned)) + ", not " +
               shown(expected.returned, char(call.returned));
    return "ok";
}
}  // namespace
}  // namespace oracle

int main(int, char **arguments) {
    using namespace oracle;
    std::FILE *file = std::fopen(arguments[1], "rb");
    if (!file) return 5;
    const std::uint32_t count = take<std::uint32_t>(file), first = std::atoi(arguments[2]), step = std::atoi(arguments[3]);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Call call = take_call(file);
        if (i < first || i % step) continue;
        std::printf("%u ", i);
        std::fflush(stdout);
        alarm(60);
        const std::string found = told(call);
        std::printf("%s\n", found.c_str());
        std::fflush(stdout);
        // Nothing works on a device in a process that has faulted there.
        if (found.rfind("fault", 0) == 0) return 3;
    }
}
