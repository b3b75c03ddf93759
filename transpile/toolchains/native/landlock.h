// Landlock by its system calls: the headers of older systems lack what newer kernels offer.
#pragma once

#include <cstdint>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {

struct landlock_ruleset { uint64_t files, network, scope; };
struct __attribute__((packed)) landlock_beneath { uint64_t allowed; int32_t parent; };

enum : uint64_t {
    LL_EXECUTE = 1 << 0, LL_WRITE_FILE = 1 << 1, LL_READ_FILE = 1 << 2, LL_READ_DIRECTORY = 1 << 3,
    LL_VERSION_1 = (1 << 13) - 1, LL_REFER = 1 << 13, LL_TRUNCATE = 1 << 14, LL_IOCTL_DEVICE = 1 << 15,
};

inline bool landlock_allow(int ruleset, const char *path, uint64_t rights) {
    int parent = open(path, O_PATH | O_CLOEXEC);
    if (parent < 0) return errno == ENOENT;  // What does not exist need not be allowed.
    struct stat status;
    bool good = fstat(parent, &status) == 0;
    // Rights of directories are refused for anything else.
    if (good && !S_ISDIR(status.st_mode))
        rights &= LL_EXECUTE | LL_WRITE_FILE | LL_READ_FILE | LL_TRUNCATE | LL_IOCTL_DEVICE;
    landlock_beneath rule = {rights, parent};
    good = good && syscall(445, ruleset, 1, &rule, 0) == 0;
    close(parent);
    return good;
}

// Restricts the calling process to the given paths and returns the version of Landlock, or -1.
inline int landlock_restrict(const std::vector<const char *> &readable, const std::vector<const char *> &writable,
                             bool own_processes) {
    long abi = syscall(444, nullptr, 0, 1);
    if (abi < 1) return -1;
    uint64_t files = LL_VERSION_1;
    if (abi >= 2) files |= LL_REFER;
    if (abi >= 3) files |= LL_TRUNCATE;
    if (abi >= 5) files |= LL_IOCTL_DEVICE;
    landlock_ruleset wanted = {files, abi >= 4 ? 3u : 0u, abi >= 6 ? 3u : 0u};
    size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
    int ruleset = int(syscall(444, &wanted, size, 0));
    if (ruleset < 0) return -1;
    uint64_t reading = LL_EXECUTE | LL_READ_FILE | LL_READ_DIRECTORY;
    uint64_t device = (LL_READ_FILE | LL_WRITE_FILE | LL_TRUNCATE) & files;
    for (auto path : readable)
        if (!landlock_allow(ruleset, path, reading)) return -1;
    for (auto path : writable)
        if (!landlock_allow(ruleset, path, files & ~uint64_t(LL_IOCTL_DEVICE))) return -1;
    // Not /dev/zero: mapped as shared it is memory that counts for nobody.
    for (auto path : {"/dev/null", "/dev/random", "/dev/urandom", "/dev/full"})
        if (!landlock_allow(ruleset, path, device)) return -1;
    // Only the process's own entry: others hold the environments, and so the keys, of their owners.
    // In a PID namespace of its own all entries are of this sandbox.
    if (!landlock_allow(ruleset, own_processes ? "/proc" : "/proc/self", LL_READ_FILE | LL_READ_DIRECTORY)) return -1;
    // The rule holds for this very directory object: an open descriptor keeps it alive across exec.
    if (open("/proc/self", O_PATH) < 0) return -1;
    if (syscall(446, ruleset, 0)) return -1;
    close(ruleset);
    return int(abi);
}

}  // namespace
