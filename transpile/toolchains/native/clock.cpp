// The clocks of runs that are compared, preloaded.
//
// Programs that seed their random numbers with `time` get the same ones in every run: it stands still at first. A program
// that asks again and again waits for it, so from then on it goes. The other clocks go at a pace that the environment may
// say: what a program prints otherwise where they go faster is a measurement. Seeds are none: what clocks say first is
// true, and so are whole seconds of the day.
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

constexpr long long second = 1'000'000'000;

bool asked(clockid_t clock, timespec &now) { return syscall(SYS_clock_gettime, clock, &now) == 0; }

long long nanoseconds(const timespec &moment) { return moment.tv_sec * second + moment.tv_nsec; }

long long pace() {
    static const char *const said = std::getenv("TRANSPILE_PACE");
    static const long long times = said != nullptr ? std::atoll(said) : 1;
    return times;
}

bool paced(clockid_t clock, timespec &now) {
    constexpr clockid_t known = 16;
    static std::atomic<long long> begun[known];
    if (!asked(clock, now))
        return false;
    if (pace() == 1 || clock < 0 || clock >= known)
        return true;
    const long long real = nanoseconds(now);
    long long first = 0;
    if (!begun[clock].compare_exchange_strong(first, real)) {
        const long long moved = first + (real - first) * pace();
        now = {clock == CLOCK_REALTIME ? now.tv_sec : static_cast<time_t>(moved / second),
               static_cast<long>(moved % second)};
    }
    return true;
}

} // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec *result) noexcept {
    timespec now = {};
    if (!paced(clock, now))
        return -1;
    *result = now;
    return 0;
}

int gettimeofday(timeval *result, void *) noexcept {
    timespec now = {};
    if (!paced(CLOCK_REALTIME, now))
        return -1;
    *result = {now.tv_sec, static_cast<suseconds_t>(now.tv_nsec / 1000)};
    return 0;
}

clock_t clock() noexcept {
    timespec now = {};
    constexpr long long tick = second / CLOCKS_PER_SEC;
    return paced(CLOCK_PROCESS_CPUTIME_ID, now) ? static_cast<clock_t>(nanoseconds(now) / tick) : -1;
}

time_t time(time_t *result) noexcept {
    constexpr time_t begin = 1'700'000'000;
    constexpr unsigned long still = 1000;
    static std::atomic<unsigned long> times{0};
    static std::atomic<time_t> left{0};
    time_t now = begin;
    if (times.fetch_add(1) >= still) {
        timespec real = {};
        asked(CLOCK_REALTIME, real);
        time_t none = 0;
        left.compare_exchange_strong(none, real.tv_sec);
        now += real.tv_sec - left;
    }
    if (result != nullptr)
        *result = now;
    return now;
}

}
