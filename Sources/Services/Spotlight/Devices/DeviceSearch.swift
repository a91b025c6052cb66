import BatonConcurrency
package import BatonCore
package import BatonWire
import SwiftProtobuf
import Synchronization

/// The account's other devices, as search needs them.
package protocol SpotlightDevices: Sendable {
    /// Those that are connected now.
    func connected() -> [DeviceID]
    /// As this device knows it; never what the other device says.
    func name(of device: DeviceID) -> String
    func find(
        _ request: Baton_Link_V1_FindItemsRequest, on device: DeviceID, timeout: Duration
    ) async throws -> Baton_Link_V1_FindItemsResponse
}

/// Searches on the account's other devices, and theirs here, while the person has allowed it on both. Nothing is copied
/// beforehand, and nothing is kept.
package final class DeviceSearch: Sendable {
    /// Results of one device.
    package static let maximumResults = 10
    /// Bytes of a query.
    package static let maximumQuery = 1024
    /// How long a person waits for other devices.
    package static let patience = Duration.milliseconds(150)
    /// A call whose search is over ends then: by it a connection is ready for the next search.
    private static let timeout = Duration.seconds(2)
    /// Policy: of more devices the others are not asked.
    private static let maximumDevices = 16
    /// Policy: with so many unanswered, a device is not asked again.
    private static let maximumUnanswered = 4

    package struct Answer: Sendable {
        /// One list for each device that answered, the best first.
        package var results: [[DeviceResult]] = []
        package var silent: [DeviceID] = []
    }

    let devices: any SpotlightDevices
    private let service: SpotlightService
    private let isAllowed: @Sendable () -> Bool
    private let patience: Duration
    private let rate = Mutex(QueryRate())
    /// Searches that a device has not answered yet. As many entries as there are devices with one.
    private let unanswered = Mutex<[DeviceID: Int]>([:])

    /// - Parameter isAllowed: whether the person has allowed it on this device.
    package init(
        _ service: SpotlightService, devices: any SpotlightDevices, patience: Duration = DeviceSearch.patience,
        isAllowed: @escaping @Sendable () -> Bool
    ) {
        self.service = service
        self.devices = devices
        self.patience = patience
        self.isAllowed = isAllowed
    }

    // MARK: Asking

    /// Asks the devices that are there. Returns after all have answered, and after ``patience`` at the latest. No device is asked
    /// while the person has not allowed it here, or while this device is locked.
    package func ask(_ query: String, bundleID: BundleID?) async -> Answer {
        guard isAllowed(), service.isUnlocked(), !query.isEmpty, query.utf8.count <= Self.maximumQuery else {
            return Answer()
        }
        let asked = devices.connected().sorted().prefix(Self.maximumDevices)
        guard !asked.isEmpty else { return Answer() }
        let request = Baton_Link_V1_FindItemsRequest.with {
            $0.query = query
            $0.bundleID = bundleID?.rawValue ?? ""
        }
        // One element of each device.
        let (answers, waiting) = AsyncStream.makeStream(
            of: (DeviceID, [DeviceResult]?).self, bufferingPolicy: .bufferingNewest(Self.maximumDevices))
        let begun = asked.filter(begin)
        guard !begun.isEmpty else { return Answer(silent: Array(asked)) }
        for device in begun {
            // Unstructured: it goes on when its search is over, so that a connection is ready the next time.
            Task { [self] in
                let results = await find(request, on: device)
                end(device)
                waiting.yield((device, results))
            }
        }
        let deadline = DeadlineTimer.shared.schedule(after: patience) { waiting.finish() }
        defer { DeadlineTimer.shared.cancel(deadline) }
        var found: [DeviceID: [DeviceResult]] = [:]
        var silent = Set(asked)
        var left = begun.count
        for await (device, results) in answers {
            left -= 1
            if let results {
                found[device] = results
                silent.remove(device)
            }
            if left == 0 { break }
        }
        return Answer(results: asked.compactMap { found[$0] }, silent: asked.filter(silent.contains))
    }

    /// - Returns: nil where the device cannot be asked; nothing where its person has not allowed it.
    private func find(
        _ request: Baton_Link_V1_FindItemsRequest, on device: DeviceID
    ) async -> [DeviceResult]? {
        do {
            let answer = try await devices.find(request, on: device, timeout: Self.timeout)
            let now = service.clock.milliseconds
            return answer.items.prefix(Self.maximumResults).compactMap { DeviceResult($0, from: device, now: now) }
        } catch let error as BatonError
            where error.reason == Self.notShared || [.unimplemented, .resourceExhausted].contains(error.code)
        {
            return []
        } catch {
            return nil
        }
    }

    private func begin(_ device: DeviceID) -> Bool {
        unanswered.withLock { unanswered in
            guard unanswered[device, default: 0] < Self.maximumUnanswered else { return false }
            unanswered[device, default: 0] += 1
            return true
        }
    }

    private func end(_ device: DeviceID) {
        unanswered.withLock { unanswered in
            let count = unanswered[device, default: 1] - 1
            unanswered[device] = count > 0 ? count : nil
        }
    }

    // MARK: Answering

    private static let notShared = "search_not_shared"

    /// The part of this device's index that another device of the account may see. Items of the class `.complete` are never among
    /// it, and nothing is while this device is locked.
    /// - Throws: `failed_precondition` with reason `search_not_shared`, also while locked: the reason does not reveal which;
    ///   `invalid_argument` with `query_too_long`; `resource_exhausted` with `too_many_queries`.
    package func answer(
        _ query: String, bundleID: BundleID?, for device: DeviceID
    ) async throws -> [SearchHit] {
        guard isAllowed(), service.isUnlocked() else {
            throw BatonError(
                .failedPrecondition, reason: Self.notShared,
                "This device is not searched by others now. “baton settings set search.devices on” allows it.")
        }
        guard query.utf8.count <= Self.maximumQuery else {
            throw BatonError(
                .invalidArgument, reason: "query_too_long", "A query has at most \(Self.maximumQuery) bytes.")
        }
        let now = service.clock.milliseconds
        try rate.withLock { rate throws(BatonError) in try rate.take(device, now: now) }
        var scope = service.scope(bundleID: bundleID?.rawValue)
        scope.isLocked = true
        let found = try await service.search(query, scope, isTyping: false, limit: Self.maximumResults)
        let hits = found.hits.filter { !$0.isRelated }
        // It may have been locked, or forbidden, meanwhile.
        return isAllowed() && service.isUnlocked() ? hits : []
    }

    // MARK: Opening

    /// Opens the page of a result of another device here.
    /// - Returns: nil for an identifier of something else.
    /// - Throws: `failed_precondition` with reason `opens_elsewhere` for a result without a page.
    func open(_ identifier: String) async throws -> (isHandled: Bool, name: String)? {
        guard let (device, page) = DeviceResult.read(identifier) else { return nil }
        guard let page else {
            let name = devices.name(of: device)
            throw BatonError(
                .failedPrecondition, reason: "opens_elsewhere",
                "This is on \(name), and has no page that could be opened here. Open it on \(name).")
        }
        service.recorder.record(
            "search", "page_opened", "The page of another device's result is opened.", ["device_id": device.rawValue])
        return (try await service.opener.open(url: page.text), page.shownHost)
    }
}
