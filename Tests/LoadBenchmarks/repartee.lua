-- What the benchmarks set from outside.
return { env = { "IDLE", "VISITORS", "PAUSE", "USERS", "STEADY" } }
