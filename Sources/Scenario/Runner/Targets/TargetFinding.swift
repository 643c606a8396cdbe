import HTTPTypes
import JSON
public import Machines
import NIOCore
import Transport

/// What answers at a URL.
public struct TargetFinding: Sendable {
    /// What was found, in words: `answers 200 OK`.
    public let text: String

    /// Whether a conversation can be had there, as far as can be told.
    public let isWell: Bool

    /// Whether it is the control port of `repartee serve`.
    public let isControlPort: Bool

    /// Why nothing answered, if it is known; ``text`` says what to do about that.
    public let failure: TransportFailure.Code?

    fileprivate init(
        _ text: String, isWell: Bool, isControlPort: Bool = false, failure: TransportFailure.Code? = nil
    ) {
        self.text = text
        self.isWell = isWell
        self.isControlPort = isControlPort
        self.failure = failure
    }
}

extension ProjectConfiguration.Target {
    /// Asks what answers at a URL of the target, as its clients would: with a request, with the handshake of a
    /// WebSocket, or with a link over TCP.
    ///
    /// - Parameter interruption: Ends the question before somebody answers.
    public func finding(at url: String, unless interruption: Interruption? = nil) async -> TargetFinding {
        let address: TargetAddress
        do throws(ConfigurationError) { address = try TargetAddress(origin: url, acceptsLinks: true) } catch {
            return TargetFinding(error.message, isWell: false)
        }
        let isWebSocket = url.hasPrefix("ws://") || url.hasPrefix("wss://")
        let configuration = ClientDriverConfiguration(
            trust: self.trust, proxies: self.access.proxies, offersHTTP2: self.access.offersHTTP2,
            authorization: self.access.authorization)
        let loop = SocketLoop()
        let eventLoop = loop.eventLoop
        let promise = eventLoop.makePromise(of: TargetFinding.self)
        eventLoop.execute {
            ProbeRun.begin(
                address, isWebSocket: isWebSocket, configuration, on: eventLoop, unless: interruption,
                completion: promise.succeed)
        }
        // The promise is always kept: the probe has a time limit.
        let finding = try? await promise.futureResult.get()
        await loop.shutDown()
        return finding ?? TargetFinding("the event loop did not answer", isWell: false)
    }
}

/// One question to a URL, with its time limit.
private final class ProbeRun {
    private static let limit = Duration.seconds(5)

    private var driver: ClientDriver?
    private var timeout: ScheduledID?
    private let worker: Worker
    private var completion: ((TargetFinding) -> Void)?

    private init(_ worker: Worker, completion: @escaping (TargetFinding) -> Void) {
        self.worker = worker
        self.completion = completion
    }

    static func begin(
        _ address: TargetAddress, isWebSocket: Bool, _ configuration: ClientDriverConfiguration,
        on loop: any EventLoop, unless interruption: Interruption?, completion: @escaping (TargetFinding) -> Void
    ) {
        let worker = Worker(loop: loop)
        let network = SocketNetwork(eventLoop: loop)
        network.scope = worker
        let run = ProbeRun(worker, completion: completion)
        let driver = ClientDriver(
            machine: ProbeClient(address, isWebSocket: isWebSocket), label: "probe", network: network,
            scheduler: worker, random: RandomSource(seed: 1), configuration: configuration,
            callScript: { _, _, _ in },
            emit: { event in
                run.end(
                    TargetFinding(
                        event.fields["text"]?.string ?? "", isWell: event.fields["well"]?.bool ?? false,
                        isControlPort: event.fields["control"]?.bool ?? false,
                        failure: event.fields["failure"]?.string.flatMap { TransportFailure.Code(rawValue: $0) }))
            })
        run.driver = driver
        run.timeout = worker.schedule(after: Self.limit) {
            run.end(TargetFinding("no answer within \(Self.limit.scriptText)", isWell: false))
        }
        interruption?.whenRequested(on: worker, while: { run.completion != nil }) {
            run.end(TargetFinding("was not waited for", isWell: false))
        }
        _ = driver.perform(Command("ask"))
    }

    private func end(_ finding: TargetFinding) {
        guard let completion = self.completion else { return }
        self.completion = nil
        if let timeout = self.timeout { self.worker.cancel(timeout) }
        // The driver is on the stack that tells it.
        _ = self.worker.schedule(after: .zero) {
            self.driver?.close()
            self.driver = nil
            completion(finding)
        }
    }
}

/// Asks once and tells what came.
private struct ProbeClient: ClientMachine {
    private let address: TargetAddress
    private let isWebSocket: Bool

    init(_ address: TargetAddress, isWebSocket: Bool) {
        self.address = address
        self.isWebSocket = isWebSocket
    }

    var identity: JSONObject { [:] }
    var properties: JSONObject { [:] }

    mutating func perform(_ command: Command, in step: inout ClientStep) -> CommandOutcome {
        guard !self.address.isLink else {
            step.ask(
                .openLink(
                    ConnectionID(1),
                    LinkRequest(
                        authority: self.address.authority, isSecure: self.address.scheme == "https", framing: .bytes)))
            return .done(.null)
        }
        let head = HTTPRequest(
            method: .get, scheme: self.isWebSocket ? self.address.webSocketScheme : self.address.scheme,
            authority: self.address.authority, path: self.address.path,
            headerFields: self.isWebSocket ? [:] : [.accept: "*/*"])
        step.ask(
            self.isWebSocket
                ? .open(ConnectionID(1), head, subprotocols: [])
                : .stream(ExchangeID(1), Request(head, handling: RequestHandling(redirectLimit: 0))))
        return .done(.null)
    }

    /// What the answer said so far, and the beginning of its body.
    private var status: HTTPResponse.Status?
    private var body: [UInt8] = []

    mutating func handle(_ input: ClientInput, in step: inout ClientStep) {
        switch input {
        case .responseBegan(_, let head): self.status = head.status
        case .bodyReceived(_, let bytes):
            self.body += bytes.prefix(ControlMessage.greeting.utf8.count)
            guard self.body.count >= ControlMessage.greeting.utf8.count else { return }
            self.tell(in: &step)
            step.ask(.cancel(ExchangeID(1)))
        case .responseEnded: self.tell(in: &step)
        case .exchangeFailed(_, let failure), .openFailed(_, let failure):
            guard let status = failure.status else {
                return self.tell(failure.message, isWell: false, failure: failure.code, in: &step)
            }
            self.tell(
                "answers, and refuses a WebSocket without what its clients send: \(status)", isWell: status < 500,
                in: &step)
        case .opened(let id, _):
            self.tell("accepts a \(self.address.isLink ? "link over TCP" : "WebSocket")", isWell: true, in: &step)
            step.ask(.close(id, code: 1000, reason: ""))
        default: break
        }
    }

    private mutating func tell(in step: inout ClientStep) {
        guard let status = self.status else { return }
        self.status = nil
        let isControl = String(decoding: self.body, as: UTF8.self).hasPrefix(ControlMessage.greeting)
        let text = isControl ? "is the control port of repartee serve" : "answers \(status)"
        self.tell(text, isWell: status.code < 500, isControl: isControl, in: &step)
    }

    private func tell(
        _ text: String, isWell: Bool, isControl: Bool = false, failure: TransportFailure.Code? = nil,
        in step: inout ClientStep
    ) {
        let encryption = self.address.scheme == "https" && isWell ? ", over TLS with a certificate that is trusted" : ""
        step.ask(
            .emit(
                ChatEvent(
                    .response,
                    [
                        "text": .string(text + encryption), "well": .bool(isWell), "control": .bool(isControl),
                        "failure": failure.map { .string($0.rawValue) } ?? .null,
                    ])))
    }

    mutating func tearDown(in step: inout ClientStep) {}
}
