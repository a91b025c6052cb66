import BatonCore
import BatonTrust
import FileCoordination
import LaunchServices
import Synchronization
import UniformTypes

/// Which directories are packages, by what the system and the installed apps declare.
final class PackageTypes: Sendable {
    /// It holds for the apps that were there when it was made.
    private struct State {
        var changes: Int
        var registry: TypeRegistry
        /// By extension. Bounded.
        var known: [String: Bool] = [:]
    }

    private static let maximumKnown = 1024
    private let launchServices: LaunchServices
    /// Nil until a directory is asked about: making it takes longer than most steps of the start.
    private let state = Mutex<State?>(nil)

    init(_ launchServices: LaunchServices) {
        self.launchServices = launchServices
    }

    /// Whether a directory of this name is one document, by the apps that are installed now.
    func isPackage(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
        let suffix = String(name[dot...])
        let changes = launchServices.changes
        let (known, present) = state.withLock { state in
            state?.changes == changes ? (state?.known[suffix], state?.registry) : (nil, nil)
        }
        if let known { return known }
        // Made outside of the lock, for which every look at a directory waits.
        let registry =
            present
            ?? TypeRegistry(apps: launchServices.apps().map { ($0.bundleID.rawValue, $0.claims.declaredTypes) })
        let type = registry.type(ofFileName: "x" + suffix, isDirectory: true)
        let isPackage = registry.conforms(type, to: "com.apple.package")
        state.withLock { state in
            // Apps came or went meanwhile, and what they declare is known already.
            if let latest = state?.changes, latest > changes { return }
            if state?.changes != changes { state = State(changes: changes, registry: registry) }
            if state?.known.count == Self.maximumKnown { state?.known = [:] }
            state?.known[suffix] = isPackage
        }
        return isPackage
    }

    /// The outermost package that a path is in, or else the path.
    func unit(of path: CoordinatedPath) -> CoordinatedPath {
        path.unit { prefix in
            let name = prefix.utf8.lastIndex(of: UInt8(ascii: "/")).map { prefix.utf8[$0...].dropFirst() }
            return isPackage(name.map { String(Substring($0)) } ?? prefix)
        }
    }
}
