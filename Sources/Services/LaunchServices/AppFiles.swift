import BatonCore
import BatonTrust
import Files
import Foundation

/// Installed bundles on the disk: `applications/<bundle identifier>/<random>/Name.app`. Every method blocks.
///
/// An installation never touches the files of the one that it replaces: it makes a directory of its own, and the
/// database's row says which directory counts. A directory that no row names is a leftover.
struct AppFiles: Sendable {
    /// Without links on the way, as the kernel reports executables.
    let applications: String

    init(_ path: String) throws(BatonError) {
        guard let resolved = RealPath.resolved(path) else { throw FileFailure.error("open", path) }
        applications = resolved
    }

    func absolute(_ relative: String) -> String { applications + "/" + relative }

    /// Copies a verified bundle and verifies the copy.
    /// - Returns: where the copy is, below `applications`, and what is known of it.
    func copy(
        _ bundle: VerifiedBundle, from path: String, step: (InstallStep) -> Void
    ) throws(BatonError) -> (relativePath: String, bundle: VerifiedBundle) {
        let root = try DirectoryHandle(path: applications)
        let home = try root.makeDirectory(bundle.identity.bundleID.rawValue, mode: 0o700)
        let unique = String(UInt64.random(in: .min ... .max), radix: 36)
        let fresh = try home.makeNewDirectory(unique, mode: 0o700)
        let relativePath = "\(bundle.identity.bundleID)/\(unique)/\(bundle.name)"
        do throws(BatonError) {
            try BundleCopy.copy(bundle, from: try DirectoryHandle(path: path), to: fresh, as: bundle.name)
            try home.synchronize()
            try root.synchronize()
            step(.copied)
            let copy = try CodeVerifier.verify(absolute(relativePath))
            guard copy.identity == bundle.identity, copy.digest == bundle.digest else {
                throw BatonError(
                    .aborted, reason: "bundle_changed",
                    "The bundle was changed while it was installed. Install it again when it is complete.")
            }
            step(.copyVerified)
            return (relativePath, copy)
        } catch {
            try? home.removeTree(unique)
            // Only if nothing else is in it.
            try? root.remove(bundle.identity.bundleID.rawValue, isDirectory: true)
            throw error
        }
    }

    /// Removes one installation, given the path of its bundle below `applications`.
    func remove(_ relativePath: String) throws(BatonError) {
        let components = relativePath.split(separator: "/")
        guard components.count == 3 else { return }
        let root = try DirectoryHandle(path: applications)
        guard try root.stamp(of: String(components[0])) != nil else { return }
        try root.directory(String(components[0])).removeTree(String(components[1]))
        // Only if nothing else is in it.
        try? root.remove(String(components[0]), isDirectory: true)
    }

    /// Removes everything that no installation in `kept` uses: leftovers of an interrupted one. Those that cannot be removed are
    /// passed over.
    /// - Returns: how many directories were removed, and why others were not.
    func removeLeftovers(keeping kept: [String]) throws(BatonError) -> (removed: Int, failures: [BatonError]) {
        let kept = Set(kept.map { $0.split(separator: "/").prefix(2).joined(separator: "/") })
        let root = try DirectoryHandle(path: applications)
        var removed = 0
        var failures: [BatonError] = []
        for home in try root.names(limit: 1_000_000) {
            let home = String(decoding: home, as: UTF8.self)
            do throws(BatonError) {
                guard try root.stamp(of: home)?.kind == .directory else { continue }
                let directory = try root.directory(home)
                for unique in try directory.names(limit: 1_000_000) {
                    let unique = String(decoding: unique, as: UTF8.self)
                    if kept.contains("\(home)/\(unique)") { continue }
                    do throws(BatonError) {
                        try directory.removeTree(unique)
                        removed += 1
                    } catch {
                        failures.append(error)
                    }
                }
                try? root.remove(home, isDirectory: true)
            } catch {
                failures.append(error)
            }
        }
        return (removed, failures)
    }
}
