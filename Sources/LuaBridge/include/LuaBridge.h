// The C half of the Lua runtime: the only place where Lua may raise an error or yield.
//
// Lua leaves frames by longjmp, which Swift frames do not survive. Therefore Swift never calls Lua API that raises or
// yields. What a script calls is C; C calls Swift through one dispatcher; Swift returns a verdict; C carries it out
// when no Swift frame is left on the stack. In the other direction, everything that may raise runs in here, protected.
//
// Stack comments read `before → after`, top of the stack on the right.

#ifndef REPARTEE_LUA_BRIDGE_H
#define REPARTEE_LUA_BRIDGE_H

#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>
#include <stddef.h>
#include <stdint.h>

// Verdict of a host function: raise the value on top of the stack. Zero and above is a number of results.
#define REPARTEE_LUA_RAISE (-1)
// Verdict of a host function: suspend the coroutine until the scheduler resumes it.
#define REPARTEE_LUA_SUSPEND (-2)

// Clock kinds that `os` asks the host for.
#define REPARTEE_LUA_CLOCK_WALL 0
#define REPARTEE_LUA_CLOCK_MONOTONIC 1

// The slot by which `require` asks the host for a module.
#define REPARTEE_LUA_SLOT_REQUIRE 0
// The slot by which an environment tells the host that a script reads a global, or a member of a library, that is
// not defined.
#define REPARTEE_LUA_SLOT_UNDEFINED 1

// The slot by which a table that keeps a document asks the host for the members that it stands for: gets the table and
// perhaps a name, and answers with the member of that name, or with nothing if it is absent.
#define REPARTEE_LUA_SLOT_DOCUMENT 2

// The type of the error objects that scripts cannot catch.
#define REPARTEE_LUA_TYPE_FINAL 1

// Calls the host function of a slot with its arguments on the stack of L; returns a verdict and never jumps.
typedef int (*repartee_lua_dispatch)(void *context, lua_State *L, int slot);
// Tells the host that a handle has been collected; never jumps.
typedef void (*repartee_lua_release)(void *context, uint32_t index, uint32_t generation);
// Tells the host that an error is about to leave a protected call, while its call stack can be read; never jumps.
typedef void (*repartee_lua_trace)(void *context, lua_State *L);
// Returns the host's time in seconds; never jumps.
typedef double (*repartee_lua_clock)(void *context, int kind);

// Why the current place of a script cannot suspend; see repartee_lua_blockade.
typedef enum {
    REPARTEE_LUA_FREE = 0,
    REPARTEE_LUA_IN_ENGINE_CALL,
    REPARTEE_LUA_IN_REQUIRE,
    REPARTEE_LUA_IN_CLOSE,
    REPARTEE_LUA_IN_C_FUNCTION,
} repartee_lua_blocker;

// A packed object that is the document of a table; its bytes follow.
typedef struct {
    uint32_t count;  // Of its bytes.
    uint16_t values;  // How many values it holds, itself among them.
    uint8_t depth;  // How deeply they nest.
    uint8_t reads;  // How often one of its members has been read where it lies.
    uint32_t members;  // How many it has itself.
} repartee_lua_packed;

// What a packed object has under a name.
typedef struct {
    enum {
        REPARTEE_LUA_ABSENT = 0,
        REPARTEE_LUA_NULL,
        REPARTEE_LUA_BOOLEAN,
        REPARTEE_LUA_INTEGER,
        REPARTEE_LUA_NUMBER,
        REPARTEE_LUA_TEXT,
        // An array or an object.
        REPARTEE_LUA_PARTS,
    } kind;
    size_t length;  // Of a text.
    union {
        int64_t integer;  // Or the truth of a boolean.
        double number;
        const char *text;
    } value;
} repartee_lua_found;

// Finds a member of a packed object by its name; never jumps.
typedef repartee_lua_found (*repartee_lua_find)(const repartee_lua_packed *object, const char *name, size_t length);

// What a table has by its metatable.
typedef enum {
    REPARTEE_LUA_INHERITS_NOTHING,
    // Nothing but functions, as an object has the methods of its class.
    REPARTEE_LUA_INHERITS_METHODS,
    // Values that it does not have itself, or what nobody can tell.
    REPARTEE_LUA_INHERITS_VALUES,
} repartee_lua_inheritance;

// Why a script was stopped.
typedef enum {
    REPARTEE_LUA_BY_STEP = 0,
    REPARTEE_LUA_BY_TOTAL,
    REPARTEE_LUA_BY_WATCHDOG,
} repartee_lua_cause;

// What a watchdog on another thread sees of a state, and where it leaves its wish; lives longer than the state.
// Read and written by the functions of watch.c only, always as atomics.
typedef struct {
    // Counts what is entered and left: odd while a script runs.
    uint64_t turn;
    // The turn that is to end.
    uint64_t stopped;
} repartee_lua_watch;

// Blocks of so many sizes, each a multiple of 16 bytes, are kept when Lua lets go of them; see memory.c.
#define REPARTEE_LUA_KEPT_SIZES 16

// What the bridge knows about one state; reached from any of its threads through lua_getextraspace.
typedef struct repartee_lua_host {
    void *context;
    repartee_lua_dispatch dispatch;
    repartee_lua_release release;
    repartee_lua_trace trace;
    repartee_lua_clock clock;
    repartee_lua_find find;
    lua_State *main;
    // The scheduler's coroutine that is being resumed, or NULL.
    lua_State *current;
    // Bytes that Lua holds, and the limit (0: none).
    size_t used;
    size_t limit;
    // Bytes beyond the limit that are allowed for the moment, while a thread is being closed.
    size_t excess;
    // Bytes that Lua has asked for so far, whether it still holds them or not.
    uint64_t allocated;
    // Blocks that Lua has let go of, by their size, and how many bytes they are.
    void *kept[REPARTEE_LUA_KEPT_SIZES + 1];
    size_t kept_bytes;
    // Above 0 while a Swift frame is on top of the C stack: the allocator must not fail then.
    int in_host;
    // Above 0 while a resumed user coroutine has an ancestor that cannot be suspended.
    int blocked;
    // The innermost thread that could be suspended no more when `blocked` left 0.
    lua_State *barrier;
    // Above 0 while a suspended coroutine is being closed.
    int closings;
    // Whether the budget ran out; until the engine has control again, every instruction raises.
    int killed;
    // Why.
    repartee_lua_cause killed_by;
    // Where.
    char killed_source[LUA_IDSIZE];
    int killed_line;
    // What a watchdog sees, and the number of the turn that is in progress.
    repartee_lua_watch *watch;
    uint64_t turn;
    // How much of `allocated` the budget has paid for.
    uint64_t paid;
    // Whether a text may exist that is so long that each instruction on it takes long.
    int has_long_text;
    // Instructions left in this step and in total, and how often the hook counts (0: never).
    int64_t step_left;
    int64_t total_left;
    int hook_interval;
    // How much memory is in use when the next collection begins, in percent of what the last one left.
    int collection_threshold;
    // So many bytes of garbage may be there in any case before the next collection begins.
    size_t garbage_allowance;
    // The least that was in use lately, which is about what collections leave, and the threshold that was made of it.
    size_t least_used;
    int tuned_threshold;
    // Longest string that string.rep and other multiplying functions may build, in bytes.
    size_t string_limit;
    // Whether a global or a member of a library that is not defined is an error, which the host raises, and not nil.
    int is_strict;
    // Whether the script raised the error that is on its way, by `error` or `assert`; see errors.c.
    int is_raised;
    // Whether to collect everything around each call into the host.
    int collects_always;
    // The host's own: how deeply its calls into scripts nest, its functions by slot, whether handles were released.
    int depth;
    int has_released;
    void *functions;
    // The last number that the text form of an object got.
    lua_Integer last_number;
} repartee_lua_host;

// The block of a userdata that stands for a Swift object.
typedef struct {
    uint32_t magic;
    uint32_t type;
    uint32_t index;
    uint32_t generation;
} repartee_lua_handle;

// One frame of a call stack.
typedef struct {
    const char *source;
    char short_source[LUA_IDSIZE];
    const char *name;
    const char *what;
    int line;
    int defined;
    int is_c;
} repartee_lua_frame;

// --- state.c ---

// Creates a state with the allocator of `host` and opens the sandbox; returns NULL when memory is exhausted.
lua_State *repartee_lua_open(repartee_lua_host *host);
// Closes a state; runs the finalizers of handles.
void repartee_lua_close(repartee_lua_host *host);
// Installs or removes the counting hook of a thread as the host's interval says.
void repartee_lua_set_hook(lua_State *L);
// Pushes a function that calls the host with a slot. May only fail for memory.
// stack: → function
void repartee_lua_push_host_function(lua_State *L, int slot);
// Returns the slot of a function that calls the host, or -1 for every other value.
int repartee_lua_host_slot(lua_State *L, int index);
// Takes the function on top of the stack off it and returns the line where a file defines it, or -1; `source` becomes
// the chunk name of that file, which lives as long as the function.
// stack: function →
int repartee_lua_line_of(lua_State *L, const char **source);
// Returns how many parameters a function has, or -1 if it takes any number of arguments.
int repartee_lua_parameter_count(lua_State *L, int index);
// Returns the name of a parameter of a function, counted from 1; NULL if it is not known. Lives as long as the
// function.
const char *repartee_lua_parameter_name(lua_State *L, int index, int number);
// Loads a chunk, text or binary as `mode` says ("t", "b"), with the table on top as its globals; returns a Lua status.
// stack: environment → function | error
int repartee_lua_load(lua_State *L, const char *bytes, size_t count, const char *name, const char *mode);
// Appends the binary form of the function on top of the stack to a buffer of the caller.
// stack: function → function
int repartee_lua_dump(lua_State *L, lua_Writer writer, void *data);
// Calls a function protected and not suspendable; returns a Lua status. The error is left untouched.
// stack: function, arguments → results | error
int repartee_lua_call(lua_State *L, int arguments);
// Advances a raw traversal. Cannot raise as long as the key is one that the traversal produced and no key was added.
// stack: key → key, value | (nothing, returns 0)
int repartee_lua_traverse(lua_State *L, int table);
// Reads a frame of a call stack, level 0 being the running function; returns 0 when there is none.
// stack: (unchanged)
int repartee_lua_read_frame(lua_State *L, int level, repartee_lua_frame *frame);
// Finds the innermost line of a script, past frames of C and of the engine's own Lua; returns 0 when there is none.
// `source` is the chunk's name and lives as long as the chunk.
// stack: (unchanged)
int repartee_lua_script_line(lua_State *L, const char **source);
// Returns whether what the Lua function returns that asks the host goes to a `for` loop, which takes no values beside
// nil: it is the loop's iterator, or what that one returns the values of by a tail call.
// stack: (unchanged)
int repartee_lua_returns_to_loop(lua_State *L);
// Pushes a value as text as `tostring` does; errors of metamethods end as a fixed text.
// stack: → text
void repartee_lua_push_text(lua_State *L, int index);
// Pushes the null of JSON.
// stack: → null
void repartee_lua_push_null(lua_State *L);
// Returns whether a value is the null of JSON.
int repartee_lua_is_null(lua_State *L, int index);
// Gives the table on top the mark that makes an empty table an array in JSON.
// stack: table → table
void repartee_lua_mark_array(lua_State *L);
// Returns whether a table has the mark of repartee_lua_mark_array.
int repartee_lua_is_marked_array(lua_State *L, int index);
// Pushes the message that says that the memory limit was exceeded, made when the state was opened.
// stack: → text
void repartee_lua_push_memory_message(lua_State *L);
// Takes instructions off the budget for work done in C; raises when it runs out or a watchdog wants the script to end.
void repartee_lua_charge(lua_State *L, int64_t instructions);
// The same for work done in Swift: returns whether the script is to end, which it does when the host function returns.
int repartee_lua_spend(lua_State *L, int64_t instructions);
// Fits the threshold of collections to the size of what they leave; to be called now and then.
void repartee_lua_tune_collection(repartee_lua_host *host);
// Runs a full collection.
void repartee_lua_collect(lua_State *L);
// Runs one incremental step of a collection.
void repartee_lua_collect_step(lua_State *L, int kilobytes);

// --- errors.c ---

// Returns whether the script raised the error on top of the stack itself, and not Lua, and forgets it; never raises.
// stack: error → error
int repartee_lua_take_raised(lua_State *L);

// --- watch.c ---

// Begins a turn of a state, also in the middle of another, from which a watchdog counts anew.
void repartee_lua_begin_turn(repartee_lua_host *host);
// Ends the turn.
void repartee_lua_end_turn(repartee_lua_host *host);
// Returns the turn in progress, odd, or an even number if there is none; from any thread.
uint64_t repartee_lua_watched_turn(const repartee_lua_watch *watch);
// Wants a turn to end; nothing happens if it has. From any thread.
void repartee_lua_stop_turn(repartee_lua_watch *watch, uint64_t turn);

// --- environments.c ---

// Makes the globals of a script, which take from the shared ones what the script asks for; returns a Lua status.
// stack: → environment | error
int repartee_lua_make_environment(lua_State *L, uint64_t seed);
// Pushes the table of shared globals.
// stack: → shared
void repartee_lua_push_shared(lua_State *L);
// Puts what has been added to the shared globals on offer; returns a Lua status.
// stack: → (nothing) | error
int repartee_lua_number_shared(lua_State *L);
// Gives a loaded chunk other globals; functions that it made before keep theirs. Returns a Lua status.
// stack: function, environment → function, environment | function, environment, error
int repartee_lua_instantiate(lua_State *L);

// --- coroutines.c ---

// Makes a thread that belongs to the scheduler: scripts may neither resume nor close it. May only fail for memory.
// stack: → thread
lua_State *repartee_lua_new_coroutine(lua_State *L);
// Resumes a thread of the scheduler; returns a Lua status.
// stack of thread: arguments → values | error
int repartee_lua_resume(lua_State *thread, int arguments, int *results);
// Ends the innermost user coroutine of a suspended or failed thread of the scheduler, or the thread itself where there
// is none, and runs its `<close>` variables; one at a time, so that the C stack stays flat however deeply they nest.
// Returns what was ended, with a Lua status, or NULL if nothing can be ended.
// stack of what was ended: … → (empty) | error
lua_State *repartee_lua_close_innermost(lua_State *thread, int *status);
// Returns whether the thread may be used again: the script never got hold of it, and its hooks still work.
int repartee_lua_is_reusable(lua_State *thread);
// Says why a host function called on L cannot suspend; `name` gets the C function in the way, where that is the reason.
repartee_lua_blocker repartee_lua_blockade(lua_State *L, const char **name);

// Makes the metatable under which a table refuses to be asked for a name that is spelt almost as one of a set, or, if
// it is closed, for every other one. May only fail for memory.
// stack: names, what the table is, whether it is closed → metatable
void repartee_lua_make_member_guard(lua_State *L);
// Lets a table, whose names are in lower case, find its members by any spelling. May only fail for memory.
// stack: table → table
void repartee_lua_ignore_case(lua_State *L);

// --- inheritance.c ---

// Marks a metatable as one of the engine, which gives tables nothing that is lost where they are read as JSON. May only
// fail for memory.
// stack: (unchanged)
void repartee_lua_mark_metatable(lua_State *L, int index);
// Returns what scripts find in a table that is not its own. May only fail for memory.
repartee_lua_inheritance repartee_lua_inherited(lua_State *L, int index);
// Names the first member, by the alphabet, that scripts find in a table and that is not its own, where it has a name;
// functions count only with methods. Returns the event of its metatable by which they find it. May only fail for
// memory.
// stack: → name or nil
const char *repartee_lua_name_inherited(lua_State *L, int index, int methods);

// --- documents.c ---

// Sets a member to a text and keeps the text as the table's document. May only fail for memory.
// stack: table, name, text → table
void repartee_lua_set_document(lua_State *L);
// Replaces a table by an empty one whose document it is. That one needs a metatable to be known by. May only fail for
// memory.
// stack: table → sealed table
void repartee_lua_seal(lua_State *L);
// Returns whether a table keeps a document.
int repartee_lua_has_document(lua_State *L, int table);
// Pushes a table whose document is a copy of a packed object. May only fail for memory.
// stack: → table
void repartee_lua_push_packed(lua_State *L, const repartee_lua_packed *head, const void *bytes);
// Returns the packed object that is the document of a table, and that is there as long as the table keeps it; NULL
// where there is none.
repartee_lua_packed *repartee_lua_to_packed(lua_State *L, int table);
// Takes the document of a table out of it, pushes it and returns 1; pushes nothing and returns 0 where there is none.
// stack: → document | (nothing)
int repartee_lua_take_document(lua_State *L, int table);
// Returns the packed object that a document on top of the stack is; NULL for any other document.
repartee_lua_packed *repartee_lua_taken_packed(lua_State *L);

// --- handles.c ---

// Makes the metatable of a type of handles. `index_slot` (or -1) serves members that are not methods, `pairs_slot` (or
// -1) gives the table that `pairs` goes through.
// stack: methods → metatable
void repartee_lua_make_handle_type(lua_State *L, const char *name, int index_slot, int text_slot, int pairs_slot);
// Makes a handle with the metatable on top of the stack. May only fail for memory.
// stack: metatable → handle
void repartee_lua_push_handle(lua_State *L, uint32_t type, uint32_t index, uint32_t generation);
// Lets a handle have the value on top of the stack as a member from now on, without asking the host. Needs four places
// on the stack; may only fail for memory.
// stack: …, value → …, value
void repartee_lua_keep_member(lua_State *L, int handle, int name);
// Returns the block of a handle, or NULL for anything else.
const repartee_lua_handle *repartee_lua_to_handle(lua_State *L, int index);

#endif
