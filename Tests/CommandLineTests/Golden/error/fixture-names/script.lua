fixture("account", function() end)
fixture("account", function() end)
