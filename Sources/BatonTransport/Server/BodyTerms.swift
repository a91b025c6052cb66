import BatonCore
package import BatonWire

/// The limits of a request's body, as its head decides.
package struct BodyTerms: Sendable {
    package var limits: ConnectLimits
    /// How long the caller may take to send a unary request, or the first message of a stream.
    package var timeout: Duration
    /// The budget of the bytes of the request and its answer; nil where connections alone bound them.
    package var share: ByteBudget.Share?

    package init(limits: ConnectLimits, timeout: Duration, share: ByteBudget.Share? = nil) {
        self.limits = limits
        self.timeout = timeout
        self.share = share
    }
}

extension ByteBudget {
    // One budget for each plane of this process: a client that fills one does not block another. 64 MiB together.

    /// For apps and commands of this machine: 32 MiB, and a half of it for one process.
    package static let local = ByteBudget(maximum: 32 << 20, perClient: 16 << 20)
    /// For devices of the account: 24 MiB, and a half of it for one device.
    package static let link = ByteBudget(maximum: 24 << 20, perClient: 12 << 20)
    /// For callers who have proved nothing: 8 MiB, and a quarter of it for one network.
    package static let strangers = ByteBudget(maximum: 8 << 20, perClient: 2 << 20)

    /// Terms under which each caller of a plane takes from this budget.
    func terms(
        limits: ConnectLimits, timeout: Duration = .seconds(10)
    ) -> @Sendable (_ path: String, _ context: CallContext) throws -> BodyTerms {
        { _, context in BodyTerms(limits: limits, timeout: timeout, share: self.share(of: Self.client(context.peer))) }
    }

    private static func client(_ peer: CallContext.Peer) -> String {
        switch peer {
        case .process(let process): "process \(process.processID) \(process.startTime)"
        case .device(let device): "device \(device)"
        case .stranger(let address): "network \(UnauthenticatedGate.network(of: address))"
        }
    }
}
