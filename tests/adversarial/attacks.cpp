// Tries one thing that no candidate may do. Ends with 0 where it could, and with 3 where it was refused.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <string>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int refused_if(bool refused) { return refused ? 3 : 0; }

static int read_from(const char *path) {
    char data[16];
    int file = open(path, O_RDONLY);
    return refused_if(file < 0 || read(file, data, sizeof data) <= 0);
}

static int connect_to(int port) {
    int line = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<unsigned short>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return refused_if(line < 0 || connect(line, reinterpret_cast<sockaddr *>(&address), sizeof address));
}

static int start_forked(bool quick) {
    pid_t child = quick ? vfork() : fork();
    if (child == 0) _exit(0);
    return refused_if(child < 0);
}

static int start_cloned() {
    unsigned long long arguments[8] = {0, 0, 0, 0, SIGCHLD, 0, 0, 0};
    long child = syscall(435, arguments, sizeof arguments);
    if (child == 0) _exit(0);
    return refused_if(child < 0);
}

static int start_spawned() {
    pid_t child;
    char name[] = "true", *words[] = {name, nullptr};
    return refused_if(posix_spawn(&child, "/bin/true", nullptr, nullptr, words, nullptr) != 0);
}

static int execute(const char *path) {
    char *words[] = {const_cast<char *>(path), nullptr};
    execv(path, words);
    return 3;
}

static int start_outliving(const char *path) {
    int escaped[2];
    if (pipe(escaped)) return 4;
    pid_t child = fork();
    if (child < 0) return 3;
    if (child > 0) {  // Its group is killed when this one ends: the child leaves the group first.
        close(escaped[1]);
        return read(escaped[0], &child, 1) < 0;
    }
    setsid();
    if (fork() > 0) _exit(0);
    close(escaped[1]);
    close(0), close(1), close(2);
    usleep(700000);
    _exit(open(path, O_CREAT | O_WRONLY, 0600) < 0);
}

static int start_thread() {
    pthread_t thread;
    return refused_if(pthread_create(&thread, nullptr, [](void *) -> void * { return nullptr; }, nullptr) ||
                      pthread_join(thread, nullptr));
}

int main(int, char **words) {
    std::string what = words[1];
    const char *path = words[2] ? words[2] : "";
    if (what == "write") return refused_if(open(path, O_CREAT | O_WRONLY, 0600) < 0);
    if (what == "read") return read_from(path);
    if (what == "link") return symlink(path, "link") ? 4 : read_from("link");
    if (what == "truncate") return refused_if(truncate(path, 0));
    if (what == "truncate by opening") return refused_if(open(path, O_RDONLY | O_TRUNC) < 0);
    if (what == "unlink") return refused_if(unlink(path));
    if (what == "chmod") return refused_if(chmod(path, 0640));
    if (what == "list") return refused_if(open(path, O_RDONLY | O_DIRECTORY) < 0);
    if (what == "connect") return connect_to(atoi(path));
    if (what == "socket") return refused_if(socket(AF_INET, SOCK_DGRAM, 0) < 0);
    if (what == "local socket") return refused_if(socket(AF_UNIX, SOCK_STREAM, 0) < 0);
    if (what == "fork") return start_forked(false);
    if (what == "vfork") return start_forked(true);
    if (what == "clone3") return start_cloned();
    if (what == "spawn") return start_spawned();
    if (what == "exec") return execute("/bin/true");
    if (what == "exec own") { char own[] = "/proc/self/exe", *again[] = {own, const_cast<char *>("done"), nullptr}; execv(own, again); return 3; }
    if (what == "done") return 0;
    if (what == "outlive") return start_outliving(path);
    if (what == "signal") return refused_if(kill(atoi(path), 0));
    if (what == "signal thread") return refused_if(syscall(SYS_tgkill, atoi(path), atoi(path), 0));
    if (what == "trace") return refused_if(ptrace(PTRACE_SEIZE, atoi(path), 0, 0));
    if (what == "namespace") return refused_if(unshare(CLONE_NEWUSER));
    if (what == "ring") { char parameters[256] = {}; return refused_if(syscall(425, 4, parameters) < 0); }
    if (what == "shared segment") return refused_if(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) < 0);
    if (what == "environment") return refused_if(getenv("TRANSPILE_SECRET") == nullptr);
    if (what == "thread") return start_thread();
    if (what == "loop") for (volatile int turn = 0;;) turn = turn + 1;
    if (what == "close and loop") { close(0), close(1), close(2); for (;;) usleep(1000); }
    if (what == "eat") for (;;) { void *piece = malloc(1 << 20); if (!piece) return 3; memset(piece, 1, 1 << 20); }
    if (what == "flood") { std::string line(1 << 16, 'x'); for (int i = 0; i < 1024; i++) if (write(1, line.data(), line.size()) < 0) return 3; return 0; }
    if (what == "fill") { std::string line(1 << 20, 'x'); int file = open("big", O_CREAT | O_WRONLY, 0600);
        for (int i = 0; i < 8192; i++) if (write(file, line.data(), line.size()) < 0) return 3; return 0; }
    return 5;
}
