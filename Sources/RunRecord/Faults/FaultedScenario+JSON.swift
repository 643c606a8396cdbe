import JSON

extension FaultedScenario {
    var json: JSONValue {
        .object([
            "file": .string(self.file), "line": .integer(Int64(self.line)), "title": .string(self.title),
            "systems": .array(self.systems.map { .string($0) }), "point_count": .integer(Int64(self.pointCount)),
            "play_count": .integer(Int64(self.playCount)), "points": .array(self.points.map(\.json)),
            "plays": .array(self.cells.map(\.json)),
        ])
    }
}
