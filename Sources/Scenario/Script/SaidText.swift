import LuaRuntime

/// What a script says to people, as in the message of a failure.
enum SaidText {
    /// Returns an argument as such a text: a string, or the text of an error that the script has caught.
    static func of(_ number: Int, in call: borrowing LuaCall) throws(HostError) -> String {
        if call.kind(number) == .handle, case .handle(_, .error) = call.value(number) { return call.text(number) }
        return try call.string(number)
    }

    /// Returns an argument as such a text, or nil where nothing was given.
    static func ifGiven(_ number: Int, in call: borrowing LuaCall) throws(HostError) -> String? {
        call.isNil(number) ? nil : try self.of(number, in: call)
    }
}
