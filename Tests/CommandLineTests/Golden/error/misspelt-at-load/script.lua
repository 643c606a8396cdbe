-- Misspelt where the file is loaded.
scenaro("a visitor waits", function() end)
