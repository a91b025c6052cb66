package import BatonCore
import Files
import Glibc

/// A file that the person picked for an app, by a path that is the person's.
package enum PickedFile {
    private static let maximumLinks = 40

    /// Opens it. Blocks.
    ///
    /// Links of the person's folders are followed. An app may put links into its container, and would be given what they lead to,
    /// so none is followed there; nor is the file itself a link anywhere.
    /// - Parameter containers: the folders of apps.
    /// - Returns: a descriptor, which the caller closes.
    /// - Throws: `permission_denied` for such a link, `failed_precondition` for what cannot be opened.
    package static func open(_ path: String, containers: [String]) throws(BatonError) -> Int32 {
        let place = try place(of: path, containers: containers.map { RealPath.resolved($0) ?? $0 })
        let descriptor = Glibc.open(place, O_RDONLY | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Inbox.unreadable(path) }
        // A folder on the way may have changed since it was looked at.
        guard linkTarget("/proc/self/fd/\(descriptor)") == place else {
            close(descriptor)
            throw isLink(path)
        }
        return descriptor
    }

    /// The path without links.
    private static func place(of path: String, containers: [String]) throws(BatonError) -> String {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw BatonError(
                .invalidArgument, reason: "relative_path",
                "Name the file with its whole path, beginning with “/” or “~/”.")
        }
        var rest = Array(path.split(separator: "/").reversed())
        var way: [Substring] = []
        var links = 0
        while let name = rest.popLast() {
            if name == "." { continue }
            if name == ".." {
                _ = way.popLast()
                continue
            }
            let parent = "/" + way.joined(separator: "/")
            guard let target = linkTarget(way.isEmpty ? "/\(name)" : "\(parent)/\(name)") else {
                way.append(name)
                continue
            }
            let isInContainer = containers.contains { parent == $0 || parent.hasPrefix($0 + "/") }
            guard !rest.isEmpty, !isInContainer, links < maximumLinks else { throw isLink(path) }
            links += 1
            if target.hasPrefix("/") { way = [] }
            rest += target.split(separator: "/").reversed()
        }
        return "/" + way.joined(separator: "/")
    }

    private static func linkTarget(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4097)
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { readlink(path, $0, bytes.count) } ?? -1
        }
        return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    private static func isLink(_ path: String) -> BatonError {
        BatonError(
            .permissionDenied, reason: "file_is_link",
            "“\(PrintableName.escaped(path))” is reached by a link, which may lead anywhere. Name the file itself.")
    }
}
