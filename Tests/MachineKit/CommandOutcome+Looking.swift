public import JSON
public import Machines

extension CommandOutcome {
    /// What the command returned to the script.
    ///
    /// A test that takes it ends with an issue where the command was not carried out, and does not pass over what it
    /// would have asserted.
    ///
    /// - Throws: ``NotDone`` where the command was refused or is not offered.
    public var value: JSONValue {
        get throws {
            guard case .done(let value) = self else { throw NotDone(outcome: self) }
            return value
        }
    }

    /// Whether it is what is said of a method that nothing declares; a test asks an invented one as well, so that it
    /// notices when that is said in other words.
    ///
    /// - Parameter name: The name of the method.
    public func isUnknownMethod(_ name: String) -> Bool {
        guard case .refused(let why) = self else { return false }
        return why.hasPrefix("there is no method \"\(name)\" here")
    }
}

/// A command that a test counts on was not carried out.
public struct NotDone: Error, CustomStringConvertible {
    /// What came of it instead.
    public let outcome: CommandOutcome

    public var description: String { "the command was not carried out: \(self.outcome)" }
}
