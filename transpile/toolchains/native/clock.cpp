// The seconds of the day for runs that are compared, preloaded: programs that seed their random numbers with `time` get
// the same ones in every run. The clock stands still at first. A program that asks again and again waits for it, so
// from then on it goes.
#include <atomic>
#include <ctime>

extern "C" time_t time(time_t *result) noexcept {
    constexpr time_t begin = 1'700'000'000;
    constexpr unsigned long still = 1000;
    static std::atomic<unsigned long> asked{0};
    static std::atomic<time_t> left{0};
    time_t now = begin;
    if (asked.fetch_add(1) >= still) {
        timespec real = {};
        clock_gettime(CLOCK_REALTIME, &real);
        time_t none = 0;
        left.compare_exchange_strong(none, real.tv_sec);
        now += real.tv_sec - left;
    }
    if (result != nullptr)
        *result = now;
    return now;
}
