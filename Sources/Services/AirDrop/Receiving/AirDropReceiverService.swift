import AirDropArchive
package import AirDropProtocol
import BatonConcurrency
package import BatonCore
package import BatonDiscovery
import BatonTransport
import Files
import Foundation
package import Logging
import ServiceLifecycle
import Synchronization
package import Transfers

/// Receives: asks the person, takes what was accepted, and puts it into place.
///
/// Safe to use from any task.
package final class AirDropReceiverService: Service {
    package static let defaultPort = 22868
    /// Events that a watcher has not read. Policy: its stream ends.
    private static let maximumUnread = 512

    package struct Configuration: Sendable {
        /// Interfaces of the listener; nil for every one but the loopback.
        package var interfaces: [String]?
        package var port: Int
        /// The person's folder of downloads.
        package var downloads: String
        /// Where the daemon keeps what it has for AirDrop.
        package var folder: String

        package init(interfaces: [String]?, port: Int, downloads: String, folder: String) {
            self.interfaces = interfaces
            self.port = port
            self.downloads = downloads
            self.folder = folder
        }
    }

    /// The visibility of this device to others.
    package struct Status: Hashable, Sendable {
        package var visibility: AirDropVisibility
        /// When everyone no longer sees it, in milliseconds since 1970.
        package var until: UInt64?
        /// The open port; nil while the listener is closed.
        package var port: Int?
        package var problem: String?
        package var acceptsOwnDevices = false
    }

    struct Acceptor {
        /// Nil for the usual places.
        var directory: String?
    }

    struct State {
        var transfers: [AskID: IncomingTransfer] = [:]
        var lastNumber: UInt64 = 0
        var connections: [ObjectIdentifier: ConnectionID] = [:]
        var uploads: [UploadID: Promise<IncomingTransfer>] = [:]
        /// Watchers that accept everything, and where each wants the files.
        var acceptors: [UInt64: Acceptor] = [:]
        var port: Int?
        var problem: String?
        /// The name under which this device is announced to everyone.
        var instance: String?
    }

    let configuration: Configuration
    let devices: any AirDropDevices
    let transfers: TransferClient
    let opening: any AirDropOpening
    let history: AirDropHistory
    let driver: StateMachineDriver<AirDropReceiver>
    /// Offers of the account's devices, which do not use Apple's protocol.
    let own: StateMachineDriver<OwnOffers>
    let state = Mutex(State())
    let recorder: any EventRecorder
    let contacts: any AirDropContacts
    let access: ContactAccess
    let discovery: any Discovery
    let listener: AirDropListener
    /// The items that own devices may send again.
    let paused = PausedDownloads()
    /// The connections of strangers.
    let gate = AirDropListener.gate()
    /// The visibility of this device may have changed.
    let openings = Broadcaster<Void>(.newest)
    private let events = Broadcaster<ReceivingEvent>(.bounded(maximumUnread))
    private let wall: WallClock

    package init(
        configuration: Configuration, devices: any AirDropDevices, transfers: TransferClient,
        contacts: any AirDropContacts, opening: any AirDropOpening, discovery: any Discovery, history: AirDropHistory,
        recorder: any EventRecorder, logger: Logger, wall: WallClock = .system
    ) {
        self.configuration = configuration
        self.devices = devices
        self.transfers = transfers
        self.contacts = contacts
        access = ContactAccess(contacts)
        self.opening = opening
        self.discovery = discovery
        self.history = history
        self.recorder = recorder
        self.wall = wall
        listener = AirDropListener(interfaces: configuration.interfaces, port: configuration.port, logger: logger)
        var machine = AirDropReceiver.Configuration()
        machine.stallTimeout = .seconds(60)
        let visibility = Self.kept(in: configuration.folder)
        driver = StateMachineDriver(
            AirDropReceiver(visibility: visibility, configuration: machine), clock: MomentClock(wall: wall))
        own = StateMachineDriver(OwnOffers(hears: visibility != .off), clock: MomentClock(wall: wall))
        driver.connect { [weak self] in self?.perform($0) }
        own.connect { [weak self] in self?.perform($0) }
    }

    // MARK: Running

    package func run() async throws {
        await removeLeftovers()
        let changes = contacts.changes()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [driver] in try await driver.run() }
            group.addTask { [own] in try await own.run() }
            group.addTask { [self] in await cancelWhenGracefulShutdown { await self.listen() } }
            group.addTask { [self] in await cancelWhenGracefulShutdown { await self.follow(changes) } }
            try await group.waitForAll()
        }
        events.finish()
        paused.removeAll()
    }

    /// Removes what transfers that a crash has ended left behind.
    private func removeLeftovers() async {
        let (downloads, incoming) = (configuration.downloads, configuration.folder + "/incoming")
        let shared = AirDropSharing.folder(in: configuration.folder)
        await Self.disk.run {
            StagingFolder.removeLeftovers(in: downloads)
            try? FileManager.default.removeItem(atPath: incoming)
            try? FileManager.default.removeItem(atPath: shared)
        }
    }

    // MARK: Visibility

    package var status: Status {
        let (visibility, ends) = driver.read { ($0.visibility, $0.everyoneEnds) }
        let left = ends.map { $0 - driver.now.monotonic }
        return state.withLock { state in
            Status(
                visibility: visibility,
                until: left.map { wall.milliseconds + UInt64(max(0, $0 / .milliseconds(1))) },
                port: state.port, problem: state.problem, acceptsOwnDevices: own.read(\.accepts))
        }
    }

    /// Sets the devices that may see this one from now on. `everyone` ends after ten minutes and does not survive a restart.
    package func setVisibility(_ visibility: AirDropVisibility) {
        driver.input(.setVisibility(visibility))
        own.input(.setHears(visibility != .off, declines: true))
    }

    /// Whether what own devices send is taken without a question.
    package func setAcceptsOwnDevices(_ accepts: Bool) { own.input(.setAccepts(accepts)) }

    private static func kept(in folder: String) -> AirDropVisibility {
        guard let bytes = try? AtomicFile.read(folder + "/visibility", limit: 64) else { return .contacts }
        return AirDropVisibility(rawValue: String(decoding: bytes, as: UTF8.self)) ?? .contacts
    }

    private func keep(_ visibility: AirDropVisibility) {
        guard visibility != .everyone else { return }
        do {
            try ReceivedItems.prepare(configuration.folder)
            try AtomicFile.write(Array(visibility.rawValue.utf8), to: configuration.folder + "/visibility")
        } catch {
            recorder.record("airdrop", "not_kept", "The visibility could not be kept: \(error)", [:])
        }
    }

    // MARK: People

    /// The questions that are open, then what happens to transfers.
    package func watch() -> AsyncStream<ReceivingEvent> {
        state.withLock { state in
            let open = state.transfers.sorted { $0.key < $1.key }.filter { $0.value.update { $0.outcome == nil } }
            return events.subscribe(
                open.flatMap { _, transfer -> [ReceivingEvent] in
                    let isAccepted = transfer.update(\.isAccepted)
                    return [.asked(transfer.question)] + (isAccepted ? [.accepted(transfer.question.id)] : [])
                })
        }
    }

    /// Accepts every question for as long as `body` runs.
    package func accepting<Result: Sendable>(
        into directory: String?, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let (number, open) = state.withLock { state in
            state.lastNumber += 1
            state.acceptors[state.lastNumber] = Acceptor(directory: directory)
            return (state.lastNumber, Array(state.transfers.keys))
        }
        defer { _ = state.withLock { $0.acceptors.removeValue(forKey: number) } }
        for id in open { acceptIfWatched(id) }
        return try await body()
    }

    /// The person's answer.
    /// - Throws: `not_found` for a question that is over; `failed_precondition` for a folder that cannot be used.
    package func decide(_ id: TransferID, accepts: Bool, directory: String? = nil) throws(BatonError) {
        let ask = state.withLock { $0.transfers.first { $0.value.question.id == id } }
        guard let ask else {
            throw BatonError(
                .notFound, reason: "unknown_transfer",
                "This question is over: the sender does not wait for an answer any more.")
        }
        if accepts, let directory {
            try ReceivedItems.prepare(directory)
            ask.value.update { $0.directory = directory }
        }
        decided(ask.key, ask.value, accepts: accepts)
    }

    private func acceptIfWatched(_ id: AskID) {
        let (acceptor, transfer) = state.withLock { ($0.acceptors.max { $0.key < $1.key }?.value, $0.transfers[id]) }
        guard let acceptor, let transfer else { return }
        if let directory = acceptor.directory { transfer.update { $0.directory = directory } }
        decided(id, transfer, accepts: true)
    }

    private func decided(_ id: AskID, _ transfer: IncomingTransfer, accepts: Bool) {
        switch transfer.source {
        case .stranger: driver.input(.decided(id, accepts: accepts))
        case .device: own.input(.decided(id, accepts: accepts))
        }
    }

    // MARK: Actions

    private func perform(_ action: AirDropReceiver.Action) {
        switch action {
        case .visibilityChanged(let visibility):
            keep(visibility)
            // When the ten minutes are over, no question is declined: the person may be reading.
            own.input(.setHears(visibility != .off, declines: false))
            openings.send(())
        case .question(let id): question(id)
        case .withdrawQuestion: break  // Followed by `finished`, which is reported.
        case .accept(let id): accept(id)
        case .refuseAsk(let id, let error):
            transfer(id)?.answer.settle(.failure(error))
        case .receive(let id, let upload):
            guard let transfer = transfer(id) else { return }
            state.withLock { $0.uploads.removeValue(forKey: upload) }?.settle(.success(transfer))
        case .refuseUpload(let upload, let error):
            state.withLock { $0.uploads.removeValue(forKey: upload) }?.settle(.failure(error))
        case .deliver(let id):
            driver.start { [self] in await deliver(id) }
        case .finished(let id, let outcome):
            finished(id, outcome)
        }
    }

    private func perform(_ action: OwnOffers.Action) {
        switch action {
        case .question(let id): question(id)
        case .accept(let id):
            accept(id)
            beginDownload(id)
        case .refuse(let id, let error):
            transfer(id)?.answer.settle(.failure(error))
        case .deliver(let id):
            own.start { [self] in await deliver(id) }
        case .finished(let id, let outcome):
            finished(id, outcome)
        }
    }

    private func question(_ id: AskID) {
        guard let transfer = transfer(id) else { return }
        recorder.record(
            "airdrop", "asked", "Another device wants to send.", ["transfer_id": "\(transfer.question.id)"])
        events.send(.asked(transfer.question))
        acceptIfWatched(id)
    }

    private func accept(_ id: AskID) {
        guard let transfer = transfer(id) else { return }
        transfer.update { $0.isAccepted = true }
        events.send(.accepted(transfer.question.id))
        transfer.answer.settle(.success(()))
    }

    func transfer(_ id: AskID) -> IncomingTransfer? { state.withLock { $0.transfers[id] } }

    func tell(_ event: ReceivingEvent) { events.send(event) }

    private func finished(_ id: AskID, _ result: AirDropReceiver.Outcome) {
        guard let transfer = state.withLock({ $0.transfers.removeValue(forKey: id) }) else { return }
        transfer.isOver()
        var outcome: AirDropOutcome
        var failure: BatonError?
        switch result {
        case .delivered: outcome = transfer.update { $0.outcome } ?? AirDropOutcome(.delivered)
        case .declined: outcome = AirDropOutcome(.declined)
        case .expired:
            outcome = AirDropOutcome(.expired)
            outcome.message = "The question was not answered in time."
        case .withdrawn:
            outcome = AirDropOutcome(.cancelled)
            outcome.message = "The sender cancelled."
        case .failed(let error) where error.reason == "sender_cancelled":
            outcome = AirDropOutcome(.cancelled)
            outcome.message = "The sender cancelled."
            failure = error
        case .failed(let error):
            outcome = AirDropOutcome(error)
            failure = error
        }
        outcome.bytes = transfer.update { $0.bytes }
        let ended = outcome
        let extractor = transfer.update { state in
            state.outcome = ended
            // With it goes what is not in its place.
            state.files = nil
            defer { state.extractor = nil }
            state.download?.cancel()
            return state.extractor
        }
        extractor?.cancel()
        let isDelivered = outcome.result == .delivered
        transfer.stored.settle(isDelivered ? .success(()) : .failure(failure ?? Self.over))
        transfer.answer.settle(.failure(failure ?? Self.over))
        history.add(
            AirDropHistory.Record(
                time: wall.milliseconds, isSent: false, peer: transfer.question.sender,
                names: transfer.question.names + transfer.question.links, outcome: outcome))
        recorder.record(
            "airdrop", "received", "A transfer to this device ended: \(outcome.result.rawValue).",
            ["transfer_id": "\(transfer.question.id)", "reason": outcome.reason])
        events.send(.ended(transfer.question.id, outcome))
        if case .device(let device, let manifest) = transfer.source, !manifest.entries.isEmpty {
            tellSender(transfer, device, manifest, isDelivered ? nil : failure ?? Self.over)
        }
    }

    private func tellSender(
        _ transfer: IncomingTransfer, _ device: DeviceID, _ manifest: TransferManifest, _ failure: BatonError?
    ) {
        own.start { [transfers] in
            try? await transfers.finish(transfer.question.id, manifest, from: device, failure: failure)
        }
    }

    static let over = BatonError(
        .aborted, reason: "transfer_over", "The transfer is over. Nothing of it was kept.")
}
