-- What fails at every try: each try is told, and reports begin with the first one.
scenario("never", { tags = { "slow" } }, function(t)
    log.info "trying"
    expect(random.integer(1, 9), 10, "the dice")
end)
scenario("not often enough", { retries = 0 }, function() expect(1, 2) end)
