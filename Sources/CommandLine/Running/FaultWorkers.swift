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
    enum Finding {
        /// It was played with faults, not with all of them if the run was broken off.
        case played(FaultedScenario)
        /// It does not pass without a fault, because of a problem of a type.
        case leftOut(Outcome, type: String, reason: String)
        /// Its process has ended before a fault was played.
        case lost(String)
    }

    /// A process and what it plays.
    private struct Lane {
        let process: WorkerProcess
        var assignment: Assignment?
    }

    /// A scenario that is being played.
    private struct Assignment {
        let index: Int
        var scenario: FaultedScenario?
        /// The fault of the execution that has begun and not ended.
        var fault: FaultName?
        /// Why the process ends, if it said so.
        var hang: String?

        /// Goes on after news; returns the finding if it is the last.
        mutating func take(_ news: FaultMessage, of definition: ScenarioDefinition) -> Finding? {
            switch news {
            case .began(let systems, let points, let pointCount, let playCount):
                // The process that goes on after one that trapped says it again.
                if self.scenario == nil {
                    self.scenario = FaultedScenario(
                        file: definition.file, line: definition.line, title: definition.title,
                        choice: definition.choice, systems: systems, points: points, pointCount: pointCount,
                        playCount: playCount)
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
    ///   - onFinding: Gets what became of each scenario, in order; at the end of a run that is broken off also of those
    ///     that have begun.
    /// - Returns: Whether there were processes to play everything, unless the run was ended from outside. Where one
    ///   cannot be started, those that there are play on.
    func run(
        _ definitions: [ScenarioDefinition], interruption: Interruption, onFinding: (Int, Finding) -> Void
    ) -> Bool {
        var lanes: [Lane] = []
        defer { for lane in lanes { lane.process.kill() } }
        var unplayed = definitions.indices.reversed().map { Assignment(index: $0) }
        var findings: [Int: Finding] = [:]
        var told = 0
        var canStart = true
        while told < definitions.count, !interruption.isRequested, canStart || !lanes.isEmpty {
            for place in lanes.indices where lanes[place].assignment == nil {
                lanes[place].assignment = Self.begin(&unplayed, definitions, lanes[place].process)
            }
            while canStart, lanes.count < self.count, !unplayed.isEmpty {
                guard let process = self.start() else {
                    canStart = false
                    break
                }
                lanes.append(Lane(process: process, assignment: Self.begin(&unplayed, definitions, process)))
            }
            for place in Self.readable(lanes).reversed() {
                let (lines, hasEnded) = lanes[place].process.read()
                for line in lines {
                    guard let news = FaultMessage(line: line), let index = lanes[place].assignment?.index else {
                        continue
                    }
                    guard let finding = lanes[place].assignment?.take(news, of: definitions[index]) else { continue }
                    findings[index] = finding
                    lanes[place].assignment = nil
                }
                guard hasEnded else { continue }
                let lane = lanes.remove(at: place)
                let ending = lane.process.end()
                guard var assignment = lane.assignment, !interruption.isRequested else { continue }
                if assignment.lose(ending) {
                    unplayed.append(assignment)
                } else {
                    findings[assignment.index] = .lost(ending.text)
                }
            }
            while let finding = findings.removeValue(forKey: told) {
                onFinding(told, finding)
                told += 1
            }
        }
        for assignment in lanes.compactMap(\.assignment) + unplayed {
            if let scenario = assignment.scenario { findings[assignment.index] = .played(scenario) }
        }
        for (index, finding) in findings.sorted(by: { $0.key < $1.key }) { onFinding(index, finding) }
        return told == definitions.count || interruption.isRequested
    }

    private static func begin(
        _ unplayed: inout [Assignment], _ definitions: [ScenarioDefinition], _ process: WorkerProcess
    ) -> Assignment? {
        guard let assignment = unplayed.popLast() else { return nil }
        let request = FaultRequest(
            index: assignment.index, id: definitions[assignment.index].id,
            skipping: assignment.scenario?.cells.count ?? 0)
        process.send(request.line)
        return assignment
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
