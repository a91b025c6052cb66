package import BackupFormat
import BatonConcurrency
import BatonCore
import Foundation

extension BackupService {
    /// Which rule says whether a path is backed up.
    package func why(_ path: String) async throws -> BackupRules.Reason {
        let path = try Self.normal(path)
        let state = state
        let job = rules(state)
        let containing = roots(containing: path, state)
        return try await looking.run {
            var reason: BackupRules.Reason = .notIncluded
            for root in containing {
                let found = try Self.reason(path, in: root.path, root.kind, job)
                if found.isIncluded { return found }
                reason = found
            }
            return reason
        }
    }

    /// The containers and folders of a backup that a path is in.
    func roots(containing path: String, _ state: BackupState) -> [(path: String, kind: BackupRules.Root)] {
        let roots =
            apps.apps().map { (path: $0.container, kind: BackupRules.Root.app) }
            + ([places.configuration, places.documents] + state.included).map { (path: $0, kind: .folder) }
        return roots.filter { path.names(below: $0.path) != nil }
    }

    private func rules(_ state: BackupState) -> BackupRules {
        BackupRules(
            excluded: state.excluded,
            privatePlaces: places.privatePlaces(target: state.target?.path))
    }

    /// Goes down from the root as a backup does.
    private static func reason(
        _ path: String, in root: String, _ kind: BackupRules.Root, _ rules: BackupRules
    ) throws -> BackupRules.Reason {
        var node = try FileNode(directory: root)
        let device = try node.status().device
        var relative = ""
        if let rule = rules.exclusion("", of: kind, path: root, .init()) { return rule }
        for name in path.names(below: root) ?? [] {
            guard let status = try node.status(of: name) else {
                throw nothing(at: path)
            }
            relative += (relative.isEmpty ? "" : "/") + String(decoding: name, as: UTF8.self)
            let whole = node.joined(name)
            var facts = BackupRules.Facts(
                isSpecial: status.kind == .special, isOtherFileSystem: status.device != device)
            if status.kind == .directory || status.kind == .file {
                let child = try node.child(name, isDirectory: status.kind == .directory)
                facts.attribute = child.attribute(Array(BackupRules.attribute.utf8))
                facts.hasCacheTag = status.kind == .directory && child.hasCacheTag()
                facts.isPlaceholder = status.kind == .file && node.isPlaceholder(name, status)
                node = child
            }
            if let rule = rules.exclusion(relative, of: kind, path: whole, facts) { return rule }
        }
        return .included(root: root)
    }
}
