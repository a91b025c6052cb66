package import BackupFormat
import BatonConcurrency
import BatonCore
import Files
import Foundation
import Glibc

extension BackupService {
    /// Which rule says whether a path is backed up.
    package func why(_ path: String) async throws -> BackupRules.Reason {
        let path = try Self.normal(path)
        let state = state
        let job = rules(state)
        let isInCloud = state.target?.isCloud == true && path.names(below: places.documents) != nil
        let containing = roots(containing: path, state).filter { !isInCloud || !$0.path.isPath(places.documents) }
        return try await looking.run {
            var reason: BackupRules.Reason = isInCloud ? .inCloud : .notIncluded
            for root in containing {
                try Self.checkIsReached(path, in: root.path)
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

    /// A backup goes through no link below a root, so a rule for a path behind one would never count.
    static func checkIsReached(_ path: String, in root: String) throws {
        var place = root
        for name in (path.names(below: root) ?? []).dropLast() {
            place += "/" + String(decoding: name, as: UTF8.self)
            var start: CChar = 0
            guard readlink(place, &start, 1) >= 0 else { continue }
            throw BatonError(
                .failedPrecondition, reason: "link_in_path",
                "“\(PrintableName.escaped(place))” is a symbolic link, and a backup has the link alone. Name the place that it leads to."
            )
        }
    }

    func rules(_ state: BackupState) -> BackupRules {
        BackupRules(
            excluded: state.excluded,
            privatePlaces: places.privatePlaces(target: state.target?.path))
    }

    /// Goes down from the root as a backup does.
    static func reason(
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
                isSpecial: status.kind == .special, isLink: status.kind == .link,
                isOtherFileSystem: status.device != device)
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
