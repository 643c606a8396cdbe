// What the files of the bridge share with each other and not with Swift.

#ifndef REPARTEE_LUA_BRIDGE_INTERNAL_H
#define REPARTEE_LUA_BRIDGE_INTERNAL_H

#include "LuaBridge.h"

// Marks in the low bits of the host pointer in a thread's extra space.
#define REPARTEE_LUA_OWNED ((uintptr_t)1)    // the thread belongs to the scheduler
#define REPARTEE_LUA_WAITING ((uintptr_t)2)  // the thread is suspended by a host function, not by the script
#define REPARTEE_LUA_EXPOSED ((uintptr_t)4)  // the script got hold of the thread
// Lua leaves the hooks of a thread switched off when an error raised by a hook ends it; its variables must not be
// closed then, because nothing could stop the code that closes them.
#define REPARTEE_LUA_UNSTOPPABLE ((uintptr_t)8)
#define REPARTEE_LUA_MARKS ((uintptr_t)15)

// The price of a new user coroutine: its first instructions run before its own counting hook fires.
#define REPARTEE_LUA_COROUTINE_PRICE 1000

// A thread that is being closed may take so many bytes beyond the limit: more than a stack of the least size has.
#define REPARTEE_LUA_CLOSING_ROOM ((size_t)1 << 16)

// A text of so many bytes makes single instructions slow, for instance a comparison: the hook then counts shorter.
#define REPARTEE_LUA_LONG_TEXT ((size_t)1 << 20)
#define REPARTEE_LUA_SHORT_INTERVAL 4

// So many bytes that Lua asks for cost one instruction: they are written, and looked at when garbage is collected.
#define REPARTEE_LUA_BYTES_PER_INSTRUCTION 64

// The most elements that a table function walks in C, where no hook can stop it.
#define REPARTEE_LUA_MOST_ELEMENTS ((lua_Integer)1 << 24)

static inline uintptr_t *repartee_lua_marks(lua_State *L) {
    return (uintptr_t *)lua_getextraspace(L);
}

// Whether a watchdog wants the script to end that runs on the host's thread.
static inline int repartee_lua_is_stopped(const repartee_lua_host *host) {
    return __atomic_load_n(&host->watch->stopped, __ATOMIC_RELAXED) == host->turn;
}

static inline repartee_lua_host *host_of(lua_State *L) {
    return (repartee_lua_host *)(*repartee_lua_marks(L) & ~REPARTEE_LUA_MARKS);
}

// Addresses that name entries of the registry.
extern const char repartee_lua_key_memory, repartee_lua_key_step, repartee_lua_key_total, repartee_lua_key_base,
    repartee_lua_key_numbers, repartee_lua_key_array, repartee_lua_key_shared_numbers, repartee_lua_key_lazy,
    repartee_lua_key_own, repartee_lua_key_cell, repartee_lua_key_modules, repartee_lua_key_libraries,
    repartee_lua_key_caught, repartee_lua_key_failed;
// The address that stands for null, and the one by which a suspension travels through user coroutines.
extern const char repartee_lua_null, repartee_lua_suspension;

// Enters the host with a slot and carries out its verdict.
int repartee_lua_enter(lua_State *L, int slot);
// Gives a value, if it is a table that keeps a document, the members that it stands for.
// stack: (unchanged)
void repartee_lua_complete(lua_State *L, int index);
// Prepares the tables whose document is a packed object.
void repartee_lua_open_documents(lua_State *L);
// Says whether a host function called on L may suspend.
int repartee_lua_can_suspend(lua_State *L);
// Notes that a script has caught the error on top of the stack.
// stack: error → error
void repartee_lua_caught(lua_State *L);
// Returns whether a value is an error that scripts cannot catch: every protected call raises it again.
int repartee_lua_is_final(lua_State *L, int index);
// Ends a script that was killed: yields for good where Lua can, which no pcall sees, and raises elsewhere.
int repartee_lua_stop(lua_State *L);
// Pushes a value as text; may raise.
// stack: → text
void repartee_lua_text(lua_State *L, int index);

// Has the hook of a running thread count as short as long texts need, without waiting until it fires.
void repartee_lua_adjust_hook(lua_State *L);
// `pairs`, in an order that is the same in each run.
int repartee_lua_pairs(lua_State *L);
// Calls the stock function in upvalue 1 with all arguments; not suspendable, as the stock function is not either.
int repartee_lua_forward(lua_State *L);

// Raises an error unless the first argument has elements. The stock ipairs and table.unpack come upon nil only while
// they run, and then say neither where nor in what call.
void repartee_lua_check_elements(lua_State *L);

// The allocator of a host, which is its data.
void *repartee_lua_allocate(void *data, void *block, size_t old_size, size_t new_size);
// Collects garbage, and raises an error if more memory is used than the limit even then.
void repartee_lua_check_memory(lua_State *L);
// Replaces Lua's own message on top of the stack by ours when the status says that memory ran out.
// stack: error → error
void repartee_lua_fix_error(lua_State *L, int status);
// Gives the blocks back that a state has kept, once it is closed.
void repartee_lua_free_kept(repartee_lua_host *host);
// Makes the message about the memory limit while there still is memory for it.
void repartee_lua_open_memory(lua_State *L);

// Fills the globals of an environment with all that is shared and takes its metatable off; does nothing to other
// tables.
void repartee_lua_complete_environment(lua_State *L, int index);
// Pushes what an environment at index 1 has or is offered under the name at index 2; nil where that is nothing.
// stack: → value
void repartee_lua_look_up(lua_State *L);
// `load` of an environment, which is upvalue 1.
int repartee_lua_load_text(lua_State *L);
// `require` of an environment, which is upvalue 1; upvalue 2 has the modules that it has loaded.
int repartee_lua_require(lua_State *L);
// Prepares what environments share, once the shared globals stand in the registry.
void repartee_lua_open_environments(lua_State *L);

// Each opens one group of functions into the table on top of the stack.
// stack: globals → globals
void repartee_lua_open_sandbox(lua_State *L);
void repartee_lua_open_protected_calls(lua_State *L);
void repartee_lua_open_errors(lua_State *L);
void repartee_lua_open_coroutines(lua_State *L);
void repartee_lua_open_order(lua_State *L);
void repartee_lua_open_text(lua_State *L);
void repartee_lua_open_tables(lua_State *L);
void repartee_lua_open_charges(lua_State *L);
void repartee_lua_open_patterns(lua_State *L);
void repartee_lua_open_time(lua_State *L);
// Adds math.random and math.randomseed with a generator of their own.
// stack: math → math
void repartee_lua_open_random(lua_State *L, uint64_t seed);

#endif
