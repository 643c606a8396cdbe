-- In virtual time the clock and chance belong to the seed, not to the machine.
scenario("os.time is virtual and moves with wait", { timeout = "2h" }, function()
    local before, clock = os.time(), os.clock()
    wait "1h"
    expect(os.time() - before, 3600)
    expect(now(), 3600)
    expect(os.date("!%Y", before), match.pattern "%d%d%d%d")
    expect(clock, match.type "number")
end)

scenario("random is seeded", function()
    print(random.integer(1, 1000000), random.hex(8), random.pick { "a", "b", "c" }, math.random(1000000))
    print(table.concat(random.shuffle { 1, 2, 3, 4, 5, 6, 7, 8 }, " "))
    print(random.number())
end)
