/// The names of methods of HTTP, as scripts write them.
public enum RequestMethodName {
    /// The ones that are written in capitals whichever way a script writes them, as browsers do; any other name counts
    /// as it is, for methods are told apart by case.
    private static let usual: Set = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"]

    /// Returns the name as it is sent.
    public static func sent(for name: String) -> String {
        let capitals = name.uppercased()
        return Self.usual.contains(capitals) ? capitals : name
    }
}
