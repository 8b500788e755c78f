// What the Glibc module map leaves out: epoll, eventfd, timerfd and accept4 (Linux only).
#ifndef C_EVENT_LOOP_H
#define C_EVENT_LOOP_H

#if defined(__linux__)
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

int accept4(int, struct sockaddr *, socklen_t *, int);
#endif

#endif
