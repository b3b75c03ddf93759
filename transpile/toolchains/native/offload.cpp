// What a worker adds where target regions run on a device: memory of the host is out of its reach.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <omp-tools.h>

#include "placement.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

// A device here has addresses of the host, and would read through a pointer that nobody has mapped.
void around_kernel(ompt_scope_endpoint_t endpoint, ompt_data_t *, ompt_id_t *, unsigned) {
    placement::open(endpoint == ompt_scope_end);
}

int begin(ompt_function_lookup_t look_up, int, ompt_data_t *) {
    const auto set = reinterpret_cast<ompt_set_callback_t>(look_up("ompt_set_callback"));
    const auto callback = reinterpret_cast<ompt_callback_t>(around_kernel);
    if (set(ompt_callback_target_submit_emi, callback) != ompt_set_always) placement::give_up("kernels go unseen");
    return 1;
}

void finish(ompt_data_t *) {}

}  // namespace

EXPORT ompt_start_tool_result_t *ompt_start_tool(unsigned, const char *) {
    static ompt_start_tool_result_t tool{begin, finish, {}};
    return &tool;
}

// The runtime keeps the device's code in /tmp, which is not the sandbox's: it has the working directory.
EXPORT int mkstemp(char *name) {
    char *last = strrchr(name, '/');
    if (!last || !strstr(last, "XXXXXX")) return -1;
    memmove(name + 1, last, strlen(last) + 1);
    name[0] = '.';
    char *place = strstr(name, "XXXXXX");
    int file = -1;
    // A worker that died has left its own.
    for (unsigned number = 0; file < 0 && number < 1000000; number++) {
        snprintf(place, 7, "%06u", number);
        file = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (file < 0 && errno != EEXIST) break;
    }
    return file;
}
