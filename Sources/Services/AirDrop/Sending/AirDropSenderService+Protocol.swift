import AirDropArchive
import AirDropProtocol
import BatonConcurrency
import BatonCore
import BatonDiscovery
import Files
import Foundation
import NIOCore
import NIOSSL
import Synchronization
import Transfers

/// Sending by the AirDrop protocol.
extension AirDropSenderService {
    private static let bundleID = "development.baton"

    /// - Returns: the receiver's name, and how it ended.
    func send(
        _ paths: [String], _ urls: [String], to service: DiscoveredService, _ trust: AirDropTrust,
        _ tell: @escaping @Sendable (Event) async throws -> Void
    ) async throws -> (String, AirDropOutcome) {
        var items: [(path: String, type: String?)] = []
        for path in paths { items.append((path, await opening.type(ofFile: path))) }
        let named = items
        let packer = try await Self.disk.run { try ArchivePacker(named) }
        let request = try askRequest(packer.files, urls)
        let transfer = OutgoingTransfer(
            packer, request, trust, connect: { [self] in try await connect(service, trust) }, tell: tell)
        let outcome = try await transfer.run()
        var result: AirDropOutcome
        switch outcome {
        case .done:
            result = AirDropOutcome(.delivered)
            result.items = request.files.count + request.links.count
            result.bytes = packer.bytes
        case .declined: result = AirDropOutcome(.declined)
        case .timedOut: result = AirDropOutcome(.expired)
        case .cancelled: result = AirDropOutcome(.cancelled)
        case .failed(let error): result = AirDropOutcome(error)
        }
        return (transfer.receiverName ?? service.instance, result)
    }

    private func askRequest(_ files: [OfferedFile], _ urls: [String]) throws -> AskRequest {
        let name = devices.ownName()
        var generator = SystemRandomNumberGenerator()
        return AskRequest(
            senderComputerName: name.isEmpty ? "Baton" : name, senderModelName: "Linux",
            // A new one each time: it says nothing about this device.
            senderID: AirDropInstanceName.random(using: &generator).rawValue, bundleID: Self.bundleID, files: files,
            links: try urls.map { try OfferedLink($0) })
    }
}

/// One transfer by the AirDrop protocol, from its start to its end.
final class OutgoingTransfer: Sendable {
    private struct State {
        var connection: AirDropConnection?
        var name: String?
        var isOver = false
    }

    private let packer: ArchivePacker
    private let request: AskRequest
    private let trust: AirDropTrust
    private let connect: @Sendable () async throws -> AirDropConnection
    private let tell: @Sendable (AirDropSenderService.Event) async throws -> Void
    private let driver: StateMachineDriver<AirDropSender>
    private let state = Mutex(State())
    private let ended = Promise<AirDropSender.Outcome>()

    /// Longer than the receiver lets its person decide.
    private static let answerTimeout = Duration.seconds(120)
    private static let storeTimeout = Duration.seconds(180)
    /// Bytes that are sent at once.
    private static let blockSize = 256 << 10

    init(
        _ packer: ArchivePacker, _ request: AskRequest, _ trust: AirDropTrust,
        connect: @escaping @Sendable () async throws -> AirDropConnection,
        tell: @escaping @Sendable (AirDropSenderService.Event) async throws -> Void
    ) {
        self.packer = packer
        self.request = request
        self.trust = trust
        self.connect = connect
        self.tell = tell
        driver = StateMachineDriver(
            AirDropSender(needsUpload: request.needsUpload), clock: MomentClock(wall: .system))
        driver.connect { [weak self] in self?.perform($0) }
    }

    var receiverName: String? { state.withLock(\.name) }

    /// Cancelling the task cancels the transfer.
    func run() async throws -> AirDropSender.Outcome {
        try await withThrowingTaskGroup(of: AirDropSender.Outcome?.self) { group in
            group.addTask { [self] in
                try await driver.run()
                return nil
            }
            group.addTask { [self] in try await ended.value() }
            driver.input(.start)
            defer {
                driver.input(.cancel)
                group.cancelAll()
            }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            throw CancellationError()
        }
    }

    private func perform(_ action: AirDropSender.Action) {
        switch action {
        case .discover: attempt { [self] in try await discover() }
        case .ask: attempt { [self] in try await ask() }
        case .upload: attempt { [self] in try await upload() }
        case .changed(let phase):
            if case .ended(let outcome) = phase { ended.settle(.success(outcome)) }
        case .hangUp:
            state.withLock { state in
                state.isOver = true
                return state.connection
            }?.close()
        }
    }

    private func attempt(_ body: @escaping @Sendable () async throws -> Void) {
        driver.start { [driver] in
            do {
                try await body()
            } catch {
                driver.input(.failed(error as? BatonError ?? AirDropConnection.lost(error)))
            }
        }
    }

    private func discover() async throws {
        let connection = try await connect()
        let isOver = state.withLock { state in
            state.connection = connection
            return state.isOver
        }
        guard !isOver else { return connection.close() }
        let answer = try await connection.post(.discover, DiscoverRequest().body, timeout: .seconds(10))
        let receiver = try DiscoverAnswer(answer.body)
        state.withLock { $0.name = receiver.computerName }
        driver.input(.discovered(receiver))
    }

    private func ask() async throws {
        let connection = try connection
        let count = request.files.count + request.links.count
        let name = trust.name ?? SafeName.display(receiverName ?? "")
        try await tell(.asking(name: name, relation: trust.relation, items: count, bytes: packer.bytes))
        driver.input(.askSent)
        let answer = try await connection.post(.ask, request.body, timeout: Self.answerTimeout)
        driver.input(answer.status == AirDropStatus.accepted ? .accepted : .refused(status: answer.status))
    }

    private func upload() async throws {
        let updates = Broadcaster<TransferProgress>(.newest)
        let stream = updates.subscribe()
        let (packer, driver) = (packer, driver)
        let connection = try connection
        driver.start { [tell] in for await update in stream { try? await tell(.progress(update)) } }
        defer { updates.finish() }
        let answer = try await connection.upload(
            on: BlockingQueue("baton.airdrop.upload"), timeout: Self.storeTimeout,
            { send in
                var block = ByteBuffer()
                while let piece = try packer.next() {
                    block.writeBytes(piece)
                    guard block.readableBytes >= Self.blockSize else { continue }
                    try send(block)
                    block = ByteBuffer()
                    driver.input(.uploadProgressed(bytes: packer.bytesRead))
                    updates.send(
                        TransferProgress(bytes: packer.bytesRead, totalBytes: packer.bytes, totalFiles: 0))
                }
                if block.readableBytes > 0 { try send(block) }
            }, sent: { driver.input(.uploadSent) })
        driver.input(.uploadAnswered(status: answer.status))
    }

    private var connection: AirDropConnection {
        get throws {
            guard let connection = state.withLock({ $0.isOver ? nil : $0.connection }) else {
                throw AirDropConnection.lost(nil)
            }
            return connection
        }
    }
}
