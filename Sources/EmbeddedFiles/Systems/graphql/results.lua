-- Results of `graphql`, whole or in pieces (the directives @defer and @stream). Pieces name the place where they belong
-- by a path, as servers had it until 2023 (https://github.com/apollographql/specs, incremental v0.1), or by the id of
-- what was pending (https://github.com/graphql/defer-stream-wg/discussions/69). What is no such piece raises a text.
local results = {}

-- The most that is added to one result, in bytes of messages, and the longest path.
local most_bytes, longest_path = 4 * 1024 * 1024, 100

-- Fields that are null are not there.
local function present(value)
    if value == json.null then return nil end
    return value
end

-- A list and an object are tables; those that are empty differ only as JSON.
local function is_list(value)
    return type(value) == "table" and (#value > 0 or next(value) == nil and json.encode(value) == "[]")
end

-- Returns a list of objects of a payload, which is empty where there is none.
local function objects(payload, name)
    local list = present(payload[name])
    if list == nil then return {} end
    if not is_list(list) then error(("a next with %s that is no list"):format(name), 0) end
    for _, object in ipairs(list) do
        if type(object) ~= "table" or #object > 0 then
            error(("a next with %s that are no objects"):format(name), 0)
        end
    end
    return list
end

local function add_errors(result, payload)
    local errors = present(payload.errors)
    if errors == nil then return end
    if type(errors) ~= "table" or #errors == 0 then error("a next with errors that are none", 0) end
    result.errors = result.errors or json.array()
    for _, problem in ipairs(errors) do table.insert(result.errors, problem) end
end

local function check_path(path)
    if path == nil then return {} end
    if not is_list(path) or #path > longest_path then error("a next with a path that is no list of keys", 0) end
    for _, key in ipairs(path) do
        if type(key) ~= "string" and (math.type(key) ~= "integer" or key < 0) then
            error("a next with a path that has something else than keys", 0)
        end
    end
    return path
end

local function no_place(path)
    error(("a piece of a result at /%s, which it does not have"):format(table.concat(path, "/")), 0)
end

-- Returns what stands at the first `count` keys of a path.
local function at(result, path, count)
    local node = present(result.data)
    for place = 1, count do
        local key = path[place]
        if type(node) == "table" then node = present(node[type(key) == "string" and key or key + 1]) else node = nil end
    end
    if type(node) ~= "table" then no_place(path) end
    return node
end

local function merge(target, source)
    for key, value in pairs(source) do
        local earlier = target[key]
        if type(earlier) == "table" and type(value) == "table" then merge(earlier, value) else target[key] = value end
    end
end

-- Returns the path of a piece, and whether it is that of a list to whose end its items belong; without an id the last
-- key of theirs is the place of the first of them.
local function place_of(result, piece)
    local id = present(piece.id)
    if id == nil then return check_path(present(piece.path)), false end
    local base = result.pending[id]
    if not base then error("a piece of a result for " .. tostring(id) .. ", which is not pending", 0) end
    local path = table.move(base, 1, #base, 1, {})
    local rest = check_path(present(piece.subPath))
    return table.move(rest, 1, #rest, #path + 1, path), true
end

local function add_items(result, path, is_end, items)
    local list = at(result, path, is_end and #path or #path - 1)
    if not is_list(list) or not is_end and path[#path] ~= #list then no_place(path) end
    for _, item in ipairs(items) do table.insert(list, item) end
end

local function add_piece(result, piece)
    local path, is_end = place_of(result, piece)
    local data, items = present(piece.data), present(piece.items)
    add_errors(result, piece)
    if items ~= nil then
        if not is_list(items) or #path == 0 then error("a next with items that belong to no list", 0) end
        add_items(result, path, is_end, items)
    elseif data ~= nil then
        if type(data) ~= "table" or is_list(data) then error("a piece of a result that is no object", 0) end
        -- A first piece may have had no data at all.
        if #path == 0 and present(result.data) == nil then
            result.data = data
        else
            merge(at(result, path, #path), data)
        end
    end
end

local function take(result, payload)
    for _, pending in ipairs(objects(payload, "pending")) do
        if type(pending.id) ~= "string" then error("a next with something pending that has no id", 0) end
        result.pending[pending.id] = check_path(present(pending.path))
    end
    for _, piece in ipairs(objects(payload, "incremental")) do add_piece(result, piece) end
    for _, completed in ipairs(objects(payload, "completed")) do
        if not result.pending[completed.id] then
            error("a next that completes " .. tostring(completed.id) .. ", which is not pending", 0)
        end
        result.pending[completed.id] = nil
        add_errors(result, completed)
    end
    result.goes_on = payload.hasNext == true
    if not result.goes_on and next(result.pending) then error("a result that ends with something pending", 0) end
end

local function says_something(payload)
    return payload.data ~= nil or present(payload.errors) ~= nil or payload.hasNext ~= nil
end

-- Begins a result with a payload: `data` and `errors` are what has come of it, and `goes_on` is whether more follows.
function results.begin(payload)
    if not says_something(payload) then error("a next with neither data nor errors", 0) end
    local result = { data = present(payload.data), pending = {}, added = 0 }
    add_errors(result, payload)
    take(result, payload)
    return result
end

-- Adds another payload to a result that goes on; it was a message of `size` bytes.
function results.add(result, payload, size)
    result.added = result.added + size
    if result.added > most_bytes then error("a result with pieces of more than " .. most_bytes .. " bytes", 0) end
    if not says_something(payload) and payload.incremental == nil then
        error("a next with neither data nor errors", 0)
    end
    -- Before 2022 a payload was one piece.
    add_piece(result, payload)
    take(result, payload)
end

return results
