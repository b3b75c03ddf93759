// The system calls, and commands of some, that a sandboxed command may not make.
#pragma once

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace {

// Numbers above this were given after this list was written; nobody has judged them.
constexpr unsigned last_known_call = 462;

// Network, other processes, the kernel's own settings, and ways around the other rules: io_uring makes
// calls that no filter sees, handles open files without a path, memory files and segments are memory that no
// process is seen to hold, and inotify tells the names in directories that may not be read.
constexpr long refused_always[] = {
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_perf_event_open, SYS_bpf,
    SYS_userfaultfd, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_mount, SYS_umount2, SYS_pivot_root,
    SYS_chroot, SYS_unshare, SYS_setns, SYS_swapon, SYS_swapoff, SYS_reboot, SYS_kexec_load,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_acct, SYS_quotactl, SYS_syslog,
    SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_sethostname,
    SYS_setdomainname, SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_fanotify_init,
    SYS_fanotify_mark, SYS_vhangup, SYS_setpgid, SYS_setsid, SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget,
    SYS_semop, SYS_semtimedop, SYS_semctl, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink,
    SYS_setpriority, SYS_ioprio_set, SYS_migrate_pages, SYS_move_pages, SYS_truncate, SYS_sched_setscheduler, SYS_sched_setparam,
    SYS_sched_setattr, SYS_tkill,
    424 /* pidfd_send_signal */, 425, 426, 427 /* io_uring */, 428, 429, 430, 431, 432, 433 /* mounts */,
    434, 438 /* pidfds */, 440 /* process_madvise */, 442 /* mount_setattr */, 443 /* quotactl_fd */, 448 /* process_mrelease */,
    SYS_execveat, SYS_memfd_create, 447 /* memfd_secret */, SYS_inotify_init1, SYS_inotify_add_watch, SYS_vmsplice,
    457, 458 /* statmount, listmount */,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef __x86_64__
    SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_ustat, SYS_sysfs, SYS_lookup_dcookie, SYS_inotify_init,
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

// Calls that give files a mode, and which argument it is.
constexpr struct { long call; int mode; } modes[] = {
    {SYS_openat, 3}, {SYS_mkdirat, 2}, {SYS_mknodat, 2}, {SYS_fchmod, 1}, {SYS_fchmodat, 2}, {452 /* fchmodat2 */, 2},
#ifdef __x86_64__
    {SYS_open, 2}, {SYS_creat, 1}, {SYS_mkdir, 1}, {SYS_mknod, 1}, {SYS_chmod, 1},
#endif
};

// A call under test has no use for these, and what it writes stays in sight.
constexpr long names[] = {
    SYS_unlinkat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_mknodat,
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef __x86_64__
    SYS_unlink, SYS_rmdir, SYS_rename, SYS_link, SYS_symlink, SYS_mknod,
#endif
};

// They have the kernel send signals, to whomever the caller names, or hold up whoever opens a file.
constexpr unsigned file_commands[] = {
    F_SETOWN, F_SETSIG, 15 /* F_SETOWN_EX */, 1024 /* F_SETLEASE */, 1026 /* F_NOTIFY */,
};

// All else is told that it is no terminal: FIOASYNC and FIOSETOWN send signals, TIOCSTI types for the user.
constexpr unsigned device_commands[] = {
    0x5401 /* TCGETS */, 0x802c542a /* TCGETS2 */, 0x5413 /* TIOCGWINSZ */, 0x540f /* TIOCGPGRP */,
    0x541b /* FIONREAD */, 0x5421 /* FIONBIO */, 0x5450 /* FIONCLEX */, 0x5451 /* FIOCLEX */,
};

// With these a process would outlive us, hide from us, or leave the family that we count.
constexpr unsigned process_settings[] = {PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER};

}  // namespace
