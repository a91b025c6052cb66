package import BatonCore
package import BatonWire
import Dispatch
import Files
import Glibc
import Synchronization

/// The directories of this device whose files other devices have too (H-24).
///
/// A file's URL under one of them leaves this device as the root's name and the path below it, and becomes the URL of the
/// same file under that device's directory on arrival. Every other URL travels as it is.
///
/// - An origin never sends a reference for what is not below the root: with “..” in any spelling, or a symbolic link on
///   the way that leads out of the root, the URL travels as it is.
/// - A reference whose root is not registered here, or whose path could leave it, becomes a URL of the scheme
///   ``foreignScheme``: the app sees that there is something, and no program takes it for a file.
package final class DocumentRoots: Sendable {
    /// The scheme of a URL for a document that this device does not have.
    package static let foreignScheme = "x-baton-document"

    private let roots = Mutex<[DocumentRoot]>([])
    private let sources = Mutex<[@Sendable () -> [DocumentRoot]]>([])
    /// Looking for symbolic links may wait for a disk or a server. Serial, and bounded by the continuations under way.
    private let queue = DispatchQueue(label: "development.baton.document-roots", qos: .userInitiated)

    package init(_ roots: [DocumentRoot] = []) {
        for root in roots { register(root) }
    }

    /// In place of the root with the same name and team.
    package func register(_ root: DocumentRoot) {
        roots.withLock { roots in
            roots.removeAll { $0.name == root.name && $0.team == root.team }
            roots.append(root)
        }
    }

    package func remove(_ name: String, team: TeamIdentity? = nil) {
        roots.withLock { $0.removeAll { $0.name == name && $0.team == team } }
    }

    /// Asks for more roots whenever a URL is rewritten: those that come and go, as iCloud containers do with apps and the
    /// account. Quick, and on any thread.
    package func add(_ source: @escaping @Sendable () -> [DocumentRoot]) { sources.withLock { $0.append(source) } }

    /// Those that apps of the team may name: the deepest first, and a team's own before everybody's.
    private func roots(for team: TeamIdentity) -> [DocumentRoot] {
        let found = sources.withLock { $0 }.flatMap { $0() }
        return (roots.withLock { $0 } + found).filter { $0.team == nil || $0.team == team }
            .sorted {
                ($0.directory.utf8.count, $0.team == nil ? 0 : 1) > ($1.directory.utf8.count, $1.team == nil ? 0 : 1)
            }
    }

    /// The payload as it leaves this device.
    package func outgoing(
        _ payload: Baton_Value_V1_ActivityPayload, of team: TeamIdentity
    ) async -> Baton_Value_V1_ActivityPayload {
        let roots = roots(for: team)
        guard !roots.isEmpty else { return payload }
        return await rewritten(
            payload, DocumentURLs(reference: { Self.reference($0, roots) }, url: { Self.url($0, roots) }))
    }

    /// The payload as an app of this device gets it.
    package func incoming(
        _ payload: Baton_Value_V1_ActivityPayload, for team: TeamIdentity
    ) async -> Baton_Value_V1_ActivityPayload {
        let roots = roots(for: team)
        return await rewritten(payload, DocumentURLs(reference: { _ in nil }, url: { Self.url($0, roots) }))
    }

    private func rewritten(
        _ payload: Baton_Value_V1_ActivityPayload, _ urls: DocumentURLs
    ) async -> Baton_Value_V1_ActivityPayload {
        guard payload.hasUserInfo else { return payload }
        return await withCheckedContinuation { continuation in
            queue.async {
                var payload = payload
                if let userInfo = urls.rewritten(payload.userInfo) { payload.userInfo = userInfo }
                continuation.resume(returning: payload)
            }
        }
    }

    // MARK: One URL

    private static func reference(_ url: String, _ roots: [DocumentRoot]) -> Baton_Value_V1_DocumentReference? {
        guard let (path, isDirectory) = DocumentPath.path(ofURL: url) else { return nil }
        for root in roots {
            let below: Substring
            if path == root.directory {
                below = ""
            } else if path.utf8.starts(with: (root.directory + "/").utf8) {
                below = Substring(String(decoding: path.utf8.dropFirst(root.directory.utf8.count + 1), as: UTF8.self))
            } else {
                continue
            }
            guard DocumentPath.components(String(below)) != nil, isInside(path, root.directory) else { continue }
            var reference = Baton_Value_V1_DocumentReference()
            reference.root = root.name
            reference.path = String(below)
            reference.directory = isDirectory
            return reference
        }
        return nil
    }

    private static func url(_ reference: Baton_Value_V1_DocumentReference, _ roots: [DocumentRoot]) -> String {
        let end = reference.directory ? "/" : ""
        guard let names = DocumentPath.components(reference.path), DocumentRoot.isName(reference.root) else {
            return "\(foreignScheme):unknown"
        }
        let foreign = "\(foreignScheme)://\(reference.root)/\(DocumentPath.encode(names))\(names.isEmpty ? "" : end)"
        // A team's own before everybody's.
        guard let root = roots.filter({ $0.name == reference.root }).max(by: { $0.team == nil && $1.team != nil })
        else {
            return foreign
        }
        let path = ([root.directory] + names).joined(separator: "/")
        guard DocumentPath.isPossible(path), isInside(path, root.directory) else { return foreign }
        let parts = path.split(separator: "/").map(String.init)
        return "file:///\(DocumentPath.encode(parts))\(end)"
    }

    /// Whether no symbolic link on the way leads out of the directory. A path that does not exist (yet) leads nowhere.
    private static func isInside(_ path: String, _ directory: String) -> Bool {
        guard let real = RealPath.resolved(directory) else {
            // Without the directory there is nothing below it.
            return true
        }
        // From the top, as far as there is something: a path of thousands of parts mostly ends at its first.
        var deepest = directory
        for name in path.utf8.dropFirst(directory.utf8.count).split(separator: UInt8(ascii: "/")) {
            let next = deepest + "/" + (String(name) ?? "")
            var status = stat()
            guard lstat(next, &status) == 0 else { break }
            deepest = next
        }
        // There, but leading nowhere, or in a circle: where it will lead is unknown.
        guard let resolved = RealPath.resolved(deepest) else { return false }
        return resolved == real || resolved.utf8.starts(with: (real == "/" ? real : real + "/").utf8)
    }
}
