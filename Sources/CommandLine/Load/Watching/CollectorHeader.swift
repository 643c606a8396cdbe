import ArgumentParser
import HTTPTypes
import Machines

/// A header of requests to a collector, as the command line gives it: `api-key=secret`.
struct CollectorHeader: Hashable {
    let field: HTTPField

    /// Reads what the command line gives.
    ///
    /// - Throws: A `ValidationError` that says what to write.
    @Sendable static func read(_ text: String) throws -> CollectorHeader {
        guard let equals = text.firstIndex(of: "="),
            let header = CollectorHeader(
                name: String(text[..<equals]), value: String(text[text.index(after: equals)...]))
        else { throw ValidationError("write the name of a header and its value, such as api-key=…") }
        return header
    }

    private init?(name: String, value: String) {
        let name = String(name.filter { $0 != " " })
        guard let fieldName = HTTPField.Name(name), HTTPField.isValidValue(value) else { return nil }
        self.field = HTTPField(name: fieldName, value: value)
    }

    /// Reads the headers that OpenTelemetry's programs take from their environment: `k=v,k2=v2`, with `%` codes.
    ///
    /// `OTEL_EXPORTER_OTLP_METRICS_HEADERS` goes before `OTEL_EXPORTER_OTLP_HEADERS`.
    ///
    /// - Returns: Nil if a part has another form.
    static func headers(variables: [String: String]) -> [CollectorHeader]? {
        let names = ["OTEL_EXPORTER_OTLP_METRICS_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"]
        guard let text = names.lazy.compactMap({ variables[$0] }).first(where: { !$0.isEmpty }) else { return [] }
        var headers: [CollectorHeader] = []
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { piece in
                String(piece.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            guard pair.count == 2,
                let header = CollectorHeader(name: pair[0], value: FormEncoding.percentDecode(pair[1]))
            else { return nil }
            headers.append(header)
        }
        return headers
    }
}
