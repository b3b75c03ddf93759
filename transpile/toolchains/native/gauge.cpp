// How fast this machine is just now: prints the nanoseconds of a processor that a fixed piece of work takes, of the kind
// that calls under test do. What else the machine does slows this down as it slows them.
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <vector>

int main() {
    timespec begin = {}, end = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    std::vector<std::uint32_t> table(1 << 18);  // 1 MiB: beyond what one core has for itself
    std::uint32_t state = 1;
    double sum = 0.0;
    for (int round = 0; round < 40; round++)
        for (std::size_t i = 0; i < table.size(); i++) {
            state = state * 1664525u + 1013904223u;
            table[state >> 14] += state;
            sum += double(table[i]) * 0.5;
        }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    volatile double kept = sum;
    (void)kept;
    printf("%lld\n", (end.tv_sec - begin.tv_sec) * 1000000000ll + (end.tv_nsec - begin.tv_nsec));
}
