import Machines

extension Parameter where Value == Int64? {
    static func closeCode(_ codes: String) -> Parameter {
        Parameter<Int64>.integer("code", "The close code: \(codes); 1000 unless given.").optional
    }
}

extension Parameter where Value == String? {
    static var closeReason: Parameter {
        Parameter<String>.string("reason", "The reason, at most \(CloseReason.limit) bytes; empty unless given.")
            .optional
    }
}
