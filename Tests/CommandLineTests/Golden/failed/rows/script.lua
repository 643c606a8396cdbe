-- Each row is a test of its own, named by what is in it.
scenario("a sum", { rows = "sums.csv", row_key = "task" }, function(_, row)
    expect(row.left + row.right, tonumber(row.sum))
end)

scenario("a word", { rows = { { word = "short", length = 5 }, { word = "long", length = 5 } } }, function(_, row)
    expect(#row.word, row.length)
end)
