package import BatonCore
package import Files

/// Copies a bundle: the files that its manifest lists and nothing else.
package enum BundleCopy {
    /// Makes `name` in `destination`, with modes of its own choosing (755 and 644) and no other attributes, and returns
    /// once the copy would survive a loss of power. Blocks.
    ///
    /// The copy must be verified before it is trusted: the source may have changed since `bundle` was verified.
    package static func copy(
        _ bundle: VerifiedBundle, from source: DirectoryHandle, to destination: DirectoryHandle, as name: String
    ) throws(BatonError) {
        let root = try destination.makeNewDirectory(name, mode: 0o755)
        try copySignature(from: source, to: root)
        // Opened once per directory: contents follow their parents.
        var parent = (path: "", source: source, target: root)
        for path in bundle.resources.sortedPaths {
            guard let entry = bundle.resources.entries[path] else { continue }
            let components = path.split(separator: "/")
            guard let last = components.last.map(String.init) else { continue }
            let parentPath = components.dropLast().joined(separator: "/")
            if parentPath != parent.path {
                parent = (
                    parentPath, try source.directory(at: components.dropLast()),
                    try root.directory(at: components.dropLast())
                )
            }
            switch entry {
            case .directory: _ = try parent.target.makeNewDirectory(last, mode: 0o755)
            case .symlink(let target): try parent.target.makeLink(last, to: target)
            case .file(_, let size, let isExecutable):
                try copyFile(
                    last, from: parent.source, to: parent.target, limit: size, mode: isExecutable ? 0o755 : 0o644)
            }
        }
        try synchronize(root, bundle.resources)
        try destination.synchronize()
    }

    private static func copySignature(from source: DirectoryHandle, to root: DirectoryHandle) throws(BatonError) {
        let from = try source.directory(BundleFile.signatureDirectory)
        let to = try root.makeNewDirectory(BundleFile.signatureDirectory, mode: 0o755)
        for name in [BundleFile.resources, BundleFile.signature] {
            try copyFile(name, from: from, to: to, limit: Int64(BundleLimits.manifestSize), mode: 0o644)
        }
        try to.synchronize()
    }

    private static func copyFile(
        _ name: String, from source: DirectoryHandle, to target: DirectoryHandle, limit: Int64, mode: UInt32
    ) throws(BatonError) {
        let original = try source.file(name)
        let copy = try target.createFile(name, mode: mode)
        var rest = limit
        try original.forEachPiece { piece throws(BatonError) in
            rest -= Int64(piece.count)
            guard rest >= 0 else {
                throw BatonError(
                    .aborted, reason: "bundle_changed",
                    "“\(PrintableName.escaped(original.path))” grew while it was copied. Try again.")
            }
            try copy.write(piece)
            return true
        }
        try copy.synchronize()
    }

    /// Once all entries are made: a directory that was synchronized earlier would have to be again.
    private static func synchronize(_ root: DirectoryHandle, _ resources: CodeResources) throws(BatonError) {
        for (path, entry) in resources.entries where entry == .directory {
            try root.directory(at: path.split(separator: "/")).synchronize()
        }
        try root.synchronize()
    }
}
