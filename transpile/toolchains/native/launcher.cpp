// Confines itself and becomes the given command.
//
//   launcher --call|--run|--build [--landlock] [--namespaces] [--fixed-addresses]
//            [--memory BYTES] [--data BYTES] [--file-size BYTES] [--report FD]
//            [--read PATH]... [--write PATH]... -- COMMAND ARGUMENT...
//
// What it takes away, in this order: resources, capabilities, files (Landlock), system calls
// (seccomp). A layer that was asked for and cannot be had ends the launcher: it never runs the
// command with less than was asked. Whatever goes wrong before the command starts is written to the
// report descriptor, which closes itself when the command starts.
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <string>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

#include "landlock.h"
#include "seccomp.h"

namespace {

int report = 2;

struct Options {
    Profile profile = Profile::call;
    bool landlock = false, namespaces = false, fixed_addresses = false;
    unsigned long memory = 0, data = 0, file_size = 0;
    std::vector<const char *> readable, writable;
    char **command = nullptr;
};

[[noreturn]] void fail(const char *what) {
    dprintf(report, "%s: %s", what, strerror(errno));
    _exit(125);
}

Options parse(int count, char **arguments) {
    Options options;
    for (int i = 1; i < count; i++) {
        std::string word = arguments[i];
        auto value = [&] { return i + 1 < count ? arguments[++i] : (errno = EINVAL, fail(word.c_str()), nullptr); };
        auto number = [&] { return strtoul(value(), nullptr, 10); };
        if (word == "--call") options.profile = Profile::call;
        else if (word == "--run") options.profile = Profile::run;
        else if (word == "--build") options.profile = Profile::build;
        else if (word == "--landlock") options.landlock = true;
        else if (word == "--namespaces") options.namespaces = true;
        else if (word == "--fixed-addresses") options.fixed_addresses = true;
        else if (word == "--memory") options.memory = number();
        else if (word == "--data") options.data = number();
        else if (word == "--file-size") options.file_size = number();
        else if (word == "--report") report = int(number());
        else if (word == "--read") options.readable.push_back(value());
        else if (word == "--write") options.writable.push_back(value());
        else if (word == "--") { options.command = arguments + i + 1; break; }
        else { errno = EINVAL; fail(word.c_str()); }
    }
    if (!options.command || !*options.command) { errno = EINVAL; fail("no command"); }
    return options;
}

void limit(int resource, unsigned long value) {
    rlimit now;
    if (getrlimit(__rlimit_resource(resource), &now)) fail("getrlimit");
    rlim_t most = now.rlim_max < value ? now.rlim_max : value;
    rlimit wanted = {most, most};
    if (setrlimit(__rlimit_resource(resource), &wanted)) fail("setrlimit");
}

void limit_resources(const Options &options) {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 1024);
    if (options.profile == Profile::build) limit(RLIMIT_NPROC, 8192);
    if (options.memory) limit(RLIMIT_AS, options.memory);
    if (options.data) limit(RLIMIT_DATA, options.data);
    if (options.file_size) limit(RLIMIT_FSIZE, options.file_size);
    // Should memory run out nevertheless, the kernel is to choose this process.
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        if (write(file, "1000", 4) < 0) { /* Best effort: some containers forbid it. */ }
        close(file);
    }
}

// Root keeps its powers across exec unless told otherwise; the failures are those of a process that
// has no such powers to give up.
void drop_capabilities() {
    prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                                 SECBIT_NO_SETUID_FIXUP_LOCKED);
    for (int capability = 0; capability < 64; capability++) prctl(PR_CAPBSET_DROP, capability);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[2] = {};
    if (syscall(SYS_capset, &header, none)) fail("capset");
}

// The filter lets execve through for this one address of a path, which the command cannot know.
char *hidden_copy(const char *text) {
    unsigned long random[2];
    if (getrandom(random, sizeof random, 0) != sizeof random) fail("getrandom");
    auto hint = reinterpret_cast<void *>((random[0] & 0x3ffffffff000ul) | 0x10000000000ul);
    constexpr size_t size = 1 << 16;
    void *pages = mmap(hint, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) fail("mmap");
    return strcpy(static_cast<char *>(pages) + random[1] % (size - 4097), text);
}

}  // namespace

int main(int count, char **arguments) {
    Options options = parse(count, arguments);
    if (report > 2 && fcntl(report, F_SETFD, FD_CLOEXEC)) fail("report");
    if (prctl(PR_SET_PDEATHSIG, SIGKILL)) fail("parent death signal");
    // What loses its parent stays in the family that is counted (see charges.py).
    if (prctl(PR_SET_CHILD_SUBREAPER, options.profile == Profile::build)) fail("subreaper");
    if (options.fixed_addresses && personality(ADDR_NO_RANDOMIZE) < 0) fail("personality");
    if (strlen(options.command[0]) > 4096) { errno = ENAMETOOLONG; fail("command"); }
    char *path = hidden_copy(options.command[0]);
    limit_resources(options);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) fail("no_new_privs");
    int abi = 0;
    if (options.landlock) {
        abi = landlock_restrict(options.readable, options.writable, options.namespaces);
        if (abi < 0) fail("landlock");
    }
    drop_capabilities();
    Filter filter;
    filter.profile = options.profile;
    filter.namespaces = options.namespaces;
    filter.signals_scoped = options.namespaces || abi >= 6;
    filter.path = reinterpret_cast<unsigned long>(path);
    if (!filter.install()) fail("seccomp");
    execve(path, options.command, environ);
    fail(options.command[0]);
}
