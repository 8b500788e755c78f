#define _GNU_SOURCE
#include "CSpawn.h"

int spawn_in_folder(posix_spawn_file_actions_t *actions, const char *folder) {
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int spawn_closing_others(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, short flags) {
#ifdef __APPLE__
    return posix_spawnattr_setflags(attributes, flags | POSIX_SPAWN_CLOEXEC_DEFAULT);
#else
    int failure = posix_spawn_file_actions_addclosefrom_np(actions, 3);
    return failure ? failure : posix_spawnattr_setflags(attributes, flags);
#endif
}
