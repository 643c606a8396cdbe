import LuaRuntime
import RunRecord

extension ScriptFile {
    /// Compiles the file, with its scenarios in blocks that can be passed over.
    ///
    /// - Throws: A failure of kind `syntax`.
    func compiled() throws(ScenarioFailure) -> LuaChunk {
        if let defect = self.defect {
            throw ScenarioFailure(
                category: .error, kind: .syntax, message: defect.message,
                position: defect.line.map { ScriptPosition(file: self.name, line: $0) })
        }
        let state = LuaState()
        defer { state.close() }
        let chunk: LuaChunk
        do throws(LuaError) { chunk = try state.compile(self.source, name: "@" + self.name) } catch {
            throw ScenarioFailure(
                category: .error, kind: .syntax, message: error.message,
                position: error.position.map { ScriptPosition($0) })
        }
        // What the blocks make of a script that is written in some way nobody thought of is not told to its author.
        guard let blocked = DeclarationBlocks.blocked(self.source) else { return chunk }
        return (try? state.compile(blocked, name: "@" + self.name)) ?? chunk
    }
}
