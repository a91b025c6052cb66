import BatonCore
import BatonTrust
import FileCoordination
import LaunchServices
import Synchronization
import UniformTypes

/// Which directories are packages, by what the system and the installed apps declare.
final class PackageTypes: Sendable {
    private struct State {
        var registry = TypeRegistry.system
        /// By extension. Bounded.
        var known: [String: Bool] = [:]
    }

    private static let maximumKnown = 1024
    private let launchServices: LaunchServices
    private let state = Mutex(State())

    init(_ launchServices: LaunchServices) {
        self.launchServices = launchServices
        refresh()
    }

    /// After apps were installed or removed.
    func refresh() {
        let types = TypeRegistry(apps: launchServices.apps().map { ($0.bundleID.rawValue, $0.claims.declaredTypes) })
        state.withLock { $0 = State(registry: types) }
    }

    /// Whether a directory of this name is one document.
    func isPackage(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
        let suffix = String(name[dot...])
        return state.withLock { state in
            if let known = state.known[suffix] { return known }
            let type = state.registry.type(ofFileName: "x" + suffix, isDirectory: true)
            let isPackage = state.registry.conforms(type, to: "com.apple.package")
            if state.known.count >= Self.maximumKnown { state.known = [:] }
            state.known[suffix] = isPackage
            return isPackage
        }
    }

    /// The outermost package that a path is in, or else the path.
    func unit(of path: CoordinatedPath) -> CoordinatedPath {
        path.unit { prefix in isPackage(prefix.split(separator: "/").last.map(String.init) ?? prefix) }
    }
}
