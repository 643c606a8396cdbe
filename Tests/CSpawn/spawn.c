// Some of these functions are no part of POSIX, and what Swift sees of the C library has only that.
#define _GNU_SOURCE
#include "CSpawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

int spawn_program(pid_t *identifier, char *const arguments[], char *const environment[], const char *folder,
                  const int streams[3]) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    int problem = 0;
    for (int stream = 0; stream < 3 && problem == 0; stream++)
        problem = posix_spawn_file_actions_adddup2(&actions, streams[stream], stream);
    if (problem == 0) problem = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (problem == 0 && folder) problem = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (problem == 0) problem = posix_spawnp(identifier, arguments[0], &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return problem;
}

int open_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
