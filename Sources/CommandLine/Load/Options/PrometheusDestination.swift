import ArgumentParser
import Transport

/// Where figures go in the text format of Prometheus.
enum PrometheusDestination: Hashable {
    case file(String)
    case port(Endpoint)

    /// Reads what the command line gives.
    ///
    /// - Throws: A `ValidationError` that says what to write.
    @Sendable static func read(_ text: String) throws -> PrometheusDestination {
        if let destination = PrometheusDestination(argument: text) { return destination }
        throw ValidationError(
            "write a file, or a port from 0 to 65535, as it is or as HOST:PORT; a file whose name begins with a digit or "
                + "has a colon needs its folder, as in ./\(text)")
    }

    /// A number or `HOST:PORT` is a port. What begins with a digit or has a colon and is none is a slip, such as `80x`,
    /// unless it says that it is a file, by a folder as in `./9464` or by its end. Anything else is a file.
    private init?(argument: String) {
        if let port = Self.port(argument) {
            self = .port(Endpoint(host: Endpoint.loopback.host, port: port))
            return
        }
        let beginsAsPort = argument.utf8.first.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? true
        guard !argument.contains("/"), !argument.hasSuffix(".prom"), beginsAsPort || argument.contains(":") else {
            self = .file(argument)
            return
        }
        guard let colon = argument.lastIndex(of: ":"),
            let port = Self.port(String(argument[argument.index(after: colon)...]))
        else { return nil }
        var host = argument[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        self = .port(Endpoint(host: host.isEmpty ? Endpoint.loopback.host : String(host), port: port))
    }

    private static func port(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let port = Int(text), port <= 65_535
        else { return nil }
        return port
    }

    var file: String? { if case .file(let path) = self { path } else { nil } }
    var endpoint: Endpoint? { if case .port(let endpoint) = self { endpoint } else { nil } }
}
