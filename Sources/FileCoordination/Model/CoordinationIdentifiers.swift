/// A process that coordinates: its session with the daemon.
package struct CoordinationClient: Hashable, Sendable {
    package var number: UInt64
    /// The number of its app's first process, for bounds that hold for all processes of an app together.
    package var app: UInt64

    /// - Parameter app: nil for a process that is an app of its own.
    package init(_ number: UInt64, app: UInt64? = nil) {
        self.number = number
        self.app = app ?? number
    }
}

/// A call of a coordinator, from its request to its end. Its process numbers them.
package struct CoordinationRequestID: Hashable, Sendable {
    package var client: CoordinationClient
    package var number: UInt64

    package init(client: CoordinationClient, number: UInt64) {
        self.client = client
        self.number = number
    }
}

/// A presenter. Its process numbers them.
package struct FilePresenterID: Hashable, Sendable {
    package var client: CoordinationClient
    package var number: UInt64

    package init(client: CoordinationClient, number: UInt64) {
        self.client = client
        self.number = number
    }
}

/// A message that a presenter must answer. The arbiter numbers them.
package struct PresenterMessageID: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
}
