/// Options that take one value and are given twice: the parser takes the last of the values and says nothing of the
/// others.
enum RepeatedOptions {
    /// Returns what is wrong with arguments in which a value would be lost; nil if none would.
    static func problem(in arguments: [String]) -> String? {
        var counts: [String: Int] = [:]
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
            counts[String(argument.dropFirst(2).prefix { $0 != "=" }), default: 0] += 1
        }
        let repeated = counts.filter { $0.value > 1 }.keys.sorted()
        guard !repeated.isEmpty, let command = arguments.first else { return nil }
        let single = DeclaredOptions(of: command).single
        guard let name = repeated.first(where: single.contains) else { return nil }
        return
            "--\(name) is given \(counts[name] == 2 ? "twice" : "\(counts[name] ?? 0) times"), and only the last one "
            + "would count; give it once"
    }
}
