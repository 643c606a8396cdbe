import JSON
import NIOCore

/// The barriers and mailboxes of several threads, as the users of one thread see them.
final class RemoteCoordination: Coordination {
    private let shared: SharedCoordination
    private let loop: any EventLoop
    private let thread: Int
    private var waiting: [Int: (JSONValue) -> Void] = [:]
    private var lastNumber = 0
    /// Why the last letter that was answered could not be taken; the next one is not even sent.
    private var complaint: String?

    /// - Parameters:
    ///   - shared: The barriers and mailboxes of all threads.
    ///   - loop: The loop of the users of this one; to be called on it.
    init(_ shared: SharedCoordination, on loop: any EventLoop) {
        self.shared = shared
        self.loop = loop
        self.thread = shared.newThread()
    }

    func arrive(at name: String, count: Int, _ resume: @escaping (_ refusal: String?) -> Void) -> () -> Void {
        let id = self.begin { resume($0.string) }
        let (home, loop) = (NIOLoopBound(self, eventLoop: self.loop), self.loop)
        self.shared.arrive(at: name, count: count, as: id) { refusal in
            loop.execute { home.value.answer(id, refusal.map { .string($0) } ?? .null) }
        }
        return self.canceller(of: id)
    }

    func post(_ letter: JSONValue, to name: String) -> String? {
        if let complaint = self.complaint {
            self.complaint = nil
            return complaint
        }
        let (home, loop) = (NIOLoopBound(self, eventLoop: self.loop), self.loop)
        self.shared.post(letter, to: name) { complaint in
            guard let complaint else { return }
            loop.execute { home.value.complaint = complaint }
        }
        return nil
    }

    func take(from name: String, _ resume: @escaping (JSONValue) -> Void) -> () -> Void {
        let id = self.begin(resume)
        let (home, loop) = (NIOLoopBound(self, eventLoop: self.loop), self.loop)
        let shared = self.shared
        self.shared.take(from: name, as: id) { letter in
            loop.execute {
                // The reader may have gone while the letter was on its way; it is not lost for the others.
                if !home.value.answer(id, letter) { shared.putBack(letter, to: name) }
            }
        }
        return self.canceller(of: id)
    }

    private func begin(_ resume: @escaping (JSONValue) -> Void) -> SharedCoordination.WaitID {
        self.lastNumber += 1
        self.waiting[self.lastNumber] = resume
        return SharedCoordination.WaitID(thread: self.thread, number: self.lastNumber)
    }

    @discardableResult
    private func answer(_ id: SharedCoordination.WaitID, _ value: JSONValue) -> Bool {
        guard let resume = self.waiting.removeValue(forKey: id.number) else { return false }
        resume(value)
        return true
    }

    private func canceller(of id: SharedCoordination.WaitID) -> () -> Void {
        { [weak self] in
            guard let self, self.waiting.removeValue(forKey: id.number) != nil else { return }
            self.shared.cancel(id)
        }
    }
}
