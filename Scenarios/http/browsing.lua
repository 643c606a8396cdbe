-- What a browser does with requests unasked: cookies, redirects, compressed bodies.
local http = require "http"

local function without_cookie()
    return match.where(function(headers) return headers.cookie == nil end)
end

scenario("a session cookie is kept and sent until it is deleted", { tags = { "http" } }, function(t)
    local peer = t:server(http):peer "peer"
    local visitor = t:actor(http)

    visitor:post("/login", { user = "ada" })
    peer:expect("request", { method = "POST", headers = without_cookie() })
    peer:respond { status = 302, headers = { location = "home", ["set-cookie"] = "sid=s1; Path=/; HttpOnly" } }
    peer:expect("request", { method = "GET", path = "/home", headers = { cookie = "sid=s1" }, body = match.absent })
    peer:respond { text = "welcome" }
    visitor:expect("response", { status = 200, body = "welcome" })
    expect(visitor.cookies, { { name = "sid", http_only = true, path = "/" } })

    visitor:get("/without", { cookies = false })
    peer:expect("request", { headers = without_cookie() })
    peer:respond { headers = { ["set-cookie"] = "ignored=1" } }
    visitor:expect "response"

    visitor:get "/logout"
    peer:expect("request", { headers = { cookie = "sid=s1" } })
    peer:respond { headers = { ["set-cookie"] = "sid=; Path=/; Max-Age=0" } }
    visitor:expect "response"

    visitor:get "/home"
    peer:expect("request", { headers = without_cookie() })
    peer:respond { status = 403 }
    visitor:expect("response", { status = 403 })
end)

scenario("a cookie expires while nobody asks", { tags = { "http" }, clock = "virtual" }, function(t)
    local peer = t:server(http):peer "peer"
    local visitor = t:actor(http)
    visitor:get "/"
    peer:expect "request"
    peer:respond { headers = { ["set-cookie"] = "short=1; Max-Age=60" } }
    visitor:expect "response"
    wait "59s"
    visitor:get "/"
    peer:expect("request", { headers = { cookie = "short=1" } })
    peer:respond { status = 204 }
    visitor:expect "response"
    wait "1s"
    visitor:get "/"
    peer:expect("request", { headers = without_cookie() })
    peer:respond { status = 204 }
    visitor:expect "response"
end)

scenario("a body goes with 308 and stays behind with 303", { tags = { "http" } }, function(t)
    local peer = t:server(http):peer "peer"
    local visitor = t:actor(http, { token = "t1" })
    visitor:post("/old", { n = 1 })
    peer:expect "request"
    peer:respond { status = 308, headers = { location = "/new" } }
    peer:expect("request", { method = "POST", path = "/new", json = { n = 1 }, headers = { authorization = "Bearer t1" } })
    peer:respond { status = 303, headers = { location = "/done" } }
    peer:expect("request", { method = "GET", path = "/done", body = match.absent })
    peer:respond { json = { text = "done" } }
    visitor:expect("message", { text = "done" })
end)

scenario("redirects that cannot be followed end as an error, and need not be followed", { tags = { "http" } }, function(t)
    local server = t:server(http, {
        answers = {
            { to = "/loop", status = 302, headers = { location = "/loop" } },
            { to = "/away", status = 302, headers = { location = "https://elsewhere.example/" } },
        },
    })
    local visitor = t:actor(http)
    visitor:get "/loop"
    visitor:expect("error", { code = "redirect_refused", message = match.contains "in a loop" })
    visitor:get "/away"
    visitor:expect("error", { code = "host_refused", message = match.contains "neither the target's host" })
    visitor:get("/away", { redirects = 0 })
    visitor:expect("response", { status = 302, headers = { location = "https://elsewhere.example/" } })
    -- What a server in another process has counted is not known here.
    if t.target == "embedded" then expect(server.requests, 13) end
end)

-- The simulated server of a chat in Lua can answer any bytes.
local Archive = system { name = "archive", events = { page = { text = "string" }, error = { message = "string" } } }

function Archive.commands.read(me, path, options)
    local answer = me:request { path = path, compression = (options or {}).compression }
    if answer.failure then me:emit("error", { message = answer.failure.message })
    elseif answer.status ~= 200 then me:emit("error", { message = "the archive answered " .. answer.status })
    else me:emit("page", { text = answer.body or answer.base64 }) end
end

-- Three times "data: Grüße" and an empty line, as gzip writes it.
local ZIPPED = "H4sIAAAAAAACA0tJLEm0UnAvOrzn8PxULq4UvFwAUMyY8i0AAAA="

function Archive.server.request(desk, request)
    if not request.headers["accept-encoding"] then return "plain" end
    local body = request.path == "/broken" and ZIPPED:sub(1, 24) or ZIPPED
    return { headers = { ["content-encoding"] = "gzip" }, base64 = body }
end

scenario("a compressed body is read as what it says", { tags = { "http" } }, function(t)
    local reader = t:actor(Archive)
    reader:read "/page"
    reader:expect("page", { text = ("data: Grüße\n\n"):rep(3) })
    reader:read("/page", { compression = false })
    reader:expect("page", { text = "plain" })
    reader:read "/broken"
    reader:expect("error", { message = match.contains "its gzip body ends too early" })
end)
