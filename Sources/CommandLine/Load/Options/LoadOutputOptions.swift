import ArgumentParser

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
