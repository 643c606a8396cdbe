import ArgumentParser

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
