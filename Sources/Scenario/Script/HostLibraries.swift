import JSON
import LuaRuntime

/// All functions of the language that need no object, by where scripts find them.
enum HostLibraries {
    /// A table of functions.
    struct Table {
        let name: String
        let functions: [HostFunction]
        var constants: [(String, LuaValue)] = []
    }

    /// The tables that scripts find as globals.
    static var tables: [Table] {
        [
            Table(name: "random", functions: RandomLibrary.functions),
            Table(name: "date", functions: DateLibrary.functions),
            Table(name: "utterances", functions: UtteranceLibrary.functions),
            Table(name: "json", functions: JSONLibrary.functions, constants: [("null", .json(.null))]),
            Table(name: "mailbox", functions: MailboxLibrary.functions),
            Table(name: "metric", functions: MetricLibrary.functions),
            Table(name: "base64", functions: EncodingLibrary.base64Functions),
            Table(name: "hex", functions: EncodingLibrary.hexFunctions),
            Table(name: "url", functions: EncodingLibrary.urlFunctions),
            Table(name: "hash", functions: DigestLibrary.hashFunctions),
            Table(name: "hmac", functions: DigestLibrary.hmacFunctions),
            Table(name: "pbkdf2", functions: DigestLibrary.passwordKeyFunctions),
            Table(name: "jwt", functions: TokenLibrary.tokenFunctions),
            Table(name: "gzip", functions: CompressionLibrary.gzipFunctions),
            Table(name: "deflate", functions: CompressionLibrary.deflateFunctions),
            Table(name: "xml", functions: XMLLibrary.xmlFunctions),
        ]
    }

    /// The globals that need no Lua around them.
    static var globals: [HostFunction] {
        DeclarationLibrary.globals + FlowLibrary.globals + ValueLibrary.functions + EnvironmentLibrary.functions
            + FileLibrary.functions + [TranscriptExpectation.function]
    }

    /// What the prelude builds on.
    static var prelude: [HostFunction] {
        DeclarationLibrary.functions + FlowLibrary.functions + PersonaLibrary.functions + [Prelude.own]
    }

    /// What the prelude of chat systems in Lua builds on.
    static var systemsPrelude: [HostFunction] {
        LuaSystemLibrary.functions + LuaClientLibrary.functions + LuaServerLibrary.functions + LuaWaitLibrary.functions
            + LuaRequestLibrary.functions + LuaMessageLibrary.functions + LuaFormLibrary.functions
            + TextLibrary.functions + [Prelude.own, Prelude.ignoreCase]
    }
}
