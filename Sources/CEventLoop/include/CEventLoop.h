// What Swift cannot reach by itself: epoll, eventfd, timerfd, accept4 and malloc_trim, which the Glibc module map leaves
// out (Linux only), a thread-local variable, clocks as plain numbers, and threads.
#ifndef C_EVENT_LOOP_H
#define C_EVENT_LOOP_H

#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

// Declared here because _GNU_SOURCE would change types that other modules share.
int accept4(int, struct sockaddr *, socklen_t *, int);
#endif

// The event loop whose turn runs on this thread, or NULL.
extern _Thread_local const void *c_event_loop_current;

static inline const void *c_event_loop_get_current(void) { return c_event_loop_current; }
static inline void c_event_loop_set_current(const void *loop) { c_event_loop_current = loop; }

// Nanoseconds since some moment, since 1970, and those in which this process had a processor.
long long c_monotonic_nanoseconds(void);
long long c_wall_nanoseconds(void);
long long c_processor_nanoseconds(void);

// How many processors this process may use: those online, without what taskset or a container's cpuset takes away.
int c_processor_count(void);

// Runs a function on a thread of its own that takes no signals. 0, or an errno.
int c_start_thread(void (*body)(void *), void *context);

#endif
