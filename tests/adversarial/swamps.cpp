// Takes more than its share, and then waits for its end.
//
//   swamps WHAT AMOUNT
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <map>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const std::string megabyte(1 << 20, 'x');

static bool fill(int file) { return file >= 0 && write(file, megabyte.data(), megabyte.size()) == ssize_t(megabyte.size()); }

static bool make(const std::string &name) { return open(name.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600) >= 0; }

static bool empty(const std::string &name) {
    int file = open(name.c_str(), O_CREAT | O_WRONLY, 0600);
    return file >= 0 && !close(file);
}

static bool start_thread() {
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    pthread_t thread;
    return !pthread_create(&thread, &small, [](void *) -> void * { for (;;) pause(); }, nullptr);
}

static bool start_process() {
    pid_t child = fork();
    if (child == 0) for (;;) pause();
    return child > 0;
}

// A child of nobody, at the end of a process that started it.
static bool start_orphan() {
    pid_t child = fork();
    if (child == 0) {
        if (fork()) _exit(0);
        for (;;) pause();
    }
    return child > 0 && waitpid(child, nullptr, 0) == child;
}

// All that is left of the pages is in no process: the mapping goes, but for its first page.
static bool hide_pages() {
    constexpr size_t size = 16 << 20;
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    memset(memory, 1, size);
    return !munmap(static_cast<char *>(memory) + 4096, size - 4096);
}

static bool fill_memory_file() { return fill(memfd_create("swamp", 0)); }

// Reading maps one page of zeros everywhere, but the tables that say so are memory.
static bool fill_tables() {
    constexpr size_t size = size_t{1} << 30;
    auto memory = static_cast<volatile char *>(mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (memory == MAP_FAILED) return false;
    for (size_t at = 0; at < size; at += 2 << 20) (void)memory[at];
    return true;
}

static bool eat() {
    void *memory = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED && memset(memory, 1, 1 << 20);
}

static bool nest(int) { return !mkdir("deep", 0700) && !chdir("deep"); }

static const std::map<std::string, std::function<bool(int)>> takes = {
    {"threads", [](int) { return start_thread(); }},
    {"processes", [](int) { return start_process(); }},
    {"orphans", [](int) { return start_orphan(); }},
    {"files", [](int i) { return empty("file-" + std::to_string(i)); }},
    {"folders", [](int i) { return !mkdir(("folder-" + std::to_string(i)).c_str(), 0700); }},
    {"links", [](int i) { return !symlink("nowhere", ("link-" + std::to_string(i)).c_str()); }},
    {"names", [](int i) { return i ? !link("file-0", ("name-" + std::to_string(i)).c_str()) : empty("file-0"); }},
    {"dark files", [](int i) { return (i || !mkdir("dark", 0300)) && empty("dark/file-" + std::to_string(i)); }},
    {"depth", nest},
    {"disk", [](int i) { int file = open(("file-" + std::to_string(i)).c_str(), O_CREAT | O_WRONLY, 0600); return fill(file) && !close(file); }},
    {"one file", [](int) { static int file = open("file", O_CREAT | O_WRONLY, 0600); return fill(file); }},
    {"reserved disk", [](int i) { int file = open(("file-" + std::to_string(i)).c_str(), O_CREAT | O_WRONLY, 0600); return !posix_fallocate(file, 0, 1 << 20) && !close(file); }},
    {"unnamed disk", [](int) { int file = open("file", O_CREAT | O_EXCL | O_WRONLY, 0600); return fill(file) && !unlink("file"); }},
    {"descriptors", [](int i) { return make("file-" + std::to_string(i)); }},
    {"memory", [](int) { return eat(); }},
    {"memory in silence", [](int i) { if (i == 0) close(0), close(1), close(2); return eat(); }},
    {"hidden pages", [](int) { return hide_pages(); }},
    {"memory files", [](int) { return fill_memory_file(); }},
    {"tables of pages", [](int) { return fill_tables(); }},
};

int main(int count, char **words) {
    if (count != 3) return 5;
    auto &take = takes.at(words[1]);
    for (int i = 0, most = atoi(words[2]); i < most; i++)
        if (!take(i)) return 3;
    for (;;) pause();
}
