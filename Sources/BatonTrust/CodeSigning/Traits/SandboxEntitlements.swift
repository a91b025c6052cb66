package import BatonCore

/// Access beyond the default sandbox that an app requests by Apple's entitlements.
package struct SandboxEntitlements: Sendable, Hashable, Codable {
    /// `com.apple.security.app-sandbox` is false: the app is launched without the sandbox, as a web view needs that
    /// mounts things itself.
    package var isUnconfined = false
    /// `com.apple.security.temporary-exception.files.absolute-path.read-only`.
    package var readOnlyPaths: [String] = []
    /// `com.apple.security.temporary-exception.files.absolute-path.read-write`.
    package var readWritePaths: [String] = []
    /// `com.apple.security.temporary-exception.files.home-relative-path.read-only`, below the person's home.
    package var homeReadOnlyPaths: [String] = []
    /// `com.apple.security.temporary-exception.files.home-relative-path.read-write`, below the person's home.
    package var homeReadWritePaths: [String] = []

    package init() {}

    static let maximumPaths = 64
    private static let sandbox = "com.apple.security.app-sandbox"
    private static let exceptions = "com.apple.security.temporary-exception.files."

    /// - Throws: `failed_precondition` for an entitlement of another type, and for a path that no question can offer.
    package init(_ entitlements: Entitlements) throws(BatonError) {
        switch entitlements.values[Self.sandbox] {
        case nil, .boolean(true)?: isUnconfined = false
        case .boolean(false)?: isUnconfined = true
        default: throw Self.invalid(Self.sandbox, "must be true or false")
        }
        readOnlyPaths = try Self.paths(entitlements, "absolute-path.read-only")
        readWritePaths = try Self.paths(entitlements, "absolute-path.read-write")
        homeReadOnlyPaths = try Self.paths(entitlements, "home-relative-path.read-only")
        homeReadWritePaths = try Self.paths(entitlements, "home-relative-path.read-write")
    }

    private static func paths(_ entitlements: Entitlements, _ name: String) throws(BatonError) -> [String] {
        let key = exceptions + name
        guard let value = entitlements.values[key] else { return [] }
        guard case .array(let elements) = value, elements.count <= maximumPaths else {
            throw invalid(key, "must be an array of at most \(maximumPaths) paths")
        }
        var paths: [String] = []
        for element in elements {
            guard case .string(let path) = element else { throw invalid(key, "must hold texts only") }
            guard isAcceptable(path) else {
                throw invalid(
                    key,
                    "has the path “\(path.shortened(toBytes: 80))”. A path begins with “/”, is not “/” itself, has neither "
                        + "“.” nor “..” in it, and is not in /proc")
            }
            paths.append(path)
        }
        return paths
    }

    /// Whether an app may ask for a path. Not for everything, nor for what shows other processes: an app that needs that
    /// says that it has no sandbox.
    package static func isAcceptable(_ path: String) -> Bool {
        let names = path.split(separator: "/")
        return path.hasPrefix("/") && path.utf8.count <= 4_000 && !names.isEmpty && names[0] != "proc"
            && !names.contains("..") && !names.contains(".")
            && path.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private static func invalid(_ key: String, _ what: String) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "invalid_entitlement",
            "In Entitlements.plist, “\(key)” \(what). Correct it and sign again.")
    }

    /// The app's requests beyond its container, one text for each, as the protocol has it.
    package var access: [String] {
        guard !isUnconfined else { return ["unconfined"] }
        let texts =
            readOnlyPaths.map { "read " + $0 } + readWritePaths.map { "write " + $0 }
            + homeReadOnlyPaths.map { "read ~" + $0 } + homeReadWritePaths.map { "write ~" + $0 }
        return Set(texts).sorted()
    }

    /// The part of its ``access`` that goes beyond another's, as of the version that is installed.
    package func access(beyond other: SandboxEntitlements?) -> [String] {
        guard let other else { return access }
        guard !other.isUnconfined else { return [] }
        return access.filter { !other.access.contains($0) }
    }
}
