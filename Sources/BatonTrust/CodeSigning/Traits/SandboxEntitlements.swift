import BatonCore

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
    private static let exceptions = "com.apple.security.temporary-exception.files."

    init(_ entitlements: Entitlements) {
        isUnconfined = entitlements.values["com.apple.security.app-sandbox"] == .boolean(false)
        func paths(_ key: String) -> [String] {
            Array(
                entitlements.strings(Self.exceptions + key).filter { path in
                    path.hasPrefix("/") && path.utf8.count <= 4_000 && !path.utf8.contains(0)
                        && !path.split(separator: "/").contains("..")
                }.prefix(Self.maximumPaths))
        }
        readOnlyPaths = paths("absolute-path.read-only")
        readWritePaths = paths("absolute-path.read-write")
        homeReadOnlyPaths = paths("home-relative-path.read-only")
        homeReadWritePaths = paths("home-relative-path.read-write")
    }
}
