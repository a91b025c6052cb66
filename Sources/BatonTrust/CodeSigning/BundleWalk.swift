import BatonCore
import Files

/// Goes through everything in a bundle but its signature, by descriptors, following no link.
struct BundleWalk {
    /// An entry at a path. `stamp` was taken before anything was read.
    struct Node {
        let path: String
        let stamp: FileStamp
        let content: Content
    }

    enum Content {
        case directory
        case file(OpenFile)
        case symlink(target: String)
    }

    private(set) var problems = BundleProblems()
    private var count = 0

    /// - Parameter visit: parents come before their contents.
    mutating func visitAll(
        in root: DirectoryHandle, _ visit: (Node, inout BundleProblems) throws(BatonError) -> Void
    ) throws(BatonError) {
        try self.visit(root, prefix: "", depth: 1, visit)
    }

    private mutating func visit(
        _ directory: DirectoryHandle, prefix: String, depth: Int,
        _ visit: (Node, inout BundleProblems) throws(BatonError) -> Void
    ) throws(BatonError) {
        let names = try directory.names(limit: BundleLimits.entries + 1)
        count += names.count
        guard count <= BundleLimits.entries + 1 else { throw Self.tooMany }
        for bytes in names {
            if let problem = PrintableName.problem(bytes) {
                problems.add(prefix + PrintableName.escaped(bytes), problem)
                continue
            }
            let name = String(decoding: bytes, as: UTF8.self)
            if prefix.isEmpty, name == BundleFile.signatureDirectory { continue }
            let path = prefix + name
            guard let node = try node(name, path: path, in: directory) else { continue }
            try visit(node, &problems)
            guard case .directory = node.content else { continue }
            guard depth < BundleLimits.depth else {
                problems.add(path, "nests too deep")
                continue
            }
            try self.visit(try directory.directory(name), prefix: path + "/", depth: depth + 1, visit)
        }
    }

    private mutating func node(
        _ name: String, path: String, in directory: DirectoryHandle
    ) throws(BatonError) -> Node? {
        guard let stamp = try directory.stamp(of: name) else {
            problems.add(path, "went away while it was read")
            return nil
        }
        switch stamp.kind {
        case .directory: return Node(path: path, stamp: stamp, content: .directory)
        case .file:
            let file = try directory.file(name)
            // The stamp of the open file, in case another file has taken its name meanwhile.
            return Node(path: path, stamp: try file.stamp(), content: .file(file))
        case .symlink:
            let target = try directory.linkTarget(of: name)
            guard let text = String(validating: target, as: UTF8.self) else {
                problems.add(path, "is a link to a name that is not UTF-8")
                return nil
            }
            return Node(path: path, stamp: stamp, content: .symlink(target: text))
        case .other:
            problems.add(path, "is \(stamp.kindDescription)")
            return nil
        }
    }

    private static let tooMany = BatonError(
        .resourceExhausted, reason: "bundle_too_large",
        "The bundle holds more than the \(BundleLimits.entries) files that one may have.")
}
