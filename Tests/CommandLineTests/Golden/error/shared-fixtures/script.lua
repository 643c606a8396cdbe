-- What goes wrong in what scenarios share stands in a case of its own, and in each scenario that asked for it.
fixture("account", { scope = "file" }, function() error "no account today" end)
fixture("tenant", { scope = "run" }, function(t)
    t:defer(function() error "cannot be deleted" end)
    return "acme"
end)

scenario("asks for the account", function(t) t:use "account" end)
scenario("asks for it, too", function(t) t:use "account" end)
scenario("asks for the tenant", function(t) expect(t:use "tenant", "acme") end)
scenario("asks for nothing", function() end)

group("hooks", function()
    before_all(function() expect("the desk", "open") end)
    before_each(function() print "never" end)
    scenario("cannot be played", function() print "never" end)
end)
group("a hook at the end", function()
    after_all(function() expect("the desk", "closed") end)
    scenario("is played", function() end)
end)
