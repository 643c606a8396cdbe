import JSON

/// The JSON Schema validator `jsonschema`, run in Python.
enum SchemaValidator {
    /// Returns what is wrong with the values, each with the number of the value before it.
    static func errors(_ values: [JSONValue], schemaAt path: String) throws -> [String] {
        let lines: [UInt8] = values.flatMap { (value: JSONValue) -> [UInt8] in JSONWriter.write(value) + [0x0A] }
        return try PythonPackages.withFile(lines, suffix: "jsonl") { file in
            try PythonPackages.run(script: Self.script, [path, file]).split(separator: "\n").map(String.init)
        }
    }

    private static let script = #"""
        import json, sys
        from jsonschema.validators import validator_for

        schema = json.load(open(sys.argv[1], encoding="utf-8"))
        kind = validator_for(schema)
        kind.check_schema(schema)
        validator = kind(schema)
        for number, line in enumerate(open(sys.argv[2], encoding="utf-8", newline="\n")):
            for error in validator.iter_errors(json.loads(line)):
                print(number, json.dumps(error.message)[:200])
        """#
}
