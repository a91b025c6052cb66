package import BatonCore

/// Who calls, and how long there is to answer.
package struct CallContext: Sendable {
    package var peer: Peer
    /// When the caller stops waiting; nil when it did not say.
    package var deadline: ContinuousClock.Instant?

    package init(peer: Peer, deadline: ContinuousClock.Instant? = nil) {
        self.peer = peer
        self.deadline = deadline
    }

    /// How the caller was authenticated by the transport, before any byte of the request was believed.
    package enum Peer: Sendable {
        /// A process on the local socket.
        case process(PeerProcess)
        /// A device of the account, by the certificate of its TLS connection.
        case device(DeviceID)
        /// Anybody who reached an open port: only while pairing.
        case stranger(address: String)
    }
}

/// A process at the other end of the local socket, as it was when it connected.
package struct PeerProcess: Hashable, Sendable {
    package var processID: Int32
    package var userID: UInt32
    /// In clock ticks since boot: a process identifier that is used again has another one.
    package var startTime: UInt64
    /// What `/proc/<pid>/exe` pointed at; nil when it could not be read.
    package var executable: String?

    package init(processID: Int32, userID: UInt32, startTime: UInt64, executable: String?) {
        self.processID = processID
        self.userID = userID
        self.startTime = startTime
        self.executable = executable
    }
}
