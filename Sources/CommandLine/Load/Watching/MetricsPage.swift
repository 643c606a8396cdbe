import HTTPTypes
import Machines
import Metrics
import Transport

/// Shows the figures of a run at `/metrics` to whoever scrapes them, as Prometheus does.
///
/// Confined to the event loop of its network.
final class MetricsPage {
    /// Where the figures are.
    private static let path = "/metrics"

    private static let help = "The figures of the load run are at \(MetricsPage.path).\n"

    private let service: HTTPService
    private var figures: [UInt8] = []

    /// Opens a port.
    ///
    /// - Throws: ``TransportFailure`` if it cannot be had.
    init(on endpoint: Endpoint, network: any Network, scheduler: any Scheduler) throws(TransportFailure) {
        self.service = HTTPService(
            label: "metrics", listener: try network.listen(on: endpoint, identity: nil), scheduler: scheduler,
            webSocketRefusal: Response(text: Self.help, status: .badRequest))
        self.service.onRequest = { [weak self] exchange, request in
            guard let self else { return }
            self.service.respond(to: exchange, with: self.answer(request.head))
        }
    }

    /// The URL of the figures.
    var url: String { self.service.origin + Self.path }

    /// Replaces what is shown.
    ///
    /// - Parameter figures: In the text format of Prometheus.
    func show(_ figures: [UInt8]) { self.figures = figures }

    /// Closes the port.
    func close() { self.service.close() }

    private func answer(_ head: HTTPRequest) -> Response {
        guard (head.path ?? "").prefix(while: { $0 != "?" }) == Self.path else {
            return Response(text: Self.help, status: .notFound)
        }
        guard head.method == .get || head.method == .head else {
            var response = Response(text: Self.help, status: .methodNotAllowed)
            response.head.headerFields[.allow] = "GET, HEAD"
            return response
        }
        return Response(
            HTTPResponse(status: .ok, headerFields: [.contentType: PrometheusOutput.contentType]), body: self.figures)
    }
}
