/// Where a script has a chat system from, so that another script can have it as well.
struct LuaSystemSource: Sendable {
    /// The name of the system; nil for the last one that the file declares.
    let name: String?

    /// What the file requires to get it; nil if the file declares it itself.
    let module: String?

    /// The file that has it.
    private let file: ScriptFile

    init(_ name: String?, requiredAs module: String?, by file: ScriptFile) {
        self.name = name
        self.module = module
        self.file = file
    }

    /// The file that asked for the system, as its script names it.
    var fileName: String { self.file.name }

    /// Whether a text can be the name of a module, and nothing else of Lua.
    static func isModuleName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
                    UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }

    /// A script that declares the system when it is loaded; it finds modules where the file finds them.
    var script: ScriptFile {
        guard let module = self.module else { return self.file }
        return ScriptFile(
            name: self.file.folder + "/server of \(module)", source: "require \"\(module)\"")
    }
}

extension Script {
    /// Returns the path of the script's file from the project's root, or nil if it lies elsewhere.
    var pathInProject: String? {
        let name = self.file.name
        return self.settings.relativeToProject(name.hasPrefix("/") ? name : self.settings.workingDirectory + "/" + name)
    }
}
