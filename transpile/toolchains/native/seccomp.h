// The system calls a sandboxed command may not make.
#pragma once

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {

#if defined(__x86_64__)
constexpr unsigned native_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned native_architecture = AUDIT_ARCH_AARCH64;
#else
#error "the sandbox knows x86-64 and aarch64"
#endif

// Numbers above this were given after this list was written; nobody has judged them.
constexpr unsigned last_known_call = 462;

// Network, other processes, the kernel's own settings, and ways around the other rules (io_uring makes
// calls that no filter sees, handles open files without a path).
constexpr long refused_always[] = {
    SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_perf_event_open, SYS_bpf,
    SYS_userfaultfd, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_mount, SYS_umount2, SYS_pivot_root,
    SYS_chroot, SYS_unshare, SYS_setns, SYS_swapon, SYS_swapoff, SYS_reboot, SYS_kexec_load,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_acct, SYS_quotactl, SYS_syslog,
    SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_sethostname,
    SYS_setdomainname, SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_fanotify_init,
    SYS_fanotify_mark, SYS_vhangup, SYS_setpgid, SYS_setsid, SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget,
    SYS_semop, SYS_semctl, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink, SYS_setpriority,
    SYS_ioprio_set, SYS_migrate_pages, SYS_move_pages, SYS_truncate, SYS_sched_setscheduler, SYS_sched_setparam,
    SYS_sched_setattr, SYS_tkill,
    424 /* pidfd_send_signal */, 425, 426, 427 /* io_uring */, 428, 429, 430, 431, 432, 433 /* mounts */,
    434, 438 /* pidfds */, 440 /* process_madvise */, 442 /* mount_setattr */, 443 /* quotactl_fd */, 448 /* process_mrelease */,
    SYS_execveat,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef __x86_64__
    SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_ustat, SYS_sysfs, SYS_lookup_dcookie,
#endif
};

// Landlock does not govern these: they change what a file is, not what it holds.
constexpr long metadata[] = {
    SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
    SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, 452 /* fchmodat2 */,
#ifdef __x86_64__
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
};

struct Filter {
    bool build = false;
    bool namespaces = false;      // Inside mounts and a PID namespace of its own.
    bool signals_scoped = false;  // Signals cannot leave the sandbox anyway.
    unsigned long path = 0;       // Address of the only path that may be executed.

    bool install() {
        begin();
        for (long call : refused_always) when(call, refuse(EPERM));
        when(SYS_clone3, refuse(ENOSYS));  // Its flags lie in memory; the C library falls back to clone.
        when(437 /* openat2 */, refuse(ENOSYS));
        rule_metadata();
        rule_signals();
        rule_processes();
        rule_truncation();
        rule_limits();
        emit(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
        sock_fprog code = {static_cast<unsigned short>(program.size()), program.data()};
        return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &code) == 0;
    }

  private:
    std::vector<sock_filter> program;

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
    void rule_metadata() {
        if (namespaces) return;
        // Builds take no for an answer badly (cp -p, install, ar): tell them yes and do nothing.
        unsigned action = build ? refuse(0) : refuse(EPERM);
        for (long call : metadata) when(call, action);
        when_masked(SYS_utimensat, 1, ~0u, 0, false, action);
    }
    void rule_signals() {
        for (long call : {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo}) {
            if (!build) when_masked(call, 0, ~0u, unsigned(getpid()), false, refuse(EPERM));
            else if (!signals_scoped) when(call, refuse(EPERM));
        }
    }
    void rule_processes() {
        constexpr unsigned spaces = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                    CLONE_NEWNET | CLONE_NEWCGROUP;
        if (build) {
            when_masked(SYS_clone, 0, spaces, 0, false, refuse(EPERM));
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
    // Limits of other processes are not ours to set; setrlimit reaches here with 0.
    void rule_limits() {
        when_masked(SYS_prlimit64, 0, ~0u, 0, false, refuse(EPERM));
    }
};

}  // namespace
