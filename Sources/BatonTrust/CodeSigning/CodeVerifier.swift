package import BatonCore
import Files

/// Verifies bundles. Blocks: call it where blocking is fine.
package enum CodeVerifier {
    /// Checks the signature, then that exactly the files that were signed are there, unchanged.
    ///
    /// - Throws: `failed_precondition` with reason `bundle_unsigned`, `bundle_signature_invalid`, `bundle_tampered`
    ///   (naming what was changed, added or removed), `bundle_manifest_invalid`, `bundle_link_escapes` or
    ///   `entitlements_mismatch`; `invalid_argument` when the bundle is malformed.
    package static func verify(_ path: String) throws(BatonError) -> VerifiedBundle {
        let started = BundleSeal.now()
        let bundle = try BundleDirectory(path: path)
        var stamps = Stamps()
        let rootStamp = try bundle.root.stamp()
        let signed = try signedResources(bundle.root, &stamps)
        let team = try signed.signature.team(verifying: signed.bytes)
        let resources = try CodeResources(bytes: signed.bytes)
        try check(bundle.root, against: resources, &stamps)
        let info = try bundle.info(resources)
        let identity = info.identity(of: team)
        try info.entitlements.check(against: identity)
        return VerifiedBundle(
            identity: identity, info: info, resources: resources, digest: BundleHash.sha256(of: signed.bytes),
            name: bundle.name,
            seal: BundleSeal(
                root: path, rootStamp: rootStamp, stamps: stamps.all, showsEveryChange: stamps.showsEveryChange,
                started: started))
    }

    /// For the seal.
    private struct Stamps {
        var all: [(path: String, stamp: FileStamp)] = []
        var showsEveryChange = true

        mutating func add(_ path: String, _ stamp: FileStamp) { all.append((path, stamp)) }
    }

    private static func signedResources(
        _ root: DirectoryHandle, _ stamps: inout Stamps
    ) throws(BatonError) -> (bytes: [UInt8], signature: BundleSignature) {
        guard let stamp = try root.stamp(of: BundleFile.signatureDirectory) else { throw unsigned }
        let directory = try root.directory(BundleFile.signatureDirectory)
        stamps.add(BundleFile.signatureDirectory, stamp)
        var problems = BundleProblems()
        for name in try directory.names(limit: 1000) where !isSignatureFile(name) {
            problems.add(BundleFile.signatureDirectory + "/" + PrintableName.escaped(name), "was added")
        }
        guard problems.isEmpty else { throw tampered(problems) }
        func contents(_ name: String, limit: Int) throws(BatonError) -> [UInt8] {
            guard try directory.stamp(of: name) != nil else { throw unsigned }
            let file = try directory.file(name)
            if !file.showsEveryChange() { stamps.showsEveryChange = false }
            stamps.add(BundleFile.signatureDirectory + "/" + name, try file.stamp())
            return try file.contents(limit: limit)
        }
        let bytes = try contents(BundleFile.resources, limit: BundleLimits.manifestSize)
        return (bytes, try BundleSignature(bytes: try contents(BundleFile.signature, limit: 4096)))
    }

    private static func isSignatureFile(_ name: [UInt8]) -> Bool {
        name == Array(BundleFile.resources.utf8) || name == Array(BundleFile.signature.utf8)
    }

    private static func check(
        _ root: DirectoryHandle, against resources: CodeResources, _ stamps: inout Stamps
    ) throws(BatonError) {
        var missing = Set(resources.entries.keys)
        var walk = BundleWalk()
        try walk.visitAll(in: root) { node, problems throws(BatonError) in
            stamps.add(node.path, node.stamp)
            if case .file(let file) = node.content, !file.showsEveryChange() { stamps.showsEveryChange = false }
            guard missing.remove(node.path) != nil, let entry = resources.entries[node.path] else {
                problems.add(node.path, "was added")
                return
            }
            if let difference = try difference(node, entry) { problems.add(node.path, difference) }
        }
        var problems = walk.problems
        for path in missing.sorted() { problems.add(path, "was removed") }
        guard problems.isEmpty else { throw tampered(problems) }
    }

    private static func difference(
        _ node: BundleWalk.Node, _ entry: CodeResources.Entry
    ) throws(BatonError) -> String? {
        if node.stamp.changesIdentity { return "runs with the rights of its owner or group" }
        switch (node.content, entry) {
        case (.directory, .directory): return nil
        case (.symlink(let target), .symlink(let expected)):
            return target.utf8.elementsEqual(expected.utf8) ? nil : "is a link to somewhere else"
        case (.file(let file), .file(let hash, let size, let isExecutable)):
            guard node.stamp.size == size else { return "was changed" }
            let found = try BundleHash.sha256(of: file, limit: size)
            guard found.hash == hash, found.size == size else { return "was changed" }
            if node.stamp.isExecutable == isExecutable { return nil }
            return isExecutable ? "is not executable any more" : "was made executable"
        default: return "was replaced by \(node.stamp.kindDescription)"
        }
    }

    static func tampered(_ problems: BundleProblems) -> BatonError {
        problems.error(
            "bundle_tampered", "The bundle is not as it was signed",
            advice: "Get the app again from where it came from, or, if it is your own, sign it again.")
    }

    private static let unsigned = BatonError(
        .failedPrecondition, reason: "bundle_unsigned",
        "The bundle is not signed. Sign it with “baton sign”, or get a signed copy.")
}
