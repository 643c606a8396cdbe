import Machines
import Transport

/// Where a collector takes metrics by OTLP over HTTP.
struct OTLPEndpoint: Hashable, Sendable {
    let scheme: String
    let authority: String
    let path: String

    /// The path under which collectors take metrics (OTLP specification, "OTLP/HTTP Request").
    private static let metricsPath = "/v1/metrics"

    /// Reads a URL; one without a path gets that of metrics.
    ///
    /// - Returns: Nil unless it is an `http` or `https` URL with a host and without user information.
    init?(url: String) {
        guard let address = WebAddress(url),
            Endpoint(authority: address.authority, defaultPort: address.scheme == "http" ? 80 : 443) != nil
        else { return nil }
        self.scheme = address.scheme
        self.authority = address.authority
        self.path = address.path == "/" ? Self.metricsPath : address.path
    }

    /// Reads the addresses that OpenTelemetry's programs take from their environment.
    ///
    /// `OTEL_EXPORTER_OTLP_METRICS_ENDPOINT` is taken as it is, and the path of metrics is appended to
    /// `OTEL_EXPORTER_OTLP_ENDPOINT` (OpenTelemetry specification, "OpenTelemetry Protocol Exporter").
    ///
    /// - Returns: Nil if neither is set to a URL.
    init?(variables: [String: String]) {
        if let url = variables["OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"], !url.isEmpty {
            self.init(url: url)
        } else if let url = variables["OTEL_EXPORTER_OTLP_ENDPOINT"], !url.isEmpty {
            self.init(url: (url.hasSuffix("/") ? String(url.dropLast()) : url) + Self.metricsPath)
        } else {
            return nil
        }
    }

    /// The URL for people; a query, which may hold a key, is left out.
    var text: String { "\(self.scheme)://\(self.authority)\(self.path.prefix { $0 != "?" })" }
}
