import LuaRuntime
import Machines

/// What to say of a name that a script reads but nobody has assigned.
///
/// In Lua it would be nil, and a table that asks for a field by a misspelt constant would ask for nothing.
extension UndefinedName {
    /// What Lua has elsewhere and scripts do not find.
    private static let leftOut: Set<String> = ["dofile", "io", "loadfile", "loadstring", "package", "warn"]

    /// Returns what is wrong and what to do; nil if the name is one that may be absent.
    ///
    /// - Parameter source: The script, whose local variables a function that does not use them does not know.
    func message(in source: String = "") -> String? {
        let suggestion = TextDistance.suggestion(for: self.name, among: self.known.sorted())
        switch self.place {
        case .globals: return self.messageOfGlobal(in: source)
        case .library("os") where self.name == "getenv":
            return
                "os.getenv is not defined: env \"NAME\" reads a variable that repartee.lua names, and secret \"NAME\" "
                + "one that nobody may see; ask rawget(os, \"getenv\") whether it is there"
        case .library(let library):
            return "\(library).\(self.name) is not defined"
                + (suggestion.map { "; did you mean \(library).\($0)?" }
                    ?? "; ask rawget(\(library), \"\(self.name)\") whether it is there")
        case .members(let owner, let isClosed):
            // Names of a letter or two resemble each other by chance.
            if let suggestion, isClosed || self.name.count > 2 {
                return "\(owner) has no field \"\(self.name)\"; did you mean \"\(suggestion)\"?"
            }
            // In an open table names that resemble none may be what a server adds.
            guard isClosed else { return nil }
            return "\(owner) has no field \"\(self.name)\"; it has \(Set(self.known).sorted().joined(separator: ", "))"
        }
    }

    private func messageOfGlobal(in source: String) -> String {
        if Self.leftOut.contains(self.name) { return "\(self.name) is not available to scripts" }
        let known = Set(self.known + Self.localNames(in: source)).subtracting([self.name])
        let suggestion = TextDistance.suggestion(for: self.name, among: known.sorted())
        return "the global \"\(self.name)\" is not defined"
            + (suggestion.map { "; did you mean \"\($0)\"?" }
                ?? "; assign it first, or ask rawget(_G, \"\(self.name)\") whether it is there")
    }

    /// Returns the names of the local variables and functions that a text declares.
    private static func localNames(in source: String) -> [String] {
        source.matches(of: /\blocal\s+(?:function\s+)?([A-Za-z_][\w<>, \t]*)/.asciiOnlyWordCharacters()).flatMap {
            match in
            match.1.split(separator: ",").compactMap { part in
                part.split { $0 == " " || $0 == "\t" || $0 == "<" }.first.map(String.init)
            }
        }
    }
}
