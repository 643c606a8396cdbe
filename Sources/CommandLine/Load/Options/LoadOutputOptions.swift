import ArgumentParser
import Transport

/// What other programs get of a load run, beside its result.
struct LoadOutputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Also writes a CSV file: a line for each metric and second.", valueName: "file"))
    var csv: String?

    @Option(help: ArgumentHelp("Also writes a file of JSON lines: a line for each metric.", valueName: "file"))
    var jsonl: String?

    @Option(help: ArgumentHelp("Also writes an HdrHistogram log (V2).", valueName: "file"))
    var histogramLog: String?

    @Option(
        help: ArgumentHelp(
            """
            Also writes a file in Prometheus text format; of `load` also a port of the loopback or HOST:PORT where \
            the figures can be scraped while the run goes, 0 for any free one. May be repeated.
            """, valueName: "file or port"), transform: PrometheusDestination.read)
    var prometheus: [PrometheusDestination] = []

    @Option(
        help: ArgumentHelp(
            """
            Also writes a file in OTLP's JSON form; of `load` also the URL of a collector to push figures to while \
            the run goes, or env to take it from OTEL_EXPORTER_OTLP_ENDPOINT. May be repeated.
            """, valueName: "file or URL"), transform: OTLPDestination.read)
    var otlp: [OTLPDestination] = []

    func validate() throws {
        for (option, path) in self.named { try StandardOutputName.refuse(path, for: option) }
    }

    /// Whether anything is to be written.
    var isAny: Bool {
        [self.csv, self.jsonl, self.histogramLog].contains { $0 != nil } || !self.prometheus.isEmpty
            || !self.otlp.isEmpty
    }

    /// The files to write, by their options; nil where nothing is to be written, or no file.
    var named: [(option: String, name: String?)] {
        [("--csv", self.csv), ("--jsonl", self.jsonl), ("--histogram-log", self.histogramLog)]
            + self.prometheus.map { ("--prometheus", $0.file) } + self.otlp.map { ("--otlp", $0.file) }
    }

    /// The files to write.
    var files: [String] { self.named.compactMap(\.name) }

    /// Whether something is for those who watch the run while it goes.
    var isWatched: Bool {
        self.prometheus.contains { $0.file == nil } || self.otlp.contains { $0.file == nil }
    }
}

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

/// How figures are pushed to collectors.
struct CollectorOptions: ParsableArguments {
    @Option(
        name: .customLong("otlp-header"),
        help: ArgumentHelp(
            """
            A header of requests to collectors, such as api-key=…, beside those of OTEL_EXPORTER_OTLP_HEADERS. May be \
            repeated.
            """, valueName: "name=value"), transform: CollectorHeader.read)
    var headers: [CollectorHeader] = []

    @Option(
        name: .customLong("otlp-interval"), parsing: .unconditional,
        help: ArgumentHelp("How often figures are pushed to collectors; 10s unless given.", valueName: "duration"),
        transform: DurationArgument.read)
    var interval: DurationArgument?
}
