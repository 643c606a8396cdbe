-- What happens to the connection of an Oracle channel, and how the client answers.
local oracle = require "oracle"

scenario("a dropped connection comes back after five seconds", { tags = { "slow" } }, function(t)
  local desk = t:server(oracle, { echo = true })
  local user = t:actor(oracle, { init_user_hidden_message = "hi" })
  user:connect()
  user:expect("message", { text = "hi" })
  desk:drop(user)
  user:expect "reconnecting"
  user:say "lost"
  user:expect("error", { code = "ConnectionNone" })
  user:expect("reconnected", nil, { within = "6s" })
  user:expect_silence("1s", "message")
end)

scenario("a client gives up after six tries", { clock = "virtual" }, function(t)
  t:server(oracle, { faults = { refuse_socket = 503 } })
  local user = t:actor(oracle)
  user:connect()
  local gone = user:expect("disconnected", { reason = "NetworkFailure" }, { within = "30s" })
  expect(gone.retry, "Try Again")
  user:expect("error", { code = "NetworkFailure" })
end)

scenario("a missing pong opens the connection anew", { clock = "virtual" }, function(t)
  t:server(oracle, { faults = { no_pong = true } })
  local user = t:actor(oracle)
  user:connect()
  user:expect "connected"
  user:expect("link_changed", { status = "closing" }, { within = "41s" })
  user:expect("reconnected", nil, { within = "2s" })
end)

scenario("fifty minutes of silence cost nothing", { clock = "virtual", timeout = "2h" }, function(t)
  t:server(oracle)
  local user = t:actor(oracle)
  user:connect()
  user:expect "connected"
  user:expect("reconnected", nil, { within = "51m" })
end)

scenario("an expired token opens no socket", function(t)
  t:server(oracle, { authentication = true })
  local user = t:actor(oracle, { token_fixture = { user_id = "ada", claims = { iat = 10, exp = 20 } } })
  user:connect()
  user:expect("disconnected", { reason = "AuthExpiredToken" })
  user:expect("error", { code = "AuthExpiredToken" })
end)

scenario("a server that refuses the token ends the tries", function(t)
  t:server(oracle, { authentication = true })
  local user = t:actor(oracle, { token_fixture = { secret = "another", user_id = "ada" } })
  user:connect()
  user:expect "connected"
  user:expect("disconnected", { reason = "AuthExpiredToken" })
  user:expect("error", { code = "AuthExpiredToken" })
end)

scenario("a first message hides the refusal, so the client tries in vain", { clock = "virtual" }, function(t)
  t:server(oracle, { authentication = true })
  local user = t:actor(oracle, {
    token_fixture = { secret = "another", user_id = "ada" }, init_user_hidden_message = "hi",
  })
  user:connect()
  user:expect "reconnecting"
  user:disconnect()
end)

scenario("a client without WebSockets polls", { tags = { "slow" } }, function(t)
  t:server(oracle, { echo = true, faults = { refuse_socket = 503 } })
  local user = t:actor(oracle, { enable_long_polling = true })
  user:connect()
  user:expect("connected", { polling = true }, { within = "12s" })
  user:say "hi"
  user:expect("message", { text = "hi" })
end)
