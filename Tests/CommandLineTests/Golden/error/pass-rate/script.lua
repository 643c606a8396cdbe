scenario("breaks in a later try", { passes = { at_least = 0.9 } }, function()
    expect(random.number() < 2, true)
    if random.number() < 0.2 then error("the order has no number") end
end)

scenario("is skipped in a later try", { passes = { at_least = 0.9 } }, function(t)
    expect(random.number() < 2, true)
    if random.number() < 0.2 then t:skip("the shop is closed") end
end)
