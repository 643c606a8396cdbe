import JSON
import LuaRuntime
import Machines

extension Script {
    /// Returns the text of a data file beside the script or at the project's root.
    ///
    /// - Throws: ``ScriptMistake`` if there is none within the project, or if it is not UTF-8.
    func dataFile(_ name: String) throws(ScriptMistake) -> String {
        let bytes = try self.fileInProject(name, for: "rows")
        do throws(ScriptProblem) { return try ScriptFile.text(bytes, name: name) } catch {
            throw ScriptMistake(error.message)
        }
    }

    /// Reads the rows of a scenario.
    func rows(_ options: ScenarioOptions) throws(ScriptMistake) -> [DataRow]? {
        guard let value = options.rows else {
            if options.rowKey != nil { throw ScriptMistake("row_key names the key of rows; give rows, too") }
            return nil
        }
        return try RowReader(key: options.rowKey) { (name) throws(ScriptMistake) in try self.dataFile(name) }
            .rows(value)
    }

    /// Reads the rows that the users of a workload share; what is wrong with them is noted there.
    func readRows(of workload: inout WorkloadDeclaration) {
        guard let value = workload.shape.object?["rows"] else { return }
        do throws(ScriptMistake) {
            let reader = RowReader(key: nil) { (name) throws(ScriptMistake) in try self.dataFile(name) }
            workload.rows = try reader.userRows(value)
        } catch {
            workload.rowMistake = "workload.rows: " + error.message
        }
    }

    /// The functions of the table `utterances`.
    static var utteranceFunctions: [HostFunction] {
        func function(
            _ name: String, _ parameters: [String],
            _ rows: @escaping (Script, borrowing LuaCall) throws(LuaFault) -> [JSONValue]
        ) -> HostFunction {
            HostFunction("utterances.\(name)", parameters: parameters) { (call) throws(LuaFault) in
                let script = try call.script()
                call.push(JSONValue.array(try rows(script, call)))
                return .returns
            }
        }
        func lists(_ call: borrowing LuaCall, _ number: Int) throws(LuaFault) -> UtteranceLists {
            let (value, name) = (try call.json(number), call.name)
            return try asFault { () throws(ScriptMistake) in try UtteranceLists(value, name) }
        }
        return [
            function("all", ["lists"]) { (_, call) throws(LuaFault) in
                let lists = try lists(call, 1)
                return try asFault { () throws(ScriptMistake) in try lists.all() }
            },
            function("first", ["lists"]) { (_, call) throws(LuaFault) in try lists(call, 1).first },
            function("pairwise", ["lists"]) { (_, call) throws(LuaFault) in
                let lists = try lists(call, 1)
                return try asFault { () throws(ScriptMistake) in try lists.pairwise() }
            },
            function("sample", ["count", "lists"]) { (script, call) throws(LuaFault) in
                let count = Int(try call.integer(1, in: 1...Int64(UtteranceLists.mostRows)))
                let lists = try lists(call, 2)
                var random = script.nextSampling()
                return try asFault { () throws(ScriptMistake) in try lists.sample(count, using: &random) }
            },
            function("read", ["file"]) { (script, call) throws(LuaFault) in
                let name = try call.string(1)
                let text = try asFault { () throws(ScriptMistake) in try script.dataFile(name) }
                let lines = text.split(whereSeparator: \.isNewline).map { line in
                    line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
                }
                return lines.map { JSONValue.string(String($0)) }.filter { line in
                    line.string?.isEmpty == false && line.string?.hasPrefix("#") == false
                }
            },
        ]
    }
}
