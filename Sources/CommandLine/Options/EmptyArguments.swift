/// Arguments without a character, as a variable of the shell leaves that has no value: a path of that kind would stand
/// for the working directory, a name for nothing. The parser tells of `--option=` itself.
enum EmptyArguments {
    /// Returns what is wrong with arguments of a command of which one is empty; nil if none is.
    static func problem(in arguments: [String]) -> String? {
        guard arguments.contains(where: \.isEmpty) else { return nil }
        let options = Set((arguments.first.map(DeclaredOptions.init(of:))?.valued ?? []).map { "--" + $0 })
        var isOption = true
        var earlier = ""
        for argument in arguments {
            if argument.isEmpty {
                return isOption && options.contains(earlier)
                    ? Self.problem(of: earlier)
                    : "an argument is empty, as where a variable of the shell has no value; give a file or a folder, "
                        + "or leave it out"
            }
            if argument == "--" { isOption = false }
            earlier = argument
        }
        return nil
    }

    private static func problem(of option: String) -> String {
        "the value of \(option) is empty, as where a variable of the shell has no value; give one, or leave "
            + "\(option) out"
    }
}
