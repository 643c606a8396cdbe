import Machines
import Testing

@testable import Transport

@Suite("A fault at one point")
struct InjectionTests {
    /// A request and its answer over one connection, with a fault at one point.
    private struct Run {
        let client = Peer()
        let server = Peer()
        let scheduler = VirtualScheduler()
        let injector: FaultInjector
        let network: FaultyNetwork

        static let request = Array("GET /chat HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"text\":1}\n".utf8)

        init(_ fault: InjectedFault?, nextTimer: Duration? = nil) throws {
            let memory = MemoryNetwork(scheduler: self.scheduler)
            self.network = FaultyNetwork(base: memory, scheduler: self.scheduler, seed: 1)
            self.injector = FaultInjector(fault)
            self.injector.nextTimer = { nextTimer.map { .start + $0 } }
            self.network.injector = self.injector
            self.server.onBytes = { $0.write(Self.answer) }
            self.network.connect(self.client, to: try memory.listen(self.server))
            self.client.stream?.write(Self.request)
            self.scheduler.run()
        }
    }

    @Test("Points are counted and say what passes, and nothing changes")
    func points() throws {
        let run = try Run(nil)
        #expect(run.injector.points.map(\.number) == [1, 2, 3])
        #expect(run.injector.points.map(\.content) == [.connecting, .request, .response])
        #expect(run.injector.points.map(\.summary).dropFirst() == ["GET /chat", "answer 200"])
        #expect(run.injector.points.map(\.isSent) == [true, true, false])
        #expect(run.client.received == Run.answer)
        #expect(run.injector.struckAt == nil)
    }

    @Test("A point admits what makes sense there")
    func admits() throws {
        let points = try Run(nil).injector.points
        #expect(FaultKind.allCases.filter(points[0].admits) == [.refuse])
        #expect(FaultKind.allCases.filter(points[1].admits) == [.cut, .truncate, .halfClose, .oneByte, .clockJump])
        #expect(
            FaultKind.allCases.filter(points[2].admits)
                == [
                    .cut, .truncate, .halfClose, .oneByte, .status429, .status500, .status503, .malformedJSON,
                    .clockJump,
                ])
    }

    @Test("A cut drops the connection for both sides instead of carrying the bytes", arguments: [2, 3])
    func cut(point: Int) throws {
        let run = try Run(InjectedFault(.cut, at: point))
        #expect(run.client.received == [])
        #expect(run.server.received == (point == 2 ? [] : Run.request))
        #expect(run.client.failure == .connectionLost)
        #expect(run.server.failure == .connectionLost)
        #expect(run.injector.struckAt == .start)
    }

    @Test("Of what is truncated half arrives")
    func truncate() throws {
        let run = try Run(InjectedFault(.truncate, at: 3))
        #expect(run.client.received == Array(Run.answer.prefix(Run.answer.count / 2)))
        #expect(run.client.failure == .connectionLost)
        let other = try Run(InjectedFault(.truncate, at: 2))
        #expect(other.server.received == Array(Run.request.prefix(Run.request.count / 2)))
        #expect(other.server.failure == .connectionLost)
    }

    @Test("The sender's direction ends in place of the bytes")
    func halfClose() throws {
        let received = try Run(InjectedFault(.halfClose, at: 3))
        #expect(received.client.heard == [.opened, .end])
        let sent = try Run(InjectedFault(.halfClose, at: 2))
        #expect(sent.server.heard == [.opened, .end])
    }

    @Test("Bytes arrive one by one", arguments: [2, 3])
    func oneByte(point: Int) throws {
        let run = try Run(InjectedFault(.oneByte, at: point))
        let (peer, bytes) = point == 2 ? (run.server, Run.request) : (run.client, Run.answer)
        #expect(peer.received.starts(with: bytes))
        #expect(peer.heard.filter { $0 == .bytes([bytes[0]]) }.count >= 1)
        #expect(peer.heard.count > bytes.count)
    }

    @Test("A refused attempt fails")
    func refuse() throws {
        let run = try Run(InjectedFault(.refuse, at: 1))
        #expect(run.client.heard == [.closed(.cannotConnect)])
    }

    @Test("Bytes come just after the next timer")
    func delay() throws {
        let run = try Run(InjectedFault(.delay, at: 3), nextTimer: .seconds(5))
        #expect(run.client.received == Run.answer)
        #expect(run.scheduler.now == .start + .milliseconds(5001))
        #expect(run.injector.heldUntil == run.scheduler.now)
    }

    @Test(
        "Something between answers in place of the server, and ends the connection",
        arguments: [(FaultKind.status429, "429"), (.status500, "500"), (.status503, "503")])
    func status(kind: FaultKind, code: String) throws {
        let run = try Run(InjectedFault(kind, at: 3))
        #expect(String(decoding: run.client.received, as: UTF8.self).hasPrefix("HTTP/1.1 \(code) "))
        #expect(run.client.heard.last == .end)
        #expect(run.server.received == Run.request)
    }

    @Test("The last bracket is damaged, and nothing else")
    func malformed() throws {
        let run = try Run(InjectedFault(.malformedJSON, at: 3))
        #expect(String(decoding: run.client.received, as: UTF8.self).hasSuffix("{\"text\":1!\n"))
        #expect(run.client.received.count == Run.answer.count)
    }

    @Test("A fault at a point that does not admit it strikes nothing")
    func inadmissible() throws {
        let run = try Run(InjectedFault(.status503, at: 2))
        #expect(run.client.received == Run.answer)
        #expect(run.injector.struckAt == nil)
    }

    @Test("A clock that jumps runs at once what becomes due, in order, and keeps the rest")
    func jump() throws {
        let scheduler = VirtualScheduler()
        let injector = FaultInjector(InjectedFault(.clockJump, at: 1))
        let clock = injector.clock(for: scheduler)
        var fired: [String] = []
        clock.schedule(after: .seconds(20)) { fired.append("second") }
        clock.schedule(after: .seconds(10)) { fired.append("first") }
        let canceled = clock.schedule(after: .seconds(5)) { fired.append("canceled") }
        clock.schedule(after: .seconds(3610)) { fired.append("later at \((scheduler.now - .start).scriptText)") }
        clock.cancel(canceled)
        var isUpgraded = false
        _ = injector.treatment(of: [1], from: .server, isUpgraded: &isUpgraded, hasOthers: false, now: scheduler.now)
        #expect(clock.now == .start + FaultKind.jump)
        scheduler.run()
        #expect(fired == ["first", "second", "later at 10s"])
    }

    @Test(
        "An answer is overtaken by what comes next over another connection, or comes a second later",
        arguments: [true, false])
    func reorder(hasNext: Bool) throws {
        let scheduler = VirtualScheduler()
        let memory = MemoryNetwork(scheduler: scheduler)
        let network = FaultyNetwork(base: memory, scheduler: scheduler, seed: 1)
        network.injector = FaultInjector(InjectedFault(.reorder, at: 4))
        let (first, second) = (Peer(), Peer())
        for client in [first, second] {
            let server = Peer()
            server.onBytes = { $0.write(Run.answer) }
            network.connect(client, to: try memory.listen(server))
        }
        first.stream?.write(Run.request)
        scheduler.schedule(after: .milliseconds(100)) {
            #expect(first.received == [])
            if hasNext { second.stream?.write(Run.request) }
        }
        scheduler.schedule(after: .milliseconds(200)) {
            #expect(second.received == (hasNext ? Run.answer : []))
            #expect(first.received == (hasNext ? Run.answer : []))
        }
        scheduler.run()
        #expect(first.received == Run.answer)
        #expect(scheduler.now == .start + FaultKind.longestWait)
    }

    @Test(
        "Frames are called by what their JSON says they are",
        arguments: [
            (#"{"method":"addMessage","params":[]}"#, "text frame: addMessage"),
            (#"{"messagePayload": {"type" : "text"}}"#, "text frame: text"),
            (#"{"type":"a b"}"#, "text frame"), (#"{"type":{"method":"x"}}"#, "text frame"), ("type", "text frame"),
            (#"["method":"x"]"#, "text frame"), (#"{"method":""}"#, "text frame"),
        ])
    func names(text: String, summary: String) {
        let frame = [0x81, UInt8(text.utf8.count)] + Array(text.utf8)
        #expect(FaultTraffic(frame, from: .server, isUpgraded: true).summary == summary)
        let key: [UInt8] = [1, 2, 3, 4]
        let masked = text.utf8.enumerated().map { $1 ^ key[$0 % 4] }
        let sent = [0x81, 0x80 | UInt8(text.utf8.count)] + key + masked
        #expect(FaultTraffic(sent, from: .client, isUpgraded: true).summary == summary)
    }

    @Test("A frame whose length nobody could hold is no message, and no trap")
    func hugeFrame() {
        let frame: [UInt8] = [0x81, 127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7B]
        let traffic = FaultTraffic(frame, from: .server, isUpgraded: true)
        #expect(traffic.content == .bytes)
        #expect(traffic.summary == "11 bytes of a WebSocket")
    }
}
