package import BatonClient
package import BatonCore
package import BatonWire
package import Peers

extension LinkPeers: HandoffPeers {
    package func publish(_ snapshot: Baton_Link_V1_OfferSnapshot) { publish(snapshot, on: PresenceTopics.offers) }

    package func fetchPayload(
        _ request: Baton_Link_V1_FetchPayloadRequest, from device: DeviceID, timeout: Duration
    ) async throws -> Baton_Link_V1_FetchPayloadResponse {
        try await call(HandoffMethods.fetchPayload, request, device, timeout)
    }

    package func acknowledge(
        _ request: Baton_Link_V1_AcknowledgeContinuationRequest, to device: DeviceID, timeout: Duration
    ) async throws {
        _ = try await call(HandoffMethods.acknowledgeContinuation, request, device, timeout)
    }

    package func openStream(
        _ request: Baton_Link_V1_OpenStreamRequest, to device: DeviceID, timeout: Duration
    ) async throws -> BytePipe {
        try await openPipe(HandoffMethods.openStream, request, device, timeout)
    }

    package func explain(
        _ request: Baton_Link_V1_ExplainActivityRequest, at device: DeviceID, timeout: Duration
    ) async throws -> Baton_Link_V1_ExplainActivityResponse {
        try await call(HandoffMethods.explainActivity, request, device, timeout)
    }
}
