-- What a request can carry, and what its server sees of it.
local http = require "http"

scenario("headers, query and body reach the server", { tags = { "smoke", "http" } }, function(t)
    local server = t:server(http, { answers = { { status = 204 } } })
    local peer = server:peer "peer"
    local visitor = t:actor(http, {
        url = "/v1",
        headers = { ["X-Tenant"] = "acme", ["X-Mood"] = "calm" },
        query = { version = 2 },
    })

    visitor:post("chat", { text = "grüß dich" }, { headers = { ["X-Mood"] = "cheerful" }, query = { debug = "a b" } })
    peer:expect("request", {
        method = "POST",
        path = "/v1/chat",
        query = { version = "2", debug = "a b" },
        headers = { ["x-tenant"] = "acme", ["x-mood"] = "cheerful", ["content-type"] = "application/json" },
        json = { text = "grüß dich" },
    })
    visitor:expect("response", { status = 204, ok = true, size = 0 })

    visitor:request("PUT", "/notes/7", "plain words")
    peer:expect("request", {
        method = "PUT",
        path = "/notes/7",
        headers = { ["content-type"] = match.contains "text/plain" },
        body = "plain words",
    })
    visitor:get("?page=2")
    peer:expect("request", { method = "GET", path = "/v1", query = { page = "2" }, body = match.absent })
end)

scenario("a list in a query or a form goes value by value under its name", { tags = { "http" } }, function(t)
    local server = t:server(http, { answers = { { status = 204 } } })
    local peer = server:peer "peer"
    local visitor = t:actor(http, { query = { tag = { "old", "new" }, page = 1 } })

    visitor:post("/search", nil, { query = { page = 2 }, form = { kind = { "chat", "mail" }, limit = 5 } })
    peer:expect("request", {
        query = { tag = { "old", "new" }, page = "2" },
        form = { kind = { "chat", "mail" }, limit = "5" },
    })
    visitor:get("/search", { query = { tag = {} } })
    peer:expect("request", { query = match.equals { page = "1" } })

    for _, options in ipairs { { query = { filter = { kind = "chat" } } }, { form = { filter = { { 1 } } } } } do
        local done, message = pcall(visitor.post, visitor, "/search", nil, options)
        expect(done, false)
        expect(tostring(message), match.contains '"filter" is a text, a number, true, false or a list of them')
    end
end)

scenario("a token is asked for first and then sent along", { tags = { "http" } }, function(t)
    local server = t:server(http, {
        answers = {
            { to = "POST /oauth/token", json = { access_token = "s3cr3t", expires_in = 3600 } },
            { to = "POST /chat", json = { text = "Welcome back!" } },
        },
    })
    local peer = server:peer "peer"
    local visitor = t:actor(http)

    visitor:post("/oauth/token", nil, { form = { grant_type = "client_credentials", client_id = "rehearsal" } })
    local token = visitor:expect("response", { ok = true }).json.access_token
    visitor:configure { url = "/chat", token = token }
    visitor:send { message = "hello" }
    visitor:expect("message", { text = "Welcome back!" })

    peer:expect("request", { form = { grant_type = "client_credentials", client_id = "rehearsal" } })
    peer:expect("request", { path = "/chat", headers = { authorization = "Bearer s3cr3t" } })
end)

scenario("answers to several requests at once are told apart by their numbers", { tags = { "http" } }, function(t)
    t:server(http, {
        answers = {
            { to = "/slow", after = "150ms", json = { text = "At last." } },
            { to = "/fast", json = { text = "Already." } },
        },
    })
    local visitor = t:actor(http)
    local slow = visitor:get "/slow"
    local fast = visitor:get "/fast"
    visitor:expect("message", { text = "Already.", request = fast })
    visitor:expect("message", { text = "At last.", request = slow })
end)

scenario("the end of a body is told in three ways", {
    tags = { "http" },
    rows = { { framing = "length" }, { framing = "chunked" }, { framing = "close" } },
}, function(t, row)
    t:server(http, {
        answers = {
            { to = "/whole", json = { text = "Good morning!" }, framing = row.framing },
            {
                to = "/stream",
                lines = { { text = "Good" }, { text = "evening!" } },
                gap = "10ms",
                framing = row.framing,
            },
        },
    })
    local visitor = t:actor(http)
    for _ = 1, 2 do
        visitor:get "/whole"
        visitor:expect("message", { text = "Good morning!" })
        visitor:get "/stream"
        visitor:expect("message", { text = "Good" })
        visitor:expect("message", { text = "evening!" })
        visitor:expect("stream_ended", { complete = true })
    end
end)

scenario("a header that HTTP cannot carry is refused, on either side", { tags = { "http" } }, function(t)
    local server = t:server(http)
    local peer, visitor = server:peer "peer", t:actor(http)
    local function refuses(act, ...)
        local done, why = pcall(act, ...)
        expect(done, false)
        expect(tostring(why), match.contains 'the header "X-Note" has a line end or another control character')
    end
    for _, value in ipairs { "one\ntwo", "one\r", "\0", "\27[1m", "\127" } do
        refuses(visitor.get, visitor, "/", { headers = { ["X-Note"] = value } })
        refuses(server.answer, server, { headers = { ["X-Note"] = value } })
    end
    visitor:get("/", { headers = { ["X-Note"] = "one\ttwo é" } })
    peer:expect("request", { headers = { ["x-note"] = "one\ttwo é" } })
    refuses(peer.begin, peer, { headers = { ["X-Note"] = "one\ntwo" } })
    peer:respond { headers = { ["X-Note"] = "here" } }
    visitor:expect("response", { headers = { ["x-note"] = "here" } })
end)

scenario("a list of values is a line of the head for each of them", { tags = { "http", "cookies" } }, function(t)
    local server = t:server(http)
    local peer, visitor = server:peer "peer", t:actor(http)
    visitor:get("/", { headers = { ["X-Tag"] = { "one", "two" }, ["X-Count"] = 2 } })
    peer:expect("request", { headers = { ["x-tag"] = "one, two", ["x-count"] = "2" } })
    peer:respond { headers = { ["set-cookie"] = { "a=1; Path=/", "b=2; Path=/" } } }
    visitor:expect "response"
    for name, value in pairs { a = "1", b = "2" } do expect(visitor.cookies, match.has { name = name, value = value }) end
    visitor:get "/again"
    peer:expect("request", { path = "/again", headers = { cookie = match.one_of { "a=1; b=2", "b=2; a=1" } } })
    local function refuses(words, act, ...)
        local done, why = pcall(act, ...)
        expect({ done, tostring(why) }, { false, match.contains(words) })
    end
    for _, name in ipairs { "Content-Length", "transfer-encoding", "Connection" } do
        refuses("says how the body ends", peer.respond, peer, { headers = { [name] = "5" } })
        refuses("says how the body ends", server.answer, server, { headers = { [name] = "5" } })
        refuses("says how the body ends", peer.begin, peer, { headers = { [name] = "5" } })
    end
    refuses("is a string or a number or a list, not true", peer.respond, peer, { headers = { ["X-Tag"] = true } })
    refuses("is a text, a number or a list of them, not []", peer.respond, peer, { headers = { ["X-Tag"] = {} } })
    peer:respond { text = "Done." }
    visitor:expect("response", { body = "Done." })
end)
