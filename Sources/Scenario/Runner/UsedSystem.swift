public import Machines

/// A chat system that the scripts of a run use, as far as their text tells before they are played.
public struct UsedSystem: Sendable {
    /// The system; one that a script declares has what it declares, and cannot be played by itself.
    public let system: ChatSystem

    /// Whether a script declares it.
    public let isOwn: Bool

    /// Creates a description.
    public init(_ system: ChatSystem, isOwn: Bool) {
        self.system = system
        self.isOwn = isOwn
    }
}

extension Script {
    /// The systems that the script requires, names or declares.
    var usedSystems: [UsedSystem] {
        let builtIn = self.settings.systems.values.sorted { $0.name < $1.name }.filter { system in
            // One that a function requires later stands in the text.
            self.files.systems.contains(system.name) || self.file.source.contains("\"\(system.name)\"")
                || self.file.source.contains("'\(system.name)'")
        }
        return builtIn.map { UsedSystem($0, isOwn: false) }
            + self.declarations.luaSystems.map { UsedSystem($0.described, isOwn: true) }
    }
}
