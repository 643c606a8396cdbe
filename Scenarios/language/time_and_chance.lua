-- Dates follow the clock of the scenario, chance its seed; in virtual time both are the same in every run.

scenario("dates under the clock of the scenario", { clock = "virtual", timeout = "48h" }, function()
    expect(date.today(), "2024-01-01")
    expect(date.now(), "2024-01-01T00:00:00.000Z")
    wait "36h"
    expect(date.today(), "2024-01-02")
    expect(date.today(-2), "2023-12-31")
    expect(date.now(), "2024-01-02T12:00:00.000Z")
end)

scenario("dates to compute with", function()
    expect(date.add("2024-01-31", { months = 1 }), "2024-02-29")
    expect(date.add("2024-02-29", { years = 1, days = 1 }), "2025-03-01")
    expect(date.add("2024-01-01", { hours = 36 }), "2024-01-02T12:00:00.000Z")
    expect(date.epoch "1970-01-02", 86400.0)
    expect(date.format("2026-11-01", "%A, %-d %B %Y (%d.%m.%Y)"), "Sunday, 1 November 2026 (01.11.2026)")
end)

scenario("things by chance", function()
    expect(random.uuid(), match.uuid)
    expect(random.digits(6), match.regex [[\d{6}]])
    expect(random.letters(4), match.regex "[a-z]{4}")
    expect(random.email(), match.regex [[[a-z]+\.[a-z]+\d+@example\.com]])
    expect(random.name(), match.regex [[[A-Z]\w+ [A-Z]\w+]])
    expect(random.date("2026-01-01", "2026-01-31"), match.glob "2026-01-??")
    expect(random.sample({ 1, 2, 3, 4 }, 2), match.count(2))
    for _ = 1, 100 do
        local number = random.number(2, 3.5)
        expect(2 <= number and number < 3.5, true, "a number of the range")
        expect(random.number() < 1, true, "a number from 0 to 1")
    end
    for _, range in ipairs { { 3, 2 }, { 3 }, { "a", "b" }, { 0, math.huge } } do
        local passed, problem = pcall(random.number, table.unpack(range))
        expect(not passed and tostring(problem), match.contains "random.number")
    end
end)
