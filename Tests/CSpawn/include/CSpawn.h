#ifndef CSPAWN_H
#define CSPAWN_H

#include <spawn.h>

/// Has the program work in `folder`. What `posix_spawn_file_actions_addchdir_np` is where the headers show it.
int spawn_in_folder(posix_spawn_file_actions_t *actions, const char *folder);

/// Has the program inherit nothing but its standard streams.
int spawn_closing_others(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, short flags);

#endif
