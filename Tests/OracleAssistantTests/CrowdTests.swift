import HTTPTypes
import JSON
import Machines
import Testing

@testable import OracleAssistant

@Suite("Many users of one simulated server")
struct CrowdTests {
    private func request(_ method: HTTPRequest.Method, _ path: String, _ server: OracleServer, user: String) -> Request
    {
        let channel = server.properties["channel_id"]?.string ?? ""
        let path = "\(path)?channelId=\(channel)&userId=\(user)"
        return Request(
            HTTPRequest(method: method, scheme: "http", authority: "oda.test", path: path),
            body: method == .post ? Array(#"{"state":{"type":"ping"}}"#.utf8) : [])
    }

    @Test("who comes when no more users can be known is refused, however it comes, and those who are known are served")
    func full() throws {
        var server = try OracleServer(
            ServerConfiguration(origin: Rehearsal.origin, options: [:], epochMilliseconds: Rehearsal.epoch))
        server.users.limit = 1
        func answer(_ input: OracleServer.Input) -> [OracleServer.Effect] {
            var step = OracleServer.Step(now: .start, random: RandomSource(seed: 1))
            server.handle(input, in: &step)
            return step.effects
        }
        func statuses(_ effects: [OracleServer.Effect]) -> [Int] {
            effects.compactMap { effect in
                switch effect {
                case .respond(_, let response), .refuse(_, let response): response.head.status.code
                default: nil
                }
            }
        }
        let path = "/chat/v1/chats/message"
        #expect(statuses(answer(.requested(ExchangeID(1), self.request(.post, path, server, user: "ada")))) == [200])
        for method in [.get, .post] as [HTTPRequest.Method] {
            let asked = self.request(method, path, server, user: "bob")
            #expect(statuses(answer(.requested(ExchangeID(2), asked))) == [503], "\(method)")
        }
        let sockets = "/chat/v1/chats/sockets/websdk"
        let upgrade = self.request(.get, sockets, server, user: "bob")
        #expect(statuses(answer(.upgradeRequested(ConnectionID(1), upgrade))) == [503])
        #expect(statuses(answer(.requested(ExchangeID(3), self.request(.post, path, server, user: "ada")))) == [200])
        #expect(server.properties["users"] == ["ada"])
    }

    @Test("a desk knows who waits and who is served, each by name, as the hand-overs have it")
    func desk() {
        var desk = AgentDesk()
        var handovers: [String: HandoverPart] = [:]
        func handle(_ userID: String, _ input: HandoverPart.Input) {
            let former = handovers[userID] ?? HandoverPart(userID: userID)
            var current = former
            _ = current.handle(input)
            handovers[userID] = current
            desk.note(userID, former, became: current)
        }
        var random = RandomSource(seed: 7)
        let inputs: [HandoverPart.Input] = [
            .requested([:], ChatEvent(.chatWaiting)), .accepted(by: "Sam", greeting: nil),
            .accepted(by: "Kim", greeting: nil), .rejected(text: nil), .unavailable, .left(text: nil, state: nil),
            .sessionEnds, .sessionBegan,
        ]
        for _ in 0..<2_000 {
            let user = "user-\(random.next() % 12)"
            handle(user, inputs[Int(random.next() % UInt64(inputs.count))])
            #expect(desk.firstWaiting == handovers.filter { $0.value.isWaiting }.keys.min())
            for agent in ["Sam", "Kim"] {
                let served = handovers.filter { $0.value.agent == agent }.keys.min()
                #expect(desk.firstServed(by: agent) == served)
            }
        }
    }
}
