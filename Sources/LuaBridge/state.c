// States: the counting hook, the way into the host and back, protected calls.

#include <string.h>

#include "bridge.h"

const char repartee_lua_key_memory, repartee_lua_key_step, repartee_lua_key_total, repartee_lua_key_base,
    repartee_lua_key_numbers, repartee_lua_key_array, repartee_lua_key_shared_numbers, repartee_lua_key_lazy,
    repartee_lua_key_own, repartee_lua_key_cell, repartee_lua_key_modules, repartee_lua_key_libraries,
    repartee_lua_key_caught, repartee_lua_key_failed;
const char repartee_lua_null, repartee_lua_suspension;

// --- Budget ---

int repartee_lua_stop(lua_State *L) {
    if (lua_isyieldable(L)) {
        return lua_yield(L, 0);
    }
    const char *key = host_of(L)->killed_by == REPARTEE_LUA_BY_TOTAL ? &repartee_lua_key_total : &repartee_lua_key_step;
    lua_rawgetp(L, LUA_REGISTRYINDEX, key);  // stack: → message
    return lua_error(L);
}

static void count(lua_State *L, lua_Debug *record);

// How often the hook counts; 0 for never.
static int interval_of(const repartee_lua_host *host) {
    return host->has_long_text && host->hook_interval > REPARTEE_LUA_SHORT_INTERVAL ? REPARTEE_LUA_SHORT_INTERVAL
                                                                                    : host->hook_interval;
}

// Has the script end at the next occasion.
static int kill_script(lua_State *L, repartee_lua_cause cause) {
    repartee_lua_host *host = host_of(L);
    lua_Debug record;
    host->killed = 1;
    host->killed_by = cause;
    host->killed_line = 0;
    host->killed_source[0] = 0;
    for (int level = 0; lua_getstack(L, level, &record); level++) {
        lua_getinfo(L, "Sl", &record);
        if (record.currentline > 0) {
            memcpy(host->killed_source, record.short_src, LUA_IDSIZE);
            host->killed_line = record.currentline;
            break;
        }
    }
    // From now on every instruction stops again, so that no pcall of the script keeps it alive.
    lua_sethook(L, count, LUA_MASKCOUNT, 1);
    return 1;
}

int repartee_lua_spend(lua_State *L, int64_t instructions) {
    repartee_lua_host *host = host_of(L);
    if (host->killed) {
        return 1;
    }
    if (repartee_lua_is_stopped(host)) {
        return kill_script(L, REPARTEE_LUA_BY_WATCHDOG);
    }
    if (host->hook_interval == 0) {
        return 0;
    }
    instructions += (int64_t)((host->allocated - host->paid) / REPARTEE_LUA_BYTES_PER_INSTRUCTION);
    host->paid = host->allocated;
    host->step_left -= instructions;
    host->total_left -= instructions;
    if (host->step_left >= 0 && host->total_left >= 0) {
        return 0;
    }
    return kill_script(L, host->total_left < 0 ? REPARTEE_LUA_BY_TOTAL : REPARTEE_LUA_BY_STEP);
}

static void count(lua_State *L, lua_Debug *record) {
    (void)record;
    repartee_lua_host *host = host_of(L);
    int interval = lua_gethookcount(L);
    if (!host->killed && interval != interval_of(host)) {
        repartee_lua_set_hook(L);
    }
    if (repartee_lua_spend(L, interval)) {
        if (!lua_isyieldable(L)) {
            *repartee_lua_marks(L) |= REPARTEE_LUA_UNSTOPPABLE;
        }
        repartee_lua_stop(L);
    }
}

void repartee_lua_charge(lua_State *L, int64_t instructions) {
    if (repartee_lua_spend(L, instructions)) {
        repartee_lua_stop(L);
    }
}

void repartee_lua_set_hook(lua_State *L) {
    int interval = interval_of(host_of(L));
    if (interval > 0) {
        lua_sethook(L, count, LUA_MASKCOUNT, interval);
    } else {
        lua_sethook(L, NULL, 0, 0);
    }
}

// --- The way into the host ---

void repartee_lua_adjust_hook(lua_State *L) {
    repartee_lua_host *host = host_of(L);
    if (host->has_long_text && !host->killed && lua_gethookcount(L) > interval_of(host)) {
        repartee_lua_set_hook(L);
    }
}

static int after_suspension(lua_State *L, int status, lua_KContext context) {
    (void)status;
    (void)context;
    *repartee_lua_marks(L) &= ~REPARTEE_LUA_WAITING;
    int verdict = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);  // stack: values, verdict → values
    if (verdict < 0) {
        return lua_error(L);
    }
    return verdict;
}

int repartee_lua_enter(lua_State *L, int slot) {
    repartee_lua_host *host = host_of(L);
    if (host->collects_always) {
        lua_gc(L, LUA_GCCOLLECT);
    }
    if (repartee_lua_is_stopped(host) && repartee_lua_spend(L, 0)) {
        return repartee_lua_stop(L);
    }
    host->in_host++;
    int verdict = host->dispatch(host->context, L, slot);
    host->in_host--;
    if (host->collects_always) {
        lua_gc(L, LUA_GCCOLLECT);
    }
    if (host->killed) {
        return repartee_lua_stop(L);
    }
    repartee_lua_adjust_hook(L);
    if (verdict == REPARTEE_LUA_SUSPEND) {
        *repartee_lua_marks(L) |= REPARTEE_LUA_WAITING;
        lua_pushlightuserdata(L, (void *)&repartee_lua_suspension);  // stack: → suspension
        return lua_yieldk(L, 1, 0, after_suspension);
    }
    if (host->limit != 0 && host->used > host->limit) {
        repartee_lua_check_memory(L);
    }
    if (verdict < 0) {
        return lua_error(L);
    }
    return verdict;
}

static int trampoline(lua_State *L) {
    return repartee_lua_enter(L, (int)lua_tointeger(L, lua_upvalueindex(1)));
}

void repartee_lua_push_host_function(lua_State *L, int slot) {
    lua_pushinteger(L, slot);
    lua_pushcclosure(L, trampoline, 1);  // stack: slot → function
}

int repartee_lua_host_slot(lua_State *L, int index) {
    if (lua_tocfunction(L, index) != trampoline || lua_getupvalue(L, index, 1) == NULL) {
        return -1;
    }
    int slot = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return slot;
}

int repartee_lua_line_of(lua_State *L, const char **source) {
    lua_Debug record;
    lua_getinfo(L, ">S", &record);
    *source = record.source;
    return record.source[0] == '@' ? record.linedefined : -1;
}

int repartee_lua_parameter_count(lua_State *L, int index) {
    lua_Debug record;
    lua_pushvalue(L, index);
    lua_getinfo(L, ">u", &record);
    return record.isvararg ? -1 : record.nparams;
}

const char *repartee_lua_parameter_name(lua_State *L, int index, int number) {
    lua_pushvalue(L, index);
    const char *name = lua_getlocal(L, NULL, number);
    lua_pop(L, 1);
    return name;
}

// --- Opening and closing ---

// Puts into the registry what the bridge keeps there: texts that must be at hand where no memory is left, and tables.
static void open_registry(lua_State *L) {
    lua_pushliteral(L, "the script ran too long without waiting: look for a loop that does not end");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_step);
    lua_pushliteral(L, "the script ran too long in total: let it do less");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_total);
    // Objects that have been printed → their numbers.
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_numbers);
    lua_createtable(L, 0, 1);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_array);
}

// Lists the globals and the libraries where Lua looks for the names of functions in its messages, and nothing else.
// stack: globals → globals
static void list_loaded(lua_State *L) {
    lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);  // stack: → globals, loaded
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_pushnil(L);
        lua_settable(L, -4);
    }
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, LUA_GNAME);
    lua_pushnil(L);
    while (lua_next(L, -3)) {
        if (lua_istable(L, -1)) {
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_settable(L, -4);
        } else {
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);  // stack: globals, loaded → globals
}

static int open_protected(lua_State *L) {
    repartee_lua_open_memory(L);
    repartee_lua_open_documents(L);
    open_registry(L);

    lua_newtable(L);  // stack: → globals
    repartee_lua_open_sandbox(L);
    repartee_lua_open_protected_calls(L);
    repartee_lua_open_errors(L);
    repartee_lua_open_order(L);
    repartee_lua_open_text(L);
    repartee_lua_open_tables(L);
    repartee_lua_open_charges(L);
    repartee_lua_open_patterns(L);
    repartee_lua_open_coroutines(L);
    repartee_lua_open_time(L);

    // The methods of strings are a table that no script can reach.
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_getfield(L, -3, "string");
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 2);  // stack: globals, text, metatable → globals

    list_loaded(L);
    // What stock functions take for the globals stays empty.
    lua_newtable(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_base);
    repartee_lua_open_environments(L);
    return 0;
}

lua_State *repartee_lua_open(repartee_lua_host *host) {
    // Nothing fails while the state is being built; the limit holds as soon as a script runs.
    host->in_host = 1;
    lua_State *L = lua_newstate(repartee_lua_allocate, host);
    if (L == NULL) {
        return NULL;
    }
    host->main = L;
    *repartee_lua_marks(L) = (uintptr_t)host;
    lua_gc(L, LUA_GCSTOP);
    lua_pushcfunction(L, open_protected);
    if (lua_pcall(L, 0, 0, 0) != LUA_OK) {
        lua_close(L);
        repartee_lua_free_kept(host);
        host->main = NULL;
        return NULL;
    }
    lua_gc(L, LUA_GCINC, host->collection_threshold, 0, 0);
    lua_gc(L, LUA_GCRESTART);
    repartee_lua_set_hook(L);
    return L;
}

void repartee_lua_close(repartee_lua_host *host) {
    lua_State *L = host->main;
    host->main = NULL;
    lua_close(L);
    repartee_lua_free_kept(host);
}

// --- Protected work ---

typedef struct {
    const char *bytes;
    size_t count;
} chunk;

static const char *read_chunk(lua_State *L, void *data, size_t *size) {
    (void)L;
    chunk *source = data;
    *size = source->count;
    source->count = 0;
    return *size > 0 ? source->bytes : NULL;
}

int repartee_lua_load(lua_State *L, const char *bytes, size_t count, const char *name, const char *mode) {
    repartee_lua_host *host = host_of(L);
    chunk source = {bytes, count};
    int saved = host->in_host;
    host->in_host = 0;
    int status = lua_load(L, read_chunk, &source, name, mode);  // stack: environment → environment, function | error
    host->in_host = saved;
    if (status == LUA_OK) {
        lua_pushvalue(L, -2);
        if (lua_setupvalue(L, -2, 1) == NULL) {
            lua_pop(L, 1);
        }
    } else {
        repartee_lua_fix_error(L, status);
    }
    lua_remove(L, -2);  // stack: environment, function | error → function | error
    return status;
}

int repartee_lua_dump(lua_State *L, lua_Writer writer, void *data) {
    return lua_dump(L, writer, data, 0);
}

static int trace(lua_State *L) {
    repartee_lua_host *host = host_of(L);
    host->in_host++;
    host->trace(host->context, L);
    host->in_host--;
    return 1;
}

int repartee_lua_call(lua_State *L, int arguments) {
    repartee_lua_host *host = host_of(L);
    int base = lua_gettop(L) - arguments;
    lua_pushcfunction(L, trace);
    lua_insert(L, base);  // stack: function, arguments → trace, function, arguments
    int saved = host->in_host;
    host->in_host = 0;
    int status = lua_pcall(L, arguments, LUA_MULTRET, base);
    host->in_host = saved;
    lua_remove(L, base);
    repartee_lua_fix_error(L, status);
    return status;
}

int repartee_lua_traverse(lua_State *L, int table) {
    return lua_next(L, table);
}

int repartee_lua_read_frame(lua_State *L, int level, repartee_lua_frame *frame) {
    lua_Debug record;
    if (!lua_getstack(L, level, &record)) {
        return 0;
    }
    lua_getinfo(L, "Sln", &record);
    frame->source = record.source;
    memcpy(frame->short_source, record.short_src, LUA_IDSIZE);
    frame->name = record.name;
    frame->what = record.what;
    frame->line = record.currentline;
    frame->defined = record.linedefined;
    frame->is_c = record.what[0] == 'C';
    return 1;
}

int repartee_lua_script_line(lua_State *L, const char **source) {
    lua_Debug record;
    // Level 0 is the function of the host that asks.
    for (int level = 1; level < 200 && lua_getstack(L, level, &record); level++) {
        lua_getinfo(L, "Sl", &record);
        if (record.currentline > 0 && record.source[0] != '=' && strncmp(record.source, "@repartee:", 10) != 0) {
            *source = record.source;
            return record.currentline;
        }
    }
    return 0;
}

int repartee_lua_returns_to_loop(lua_State *L) {
    lua_Debug record;
    // Level 0 is the function of the host, and level 1 the one that asks. Where the next one calls it in the body of a
    // loop, or after one, that one's innermost variable is another.
    if (!lua_checkstack(L, 1) || !lua_getstack(L, 2, &record)) {
        return 0;
    }
    const char *innermost = "";
    const char *name;
    for (int number = 1; (name = lua_getlocal(L, &record, number)) != NULL; number++) {
        lua_pop(L, 1);
        if (strcmp(name, "(temporary)") == 0) {
            break;
        }
        innermost = name;
    }
    return strcmp(innermost, "(for state)") == 0;
}

static int text_protected(lua_State *L) {
    repartee_lua_text(L, 1);
    return 1;
}

void repartee_lua_push_text(lua_State *L, int index) {
    index = lua_absindex(L, index);
    lua_pushcfunction(L, text_protected);
    lua_pushvalue(L, index);
    if (repartee_lua_call(L, 1) != LUA_OK) {
        lua_pop(L, 1);
        host_of(L)->is_raised = 0;
        lua_pushfstring(L, "(a %s whose __tostring fails)", luaL_typename(L, index));
    }
}

void repartee_lua_push_null(lua_State *L) {
    lua_pushlightuserdata(L, (void *)&repartee_lua_null);
}

int repartee_lua_is_null(lua_State *L, int index) {
    return lua_islightuserdata(L, index) && lua_touserdata(L, index) == &repartee_lua_null;
}

void repartee_lua_mark_array(lua_State *L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_array);
    lua_setmetatable(L, -2);
}

int repartee_lua_is_marked_array(lua_State *L, int index) {
    if (!lua_getmetatable(L, index)) {
        return 0;
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_array);
    int result = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);  // stack: metatable, mark →
    return result;
}
