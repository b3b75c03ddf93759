// The filter of system calls: what may be made, and with which arguments.
#pragma once

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

#include "refused.h"

namespace {

#if defined(__x86_64__)
constexpr unsigned native_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned native_architecture = AUDIT_ARCH_AARCH64;
#else
#error "the sandbox knows x86-64 and aarch64"
#endif

enum class Profile { call, run, build };

struct Filter {
    Profile profile = Profile::call;
    bool namespaces = false;      // Inside mounts and a PID namespace of its own.
    bool signals_scoped = false;  // Signals cannot leave the sandbox anyway.
    unsigned long path = 0;       // Address of the only path that may be executed.

    bool install() {
        begin();
        for (long call : refused_always) when(call, refuse(EPERM));
        when(SYS_clone3, refuse(ENOSYS));  // Its flags lie in memory; the C library falls back to clone.
        when(437 /* openat2 */, refuse(ENOSYS));
        rule_identities();
        rule_metadata();
        rule_names();
        rule_signals();
        rule_commands();
        rule_processes();
        rule_truncation();
        rule_memory();
        rule_limits();
        emit(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
        sock_fprog code = {static_cast<unsigned short>(program.size()), program.data()};
        return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &code) == 0;
    }

  private:
    std::vector<sock_filter> program;

    bool builds() const { return profile == Profile::build; }
    static unsigned refuse(int error) { return SECCOMP_RET_ERRNO | unsigned(error); }
    static unsigned low(int argument) { return unsigned(offsetof(seccomp_data, args)) + unsigned(argument) * 8; }

    void emit(unsigned code, unsigned value, unsigned char yes = 0, unsigned char no = 0) {
        program.push_back({static_cast<unsigned short>(code), yes, no, value});
    }
    void load_number() { emit(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)); }
    void begin() {
        emit(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch));
        emit(BPF_JMP | BPF_JEQ | BPF_K, native_architecture, 1, 0);
        emit(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
        load_number();
        emit(BPF_JMP | BPF_JGT | BPF_K, last_known_call, 0, 1);
        emit(BPF_RET | BPF_K, refuse(ENOSYS));  // The x32 calls of x86-64 too: their numbers start at 2^30.
    }
    void when(long call, unsigned action) {
        emit(BPF_JMP | BPF_JEQ | BPF_K, unsigned(call), 0, 1);
        emit(BPF_RET | BPF_K, action);
    }
    // Applies the action to the call where (low half of argument & mask) compared with value says so.
    void when_masked(long call, int argument, unsigned mask, unsigned value, bool equal, unsigned action) {
        emit(BPF_JMP | BPF_JEQ | BPF_K, unsigned(call), 0, 5);
        emit(BPF_LD | BPF_W | BPF_ABS, low(argument));
        emit(BPF_ALU | BPF_AND | BPF_K, mask);
        emit(BPF_JMP | BPF_JEQ | BPF_K, value, equal ? 0 : 1, equal ? 1 : 0);
        emit(BPF_RET | BPF_K, action);
        load_number();
    }
    // Every command but the given ones is answered with the error.
    template <size_t count> void only(long call, const unsigned (&commands)[count], int error) {
        emit(BPF_JMP | BPF_JEQ | BPF_K, unsigned(call), 0, count + 3);
        emit(BPF_LD | BPF_W | BPF_ABS, low(1));
        auto left = static_cast<unsigned char>(count);
        for (unsigned command : commands) emit(BPF_JMP | BPF_JEQ | BPF_K, command, left--, 0);
        emit(BPF_RET | BPF_K, refuse(error));
        load_number();
    }
    // Programs that run as whoever owns them would be at the service of all users.
    void rule_identities() {
        for (auto [call, mode] : modes) when_masked(call, mode, S_ISUID | S_ISGID, 0, false, refuse(EPERM));
    }
    void rule_metadata() {
        if (namespaces) return;
        // Builds take no for an answer badly (cp -p, install, ar): tell them yes and do nothing.
        unsigned action = builds() ? refuse(0) : refuse(EPERM);
        for (long call : metadata) when(call, action);
        when_masked(SYS_utimensat, 1, ~0u, 0, false, action);
    }
    void rule_names() {
        if (profile != Profile::call) return;
        for (long call : names) when(call, refuse(EPERM));
        // So has a file that never had a name.
        constexpr unsigned nameless = O_TMPFILE & ~O_DIRECTORY;
        when_masked(SYS_openat, 2, nameless, 0, false, refuse(EPERM));
#ifdef __x86_64__
        when_masked(SYS_open, 1, nameless, 0, false, refuse(EPERM));
#endif
    }
    void rule_signals() {
        for (long call : {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo}) {
            if (!builds()) when_masked(call, 0, ~0u, unsigned(getpid()), false, refuse(EPERM));
            else if (!signals_scoped) when(call, refuse(EPERM));
        }
    }
    void rule_commands() {
        for (unsigned command : file_commands) when_masked(SYS_fcntl, 1, ~0u, command, true, refuse(EPERM));
        emit(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 6);
        emit(BPF_LD | BPF_W | BPF_ABS, low(1));
        emit(BPF_JMP | BPF_JEQ | BPF_K, F_SETFL, 0, 3);
        emit(BPF_LD | BPF_W | BPF_ABS, low(2));
        emit(BPF_JMP | BPF_JSET | BPF_K, O_ASYNC, 0, 1);
        emit(BPF_RET | BPF_K, refuse(EPERM));
        load_number();
        only(SYS_ioctl, device_commands, ENOTTY);
        for (unsigned setting : process_settings) when_masked(SYS_prctl, 0, ~0u, setting, true, refuse(EPERM));
    }
    void rule_processes() {
        constexpr unsigned spaces = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                    CLONE_NEWNET | CLONE_NEWCGROUP;
        if (builds()) {
            // A child of our own would not be counted with the command's.
            when_masked(SYS_clone, 0, spaces | CLONE_PARENT, 0, false, refuse(EPERM));
            return;
        }
        when_masked(SYS_clone, 0, CLONE_THREAD, 0, true, refuse(EPERM));
#ifdef __x86_64__
        when(SYS_fork, refuse(EPERM));
        when(SYS_vfork, refuse(EPERM));
#endif
        emit(BPF_JMP | BPF_JEQ | BPF_K, SYS_execve, 0, 7);
        emit(BPF_LD | BPF_W | BPF_ABS, low(0));
        emit(BPF_JMP | BPF_JEQ | BPF_K, unsigned(path), 0, 3);
        emit(BPF_LD | BPF_W | BPF_ABS, low(0) + 4);
        emit(BPF_JMP | BPF_JEQ | BPF_K, unsigned(path >> 32), 0, 1);
        emit(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
        emit(BPF_RET | BPF_K, refuse(EPERM));
        load_number();
    }
    // Before version 3 Landlock let a file that may only be read be truncated as it is opened.
    void rule_truncation() {
        when_masked(SYS_openat, 2, O_TRUNC | O_ACCMODE, O_TRUNC, true, refuse(EPERM));
#ifdef __x86_64__
        when_masked(SYS_open, 1, O_TRUNC | O_ACCMODE, O_TRUNC, true, refuse(EPERM));
#endif
    }
    // Pages that are shared count for nobody once all but one of them are unmapped.
    void rule_memory() {
        constexpr unsigned shared = MAP_SHARED | MAP_ANONYMOUS;
        when_masked(SYS_mmap, 3, shared, shared, true, refuse(EPERM));
    }
    // Limits and processors of other processes are not ours to set; setrlimit reaches here with 0.
    void rule_limits() {
        when_masked(SYS_prlimit64, 0, ~0u, 0, false, refuse(EPERM));
        if (builds()) when_masked(SYS_sched_setaffinity, 0, ~0u, 0, false, refuse(EPERM));
        else only_own(SYS_sched_setaffinity);
    }
    void only_own(long call) {
        emit(BPF_JMP | BPF_JEQ | BPF_K, unsigned(call), 0, 5);
        emit(BPF_LD | BPF_W | BPF_ABS, low(0));
        emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 2, 0);
        emit(BPF_JMP | BPF_JEQ | BPF_K, unsigned(getpid()), 1, 0);
        emit(BPF_RET | BPF_K, refuse(EPERM));
        load_number();
    }
};

}  // namespace
