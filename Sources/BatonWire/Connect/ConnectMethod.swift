package import SwiftProtobuf

/// One method of one service: its path, and the types of what is sent and answered.
package struct ConnectMethod<Request: Message & Sendable, Response: Message & Sendable>: Sendable {
    /// `/package.Service/Method`.
    package let path: String

    package init(_ service: String, _ method: String) {
        path = "/\(service)/\(method)"
    }
}

package enum ConnectProtocol {
    /// Grows when a peer must know more than unknown fields can express. See docs/protocol.md.
    package static let version: UInt32 = 1
    /// The oldest version that is still served (H-98).
    package static let oldestVersion: UInt32 = 1
}

/// The services that apps may call: those of the package `baton.app.v1`.
package enum AppPlane {
    /// Whether a path is of a method of these services, one that this version knows or not.
    package static func contains(path: String) -> Bool { path.hasPrefix("/baton.app.v1.") }
}
