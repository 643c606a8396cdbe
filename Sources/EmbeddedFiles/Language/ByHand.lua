-- What a person plays by hand, one order a call; `system` is the chat system, declared above this text.
local cast = {}

scenario("by hand", function(t, order, name, ...)
    if order == "server" then
        cast[name] = t:server(system, ...)
    elseif order == "client" then
        cast[name] = t:actor(system, ...)
    elseif order == "party" then
        local server, kind = ...
        cast[name] = cast[server][kind](cast[server], name)
    else
        local method, places = ...
        local arguments = table.pack(select(3, ...))
        for _, place in ipairs(places) do arguments[place] = cast[arguments[place]] end
        local actor = cast[name]
        return actor[method](actor, table.unpack(arguments, 1, arguments.n))
    end
end)
