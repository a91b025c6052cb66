package import BatonCore
import Files
import Glibc

/// Signs bundles. Blocks: call it where blocking is fine.
package enum CodeSigner {
    /// Writes `_CodeSignature` into the bundle at `path`, in place of one that is there.
    ///
    /// The bundle is checked as a verifier would: a bundle that cannot be installed is not signed.
    /// - Throws: the bundle's problem, with the file's name.
    @discardableResult
    package static func sign(_ path: String, with team: TeamKey) throws(BatonError) -> VerifiedBundle {
        let bundle = try BundleDirectory(path: path)
        let resources = try CodeResources(entries: try entries(of: bundle.root))
        let bytes = resources.bytes
        let info = try bundle.info(resources)
        try info.entitlements.check(against: info.identity(of: team.identity))
        let signature = try BundleSignature(of: bytes, by: team)
        let directory = try bundle.root.makeDirectory(BundleFile.signatureDirectory, mode: 0o755)
        for name in try directory.names(limit: 1000) {
            let name = String(decoding: name, as: UTF8.self)
            // Leftovers of an interrupted signing.
            if name.hasPrefix(".") { try directory.remove(name) }
        }
        try directory.replaceFile(BundleFile.resources, with: bytes, mode: 0o644)
        try directory.replaceFile(BundleFile.signature, with: signature.bytes, mode: 0o644)
        return try CodeVerifier.verify(path)
    }

    private static func entries(of root: DirectoryHandle) throws(BatonError) -> [String: CodeResources.Entry] {
        var entries: [String: CodeResources.Entry] = [:]
        var walk = BundleWalk()
        try walk.visitAll(in: root) { node, problems throws(BatonError) in
            if node.stamp.changesIdentity { problems.add(node.path, "runs with the rights of its owner or group") }
            switch node.content {
            case .directory: entries[node.path] = .directory
            case .symlink(let target): entries[node.path] = .symlink(target: target)
            case .file(let file):
                let (hash, size) = try BundleHash.sha256(of: file, limit: BundleLimits.fileSize)
                if size > BundleLimits.fileSize { problems.add(node.path, "is larger than 4 GiB") }
                entries[node.path] = .file(hash: hash, size: size, isExecutable: node.stamp.isExecutable)
            }
        }
        guard walk.problems.isEmpty else {
            throw walk.problems.error(
                "bundle_invalid", "The bundle cannot be signed", advice: "Remove or rename what is named here.")
        }
        return entries
    }
}
