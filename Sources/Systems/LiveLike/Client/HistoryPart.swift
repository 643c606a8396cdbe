import JSON
import Machines

/// The pages of a room's history: where the next one begins, and whether there is one.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | resting | `asked` for the next page | loading | asks for it |
/// | loading | `asked` for the next page | loading | `error`, for one is on its way |
/// | atStart | `asked` for the next page | atStart | `history` without messages |
/// | any | `asked` for another page | the same | asks for it |
/// | any | `arrived` with the first or the next page | resting, or atStart where it has nothing | |
/// | any | `arrived` with another page, or one that cannot be read | the same | |
/// | loading | `failed`, the next page | resting | `error` |
/// | any | `failed`, the first page | the same | fails the room |
/// | any | `failed`, another page | the same | `error` |
struct HistoryPart: Sendable {
    /// Whether a next page is to be had.
    enum State: String, CaseIterable, Hashable, Sendable {
        /// Nothing is under way.
        case resting
        /// The next page is on its way.
        case loading
        /// Everything there is has been loaded.
        case atStart
    }

    /// What happens to the history.
    enum Input: Sendable {
        case asked(HistoryPage, of: RoomResource)
        case failed(HistoryPage, SDKError)
    }

    private let room: String
    private let options: ClientOptions
    private(set) var state = State.resting
    private var oldest = HistoryPage.Start()

    /// Creates the history of a room of which nothing has been loaded.
    init(of room: String, _ options: ClientOptions) {
        self.room = room
        self.options = options
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ session: SessionPart) -> [MemberAction] {
        switch input {
        case .asked(.next, let resource):
            switch self.state {
            case .loading:
                return [
                    .emit(MemberEvent(.concurrentHistory, callback: "loadNextHistory", ["room": .string(self.room)]))
                ]
            case .atStart: return [self.told([], .next)]
            case .resting:
                self.state = .loading
                return self.load(.next, of: resource, session)
            }
        case .asked(let page, let resource): return self.load(page, of: resource, session)
        case .failed(let page, let error): return self.failed(page, error)
        }
    }

    /// Asks for a page where the carriage says.
    private mutating func load(
        _ page: HistoryPage, of resource: RoomResource, _ session: SessionPart
    ) -> [MemberAction] {
        let request = page.request(of: resource, room: self.room, from: self.oldest, options: self.options, session)
        guard let request else { return self.failed(page, .noURL(for: page.callback)) }
        return [.ask(.history(room: self.room, page), request)]
    }

    /// Reports a page that did not come; without the first one a room is not connected.
    private mutating func failed(_ page: HistoryPage, _ error: SDKError) -> [MemberAction] {
        let error = page.failure(error, by: self.options.carriage)
        if page == .next { self.state = .resting }
        if page == .initial { return [.failRoom(self.room, error)] }
        return [.emit(MemberEvent(error, callback: page.callback, ["room": .string(self.room)]))]
    }

    /// Takes a page that has arrived.
    ///
    /// - Parameters:
    ///   - page: Which one it is.
    ///   - body: What was answered.
    ///   - channel: The chat channel of the room.
    /// - Returns: Its entries.
    /// - Throws: ``SDKError`` if it is no page: it has failed then.
    mutating func arrived(
        _ page: HistoryPage, _ body: [UInt8], channel: String
    ) throws(SDKError) -> HistoryPage.Entries {
        let entries = try page.entries(body, self.options, channel: channel)
        if page == .initial || page == .next {
            self.state = entries.items.isEmpty ? .atStart : .resting
            self.oldest.take(entries.items)
        }
        return entries
    }

    /// What the script is told of the messages of a page: those that join the list, or what a method asked for.
    ///
    /// - Parameters:
    ///   - messages: The messages as scripts see them, oldest first.
    ///   - page: The page that has brought them.
    func told(_ messages: [JSONObject], _ page: HistoryPage) -> MemberAction {
        let list = JSONValue.array(messages.map { .object($0) })
        let count = JSONValue.integer(Int64(messages.count))
        switch page {
        case .initial, .next:
            let fields: JSONObject = [
                "room": .string(self.room), "initial": .bool(page == .initial), "end": .bool(self.state == .atStart),
                "count": count, "messages": list,
            ]
            return .emit(MemberEvent(.history, fields, callback: page == .initial ? nil : page.callback))
        case .since(_, let isCounting):
            let fields: JSONObject = ["room": .string(self.room), "value": isCounting ? count : list]
            return .emit(MemberEvent(.completed, fields, callback: page.callback))
        case .replies:
            let fields: JSONObject = ["room": .string(self.room), "value": list]
            return .emit(MemberEvent(.completed, fields, callback: page.callback))
        }
    }
}
