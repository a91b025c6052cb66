package import BatonCore
import Files
import Foundation
import Yams

/// A configuration file: YAML, every setting of which must be known.
package enum ConfigurationFile {
    private static let maximumBytes = 1 << 20

    /// - Throws: `failed_precondition` `unusable_configuration` with a line for each thing that is wrong.
    package static func read(_ path: String) throws(BatonError) -> CloudConfiguration {
        let reading = try inspect(path)
        let wrong = reading.problems.map { "\(path), line \($0.line): \($0.text)" }
        guard wrong.isEmpty else { throw CloudConfiguration.unusable(wrong) }
        return reading.configuration
    }

    /// The settings of a file, as far as it can be read.
    struct Reading {
        var configuration = CloudConfiguration()
        var problems: [(line: Int, text: String)] = []
        /// Where each setting stands.
        var lines: [String: Int] = [:]

        mutating func note(_ line: Int, _ text: String) { problems.append((line, text)) }
    }

    /// - Throws: `failed_precondition` `unusable_configuration` for a file that cannot be read at all.
    static func inspect(_ path: String) throws(BatonError) -> Reading {
        let bytes = try bytes(of: path)
        return reading(of: String(decoding: bytes, as: UTF8.self))
    }

    private static func bytes(of path: String) throws(BatonError) -> [UInt8] {
        let problem: String
        do throws(BatonError) {
            if let bytes = try AtomicFile.read(path, limit: maximumBytes) { return bytes }
            problem = "There is no configuration file “\(path)”."
        } catch {
            problem =
                switch error.reason {
                case "not_a_file": "“\(path)” is not a regular file. Name a configuration file."
                case "file_too_large": "“\(path)” has more than 1 MiB, so it is no configuration file."
                default: error.message
                }
        }
        throw CloudConfiguration.unusable([problem])
    }

    /// - Returns: the settings that could be read, and the problems, each with its line.
    package static func parse(_ text: String) -> (CloudConfiguration, problems: [String]) {
        let reading = Self.reading(of: text)
        return (reading.configuration, reading.problems.map { "line \($0.line): \($0.text)" })
    }

    private static func reading(of text: String) -> Reading {
        var reading = Reading()
        do {
            // A file of comments says nothing.
            if let root = try Yams.compose(yaml: text) { read(root, in: "", &reading) }
        } catch {
            let (line, text) = meaning(error)
            reading.note(line, text)
        }
        return reading
    }

    private static func read(_ node: Node, in group: String, _ reading: inout Reading) {
        guard case .mapping(let mapping) = node else {
            if group.isEmpty, case .scalar(let scalar) = node, scalar.string.isEmpty { return }
            let what = group.isEmpty ? "The file" : "“\(group.dropLast())”"
            reading.note(line(node), "\(what) must hold settings, as in “name: value”.")
            return
        }
        for (key, value) in mapping {
            let name = group + (key.scalar?.string ?? "")
            reading.lines[name] = line(key)
            do {
                if let setting = CloudSetting.named(name) {
                    try setting.take(ConfigurationValue(node: value, name: name), &reading.configuration)
                } else if group.isEmpty, CloudSetting.groups.contains(name) {
                    read(value, in: name + ".", &reading)
                } else {
                    let known = CloudSetting.names(in: group).joined(separator: ", ")
                    reading.note(line(key), "There is no setting “\(name)”. There are: \(known).")
                }
            } catch let problem as ConfigurationProblem {
                reading.note(line(value), "“\(name)” \(problem.text)")
            } catch {
                reading.note(line(value), "“\(name)” cannot be used.")
            }
        }
    }

    private static func line(_ node: Node) -> Int { node.mark?.line ?? 1 }

    private static func meaning(_ error: any Error) -> (line: Int, text: String) {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            (mark.line, "This is not YAML: \(problem).")
        case .duplicatedKeysInMapping(let duplicates, let context):
            (context.mark.line, "“\(duplicates.sorted().joined(separator: "”, “"))” is there twice.")
        default: (1, "This is not YAML.")
        }
    }
}
