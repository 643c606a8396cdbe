// The clocks of `os`: the host's time in UTC, so that a script sees virtual time and no time zone.

#include <string.h>
#include <time.h>

#include "bridge.h"

static lua_Integer now(lua_State *L) {
    repartee_lua_host *host = host_of(L);
    host->in_host++;
    double seconds = host->clock(host->context, REPARTEE_LUA_CLOCK_WALL);
    host->in_host--;
    return (lua_Integer)seconds;
}

static int os_clock(lua_State *L) {
    repartee_lua_host *host = host_of(L);
    host->in_host++;
    double seconds = host->clock(host->context, REPARTEE_LUA_CLOCK_MONOTONIC);
    host->in_host--;
    lua_pushnumber(L, seconds);
    return 1;
}

// Reads a field of a date table; `fallback` below 0 means that the field is required.
static int date_field(lua_State *L, const char *name, int fallback, int difference) {
    int is_integer;
    int type = lua_getfield(L, 1, name);
    lua_Integer value = lua_tointegerx(L, -1, &is_integer);
    lua_pop(L, 1);
    if (!is_integer) {
        if (type != LUA_TNIL) {
            return luaL_error(L, "field '%s' is not an integer", name);
        }
        if (fallback < 0) {
            return luaL_error(L, "field '%s' missing in date table", name);
        }
        return fallback;
    }
    if (value < -1000000000 || value > 1000000000) {
        return luaL_error(L, "field '%s' is out-of-bound", name);
    }
    return (int)value - difference;
}

static int os_time(lua_State *L) {
    if (lua_isnoneornil(L, 1)) {
        lua_pushinteger(L, now(L));
        return 1;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    struct tm date;
    memset(&date, 0, sizeof date);
    date.tm_year = date_field(L, "year", -1, 1900);
    date.tm_mon = date_field(L, "month", -1, 1);
    date.tm_mday = date_field(L, "day", -1, 0);
    date.tm_hour = date_field(L, "hour", 12, 0);
    date.tm_min = date_field(L, "min", 0, 0);
    date.tm_sec = date_field(L, "sec", 0, 0);
    lua_pushinteger(L, (lua_Integer)timegm(&date));
    return 1;
}

// Upvalue 1 is the stock function, which gets the time and the mark for UTC where the script gave none.
static int os_date(lua_State *L) {
    size_t size;
    const char *format = luaL_optlstring(L, 1, "%c", &size);
    repartee_lua_charge(L, (int64_t)size);
    lua_Integer time = lua_isnoneornil(L, 2) ? now(L) : luaL_checkinteger(L, 2);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushfstring(L, "%s%s", format[0] == '!' ? "" : "!", format);
    lua_pushinteger(L, time);
    lua_call(L, 2, 1);
    return 1;
}

static int os_difftime(lua_State *L) {
    lua_pushnumber(L, (lua_Number)luaL_checkinteger(L, 1) - (lua_Number)luaL_checkinteger(L, 2));
    return 1;
}

void repartee_lua_open_time(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"time", os_time}, {"clock", os_clock}, {"difftime", os_difftime}, {NULL, NULL}};
    luaL_requiref(L, LUA_OSLIBNAME, luaopen_os, 0);
    luaL_newlib(L, functions);  // stack: → stock, os
    lua_getfield(L, -2, "date");
    lua_pushcclosure(L, os_date, 1);
    lua_setfield(L, -2, "date");
    lua_setfield(L, -3, LUA_OSLIBNAME);
    lua_pop(L, 1);
}
