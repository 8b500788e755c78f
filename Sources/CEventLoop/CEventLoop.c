#include "CEventLoop.h"
#include <time.h>

_Thread_local const void *c_event_loop_current = 0;

static long long nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

long long c_monotonic_nanoseconds(void) { return nanoseconds(CLOCK_MONOTONIC); }
long long c_wall_nanoseconds(void) { return nanoseconds(CLOCK_REALTIME); }
