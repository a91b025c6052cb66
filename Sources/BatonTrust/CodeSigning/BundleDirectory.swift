import BatonCore
import Glibc

/// An open bundle.
struct BundleDirectory {
    let root: DirectoryHandle
    /// `Name.app`.
    let name: String

    init(path: String) throws(BatonError) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard let last = path.split(separator: "/").last, last.hasSuffix(".app"), last != ".app" else {
            throw BatonError(
                .invalidArgument, reason: "not_a_bundle",
                "“\(PrintableName.escaped(path))” is not a bundle: its name must end with “.app”.")
        }
        name = String(last)
        if let problem = PrintableName.problem(Array(name.utf8)) {
            throw BatonError(
                .invalidArgument, reason: "not_a_bundle",
                "The name of the bundle “\(PrintableName.escaped(name))” \(problem). Rename it.")
        }
        root = try DirectoryHandle(path: path)
    }

    /// What the bundle says of itself, from files whose hashes are those of the manifest.
    func info(_ resources: CodeResources) throws(BatonError) -> BundleInfo {
        guard let infoPlist = try verifiedFile(BundleFile.info, resources) else {
            throw BatonError(
                .invalidArgument, reason: "bundle_invalid", "The bundle has no Info.plist. Every app needs one.")
        }
        let info = try BundleInfo(
            infoPlist: infoPlist, entitlements: try verifiedFile(BundleFile.entitlements, resources),
            bundleName: name)
        guard case .file(_, _, isExecutable: true) = resources.entries[info.executable] else {
            throw BatonError(
                .invalidArgument, reason: "bundle_invalid",
                "The executable “\(PrintableName.escaped(info.executable))” that Info.plist names is not an executable "
                    + "file of the bundle. Put it there, with the mode 755.")
        }
        return info
    }

    private func verifiedFile(_ name: String, _ resources: CodeResources) throws(BatonError) -> [UInt8]? {
        guard let entry = resources.entries[name] else { return nil }
        let bytes = try root.file(name).contents(limit: BundleLimits.plistSize)
        guard case .file(BundleHash.sha256(of: bytes), _, _) = entry else {
            var problems = BundleProblems()
            problems.add(name, "was changed")
            throw CodeVerifier.tampered(problems)
        }
        return bytes
    }
}
