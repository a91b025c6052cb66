package import BatonCore
package import BatonWire

/// The caller, and how long there is to answer.
package struct CallContext: Sendable {
    package var peer: Peer
    /// When the caller stops waiting; nil when it did not say.
    package var deadline: ContinuousClock.Instant?

    /// Where the caller's connection comes from; nil on the local plane.
    package var remoteAddress: DiscoveredAddress?

    /// The request's `Authorization`, on planes where the transport does not say who calls.
    package var authorization: String?
    /// The caller's claim about itself, on the app plane.
    package var claim = AppClaim.Fields()
    /// The app that calls, once it is admitted.
    var admitted: AdmittedCaller?
    /// The server as the caller named it, in `Host`: host:port.
    package var authority: String?
    /// The body's declared length in bytes; nil when it comes in chunks.
    package var bodyLength: Int?
    /// The budget of the call's bytes; nil on planes where connections alone bound them.
    package var share: ByteBudget.Share?
    /// Calls back when the caller's connection has closed, for calls that wait for a person.
    package var whenClosed: @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }
    /// Ends the caller's connection with all calls in progress.
    package var abandon: @Sendable () -> Void = {}
    /// For code that finds that the caller has proved who it is, on planes where the transport does not say so: the
    /// connection counts as the caller's from then on. Any number of times. Throws when the caller has too many.
    package var proved: @Sendable (PublicConnections.Caller) throws(BatonError) -> Void = { _ in }

    package init(
        peer: Peer, deadline: ContinuousClock.Instant? = nil, remoteAddress: DiscoveredAddress? = nil,
        authorization: String? = nil, authority: String? = nil
    ) {
        self.peer = peer
        self.remoteAddress = remoteAddress
        self.deadline = deadline
        self.authorization = authorization
        self.authority = authority
    }

    /// The process that calls.
    /// - Throws: `unauthenticated` for a caller that is no process of this device.
    package var process: PeerProcess {
        get throws(BatonError) {
            guard case .process(let process) = peer else {
                throw BatonError(.unauthenticated, reason: "not_local", "Only a process of this device may call this.")
            }
            return process
        }
    }

    /// The app that calls a method of the app plane.
    /// - Throws: `unauthenticated` for a caller that nothing has admitted.
    package var app: AdmittedCaller {
        get throws(BatonError) {
            guard let admitted else {
                throw BatonError(.unauthenticated, reason: "not_admitted", "Only an app may call this.")
            }
            return admitted
        }
    }

    /// The device that calls.
    /// - Throws: `unauthenticated` for a caller that is no device of the account.
    package var device: DeviceID {
        get throws(BatonError) {
            guard case .device(let device) = peer else {
                throw BatonError(
                    .unauthenticated, reason: "not_a_device", "Only a device of the account may call this.")
            }
            return device
        }
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
