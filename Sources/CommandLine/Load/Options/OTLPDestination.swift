import ArgumentParser

/// Where figures go in OTLP's JSON form.
enum OTLPDestination: Hashable {
    case file(String)
    case collector(OTLPEndpoint)
    /// The collector that the environment of the process names.
    case environment

    /// Reads what the command line gives.
    ///
    /// - Throws: A `ValidationError` that says what to write.
    @Sendable static func read(_ text: String) throws -> OTLPDestination {
        if let destination = OTLPDestination(argument: text) { return destination }
        throw ValidationError("write a file, the URL of a collector, such as http://127.0.0.1:4318, or env")
    }

    private init?(argument: String) {
        if argument == "env" {
            self = .environment
        } else if argument.contains("://") {
            guard let address = OTLPEndpoint(url: argument) else { return nil }
            self = .collector(address)
        } else {
            self = .file(argument)
        }
    }

    var file: String? { if case .file(let path) = self { path } else { nil } }
}
