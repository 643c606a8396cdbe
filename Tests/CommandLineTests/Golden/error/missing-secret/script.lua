scenario("needs a token", function() secret "NO_SUCH_TOKEN" end)
