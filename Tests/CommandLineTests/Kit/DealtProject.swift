/// A project whose scenarios take their time and fail by chance, to be dealt to shards.
enum DealtProject {
    /// Makes the folder of one.
    ///
    /// - Parameter count: How many scenarios its three files have.
    static func folder(_ count: Int = 12) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for file in 0..<3 {
            var text = "local helper = require \"helper\"\n"
            for number in 0..<count / 3 {
                text += """
                    scenario("s\(number)", { tags = { "t\(number)" } }, function()
                        wait(random.number())
                        if \(number) == 1 then check(random.integer(1, 2), 1) end
                        step("part", function() log.info(random.hex(8)) end)
                    end)

                    """
            }
            try folder.write(text, to: "Scenarios/f\(file).lua")
        }
        try folder.write("return {}", to: "Scenarios/helper.lua")
        return folder
    }
}
