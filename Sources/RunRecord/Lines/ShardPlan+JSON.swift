import JSON

extension ShardPlan {
    var json: JSONValue {
        [
            "scenarios": .string(self.scenarios), "files": FileDigests.json(self.files),
            "dealing": .string(self.dealing),
        ]
    }

    init?(_ value: JSONValue) {
        guard let scenarios = value["scenarios"]?.string, let files = value["files"].flatMap(FileDigests.read),
            let dealing = value["dealing"]?.string
        else { return nil }
        self.init(scenarios: scenarios, files: files, dealing: dealing)
    }
}
