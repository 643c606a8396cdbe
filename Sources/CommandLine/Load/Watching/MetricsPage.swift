import HTTPTypes
import JSON
import Machines
import Metrics

/// Shows the figures of a run at `/metrics` to whoever scrapes them, as Prometheus does.
///
/// The command `show` replaces what is shown.
struct MetricsPage: ServerMachine {
    private var text: [UInt8] = []

    /// Where the figures are.
    static let path = "/metrics"

    var properties: JSONObject { [:] }

    mutating func handle(_ input: ServerInput, in step: inout ServerStep) {
        switch input {
        case .requested(let exchange, let request): step.ask(.respond(exchange, self.answer(request.head)))
        case .upgradeRequested(let connection, _):
            step.ask(.refuse(connection, Response(text: Self.help, status: .badRequest)))
        case .linkOpened, .requestAbandoned, .received, .closed, .timerFired, .scriptReturned: break
        }
    }

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
            HTTPResponse(status: .ok, headerFields: [.contentType: PrometheusOutput.contentType]), body: self.text)
    }

    private static let help = "The figures of the load run are at \(Self.path).\n"

    mutating func perform(_ command: Command, by party: String?, in step: inout ServerStep) -> CommandOutcome {
        self.text = Array((command.arguments["text"]?.string ?? "").utf8)
        return .done(.null)
    }
}
