// math.random with a generator per environment that starts from the host's seed: SplitMix64 (Steele, Lea, Flood 2014).

#include <string.h>

#include "bridge.h"

typedef struct {
    uint64_t seed;
    uint64_t state;
} generator;

static uint64_t next(generator *random) {
    uint64_t value = random->state += UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
    return value ^ (value >> 31);
}

static int math_random(lua_State *L) {
    generator *random = lua_touserdata(L, lua_upvalueindex(1));
    lua_Integer low = 1, high;
    switch (lua_gettop(L)) {
        case 0:
            lua_pushnumber(L, (lua_Number)(next(random) >> 11) * 0x1p-53);
            return 1;
        case 1:
            high = luaL_checkinteger(L, 1);
            if (high == 0) {
                lua_pushinteger(L, (lua_Integer)next(random));
                return 1;
            }
            break;
        case 2:
            low = luaL_checkinteger(L, 1);
            high = luaL_checkinteger(L, 2);
            break;
        default:
            return luaL_error(L, "wrong number of arguments");
    }
    luaL_argcheck(L, low <= high, lua_gettop(L), "interval is empty");
    uint64_t span = (uint64_t)high - (uint64_t)low;
    uint64_t value = next(random);
    if (span != UINT64_MAX) {
        // Values above the last whole multiple would favor small results.
        uint64_t count = span + 1, excess = (UINT64_MAX % count + 1) % count;
        while (value > UINT64_MAX - excess) {
            value = next(random);
        }
        value %= count;
    }
    lua_pushinteger(L, (lua_Integer)((uint64_t)low + value));
    return 1;
}

// Without an argument the generator starts again from the host's seed, never from the time.
static int math_randomseed(lua_State *L) {
    generator *random = lua_touserdata(L, lua_upvalueindex(1));
    if (lua_isnone(L, 1)) {
        random->state = random->seed;
    } else {
        int is_integer;
        lua_Integer seed = lua_tointegerx(L, 1, &is_integer);
        if (is_integer) {
            random->state = (uint64_t)seed;
        } else {
            lua_Number number = luaL_checknumber(L, 1);
            memcpy(&random->state, &number, sizeof random->state);
        }
        random->state ^= (uint64_t)luaL_optinteger(L, 2, 0) << 32;
    }
    return 0;
}

void repartee_lua_open_random(lua_State *L, uint64_t seed) {
    static const luaL_Reg functions[] = {{"random", math_random}, {"randomseed", math_randomseed}, {NULL, NULL}};
    generator *random = lua_newuserdatauv(L, sizeof *random, 0);
    random->seed = random->state = seed;
    luaL_setfuncs(L, functions, 1);  // stack: math, generator → math
}
