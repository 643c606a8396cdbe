import JSON
import LuaRuntime
import Machines

/// The names by which a script asks again for what it has named: parties, mailboxes and barriers.
///
/// é may be one scalar or two: Lua takes these for two texts, while the engine and its reports show one name. So a name
/// has one spelling in a scenario.
struct NameSpellings {
    /// The names that are not ASCII alone, which has one spelling; nil as long as there is none, as for nearly all.
    @Boxed private var known: Set<String>?

    /// More are not looked at.
    private static let limit = 1000

    /// Requires that a name has something to read: an empty one is mostly a variable without a value.
    ///
    /// - Parameter call: What has the name, as the sentence begins.
    /// - Throws: A mistake of the script otherwise.
    static func require(_ name: String, in call: String) throws(HostError) {
        guard name.isBlank else { return }
        throw HostError.usage("\(call) needs a name" + (name.isEmpty ? "" : ", and spaces are none"))
    }

    /// Takes in a name.
    ///
    /// - Parameter call: The function that it is given to, as scripts write it.
    /// - Throws: A mistake if it is empty, or one of before that is spelt otherwise.
    mutating func check(_ name: String, in call: String) throws(HostError) {
        try Self.require(name, in: call)
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return }
        var known = self.known ?? []
        guard let place = known.firstIndex(of: name) else {
            guard known.count < Self.limit else { return }
            known.insert(name)
            self.known = known
            return
        }
        guard !known[place].hasSameBytes(as: name) else { return }
        throw HostError.usage(
            "\(call): \"\(name)\" is a name of before that is composed of other characters of Unicode there, so that it "
                + "looks the same and is another text; write it the same way, as by one variable")
    }
}
