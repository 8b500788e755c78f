// Apart from the rest: _GNU_SOURCE changes the types of what CEventLoop.h declares.
#define _GNU_SOURCE
#include <sched.h>
#include <unistd.h>

int c_processor_count(void) {
#if defined(__linux__)
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}
