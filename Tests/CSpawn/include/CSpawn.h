#ifndef CSPAWN_H
#define CSPAWN_H

#include <sys/types.h>

/// Starts a program, found on the PATH, with standard streams of its own and no other open file of the caller.
///
/// All signals have their default effect in it, even those that the caller ignores.
///
/// - Parameters:
///   - identifier: Where the number of the process is put.
///   - arguments: The program and its arguments, with a null pointer behind them.
///   - environment: Its variables as `NAME=value`, with a null pointer behind them.
///   - folder: Where it begins, or a null pointer for where the caller is.
///   - streams: The descriptors that are its standard input, output and error.
/// - Returns: 0, or the number of an error.
int spawn_program(pid_t *identifier, char *const arguments[], char *const environment[], const char *folder,
                  const int streams[3]);

/// Opens a pipe whose ends no other program inherits.
///
/// - Parameter ends: Where the descriptors are put, first the one that is read.
/// - Returns: 0, or -1 with `errno` set.
int open_pipe(int ends[2]);

#endif
