import Machines
import RunRecord
import Scenario

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Has scenarios played with faults by processes of their own: one that traps costs one play, and not the run.
struct FaultWorkers {
    /// Starts a process; nil if that fails.
    let start: () -> WorkerProcess?

    /// How many of them play at the same time.
    let count: Int

    /// What became of a scenario.
    enum Result {
        case played(FaultedScenario)
        /// It does not pass without a fault, because of a problem of a type.
        case leftOut(Outcome, type: String, reason: String)
        /// Its process has ended before a fault was played.
        case lost(String)
    }

    /// A process and what it plays.
    private struct Lane {
        let process: WorkerProcess
        var task: Task?
    }

    /// A scenario that is being played.
    private struct Task {
        let index: Int
        var scenario: FaultedScenario?
        /// The fault of the execution that has begun and not ended.
        var fault: FaultName?
        /// Why the process ends, if it said so.
        var hang: String?

        /// Goes on after news; returns the result if it is the last.
        mutating func take(_ news: FaultMessage, of definition: ScenarioDefinition) -> Result? {
            switch news {
            case .began(let systems, let points, let count):
                // The process that goes on after one that trapped says it again.
                if self.scenario == nil {
                    self.scenario = FaultedScenario(
                        file: definition.file, line: definition.line, title: definition.title, systems: systems,
                        points: points, pointCount: count)
                }
            case .leftOut(let outcome, let type, let reason):
                return .leftOut(outcome, type: type, reason: reason)
            case .plays(let fault): self.fault = fault
            case .played(let cell):
                self.scenario?.cells.append(cell)
                self.fault = nil
            case .hangs(let reason): self.hang = reason
            case .ended: return self.scenario.map { .played($0) }
            }
            return nil
        }

        /// Takes in that the process has ended; false if it had not begun an execution, so that it would end again.
        mutating func lose(_ ending: WorkerProcess.Ending) -> Bool {
            guard let fault = self.fault else { return false }
            self.scenario?.cells.append(
                FaultCell(fault, outcome: self.hang == nil ? .trap : .hang, detail: self.hang ?? ending.text))
            self.fault = nil
            self.hang = nil
            return true
        }
    }

    /// Has everything played.
    ///
    /// - Parameters:
    ///   - definitions: The scenarios.
    ///   - interruption: Set from outside to end the run early.
    ///   - onResult: Gets what became of each scenario, in order.
    /// - Returns: Whether processes could be started.
    func run(
        _ definitions: [ScenarioDefinition], interruption: Interruption, onResult: (Int, Result) -> Void
    ) -> Bool {
        var lanes: [Lane] = []
        defer { for lane in lanes { lane.process.kill() } }
        var unplayed = definitions.indices.reversed().map { Task(index: $0) }
        var results: [Int: Result] = [:]
        var told = 0
        while told < definitions.count, !interruption.isRequested {
            for place in lanes.indices where lanes[place].task == nil {
                lanes[place].task = Self.begin(&unplayed, definitions, lanes[place].process)
            }
            while lanes.count < self.count, !unplayed.isEmpty {
                guard let process = self.start() else { return false }
                lanes.append(Lane(process: process, task: Self.begin(&unplayed, definitions, process)))
            }
            for place in Self.readable(lanes).reversed() {
                let (lines, hasEnded) = lanes[place].process.read()
                for line in lines {
                    guard let news = FaultMessage(line: line), let index = lanes[place].task?.index else { continue }
                    guard let result = lanes[place].task?.take(news, of: definitions[index]) else { continue }
                    results[index] = result
                    lanes[place].task = nil
                }
                guard hasEnded else { continue }
                let lane = lanes.remove(at: place)
                let ending = lane.process.end()
                guard var task = lane.task, !interruption.isRequested else { continue }
                if task.lose(ending) {
                    unplayed.append(task)
                } else {
                    results[task.index] = .lost(ending.text)
                }
            }
            while let result = results.removeValue(forKey: told) {
                onResult(told, result)
                told += 1
            }
        }
        return true
    }

    private static func begin(
        _ unplayed: inout [Task], _ definitions: [ScenarioDefinition], _ process: WorkerProcess
    ) -> Task? {
        guard let task = unplayed.popLast() else { return nil }
        let request = FaultRequest(
            index: task.index, id: definitions[task.index].id, skipping: task.scenario?.cells.count ?? 0)
        process.send(request.line)
        return task
    }

    /// The places of the processes that have something to say, after a short wait at most.
    private static func readable(_ lanes: [Lane]) -> [Int] {
        var entries = lanes.map { pollfd(fd: $0.process.output, events: Int16(POLLIN), revents: 0) }
        guard poll(&entries, nfds_t(entries.count), Self.patience) > 0 else { return [] }
        return entries.indices.filter { entries[$0].revents != 0 }
    }

    /// How long an interruption may wait to be noticed, in milliseconds.
    private static let patience: Int32 = 100
}
