package import BatonCore
import BatonStore
import Foundation
import Yams

/// A configuration file: YAML, every setting of which must be known.
package enum ConfigurationFile {
    private static let maximumBytes = 1 << 20

    /// - Throws: `failed_precondition` `unusable_configuration` with a line for each thing that is wrong.
    package static func read(_ path: String) throws(BatonError) -> CloudConfiguration {
        let bytes = try bytes(of: path)
        let (configuration, problems) = parse(String(decoding: bytes, as: UTF8.self))
        let wrong = problems.map { "\(path), \($0)" }
        guard wrong.isEmpty else { throw CloudConfiguration.unusable(wrong) }
        return configuration
    }

    private static func bytes(of path: String) throws(BatonError) -> [UInt8] {
        let problem: String
        do throws(BatonError) {
            if let bytes = try AtomicFile.read(path, limit: maximumBytes) { return bytes }
            problem = "There is no configuration file “\(path)”."
        } catch {
            problem =
                switch error.reason {
                case "not_a_file": "“\(path)” is a folder, or another thing that is no file. Name a configuration file."
                case "file_too_large": "“\(path)” has more than 1 MiB, so it is no configuration file."
                default: error.message
                }
        }
        throw CloudConfiguration.unusable([problem])
    }

    /// - Returns: the settings that could be read, and the problems, each with its line.
    package static func parse(_ text: String) -> (CloudConfiguration, problems: [String]) {
        var configuration = CloudConfiguration()
        do {
            // A file of comments says nothing.
            guard let root = try Yams.compose(yaml: text) else { return (configuration, []) }
            var problems: [String] = []
            read(root, in: "", &configuration, &problems)
            return (configuration, problems)
        } catch {
            return (configuration, [meaning(error)])
        }
    }

    private static func read(
        _ node: Node, in group: String, _ configuration: inout CloudConfiguration, _ problems: inout [String]
    ) {
        guard case .mapping(let mapping) = node else {
            if group.isEmpty, case .scalar(let scalar) = node, scalar.string.isEmpty { return }
            let what = group.isEmpty ? "The file" : "“\(group.dropLast())”"
            problems.append("\(line(node)): \(what) must hold settings, as in “name: value”.")
            return
        }
        for (key, value) in mapping {
            let name = group + (key.scalar?.string ?? "")
            do {
                if let setting = CloudSetting.named(name) {
                    try setting.take(ConfigurationValue(node: value, name: name), &configuration)
                } else if group.isEmpty, CloudSetting.groups.contains(name) {
                    read(value, in: name + ".", &configuration, &problems)
                } else {
                    let known = CloudSetting.names(in: group).joined(separator: ", ")
                    problems.append("\(line(key)): There is no setting “\(name)”. There are: \(known).")
                }
            } catch let problem as ConfigurationProblem {
                problems.append("\(line(value)): “\(name)” \(problem.text)")
            } catch {
                problems.append("\(line(value)): “\(name)” cannot be used.")
            }
        }
    }

    private static func line(_ node: Node) -> String { "line \(node.mark?.line ?? 1)" }

    private static func meaning(_ error: any Error) -> String {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            "line \(mark.line): This is not YAML: \(problem)."
        case .duplicatedKeysInMapping(let duplicates, let context):
            "line \(context.mark.line): “\(duplicates.sorted().joined(separator: "”, “"))” is there twice."
        default: "line 1: This is not YAML."
        }
    }
}
