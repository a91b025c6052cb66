import AirDropProtocol
import BatonConcurrency
package import BatonCore
import BatonTransport
import BatonTrust
import Crypto
import Foundation
package import Logging
import NIOSSL
import Synchronization
package import Transfers

/// One-time addresses on the local network, where a browser downloads or uploads files. Safe to use from any task.
package final class AirDropWeb: Sendable {
    package static let defaultPort = 22869
    /// Policy: more addresses at once are refused.
    private static let maximumSessions = 8
    /// How long the last answers may take once an address is over.
    private static let closeTimeout = Duration.seconds(5)

    package struct Address: Hashable, Sendable {
        /// One for each address of this device; the first is the likeliest.
        package var urls: [String]
        /// SHA-256 of the certificate, in hexadecimal.
        package var fingerprint: String
        /// Milliseconds since 1970.
        package var until: UInt64
        package var port: Int
    }

    package enum Event: Hashable, Sendable {
        case address(Address)
        case progress(TransferProgress)
        case ended(AirDropOutcome)
    }

    private let interfaces: [String]?
    private let downloads: String
    private let deviceName: @Sendable () -> String
    private let listener: AirDropListener
    private let history: AirDropHistory
    private let recorder: any EventRecorder
    private let wall: WallClock
    private let count = Mutex(0)

    package init(
        interfaces: [String]?, port: Int, downloads: String, deviceName: @escaping @Sendable () -> String,
        history: AirDropHistory, recorder: any EventRecorder, logger: Logger, wall: WallClock = .system
    ) {
        self.interfaces = interfaces
        self.downloads = downloads
        self.deviceName = deviceName
        listener = AirDropListener(interfaces: interfaces, port: port, logger: logger)
        self.history = history
        self.recorder = recorder
        self.wall = wall
    }

    /// Opens an address, and serves it until it was used, its time is over, or the task is cancelled.
    /// - Parameters:
    ///   - paths: absolute ones, of what a browser may download; empty: it may upload.
    ///   - isOnce: each can be had once, and with the last one the address ends.
    ///   - directory: where uploads go; nil for the downloads.
    ///   - tell: the last event is `ended`.
    /// - Throws: what is wrong with the files; `unavailable` with reason `no_network`.
    package func serve(
        paths: [String], isOnce: Bool, directory: String?, tell: @escaping @Sendable (Event) async throws -> Void
    ) async throws {
        let isFull = count.withLock { count in
            count += 1
            return count > Self.maximumSessions
        }
        defer { count.withLock { $0 -= 1 } }
        guard !isFull else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_addresses",
                "\(Self.maximumSessions) addresses are open already. Wait until some have ended.")
        }
        let contents = try await contents(paths, isOnce, directory ?? downloads)
        let result: Result<Void, any Error>
        do {
            try await serve(contents, tell: tell)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        if case .uploads(let uploads) = contents { await AirDropSenderService.disk.run { uploads.end() } }
        try result.get()
    }

    private func serve(
        _ contents: WebSession.Contents, tell: @escaping @Sendable (Event) async throws -> Void
    ) async throws {
        let name = deviceName()
        let session = WebSession(contents, deviceName: name.isEmpty ? "this device" : name)
        let (address, endpoint) = try await open(session)
        recorder.record(
            "airdrop", "web_opened", "A one-time address was opened for a browser.", ["port": String(address.port)])
        let outcome: AirDropOutcome
        do {
            outcome = try await withTaskCancellationHandler {
                try await follow(session, address, tell)
            } onCancel: {
                session.cancel()
            }
        } catch {
            session.cancel()
            await endpoint.close()
            finished(AirDropOutcome(.cancelled), contents)
            throw error
        }
        await endpoint.close()
        finished(outcome, contents)
        try await tell(.ended(outcome))
    }

    private func contents(_ paths: [String], _ isOnce: Bool, _ directory: String) async throws -> WebSession.Contents {
        try await AirDropSenderService.disk.run { () throws(BatonError) -> WebSession.Contents in
            if paths.isEmpty { return .uploads(try WebUploads(in: directory)) }
            return .files(try WebDownloads(paths: paths, isOnce: isOnce))
        }
    }

    private func open(_ session: WebSession) async throws -> (Address, AirDropListener.Endpoint) {
        let addresses = LocalAddresses.current(on: interfaces)
        guard !addresses.isEmpty else {
            throw BatonError(
                .unavailable, reason: "no_network", "This device has no address on a network. Connect it to one.")
        }
        let key = P256.Signing.PrivateKey()
        let der = try TransientCertificate.make(key: key, addresses: addresses.map(\.bytes), now: wall.now)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: der, format: .der))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der)))
        configuration.minimumTLSVersion = .tlsv12
        var router = ConnectRouter()
        let gate = AirDropListener.gate()
        router.resource("/") { try await session.answer($0, gate) }
        let endpoint = try await listener.open(
            router, security: .tls(try NIOSSLContext(configuration: configuration)), gate: gate)
        let lifetime = WebTransfer.Configuration().lifetime
        let address = Address(
            urls: addresses.map { "https://\($0.host):\(endpoint.port)/\(session.token.text)/" },
            fingerprint: SHA256.hash(data: der).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(),
            until: wall.milliseconds + UInt64(lifetime / .milliseconds(1)), port: endpoint.port)
        return (address, endpoint)
    }

    private func follow(
        _ session: WebSession, _ address: Address, _ tell: @escaping @Sendable (Event) async throws -> Void
    ) async throws -> AirDropOutcome {
        let updates = session.updates.subscribe()
        try await tell(.address(address))
        return try await withThrowingTaskGroup(of: WebSession.End?.self) { group in
            group.addTask {
                try await session.run()
                return nil
            }
            group.addTask {
                for await update in updates { try await tell(.progress(update)) }
                return nil
            }
            group.addTask { try await session.end.value() }
            defer { group.cancelAll() }
            while let end = try await group.next() {
                guard let end else { continue }
                let timer = DeadlineTimer.shared.schedule(after: Self.closeTimeout) {
                    session.quiet.settle(.success(()))
                }
                defer { DeadlineTimer.shared.cancel(timer) }
                try await session.quiet.value()
                return Self.outcome(end, session)
            }
            throw CancellationError()
        }
    }

    private static func outcome(_ end: WebSession.End, _ session: WebSession) -> AirDropOutcome {
        var outcome: AirDropOutcome
        switch end.outcome {
        case .delivered: outcome = AirDropOutcome(.delivered)
        case .expired:
            outcome = AirDropOutcome(.expired)
            outcome.message = "The address was not used in time."
        case .cancelled: outcome = AirDropOutcome(.cancelled)
        case .failed(let error): outcome = AirDropOutcome(error)
        }
        outcome.items = session.filesDone
        outcome.bytes = session.bytes
        outcome.paths = end.paths
        return outcome
    }

    private func finished(_ outcome: AirDropOutcome, _ contents: WebSession.Contents) {
        var isSent = false
        var names = outcome.paths.map { URL(fileURLWithPath: $0).lastPathComponent }
        if case .files(let downloads) = contents {
            isSent = true
            names = downloads.items.map(\.name)
        }
        history.add(
            AirDropHistory.Record(
                time: wall.milliseconds, isSent: isSent, peer: "a browser", names: names, outcome: outcome))
        recorder.record(
            "airdrop", "web_closed", "A one-time address ended: \(outcome.result.rawValue).",
            ["reason": outcome.reason])
    }
}
