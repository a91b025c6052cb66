package import BatonClient
package import BatonCore
package import BatonWire

/// The other devices of the account, as Handoff needs them.
package protocol HandoffPeers: Sendable {
    /// Replaces the value sent to every connected device, and to each that connects. Does not block.
    func publish(_ snapshot: Baton_Link_V1_OfferSnapshot)
    /// - Throws: ``BatonError``: `failed_precondition` with reason `not_connected` when there is no connection to
    ///   start with, `unavailable` when it broke, `deadline_exceeded`, or what the other side answered.
    func fetchPayload(
        _ request: Baton_Link_V1_FetchPayloadRequest, from device: DeviceID, timeout: Duration
    ) async throws -> Baton_Link_V1_FetchPayloadResponse
    func acknowledge(
        _ request: Baton_Link_V1_AcknowledgeContinuationRequest, to device: DeviceID, timeout: Duration
    ) async throws
    /// A pair of streams to the app that offered an activity.
    /// - Throws: as ``fetchPayload(_:from:timeout:)``.
    func openStream(
        _ request: Baton_Link_V1_OpenStreamRequest, to device: DeviceID, timeout: Duration
    ) async throws -> BytePipe
    /// Bytes for a device are not answered: has it asked whether it is still there. Does not block.
    func askForAnswer(of device: DeviceID)
    func explain(
        _ request: Baton_Link_V1_ExplainActivityRequest, at device: DeviceID, timeout: Duration
    ) async throws -> Baton_Link_V1_ExplainActivityResponse
    /// Its name, or its identifier while the name is not known.
    func name(of device: DeviceID) -> String
    /// Every device of the account but this one, and whether it is connected.
    func devices() -> [DeviceID: Bool]
}

/// Site associations of this device's apps, as Handoff needs them.
package protocol HandoffSites: Sendable {
    /// The installed apps to which a page belongs for Handoff, as its site confirms. Does not wait for the network.
    func apps(claiming page: WebPage) -> [AppIdentity]
}

/// The browser of this device, as Handoff needs it.
package protocol HandoffBrowser: Sendable {
    /// False when the person wants none.
    var isAvailable: Bool { get }
    /// Returns when the browser has the page, as far as can be known.
    /// - Throws: ``BatonError`` with a sentence for the person.
    func open(_ page: WebPage) async throws
}

/// The apps of this device, as Handoff needs them.
package protocol HandoffApps: Sendable {
    /// Nil when it is not installed.
    func app(_ identity: AppIdentity) -> ContinuationApp?
}
