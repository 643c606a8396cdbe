import Compression
import JSON
import LuaRuntime
import Machines

/// Bytes made shorter and long again: `gzip`, `deflate`.
enum CompressionLibrary {
    /// How many bytes may become of what is expanded.
    static let expandedLimit: Int64 = 16 * 1_048_576

    /// The functions of `gzip`.
    static var gzipFunctions: [HostFunction] {
        Self.compressionFunctions("gzip", compressing: [], expanding: ToolboxReference.expandOptions)
    }

    /// The functions of `deflate`.
    static var deflateFunctions: [HostFunction] {
        Self.compressionFunctions(
            "deflate", compressing: ToolboxReference.deflateOptions,
            expanding: ToolboxReference.deflateOptions + ToolboxReference.expandOptions)
    }

    private static func compressionFunctions(
        _ table: String, compressing: [ParameterDeclaration], expanding: [ParameterDeclaration]
    ) -> [HostFunction] {
        func format(_ isRaw: Bool?) -> CompressionFormat { table == "gzip" ? .gzip : isRaw == true ? .raw : .zlib }
        let parameters = compressing.isEmpty ? ["bytes"] : ["bytes", "options"]
        return [
            HostFunction("\(table).compress", parameters: parameters) { (call) throws(HostError) in
                let script = try call.script()
                let bytes = try call.bytes(1)
                let options = try call.options(2, compressing)
                // zlib compresses some ten bytes in the time of an instruction of Lua.
                try call.charge(bytes.count / 4)
                try call.chargeBytes(bytes.count, script)
                let result = format(options["raw"]?.bool).compress(bytes)
                call.push(result, computedFrom: [bytes], script)
                return .returns
            },
            HostFunction("\(table).expand", parameters: ["bytes", "options"]) { (call) throws(HostError) in
                let script = try call.script()
                let bytes = try call.bytes(1)
                let options = try call.options(2, expanding)
                let limit = options["limit"]?.integer ?? Self.expandedLimit
                guard (1...Self.expandedLimit).contains(limit) else {
                    throw call.argumentFault(2, "has a limit of \(limit); it lies between 1 and \(Self.expandedLimit)")
                }
                try call.chargeBytes(bytes.count, script)
                let result: [UInt8]
                do throws(CompressionProblem) {
                    result = try format(options["raw"]?.bool).decompress(bytes, limit: Int(limit))
                } catch {
                    throw HostError(
                        "\(call.name) cannot expand the bytes: \(Self.words(for: error, limit))", kind: "compression")
                }
                try call.chargeBytes(result.count, script)
                call.push(result, computedFrom: [bytes], script)
                return .returns
            },
        ]
    }

    private static func words(for problem: CompressionProblem, _ limit: Int64) -> String {
        switch problem {
        case .damaged: "they are damaged or of another format"
        case .tooLong: "they become more than \(limit) bytes"
        case .incomplete: "they end too early"
        case .trailing: "something follows their end"
        }
    }
}
