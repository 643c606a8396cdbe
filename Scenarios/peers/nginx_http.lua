-- A web server that is not simulated, behind TLS: `scripts/peers nginx_http` starts nginx and plays this.
local http = require "http"

before_each(function(t) if not env "REPARTEE_PEER" then t:skip "needs the real server that scripts/peers starts" end end)

workload {
    executor = "constant_vus", users = 100, duration = "20s", scenario = "requests share a connection",
    think_time = { distribution = "exponential", mean = "500ms" }, thresholds = { "rate(failures) == 0" },
}

scenario("HTTP/2 is spoken, since nginx offers it", { tags = { "peers" } }, function(t)
    local visitor = t:actor(http)
    visitor:get "/protocol"
    visitor:expect("response", { status = 200, json = { protocol = "HTTP/2.0" } })
end)

scenario("requests share a connection", { tags = { "peers" } }, function(t)
    local visitor = t:actor(http)
    visitor:get "/connection"
    local first = visitor:expect("response", { status = 200 }).body
    for _ = 1, 20 do visitor:get("/connection", { name = "connection" }) end
    for _ = 1, 20 do expect(visitor:expect("response", { status = 200 }).body, first) end
end)

scenario("a redirect is followed, with the cookie that it sets", { tags = { "peers" } }, function(t)
    local visitor = t:actor(http)
    visitor:get "/login"
    visitor:expect("response", { status = 200, body = "sid is 7" })
    expect(#visitor.cookies, 2)
end)

scenario("a long answer arrives, compressed or not", { tags = { "peers" } }, function(t)
    local visitor = t:actor(http)
    visitor:get "/long.json"
    visitor:expect("response", { headers = { ["content-encoding"] = "gzip" }, size = 2000010 })
    visitor:get("/long.json", { compression = false })
    expect(visitor:expect("response", { size = 2000010 }).headers["content-encoding"], nil)
end)

scenario("a long request is taken", { tags = { "peers" } }, function(t)
    local visitor = t:actor(http)
    visitor:post("/upload", ("x"):rep(500000))
    visitor:expect("response", { status = 200, body = "500000" })
end)

scenario("a user and a password are asked for", { tags = { "peers" } }, function(t)
    local visitor = t:actor(http)
    visitor:get "/private"
    visitor:expect("response", { status = 401 })
    visitor:get("/private", { basic = { user = "ada", password = "open sesame" } })
    visitor:expect("response", { status = 200, body = "hello ada" })
end)

scenario("the certificate is shown", { tags = { "peers" } }, function(t)
    local visitor = t:actor(http)
    visitor:get "/certificate"
    visitor:expect("response", { status = 200, body = "SUCCESS" })
end)

scenario("without HTTP/2 all is as with it", { tags = { "peers" } }, function(t)
    local visitor = t:actor(http, { target = "plain" })
    visitor:get "/protocol"
    visitor:expect("response", { status = 200, json = { protocol = "HTTP/1.1" } })
    visitor:get "/certificate"
    visitor:expect("response", { body = "NONE" })
end)
