-- Transcripts that cannot be read, and names that lead elsewhere.
scenario("a line that is none", function() expect_transcript "broken" end)
scenario("a name that leads elsewhere", function() expect_transcript "../secret" end)
scenario("an option that is none", function() expect_transcript("broken", { without = "1s" }) end)
