// Timers by the interface that CUDA's samples have, for programs whose own copy is not there.
#ifndef SIMT_HELPER_TIMER_H
#define SIMT_HELPER_TIMER_H

#include <chrono>

/// Sums the time between start and stop, in milliseconds.
class StopWatchInterface {
  public:
    virtual ~StopWatchInterface() = default;

    virtual void start() {
        begun_ = Clock::now();
        running_ = true;
    }
    virtual void stop() {
        total_ += since();
        running_ = false;
        ++sessions_;
    }
    virtual void reset() {
        total_ = 0;
        sessions_ = 0;
        begun_ = Clock::now();
    }
    /// Return the time so far, that of a running session too.
    virtual float getTime() { return total_ + (running_ ? since() : 0.0f); }
    virtual float getAverageTime() { return sessions_ > 0 ? total_ / static_cast<float>(sessions_) : 0.0f; }

  private:
    using Clock = std::chrono::steady_clock;

    float since() const { return std::chrono::duration<float, std::milli>(Clock::now() - begun_).count(); }

    Clock::time_point begun_ = Clock::now();
    float total_ = 0;
    int sessions_ = 0;
    bool running_ = false;
};

inline bool sdkCreateTimer(StopWatchInterface **timer) {
    *timer = new StopWatchInterface;
    return true;
}

inline bool sdkDeleteTimer(StopWatchInterface **timer) {
    delete *timer;
    *timer = nullptr;
    return true;
}

inline bool sdkStartTimer(StopWatchInterface **timer) {
    if (*timer) (*timer)->start();
    return true;
}

inline bool sdkStopTimer(StopWatchInterface **timer) {
    if (*timer) (*timer)->stop();
    return true;
}

inline bool sdkResetTimer(StopWatchInterface **timer) {
    if (*timer) (*timer)->reset();
    return true;
}

inline float sdkGetTimerValue(StopWatchInterface **timer) { return *timer ? (*timer)->getTime() : -1.0f; }

inline float sdkGetAverageTimerValue(StopWatchInterface **timer) {
    return *timer ? (*timer)->getAverageTime() : 0.0f;
}

#endif
