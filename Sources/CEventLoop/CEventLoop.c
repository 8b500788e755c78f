#include "CEventLoop.h"

_Thread_local const void *c_event_loop_current = 0;
