import HTTPTypes
import JSON
import Machines

/// The misbehavior that a script has ordered: of single answers, and of the network in between.
///
/// | input | then |
/// |---|---|
/// | `ordered` | the next answers of the method are spoilt, each once; refused for what is no method or no status |
/// | `socketsBlocked` | WebSockets are refused, or let in again |
/// | `responding`, `answering` | the answer as it is, spoilt, or kept back |
/// | `delayed` | kept back for a while |
/// | `due` | goes on with what was kept back |
/// | `pollAbandoned` | forgets a poll that was kept back |
struct FaultPart: Sendable {
    /// What happens.
    enum Input: Sendable {
        case ordered(Fault, method: String, times: Int64)
        case socketsBlocked(Bool)
        case responding(ExchangeID, Response, Fault?)
        /// A call over the event stream is answered with these members.
        case answering(OSSCall, JSONObject, Fault?, ConnectionID)
        case delayed(Delayed, Duration)
        case due(UInt64)
        case pollAbandoned(ExchangeID)
    }

    /// What waits for its time.
    enum Delayed: Sendable {
        case response(ExchangeID, Response)
        case frame(ConnectionID, JSONValue)
        /// A poll that is only looked at later.
        case poll(ExchangeID, query: [String: String])
        /// The greeting of a socket.
        case greeting(ConnectionID, OSSCall)
    }

    /// The faults of the next answers, each with the number of its order.
    private var next: [String: [(fault: Fault, order: Int)]] = [:]
    private(set) var orders = FaultOrders()
    /// What is kept back, by its number.
    private(set) var delayed = Numbered<Delayed>()
    /// Whether WebSockets are refused, as a proxy on the way would.
    private(set) var blocksSockets = false

    /// What faults can be ordered for besides the methods of the visitor API: the file transfer, the opening of a
    /// socket, its greeting, a long poll, and anything at all.
    static let otherNames = ["files", "socket", "connect", "poll", "*"]

    /// Takes the fault that the next answer of a method has.
    mutating func take(for method: String) -> Fault? {
        for name in [method, "*"] {
            guard let first = self.next[name]?.first else { continue }
            self.next[name]?.removeFirst()
            self.orders.struck(first.order)
            return first.fault
        }
        return nil
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [ServerAction] {
        switch input {
        case .ordered(let fault, let method, let times): return self.order(fault, method, times)
        case .socketsBlocked(let areBlocked):
            self.blocksSockets = areBlocked
            return []
        case .responding(let exchange, let response, let fault): return self.respond(exchange, response, fault)
        case .answering(let call, let members, let fault, let connection):
            return self.answer(call, members, fault, connection)
        case .delayed(let answer, let delay): return self.keepBack(answer, delay)
        case .due(let number): return self.delayed.take(number).map(Self.goOn) ?? []
        case .pollAbandoned(let exchange):
            self.delayed.removeAll { if case .poll(exchange, _) = $0 { true } else { false } }
            return []
        }
    }

    private mutating func order(_ fault: Fault, _ method: String, _ times: Int64) -> [ServerAction] {
        guard Self.otherNames.contains(method) || RESTMethod(rawValue: method) != nil else {
            let others = Self.otherNames.map { "\"\($0)\"" }.joined(separator: ", ")
            let refusal =
                "'\(method)' is not a method of the visitor API; use a name such as \"submitPreChat\", or one of "
                + others
            return [.answer(.refused(refusal))]
        }
        if case .status(let code) = fault, HTTPResponse.Status(final: Int64(code)) == nil {
            return [.answer(.refused("\(code) is not an HTTP status that an answer can have; use 200 to 599"))]
        }
        let count = Int(clamping: min(max(times, 1), 1000))
        self.next[method, default: []] += Array(repeating: (fault, self.orders.add()), count: count)
        return []
    }

    private mutating func respond(_ exchange: ExchangeID, _ response: Response, _ fault: Fault?) -> [ServerAction] {
        switch fault {
        case .status(let code)?:
            let broken = Response(text: "broken", status: HTTPResponse.Status(code: code))
            return [.perform(.respond(exchange, broken))]
        case .malformed?:
            var broken = response
            broken.body = Array("{\"Status\": \"succ".utf8)
            return [.perform(.respond(exchange, broken))]
        case .drop?: return [.perform(.drop(exchange))]
        case .delay(let delay)?: return self.keepBack(.response(exchange, response), delay)
        case .message?, nil: return [.perform(.respond(exchange, response))]
        }
    }

    /// There is no status over a socket: an ordered one stands in the `error` of the answer, defined here.
    private mutating func answer(
        _ call: OSSCall, _ members: JSONObject, _ fault: Fault?, _ connection: ConnectionID
    ) -> [ServerAction] {
        let frame = OSSAnswer(id: call.id, result: .object(members)).raw
        switch fault {
        case .delay(let delay)?: return self.keepBack(.frame(connection, frame), delay)
        case .malformed?: return [.perform(.transmit(connection, .text("{\"result\": {\"Status\"")))]
        case .drop?: return [.perform(.abort(connection))]
        case .status(let code)?:
            let error: JSONValue = ["Code": .integer(Int64(code)), "Message": .string("broken (\(code))")]
            let failed = OSSAnswer(id: call.id, result: .null, error: error).raw
            return [.perform(.transmit(connection, .text(failed.description)))]
        case .message?, nil: return [.perform(.transmit(connection, .text(frame.description)))]
        }
    }

    private mutating func keepBack(_ answer: Delayed, _ delay: Duration) -> [ServerAction] {
        [.perform(.setTimer(.delay(self.delayed.add(answer)), delay))]
    }

    private static func goOn(_ answer: Delayed) -> [ServerAction] {
        switch answer {
        case .response(let exchange, let response): [.perform(.respond(exchange, response))]
        case .frame(let connection, let frame): [.transmit(connection, frame)]
        case .greeting(let connection, let call): [.stream(.greeted(connection, call))]
        case .poll(let exchange, let query): [.hold(exchange, query: query)]
        }
    }
}
