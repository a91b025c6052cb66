import BatonClient
import BatonCore
import BatonWire
import SwiftProtobuf

/// The account's other devices, in Handoff's words.
struct HandoffDevices: Sendable {
    private let peers: any HandoffPeers
    private let documents: DocumentRoots
    private let configuration: HandoffConfiguration

    init(peers: any HandoffPeers, documents: DocumentRoots, configuration: HandoffConfiguration) {
        self.peers = peers
        self.documents = documents
        self.configuration = configuration
    }

    func name(of device: DeviceID) -> String { peers.name(of: device) }

    /// Every device of the account but this one, and whether it is connected.
    var all: [DeviceID: Bool] { peers.devices() }

    func publish(_ snapshot: OfferSnapshot) { peers.publish(Baton_Link_V1_OfferSnapshot(snapshot)) }

    /// - Parameter app: the app that will continue the activity; nil when only its page is wanted.
    /// - Returns: the payload with the URLs of this device, and its size as it came; or why the origin sends none.
    /// - Throws: what ``HandoffPeers`` does, and what ``ActivityPayload/check(is:)`` finds.
    func fetchPayload(
        _ acceptance: AcceptanceID, _ activity: ActivityID, for app: AppIdentity?, from device: DeviceID
    ) async throws -> Result<(payload: ActivityPayload, size: Int), ActivityFailure> {
        let request = Baton_Link_V1_FetchPayloadRequest.with {
            $0.activityID = activity.rawValue
            $0.acceptanceID = acceptance.rawValue
            if let app { $0.app = .init(app) } else { $0.pageOnly = true }
        }
        let response = try await peers.fetchPayload(request, from: device, timeout: configuration.payloadDeadline)
        switch response.result {
        case .payload(let message):
            let size = try ActivityPayload(message).size()
            let payload = ActivityPayload(await incoming(message, for: app))
            try payload.check(is: activity)
            return .success((payload, size))
        case .error(let error):
            return .failure(ActivityFailure(error))
        case nil:
            return .failure(.init(.handoffFailed, "The other device sent nothing that this one knows."))
        }
    }

    /// With the URLs of this device, and without what should never have left the other one.
    private func incoming(
        _ message: Baton_Value_V1_ActivityPayload, for app: AppIdentity?
    ) async -> Baton_Value_V1_ActivityPayload {
        var message = message
        message.clearContentAttributes()
        message.clearForeignPage()
        // A page needs nothing else of the payload.
        guard let app else { return message }
        return await documents.incoming(message, for: app.team)
    }

    /// As it leaves this device. Search metadata stays here (H-39), whatever the app sent.
    func outgoing(_ payload: ActivityPayload, for app: AppIdentity?) async -> Baton_Value_V1_ActivityPayload {
        var message = payload.message
        message.clearContentAttributes()
        guard let app else { return message }
        return await documents.outgoing(message, of: app.team)
    }

    func acknowledge(_ acceptance: AcceptanceID, _ activity: ActivityID, to device: DeviceID) async throws {
        let request = Baton_Link_V1_AcknowledgeContinuationRequest.with {
            $0.activityID = activity.rawValue
            $0.acceptanceID = acceptance.rawValue
        }
        try await peers.acknowledge(request, to: device, timeout: .seconds(10))
    }

    func openStream(_ acceptance: AcceptanceID, _ activity: ActivityID, to device: DeviceID) async throws -> BytePipe {
        let request = Baton_Link_V1_OpenStreamRequest.with {
            $0.activityID = activity.rawValue
            $0.acceptanceID = acceptance.rawValue
        }
        return try await peers.openStream(request, to: device, timeout: configuration.streamOpenDeadline)
    }

    /// Bytes for a device are not answered: it is disconnected if it does not answer.
    func askForAnswer(of device: DeviceID) { peers.askForAnswer(of: device) }

    func explain(_ offer: Offer, at device: DeviceID) async throws -> [Baton_Link_V1_Stage] {
        try await peers.explain(.with { $0.offer = .init(offer) }, at: device, timeout: .seconds(5)).stages
    }
}

extension Baton_Value_V1_ActivityPayload {
    /// Removes the page of another device unless it may be opened here.
    mutating func clearForeignPage() {
        guard description_p.hasWebpageURL, WebPage.fromOtherDevice(description_p.webpageURL) == nil else { return }
        description_p.clearWebpageURL()
    }
}
