// Reaches for other processes, the kernel and what it shares. Ends with 0 where it could, and with 3 where not.
//
//   others WHAT PROCESS
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <map>
#include <mqueue.h>
#include <sched.h>
#include <string>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

using Attempt = std::function<bool()>;

static int process;

static std::string entry(const char *name) { return "/proc/" + std::to_string(process) + "/" + name; }

static bool reads(const std::string &path) {
    char data[64];
    int file = open(path.c_str(), O_RDONLY);
    return file >= 0 && read(file, data, sizeof data) > 0;
}

static int own_file() { return open("own-file", O_RDWR | O_CREAT, 0600); }

// The kernel sends the signal that was set to the owner that was set as soon as the pipe can be read.
static bool signal_by_file(bool extended) {
    int ends[2];
    if (pipe(ends)) return false;
    f_owner_ex owner = {F_OWNER_PID, process};
    bool set = extended ? !fcntl(ends[0], F_SETOWN_EX, &owner) : !fcntl(ends[0], F_SETOWN, process);
    set = set && !fcntl(ends[0], F_SETSIG, SIGKILL) && !fcntl(ends[0], F_SETFL, O_ASYNC);
    // All of it is needed, and each has to be refused by itself.
    bool any = set || !fcntl(ends[0], F_SETSIG, SIGUSR1) || !fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK);
    return write(ends[1], "x", 1) == 1 && any;
}

static bool control(unsigned long command) {
    int ends[2], argument = 1;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) && pipe(ends)) return false;
    return !ioctl(ends[0], command, &argument);
}

static bool copies(bool writes) {
    char mine[8] = {};
    unsigned long there = 0;
    FILE *maps = fopen(entry("maps").c_str(), "r");  // Without it, any address tells whether the call is let through.
    if (!maps || fscanf(maps, "%lx", &there) != 1) there = 0x10000;
    iovec here = {mine, sizeof mine}, other = {reinterpret_cast<void *>(there), sizeof mine};
    long done = writes ? process_vm_writev(process, &here, 1, &other, 1, 0) : process_vm_readv(process, &here, 1, &other, 1, 0);
    return done > 0 || errno == EFAULT;
}

static bool socket_of(int family, int type, int protocol = 0) { return socket(family, type, protocol) >= 0; }

static bool maps_shared(int flags, int file) {
    void *memory = mmap(nullptr, 1 << 20, PROT_READ, MAP_SHARED | flags, file, 0);
    return memory != MAP_FAILED && *static_cast<volatile char *>(memory) == 0;
}

static bool has_identity(const char *name) {
    struct stat found;
    return !stat(name, &found) && found.st_mode & (S_ISUID | S_ISGID);
}

#ifdef __x86_64__
// Numbers of another architecture would pass by a filter for this one.
static bool calls_as_32_bits() {
    long answer = 20;  // getpid
    asm volatile("int $0x80" : "+a"(answer) : : "memory");
    return answer > 0;
}
#else
static bool calls_as_32_bits() { return false; }
#endif

static bool starts_beside_itself() {
    pid_t child = pid_t(syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, 0));
    if (child == 0) _exit(0);
    return child > 0;
}

static const std::map<std::string, Attempt> attempts = {
    // Other processes.
    {"signal by a file", [] { return signal_by_file(false); }},
    {"signal by an extended owner", [] { return signal_by_file(true); }},
    {"signal by ioctl", [] { return control(FIOASYNC); }},
    {"owner by ioctl", [] { return control(FIOSETOWN); }},
    {"signal with a value", [] { siginfo_t info = {}; info.si_code = SI_QUEUE; return !syscall(SYS_rt_sigqueueinfo, process, 0, &info); }},
    {"signal by tkill", [] { return !syscall(SYS_tkill, process, 0); }},
    {"signal to its group", [] { return !kill(-process, 0); }},
    {"handle of a process", [] { return syscall(434, process, 0) >= 0; }},
    {"signal by a handle", [] { long handle = syscall(434, process, 0); return handle >= 0 && !syscall(424, handle, 0, nullptr, 0); }},
    {"read memory", [] { return copies(false); }},
    {"write memory", [] { return copies(true); }},
    {"open memory", [] { return open(entry("mem").c_str(), O_RDWR) >= 0; }},
    {"its environment", [] { return reads(entry("environ")); }},
    {"its command", [] { return reads(entry("cmdline")); }},
    {"its maps", [] { return reads(entry("maps")); }},
    {"its descriptors", [] { return open(entry("fd").c_str(), O_RDONLY | O_DIRECTORY) >= 0; }},
    {"its root", [] { return reads(entry("root/etc/passwd")); }},
    {"its folder", [] { return open(entry("cwd").c_str(), O_RDONLY | O_DIRECTORY) >= 0; }},
    {"its processors", [] { cpu_set_t one; CPU_ZERO(&one); CPU_SET(0, &one); return !sched_setaffinity(process, sizeof one, &one); }},
    {"its priority", [] { return !setpriority(PRIO_PROCESS, id_t(process), 19); }},
    {"its schedule", [] { sched_param none = {}; return !sched_setscheduler(process, SCHED_BATCH, &none); }},
    {"its limits", [] { rlimit limit; return !prlimit(process, RLIMIT_NOFILE, nullptr, &limit); }},
    {"its pages", [] { return !syscall(SYS_migrate_pages, process, 0, nullptr, nullptr); }},
    {"compare", [] { return syscall(SYS_kcmp, process, process, 0, 0, 0) >= 0; }},
    // Lines to others.
    {"unix socket", [] { return socket_of(AF_UNIX, SOCK_DGRAM); }},
    {"netlink socket", [] { return socket_of(AF_NETLINK, SOCK_RAW); }},
    {"virtual machine socket", [] { return socket_of(40, SOCK_STREAM); }},
    {"packet socket", [] { return socket_of(AF_PACKET, SOCK_RAW); }},
    {"cipher socket", [] { return socket_of(38, SOCK_SEQPACKET); }},
    {"ipv6 socket", [] { return socket_of(AF_INET6, SOCK_STREAM); }},
    {"raw socket", [] { return socket_of(AF_INET, SOCK_RAW, 1); }},
    {"pair of sockets", [] { int ends[2]; return !socketpair(AF_UNIX, SOCK_STREAM, 0, ends); }},
    {"semaphores", [] { int made = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600); if (made >= 0) semctl(made, 0, IPC_RMID); return made >= 0; }},
    {"messages", [] { int made = msgget(IPC_PRIVATE, IPC_CREAT | 0600); if (made >= 0) msgctl(made, IPC_RMID, nullptr); return made >= 0; }},
    {"queue", [] { std::string name = "/others-" + std::to_string(getpid()); bool made = mq_open(name.c_str(), O_CREAT | O_RDWR, 0600, nullptr) >= 0; mq_unlink(name.c_str()); return made; }},
    {"named memory", [] { std::string name = "/others-" + std::to_string(getpid()); bool made = shm_open(name.c_str(), O_CREAT | O_RDWR, 0600) >= 0; shm_unlink(name.c_str()); return made; }},
    // The kernel.
    {"program of the kernel", [] { char attribute[128] = {}; return syscall(SYS_bpf, 0, attribute, sizeof attribute) >= 0 || errno == EINVAL; }},
    {"faults of pages", [] { return syscall(SYS_userfaultfd, 1) >= 0; }},
    {"counters", [] { char attribute[128] = {1, 0, 0, 0, 112}; return syscall(SYS_perf_event_open, attribute, 0, -1, -1, 0) >= 0; }},
    {"keys", [] { return syscall(SYS_keyctl, 0, -3, 1) >= 0; }},
    {"new key", [] { return syscall(SYS_add_key, "user", "others", "x", 1, -2) >= 0; }},
    {"mount", [] { char here[4096]; return getcwd(here, sizeof here) && !mount("none", here, "tmpfs", 0, nullptr) && !umount2(here, MNT_DETACH); }},
    {"mount anew", [] { return syscall(430, "tmpfs", 0) >= 0; }},
    {"root", [] { return !chroot("."); }},
    {"join a namespace", [] { int file = open("/proc/self/ns/uts", O_RDONLY); return !setns(file, 0); }},
    {"leave a namespace", [] { return !unshare(CLONE_NEWUSER) || !unshare(CLONE_NEWNS); }},
    {"handle of a file", [] { alignas(8) char handle[136] = {char(128)}; int mount; return !syscall(SYS_name_to_handle_at, AT_FDCWD, ".", handle, &mount, 0); }},
    {"watch files", [] { int line = inotify_init(); return line >= 0 && inotify_add_watch(line, "/", IN_ALL_EVENTS) >= 0; }},
    {"watch all files", [] { return syscall(SYS_fanotify_init, 0x200, 0) >= 0; }},
    {"host name", [] { char name[256]; gethostname(name, sizeof name); return !sethostname(name, strlen(name)); }},
    {"log of the kernel", [] { return syscall(SYS_syslog, 10, nullptr, 0) >= 0; }},
    {"type for the user", [] { char key = 'x'; return !ioctl(0, TIOCSTI, &key) || errno != ENOTTY; }},
    {"other architecture", calls_as_32_bits},
    {"setting of the kernel", [] { return open("/proc/sys/kernel/core_pattern", O_WRONLY) >= 0; }},
    {"group of a control", [] { return open("/sys/fs/cgroup", O_RDONLY | O_DIRECTORY) >= 0; }},
    // What nobody would see.
    {"memory file", [] { return memfd_create("others", 0) >= 0; }},
    {"secret memory file", [] { return syscall(447, 0) >= 0; }},
    {"shared pages", [] { return maps_shared(MAP_ANONYMOUS, -1); }},
    {"shared zeros", [] { int file = open("/dev/zero", O_RDONLY); return file >= 0 && maps_shared(0, file); }},
    {"lease", [] { return !fcntl(own_file(), F_SETLEASE, F_WRLCK); }},
    {"notice of a folder", [] { return !fcntl(open(".", O_RDONLY), F_NOTIFY, DN_CREATE); }},
    {"outlive its parent", [] { return !prctl(PR_SET_PDEATHSIG, 0); }},
    {"hide", [] { return !prctl(PR_SET_DUMPABLE, 0); }},
    {"adopt", [] { return !prctl(PR_SET_CHILD_SUBREAPER, 0); }},
    {"leave the family", starts_beside_itself},
    {"user id of a file", [] { return !fchmod(own_file(), 04755) && has_identity("own-file"); }},
    {"user id of a new file", [] { return open("new-file", O_CREAT | O_WRONLY, 04755) >= 0 && has_identity("new-file"); }},
    {"group id of a folder", [] { return !mkdir("new-folder", 0755) && !chmod("new-folder", 02755) && has_identity("new-folder"); }},
    // Names.
    {"remove a name", [] { own_file(); return !unlink("own-file"); }},
    {"change a name", [] { own_file(); return !rename("own-file", "other"); }},
    {"name a link", [] { return !symlink("/etc/passwd", "linked"); }},
    {"name a file twice", [] { own_file(); return !link("own-file", "twice"); }},
    {"name a pipe", [] { return !mkfifo("piped", 0600); }},
    {"name nothing", [] { return open(".", O_TMPFILE | O_RDWR, 0600) >= 0; }},
};

int main(int count, char **words) {
    if (count != 3) {
        for (auto &each : attempts) puts(each.first.c_str());
        return 0;
    }
    process = atoi(words[2]);
    return attempts.at(words[1])() ? 0 : 3;
}
