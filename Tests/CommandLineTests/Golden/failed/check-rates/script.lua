-- A soft failure fails its try, once, and the rates of the checks say which of them is to blame.
scenario("a bot that forgets its manners", { passes = { at_least = 0.9 } }, function()
    local answer = random.number() < 0.6 and "It ships on Monday, dear Ada." or "It ships on Monday."
    check(answer, match.contains "Monday")
    check(answer, match.contains "Ada")
end)
