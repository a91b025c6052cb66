package import BatonClient
package import BatonWire

/// How an activity came from another device: what the daemon needs to know when the app asks for streams.
package struct ContinuationReceipt: Sendable, Equatable {
    package var sessionID: String
    package var acceptanceID: String

    package init(sessionID: String, acceptanceID: String) {
        self.sessionID = sessionID
        self.acceptanceID = acceptanceID
    }
}

/// An app's request to open a pair of streams.
package enum StreamRequest: Sendable, Equatable {
    case open(Baton_App_V1_OpenStreamRequest)
    case accept(Baton_App_V1_AcceptStreamRequest)

    /// Longer than the daemons wait for each other, so that their own answer arrives.
    private static let timeout = Duration.seconds(15)

    package func open(socketPath: String, claim: AppClaim) async throws -> BytePipe {
        switch self {
        case .open(let request):
            try await BytePipe.open(
                ContinuationStreamMethods.openStream, request, socketPath: socketPath, claim: claim,
                timeout: Self.timeout)
        case .accept(let request):
            try await BytePipe.open(
                ContinuationStreamMethods.acceptStream, request, socketPath: socketPath, claim: claim,
                timeout: Self.timeout)
        }
    }
}
