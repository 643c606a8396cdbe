/// A secret of `repartee.lua`: its text, or the name of a variable that has it, `$SHOP_TOKEN`.
enum EnvironmentSecret {
    /// Returns the secret, or nil if the environment does not have the variable that is named.
    static func value(of text: String, _ variables: [String: String]) -> String? {
        text.hasPrefix("$") ? variables[String(text.dropFirst())] : text
    }

    /// Says that the environment does not have the variable that a member names.
    static func absence(of text: String, in member: String) -> String {
        "\(member): the environment has no variable \(text.dropFirst())"
    }
}
