import Foundation
import JSON
import Processes

/// Readers of JUnit files and of TAP that others wrote, run in Python: libxml2, an XML schema validator, junitparser
/// and tap.py.
///
/// They are installed once into a folder for temporary files. Where that cannot be done, ``problem`` says why, and the
/// tests that need them are skipped with that reason.
enum PythonReaders {
    /// What one file is, as the readers see it.
    struct Reading {
        let value: JSONValue

        /// Why libxml2 refuses the file, or nil.
        var malformed: String? { self.value["malformed"]?.string }

        /// Why the schema refuses the file, or nil.
        var invalid: String? { self.value["invalid"]?.string }

        /// Why the schema refuses the file without the attributes and elements that no schema has, or nil.
        var invalidWithoutExtras: String? { self.value["invalid_without_extras"]?.string }

        /// What junitparser reads: suites with their counts and cases.
        var suites: [JSONValue] { self.value["suites"]?.array ?? [] }

        /// All cases of all suites.
        var cases: [JSONValue] { self.suites.flatMap { $0["cases"]?.array ?? [] } }
    }

    /// Why the readers cannot be used, or nil.
    static var problem: String? { Self.python.problem }

    /// Reads files.
    ///
    /// - Parameter schema: The path of an XML schema, or nil if none is to be used.
    static func read(_ documents: [[UInt8]], schema: String? = nil) throws -> [Reading] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "junit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (index, document) in documents.enumerated() {
            try Data(document).write(to: folder.appending(path: "\(index).xml"))
        }
        let output = try Self.python.run(Self.script, [folder.path, "\(documents.count)", schema ?? ""])
        return try output.split(separator: "\n").map { Reading(value: try JSONReader.read(String($0))) }
    }

    /// Reads a text of the Test Anything Protocol: for each point `ok`, `skip` and, if it has one, its `yaml`.
    static func readTAP(_ text: String) throws -> [JSONValue] {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).tap")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let output = try Self.python.run(Self.tapScript, [file.path])
        return try output.split(separator: "\n").map { try JSONReader.read(String($0)) }
    }

    private static let python = Python(
        folder: "junit-readers", packages: ["lxml", "junitparser", "PyYAML", "tap.py"],
        check: "import lxml, junitparser, tap.parser, yaml")

    private static let tapScript = #"""
        import json, sys, yaml
        from tap.parser import Parser

        points, block = [], None
        for line in open(sys.argv[1], encoding="utf-8", newline="\n"):
            line = line.rstrip("\n")
            if line == "  ---":
                block = []
            elif line == "  ...":
                points[-1]["yaml"] = yaml.safe_load("\n".join(block))
                block = None
            elif block is not None:
                assert line == "" or line.startswith("  "), line
                block.append(line[2:])
            else:
                parsed = Parser().parse_line(line)
                if parsed.category == "test":
                    points.append({"ok": parsed.ok, "skip": parsed.skip})
                else:
                    assert parsed.category in ("plan", "diagnostic", "version"), line
        for point in points:
            print(json.dumps(point))
        """#

    private static let script = #"""
        import json, os, sys
        import junitparser
        from junitparser import xunit2
        from lxml import etree

        folder, count, schema = sys.argv[1], int(sys.argv[2]), sys.argv[3]
        validator = etree.XMLSchema(etree.parse(schema)) if schema else None

        def validate(tree):
            if validator is None or validator.validate(tree):
                return None
            return str(validator.error_log.last_error)

        def plain(tree):
            for case in tree.iter("testcase"):
                for name in ("file", "line"):
                    if name in case.attrib:
                        del case.attrib[name]
                for properties in case.findall("properties"):
                    case.remove(properties)
            return tree

        def suites(root):
            return root if isinstance(root, junitparser.JUnitXml) else [root]

        for index in range(count):
            path = os.path.join(folder, "%d.xml" % index)
            reading = {}
            try:
                tree = etree.parse(path)
                reading["invalid"] = validate(tree)
                reading["invalid_without_extras"] = validate(plain(tree))
                reading["suites"] = [
                    {
                        "name": suite.name, "tests": suite.tests, "failures": suite.failures, "errors": suite.errors,
                        "skipped": suite.skipped, "time": suite.time, "timestamp": suite.timestamp,
                        "properties": {p.name: p.value for p in suite.properties()},
                        "cases": [
                            {
                                "name": case.name, "classname": case.classname, "time": case.time,
                                "file": case._elem.get("file"), "line": case._elem.get("line"),
                                "output": case.system_out,
                                "results": [
                                    {
                                        "element": result._tag, "message": result.message, "type": result.type,
                                        "text": result.text,
                                    }
                                    for result in case.result
                                ],
                                "attempts": [
                                    {
                                        "element": attempt._tag, "message": attempt.message, "type": attempt.type,
                                        "text": attempt.stack_trace, "output": attempt.system_out,
                                    }
                                    for attempt in xunit2.TestCase.fromelem(case._elem).interim_result
                                ],
                            }
                            for case in suite
                        ],
                    }
                    for suite in suites(junitparser.JUnitXml.fromfile(path))
                ]
            except etree.XMLSyntaxError as error:
                reading["malformed"] = str(error)
            print(json.dumps(reading))
        """#
}

/// Files that lie beside the project on the machines of its authors.
enum SharedFile {
    /// Returns the path of a file below the shared folder, or nil if it is not there.
    static func path(_ name: String) -> String? {
        var folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path != "/" {
            if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) { break }
            folder.deleteLastPathComponent()
        }
        let path = folder.deletingLastPathComponent().appending(path: "shared").appending(path: name).path
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }
}
