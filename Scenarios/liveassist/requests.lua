-- What an application of one's own gets that calls the server by plain HTTP, as the vendor's guide has it or, where that is
-- silent, as it is defined here.
local liveassist = require "liveassist"
local http = require "http"

-- A plain client that sends forms; `ask` returns the answer after its status was checked.
local function plain(t, server)
    local client = t:actor(http, { server = server })
    t:allow { "message", "response" }
    return function(method, path, status, form, headers)
        client:request(method, path, nil, { form = form, headers = headers })
        local answer = client:expect "response"
        check(answer.status, status, method .. " " .. path)
        return answer.json or {}
    end
end

scenario("sessions are made, found and ended by plain requests", { tags = { "requests" } }, function(t)
    local ask = plain(t, t:server(liveassist))
    ask("GET", "/assistserver/nothing", 404)
    ask("POST", "/assistserver/consumer", 400, { type = "other" })
    ask("POST", "/assistserver/consumer", 400, { type = "create", username = ("x"):rep(257) })
    local named = ask("POST", "/assistserver/consumer", 200, { type = "create", username = "room" })
    expect(named, { address = "room", scaleFactor = 1, token = match.pattern "^%x+$" })
    expect(ask("POST", "/assistserver/consumer", 200, { type = "create" }).address, match.pattern "^assist%-%x+$")
    ask("POST", "/assistserver/session", 404, { sessionToken = "nobody's" })
    expect(ask("POST", "/assistserver/session", 200, { sessionToken = named.token }), { address = "room", token = named.token })
    ask("DELETE", "/assistserver/consumer", 404)
    ask("DELETE", "/assistserver/consumer", 404, nil, { ["X-Token"] = "nobody's" })
    ask("DELETE", "/assistserver/consumer", 200, nil, { ["X-Token"] = named.token })
    ask("DELETE", "/assistserver/consumer", 404, nil, { ["X-Token"] = named.token })
    ask("POST", "/assistserver/session", 404, { sessionToken = named.token })
end)

scenario("short codes are made and redeemed by plain requests", { tags = { "requests" } }, function(t)
    local server = t:server(liveassist)
    local ask = plain(t, server)
    local code = ask("PUT", "/assistserver/shortcode/create?cid=room&auditName=Ada", 200).shortCode
    expect(code, match.pattern "^%d%d%d%d%d%d$")
    local ada = ask("GET", "/assistserver/shortcode/consumer?appkey=" .. code, 200)
    local sam = ask("GET", "/assistserver/shortcode/agent?appkey=" .. code, 200)
    expect({ ada.cid, sam.cid }, { "room", "room" })
    expect(ada["session-token"] ~= sam["session-token"])
    for _, side in ipairs { "consumer", "agent" } do
        ask("GET", "/assistserver/shortcode/" .. side, 404)
        ask("GET", "/assistserver/shortcode/" .. side .. "?appkey=nothing", 404)
    end
    -- Once both sides have used a code it is over.
    ask("GET", "/assistserver/shortcode/consumer?appkey=" .. code, 410)
    local other = ask("PUT", "/assistserver/shortcode/create", 200).shortCode
    expect(ask("GET", "/assistserver/shortcode/consumer?appkey=" .. other, 200).cid, match.pattern "^assist%-%x+$")
    server:expire_codes()
    ask("GET", "/assistserver/shortcode/agent?appkey=" .. other, 410)
end)

scenario("agents and web applications get tokens by plain requests", { tags = { "requests" } }, function(t)
    local server = t:server(liveassist, { agents = { sam = "secret" } })
    local ask = plain(t, server)
    ask("POST", "/assistserver/agent", 400, { password = "secret" })
    ask("POST", "/assistserver/agent", 400, { username = "" })
    ask("POST", "/assistserver/agent", 401, { username = "sam", password = "guess" })
    ask("POST", "/assistserver/agent", 401, { username = "max", password = "secret" })
    expect(ask("POST", "/assistserver/agent", 200, { username = "sam", password = "secret" }).token, match.pattern "^%x+$")
    ask("DELETE", "/assistserver/agent", 200)
    local client = t:actor(http, { server = server })
    for _, attributes in ipairs { json.null, { ["AED2.allowedTopic"] = "" }, { ["AED2.metadata"] = { role = "agent" } } } do
        client:post("/gateway/sessions/session", { additionalAttributes = attributes })
        client:expect("response", { status = 400 })
    end
    client:post("/gateway/sessions/session", { additionalAttributes = { ["AED2.allowedTopic"] = "room" } })
    client:expect("response", { status = 200, json = { sessionid = match.pattern "^%x+$" } })
end)

scenario("a server that admits no strangers gives them nothing", { tags = { "requests" } }, function(t)
    local server = t:server(liveassist, { access = "disabled" })
    local ask = plain(t, server)
    ask("POST", "/assistserver/consumer", 403, { type = "create" })
    ask("PUT", "/assistserver/shortcode/create", 403)
    server:set_access "enabled"
    ask("POST", "/assistserver/consumer", 200, { type = "create" })
    ask("PUT", "/assistserver/shortcode/create", 200)
end)

scenario("documents for tests have the status and the kind of their path", { tags = { "requests" } }, function(t)
    local client = t:actor(http, { server = t:server(liveassist) })
    t:allow { "message", "response" }
    for path, row in pairs {
        ["/documents/200/image/png"] = { 200, "image/png" }, ["/documents/599/text/plain"] = { 599, "text/plain" },
        ["/documents/503/text/plain/more"] = { 503, "text/plain" }, ["/documents/199/image/png"] = { 404 },
        ["/documents/600/image/png"] = { 404 }, ["/documents/200/image"] = { 404 }, ["/documents/"] = { 404 },
    } do
        client:get(path)
        local answer = client:expect "response"
        check(answer.status, row[1], path)
        if row[2] then check(answer.headers["content-type"], row[2], path) end
        check(answer.headers["access-control-allow-origin"], "*", path)
    end
end)
