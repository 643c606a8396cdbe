-- The part of the scenario language that is written in Lua: what calls functions of scripts, and sugar on top of host
-- functions. It runs once in each state. Here is what its other files share, which stand behind this one in one chunk,
-- in the order that embedded.c has: what they need of Lua, and what refuses wrong calls.

local host = ...
local select, type, tostring, setmetatable, ipairs, concat = select, type, tostring, setmetatable, ipairs, table.concat
local pcall, error, rawequal, rawget, next, pairs = pcall, error, rawequal, rawget, next, pairs
local find, sub, tonumber = string.find, string.sub, tonumber
local remove, character_count = table.remove, utf8.len

-- Refuses arguments that a function would drop, and with them what they were to ask for; nil is none.
local function excess(name, most, ...)
    for index = 1, select("#", ...) do
        if (select(index, ...)) ~= nil then host.refuse(("%s takes %s"):format(name, most)) end
    end
end

-- Refuses a call with a colon, which makes the table that the function stands in its first argument: a copy of ours, of
-- which each scenario has its own.
local function dotted(library, name, own, first)
    if type(first) == "table" and rawequal(rawget(first, name), own[name]) then
        host.refuse(("%s.%s is called with a dot, not with a colon: write %s.%s(…)"):format(library, name, library, name))
    end
end
