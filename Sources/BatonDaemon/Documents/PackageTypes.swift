import BatonCore
import BatonTrust
import FileCoordination
import LaunchServices
import Synchronization
import UniformTypes

/// Which directories are packages, by what the system and the installed apps declare.
final class PackageTypes: Sendable {
    private struct State {
        /// Nil until a directory is asked about: making it takes longer than most steps of the start.
        var registry: TypeRegistry?
        /// By extension. Bounded.
        var known: [String: Bool] = [:]
        /// Greater each time that apps come or go.
        var generation = 0
    }

    private static let maximumKnown = 1024
    private let launchServices: LaunchServices
    private let state = Mutex(State())

    init(_ launchServices: LaunchServices) {
        self.launchServices = launchServices
    }

    /// After apps were installed or removed.
    func refresh() { state.withLock { $0 = State(generation: $0.generation + 1) } }

    /// Whether a directory of this name is one document.
    func isPackage(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
        let suffix = String(name[dot...])
        if let known = state.withLock({ $0.known[suffix] }) { return known }
        let registry = currentRegistry()
        let type = registry.type(ofFileName: "x" + suffix, isDirectory: true)
        let isPackage = registry.conforms(type, to: "com.apple.package")
        state.withLock { state in
            // Not what was found before apps came or went.
            guard state.registry != nil else { return }
            if state.known.count >= Self.maximumKnown { state.known = [:] }
            state.known[suffix] = isPackage
        }
        return isPackage
    }

    /// Made outside of the lock, which those that report installed and removed apps wait for.
    private func currentRegistry() -> TypeRegistry {
        while true {
            let (known, generation) = state.withLock { ($0.registry, $0.generation) }
            if let known { return known }
            let made = TypeRegistry(
                apps: launchServices.apps().map { ($0.bundleID.rawValue, $0.claims.declaredTypes) })
            let isCurrent = state.withLock { state in
                guard state.generation == generation else { return false }
                state.registry = made
                return true
            }
            if isCurrent { return made }
        }
    }

    /// The outermost package that a path is in, or else the path.
    func unit(of path: CoordinatedPath) -> CoordinatedPath {
        path.unit { prefix in
            let name = prefix.utf8.lastIndex(of: UInt8(ascii: "/")).map { prefix.utf8[$0...].dropFirst() }
            return isPackage(name.map { String(Substring($0)) } ?? prefix)
        }
    }
}
