-- Who asks: a user and a password, a token that is asked for by itself, a form with a file.
local http = require "http"

scenario("a user and a password stand in the header", { tags = { "http" } }, function(t)
    local peer = t:server(http):peer "peer"
    local visitor = t:actor(http, { basic = { user = "ada", password = "päss:word" } })
    visitor:get "/"
    peer:expect("request", { headers = { authorization = "Basic YWRhOnDDpHNzOndvcmQ=" } })
    peer:respond { status = 204 }
    visitor:expect "response"
    local ok, problem = pcall(visitor.get, visitor, "/", { basic = { user = "a:b", password = "" } })
    expect(ok, false)
    expect(tostring(problem), match.contains "a user has no colon")
end)

scenario("a token is asked for once, and refreshed when it has expired", { tags = { "http" }, clock = "virtual" }, function(t)
    local peer = t:server(http):peer "peer"
    local visitor = t:actor(http, {
        oauth = { token_url = "/oauth/token", client_id = "shop", client_secret = "s3cr3t", scope = "chat" },
    })
    visitor:get "/chat"
    peer:expect("request", { path = "/oauth/token", form = { grant_type = "client_credentials", scope = "chat" } })
    peer:respond { json = { access_token = "t1", token_type = "Bearer", expires_in = 60, refresh_token = "r1" } }
    peer:expect("request", { path = "/chat", headers = { authorization = "Bearer t1" } })
    peer:respond { status = 204 }
    visitor:expect "response"

    wait "1m"
    visitor:get "/chat"
    peer:expect("request", { form = { grant_type = "refresh_token", refresh_token = "r1" } })
    peer:respond { json = { access_token = "t2", token_type = "Bearer" } }
    peer:expect("request", { path = "/chat", headers = { authorization = "Bearer t2" } })
    peer:respond { status = 401 }
    peer:expect("request", { form = { grant_type = "client_credentials" } })
    peer:respond { json = { access_token = "t3", token_type = "bearer" } }
    peer:expect("request", { path = "/chat", headers = { authorization = "Bearer t3" } })
    peer:respond { status = 204 }
    visitor:expect("response", { status = 204 })
end)

scenario("a token that is not given is an error", { tags = { "http" } }, function(t)
    local peer = t:server(http):peer "peer"
    local visitor = t:actor(http, { oauth = { token_url = "/token", client_id = "shop", username = "ada", password = "x" } })
    visitor:get "/chat"
    peer:expect("request", { form = { grant_type = "password", username = "ada", client_id = "shop" } })
    peer:respond { status = 400, json = { error = "invalid_grant" } }
    visitor:expect("error", { code = "authorization_failed", message = match.contains "invalid_grant" })
end)

scenario("a form carries files", { tags = { "http" } }, function(t)
    local peer = t:server(http):peer "peer"
    local visitor = t:actor(http)
    visitor:post("/upload", nil, {
        multipart = {
            { name = "note", text = "see the picture" },
            { name = "picture", filename = "a.png", type = "image/png", base64 = "iVBORw==" },
        },
    })
    peer:expect("request", {
        headers = { ["content-type"] = match.contains "multipart/form-data; boundary=" },
        body = match.all_of { match.contains 'name="note"\r\n\r\nsee the picture', match.contains 'filename="a.png"' },
    })
    peer:respond { status = 201 }
    visitor:expect("response", { status = 201 })
end)
