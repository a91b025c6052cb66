import AirDropProtocol
import BatonConcurrency
import BatonCore
import BatonTransport
import Files
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Transfers

/// One one-time address, from its opening to its end: answers the browser's requests. Safe to use from any task.
final class WebSession: Sendable {
    /// The downloads for a browser, and the uploads from it.
    enum Contents: Sendable {
        case files(WebDownloads)
        case uploads(WebUploads)
    }

    struct End: Sendable {
        var outcome: WebTransfer.Outcome
        /// The uploaded files.
        var paths: [String] = []
    }

    private struct State {
        var lastID: WebTransfer.CallID = 0
        var begun: [WebTransfer.CallID: Promise<Void>] = [:]
        /// Requests that are being answered.
        var active = 0
        var bytes: UInt64 = 0
        var paths: [String] = []
        var isOver = false
    }

    private static let blockSize = 256 << 10

    let token = WebToken.random()
    let updates = Broadcaster<TransferProgress>(.newest)
    let end = Promise<End>()
    /// Settled once it is over and everybody has an answer.
    let quiet = Promise<Void>()
    private let contents: Contents
    private let deviceName: String
    private let driver: StateMachineDriver<WebTransfer>
    private let stored = Promise<Void>()
    private let state = Mutex(State())
    private let disk = BlockingQueue("baton.airdrop.web")

    init(_ contents: Contents, deviceName: String, configuration: WebTransfer.Configuration = .init()) {
        self.contents = contents
        self.deviceName = deviceName
        let purpose: WebTransfer.Purpose =
            switch contents {
            case .files(let downloads): .download(files: downloads.items.count, once: downloads.isOnce)
            case .uploads: .upload
            }
        driver = StateMachineDriver(
            WebTransfer(purpose, configuration: configuration), clock: MomentClock(wall: .system))
        driver.connect { [weak self] in self?.perform($0) }
    }

    /// Until it is cancelled.
    func run() async throws {
        driver.input(.opened)
        try await driver.run()
    }

    func cancel() { driver.input(.cancelled) }

    var filesDone: Int { driver.read(\.count) }
    /// Sent, or received whole.
    var bytes: UInt64 {
        switch contents {
        case .files: state.withLock { $0.bytes }
        case .uploads(let uploads): uploads.bytes
        }
    }

    // MARK: Actions

    private func perform(_ action: WebTransfer.Action) {
        switch action {
        case .serve(let id), .receive(let id): begun(id)?.settle(.success(()))
        case .refuse(let id, let error): begun(id)?.settle(.failure(error))
        case .forgetBatch: if case .uploads(let uploads) = contents { uploads.forget() }
        case .store: driver.start { [self] in await store() }
        case .ended(let outcome): ended(outcome)
        }
    }

    private func begun(_ id: WebTransfer.CallID) -> Promise<Void>? {
        state.withLock { $0.begun.removeValue(forKey: id) }
    }

    private func store() async {
        guard case .uploads(let uploads) = contents else { return }
        do {
            let paths = try await disk.run { try uploads.deliver() }
            state.withLock { $0.paths = paths }
            driver.input(.stored)
        } catch {
            driver.input(
                .notStored(
                    error as? BatonError
                        ?? BatonError(.unknown, reason: "not_stored", "The files could not be stored.", cause: error)))
        }
    }

    private func ended(_ outcome: WebTransfer.Outcome) {
        let (paths, isQuiet) = state.withLock { state in
            state.isOver = true
            return (state.paths, state.active == 0)
        }
        stored.settle(Self.answer(to: outcome))
        end.settle(.success(End(outcome: outcome, paths: paths)))
        if isQuiet { quiet.settle(.success(())) }
    }

    /// The answer to the browser that uploaded last.
    private static func answer(to outcome: WebTransfer.Outcome) -> Result<Void, any Error> {
        switch outcome {
        case .delivered: .success(())
        case .failed(let error): .failure(error)
        case .expired, .cancelled: .failure(WebTransfer.over)
        }
    }

    // MARK: Requests

    /// - Parameter gate: of the connections: one that has the address makes room for no other while it is answered.
    func answer(_ call: ResourceCall, _ gate: UnauthenticatedGate) async throws {
        state.withLock { $0.active += 1 }
        defer {
            let isQuiet = state.withLock { state in
                state.active -= 1
                return state.isOver && state.active == 0
            }
            if isQuiet { quiet.settle(.success(())) }
        }
        let parts = call.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].utf8.count == token.text.utf8.count, token.matches(parts[0]) else {
            throw call.refusal(.notFound, [:], Self.nothing)
        }
        gate.hold(call.connection)
        defer { gate.release(call.connection) }
        let isReading = call.method == .get || call.method == .head
        switch contents {
        case .files(let downloads) where isReading:
            if parts.count == 2, parts[1].isEmpty { return try await page(call) }
            guard let number = Int(parts[1]), downloads.items.indices.contains(number) else {
                throw call.refusal(.notFound, [:], Self.nothing)
            }
            try await refusing(call) {
                if call.query == "preview" {
                    try await preview(call, downloads, number)
                } else {
                    try await download(call, downloads, number)
                }
            }
        case .uploads where isReading:
            guard parts.count == 2, parts[1].isEmpty else { throw call.refusal(.notFound, [:], Self.nothing) }
            try await page(call)
        case .uploads(let uploads) where call.method == .put || call.method == .post:
            guard parts.count == 2, !parts[1].isEmpty, let name = String(parts[1]).removingPercentEncoding else {
                throw call.refusal(
                    .badRequest, [:],
                    BatonError(
                        .invalidArgument, reason: "invalid_file_name", "The address must end with the file's name."))
            }
            try await refusing(call) { try await upload(call, name, uploads) }
        default:
            throw call.refusal(
                .methodNotAllowed, [:],
                BatonError(.unimplemented, reason: "method_not_allowed", "This address does not take that."))
        }
    }

    private func refusing(_ call: ResourceCall, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as BatonError {
            let status: HTTPResponse.Status =
                switch error.reason {
                case "web_address_used": .gone
                case "web_address_busy": .tooManyRequests
                case "disk_full": .init(code: 507)
                default: .badRequest
                }
            throw call.refusal(status, [.cacheControl: "no-store"], error)
        }
    }

    private func page(_ call: ResourceCall) async throws {
        let nonce = WebToken.random().text
        let text: String
        switch contents {
        case .files(let downloads):
            let files = downloads.items.map {
                WebPage.Entry(name: $0.name, size: $0.size, isPicture: $0.pictureType != nil)
            }
            text = WebPage.download(files, from: deviceName, isOnce: downloads.isOnce, nonce: nonce)
        case .uploads: text = WebPage.upload(to: deviceName, nonce: nonce)
        }
        try await call.begin(
            .ok,
            [
                .contentType: "text/html; charset=utf-8", .contentLength: String(text.utf8.count),
                .contentSecurityPolicy: WebPage.policy(nonce: nonce), .cacheControl: "no-store",
                .referrerPolicy: "no-referrer", .xContentTypeOptions: "nosniff",
            ])
        if call.method != .head { try await call.write(ByteBuffer(string: text)) }
        try await call.end()
    }

    /// Waits for the machine's leave.
    private func ask(_ input: (WebTransfer.CallID) -> WebTransfer.Input) async throws -> WebTransfer.CallID {
        let promise = Promise<Void>()
        let id = state.withLock { state in
            state.lastID += 1
            state.begun[state.lastID] = promise
            return state.lastID
        }
        driver.input(input(id))
        try await promise.value()
        return id
    }

    private func tell(_ count: Int) {
        let bytes = state.withLock { state in
            state.bytes += UInt64(count)
            return state.bytes
        }
        let (done, expected) = driver.read { ($0.count, $0.expected) }
        var total: UInt64 = 0
        // A browser may have something twice, which is more than all.
        if case .files(let downloads) = contents { total = max(bytes, downloads.totalBytes) }
        updates.send(TransferProgress(bytes: bytes, totalBytes: total, files: done, totalFiles: expected))
    }

    // MARK: Files

    /// A picture in the page, which is no download.
    private func preview(_ call: ResourceCall, _ downloads: WebDownloads, _ number: Int) async throws {
        let item = downloads.items[number]
        guard let type = item.pictureType, !downloads.isOnce, !driver.read(\.isOver) else { throw Self.nothing }
        let source = try await disk.run { try downloads.open(number) }
        try await call.begin(
            .ok,
            [
                .contentType: type, .contentLength: String(item.size), .cacheControl: "no-store",
                .contentSecurityPolicy: "default-src 'none'; sandbox", .xContentTypeOptions: "nosniff",
            ])
        if call.method != .head {
            while let block = try await disk.run({ try source.next(Self.blockSize) }) {
                try await call.write(ByteBuffer(bytes: block))
            }
        }
        try await call.end()
    }

    private func download(_ call: ResourceCall, _ downloads: WebDownloads, _ number: Int) async throws {
        let item = downloads.items[number]
        let name = WebPage.escapedURL(SafeName(item.name).text)
        let fields: HTTPFields = [
            .contentType: "application/octet-stream", .contentLength: String(item.size),
            .contentDisposition: "attachment; filename*=UTF-8''\(name)", .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
        ]
        if call.method == .head {
            try await call.begin(.ok, fields)
            return try await call.end()
        }
        let id = try await ask { .wanted($0, file: number) }
        do {
            let source = try await disk.run { try downloads.open(number) }
            try await call.begin(.ok, fields)
            while let block = try await disk.run({ try source.next(Self.blockSize) }) {
                try await call.write(ByteBuffer(bytes: block))
                tell(block.count)
            }
            try await call.end()
        } catch {
            driver.input(.broken(id))
            throw error
        }
        driver.input(.completed(id))
        // The count of those that have been had is shown, too.
        tell(0)
    }

    private func upload(_ call: ResourceCall, _ name: String, _ uploads: WebUploads) async throws {
        let query = Dictionary(
            call.query.split(separator: "&").map { part in
                let pair = part.split(separator: "=", maxSplits: 1)
                return (String(pair.first ?? ""), pair.count == 2 ? String(pair[1]) : "")
            }, uniquingKeysWith: { first, _ in first })
        let batch = String((query["batch"] ?? "").prefix(64))
        let count = query["of"].map { Int($0) ?? 0 } ?? 1
        let id = try await ask { .coming($0, batch: batch, count: count) }
        do {
            let length = call.length
            let file = try await disk.run { try uploads.begin(name, length: length) }
            var received: UInt64 = 0
            try await call.read { bytes in
                try await disk.run { try uploads.write(bytes, to: file) }
                received += UInt64(bytes.readableBytes)
                tell(bytes.readableBytes)
            }
            uploads.complete(file, bytes: received)
        } catch {
            driver.input(.broken(id))
            // A browser that goes away is no failure of this device.
            throw error as? BatonError ?? CancellationError()
        }
        driver.input(.completed(id))
        // The last one is answered when all are in their places; one that came too late, that it did.
        if driver.read({ $0.isOver || $0.count == $0.expected }) { try await stored.value() }
        try await call.begin(.ok, [.contentLength: "0", .cacheControl: "no-store"])
        try await call.end()
    }

    private static let nothing = BatonError(
        .notFound, reason: "no_such_address", "There is nothing at this address.")
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = Self.known("Referrer-Policy")

    /// For names that are right.
    private static func known(_ name: String) -> Self { Self(name) ?? .cacheControl }
}
