import ArgumentParser
import JSON

/// The options of a command that take a value, by their long names without `--`.
struct DeclaredOptions {
    /// All of them.
    let valued: Set<String>

    /// Those that take one value and not several.
    let single: Set<String>

    /// - Parameter command: The name of the command; one that there is not has no options.
    init(of command: String) {
        let tool = (try? JSONReader.read(Root._dumpHelp()))?["command"]
        let found = (tool?["subcommands"]?.array ?? []).first { $0["commandName"]?.string == command }
        let options = (found?["arguments"]?.array ?? []).filter { $0["kind"] == "option" }
        self.valued = Self.names(of: options)
        self.single = Self.names(of: options.filter { $0["isRepeating"]?.bool != true })
    }

    private static func names(of options: [JSONValue]) -> Set<String> {
        Set(options.flatMap { $0["names"]?.array ?? [] }.compactMap { $0["name"]?.string })
    }
}
