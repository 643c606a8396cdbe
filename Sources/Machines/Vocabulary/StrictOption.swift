public import JSON

/// The option of servers whose parties are there to be looked at: what comes to them must be expected nevertheless.
public enum StrictOption {
    private static let name = "strict"

    /// Returns the option of a server.
    ///
    /// - Parameter events: What comes to its parties, in the plural.
    public static func parameter(of events: String) -> ParameterDeclaration {
        ParameterDeclaration(
            Self.name, .boolean, optional: true,
            "Whether \(events) must be expected or allowed like other events, by the party that is named first, and though none is; false unless given."
        )
    }

    /// Returns whether a server has the option.
    ///
    /// - Parameter options: The options of the server.
    public static func isSet(in options: JSONObject) -> Bool { options[Self.name]?.bool ?? false }
}
