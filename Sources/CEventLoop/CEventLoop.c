#include "CEventLoop.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

_Thread_local const void *c_event_loop_current = 0;

static long long nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

long long c_monotonic_nanoseconds(void) { return nanoseconds(CLOCK_MONOTONIC); }
long long c_wall_nanoseconds(void) { return nanoseconds(CLOCK_REALTIME); }
long long c_processor_nanoseconds(void) { return nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }

struct start {
    void (*body)(void *);
    void *context;
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    start.body(start.context);
    return NULL;
}

int c_start_thread(void (*body)(void *), void *context) {
    struct start *start = malloc(sizeof *start);
    if (start == NULL) return ENOMEM;
    *start = (struct start){body, context};
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_t thread;
    int failure = pthread_create(&thread, NULL, run, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failure != 0) free(start);
    else pthread_detach(thread);
    return failure;
}
