scenario("greeting", { allow = { "typng" } }, function() end)
