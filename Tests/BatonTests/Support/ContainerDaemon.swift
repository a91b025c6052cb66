import AppLink
import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import CoreFoundation
import Foundation
import Glibc
import SwiftProtobuf
import Synchronization

@testable import Baton

/// A daemon in memory with one container on the disk, which does what the test says: an account's other devices and the
/// sync.
final class ContainerDaemon: ConnectClient {
    static let identifier = "ABCDE12345.com.example.App"

    private struct State {
        var isRunning = true
        var token = Data([1])
        /// Why there is no container; empty when there is one.
        var reason = ""
        var items: [String: Baton_App_V1_DocumentItem] = [:]
        /// The content of what is not downloaded.
        var contents: [String: Data] = [:]
        var versions: [String: [(Baton_App_V1_DocumentVersion, Data)]] = [:]
        var watchers: [(isIdentity: Bool, news: Mailbox<Baton_App_V1_ContainerNews>)] = []
        var refusal: BatonError?
        var lastID: UInt8 = 0
        var changes: [String] = []
        var opened: [String] = []
        /// Downloads wait until the test lets them go.
        var holdsDownloads = false
    }

    private let state = Mutex(State())
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("container/Documents"), withIntermediateDirectories: true)
    }

    var container: URL { URL(fileURLWithPath: directory.file("container"), isDirectory: true) }

    func url(_ path: String) -> URL { container.appendingPathComponent(path) }

    /// The requests, as in `download Documents/a.txt`, or `resolve`.
    var changes: [String] { state.withLock { $0.changes } }
    /// The identifiers that were asked for.
    var opened: [String] { state.withLock { $0.opened } }

    // MARK: What the test does

    func refuseNext(_ error: BatonError?) { state.withLock { $0.refusal = error } }
    func holdDownloads() { state.withLock { $0.holdsDownloads = true } }

    /// The account is left, or entered; or there is no container for another reason.
    func setAccount(_ token: Data, reason: String = "") {
        let watchers = state.withLock { state in
            (state.token, state.reason) = (token, reason)
            return state.watchers
        }
        for watcher in watchers where watcher.isIdentity { watcher.news.send(.with { $0.identityToken = token }) }
    }

    /// The daemon ends, and with it all streams.
    func crash() {
        let watchers = state.withLock { state in
            state.isRunning = false
            defer { state.watchers = [] }
            return state.watchers
        }
        for watcher in watchers { watcher.news.end(.failure(Self.notRunning)) }
    }

    func start() { state.withLock { $0.isRunning = true } }

    /// A file comes from another device: written as the sync does it, or as a placeholder.
    func arrive(_ path: String, _ text: String, isDownloaded: Bool = true, problem: String = "") throws {
        let data = Data(text.utf8)
        if isDownloaded {
            try data.write(to: url(path), options: .atomic)
            try? FileManager.default.removeItem(at: Placeholder.url(for: url(path)))
        } else {
            try Data().write(to: Placeholder.url(for: url(path)))
        }
        change(path) { item, state in
            state.contents[path] = data
            item.size = UInt64(data.count)
            item.modified += 1_000_000_000
            item.download = isDownloaded ? .current : .notDownloaded
            item.uploaded = true
            item.problem = problem
            item.problemMessage = problem.isEmpty ? "" : "Because of \(problem)."
        }
    }

    /// The daemon has looked at a file that an app saved: it is on its way to the cloud.
    func look(at path: String) throws {
        var information = stat()
        guard lstat(url(path).path, &information) == 0 else { throw CocoaError(.fileNoSuchFile) }
        let (size, time) = (UInt64(information.st_size), information.st_mtim)
        change(path) { item, _ in
            item.size = size
            item.modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
            item.uploaded = false
        }
    }

    /// The daemon announces an item without anything on the disk.
    func announce(_ path: String) { change(path) { item, _ in item.download = .notDownloaded } }

    /// The upload of an item goes on; nil: it has ended.
    func upload(_ path: String, percent: Double?) {
        change(path) { item, _ in
            item.uploading = percent != nil
            item.uploaded = percent == nil
            item.uploadedPercent = percent ?? 100
        }
    }

    /// Another device moves an item.
    func move(_ old: String, to new: String) throws {
        try FileManager.default.moveItem(at: url(old), to: url(new))
        let (news, watchers) = state.withLock { state in
            var item = state.items.removeValue(forKey: old) ?? .init()
            item.path = new
            state.items[new] = item
            return (Baton_App_V1_ContainerNews.with { $0.changed = [item] }, state.watchers)
        }
        for watcher in watchers where !watcher.isIdentity { watcher.news.send(news) }
    }

    /// Another device deletes an item.
    func delete(_ path: String, isTold: Bool = true) throws {
        try FileManager.default.removeItem(at: url(path))
        let (news, watchers) = state.withLock { state in
            let item = state.items.removeValue(forKey: path)
            return (Baton_App_V1_ContainerNews.with { $0.removed = item.map { [$0.id] } ?? [] }, state.watchers)
        }
        for watcher in watchers where isTold && !watcher.isIdentity { watcher.news.send(news) }
    }

    /// Two devices have saved at once: this version lost.
    func addVersion(_ id: String, of path: String, _ text: String, isConflict: Bool = true) {
        let version = Baton_App_V1_DocumentVersion.with {
            $0.id = id
            $0.deviceName = "Other"
            $0.modified = 1_700_000_000_000_000_000
            $0.size = UInt64(text.utf8.count)
            $0.conflict = isConflict
            $0.isLocal = true
        }
        state.withLock { $0.versions[path, default: []].append((version, Data(text.utf8))) }
        change(path) { item, _ in item.conflicts += isConflict ? 1 : 0 }
    }

    private func change(_ path: String, _ body: (inout Baton_App_V1_DocumentItem, inout State) -> Void) {
        let (news, watchers) = state.withLock { state in
            var item = state.items[path] ?? .init()
            if item.id.isEmpty {
                state.lastID += 1
                item.id = Data(repeating: state.lastID, count: 16)
                item.path = path
                item.kind = .file
                item.modified = 1_600_000_000_000_000_000
                item.contentType = "public.plain-text"
            }
            body(&item, &state)
            state.items[path] = item
            return (Baton_App_V1_ContainerNews.with { $0.changed = [item] }, state.watchers)
        }
        for watcher in watchers where !watcher.isIdentity { watcher.news.send(news) }
    }

    // MARK: ConnectClient

    func unary<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, timeout: Duration
    ) async throws -> Response {
        guard state.withLock({ $0.isRunning }) else { throw Self.notRunning }
        let answer: Any? =
            switch request {
            case let request as Baton_App_V1_OpenContainerRequest: open(request)
            case let request as Baton_App_V1_ChangeDocumentRequest: try change(request)
            case let request as Baton_App_V1_ListFileVersionsRequest:
                Baton_App_V1_ListFileVersionsResponse.with {
                    $0.versions = versions(relative(request.path)).map(\.0)
                }
            case let request as Baton_App_V1_ChangeFileVersionsRequest: resolve(request)
            default: nil
            }
        guard let answer = answer as? Response else { throw Self.notRunning }
        return answer
    }

    private func open(_ request: Baton_App_V1_OpenContainerRequest) -> Baton_App_V1_OpenContainerResponse {
        state.withLock { state in
            state.opened.append(request.identifier)
            return .with {
                $0.identityToken = state.token
                guard state.reason.isEmpty, request.identifier.isEmpty || request.identifier == Self.identifier else {
                    $0.reason = state.reason.isEmpty ? "unknown_container" : state.reason
                    $0.message = "There is none."
                    return
                }
                $0.path = container.path
                $0.identifier = Self.identifier
            }
        }
    }

    private func change(_ request: Baton_App_V1_ChangeDocumentRequest) throws -> Baton_App_V1_ChangeDocumentResponse {
        let path = relative(request.path)
        let (content, holds) = try state.withLock { state in
            state.changes.append("\(request.change) \(path)")
            if let refusal = state.refusal {
                state.refusal = nil
                throw refusal
            }
            guard state.items[path] != nil else { throw BatonError(.notFound, reason: "no_item", "No such item.") }
            return (state.contents[path], state.holdsDownloads)
        }
        switch request.change {
        case .download where !holds: try arrive(path, String(decoding: content ?? Data(), as: UTF8.self))
        case .evict:
            try FileManager.default.moveItem(at: url(path), to: Placeholder.url(for: url(path)))
            change(path) { item, _ in item.download = .notDownloaded }
        default: break
        }
        return .with { $0.item = state.withLock { $0.items[path] } ?? .init() }
    }

    private func resolve(_ request: Baton_App_V1_ChangeFileVersionsRequest) -> Baton_App_V1_ChangeFileVersionsResponse {
        state.withLock { state in
            state.changes.append("resolve \(request.versionIds.joined(separator: " "))")
            let path = relative(request.path)
            for index in (state.versions[path] ?? []).indices
            where request.versionIds.isEmpty || request.versionIds.contains(state.versions[path]?[index].0.id ?? "") {
                state.versions[path]?[index].0.conflict = false
            }
        }
        return .init()
    }

    private func versions(_ path: String) -> [(Baton_App_V1_DocumentVersion, Data)] {
        state.withLock { $0.versions[path] ?? [] }
    }

    private func relative(_ path: String) -> String { String(path.dropFirst(container.path.count + 1)) }

    func serverStream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request
    ) async throws -> ConnectResponses<Response> {
        guard state.withLock({ $0.isRunning }) else { throw Self.notRunning }
        if let request = request as? Baton_App_V1_ReadFileVersionRequest {
            let data = versions(relative(request.path)).first { $0.0.id == request.versionID }?.1 ?? Data()
            let parts = Mailbox<Baton_App_V1_FileVersionPart>()
            for byte in data { parts.send(.with { $0.data = Data([byte]) }) }
            parts.end()
            return ConnectResponses { { try await parts.next() as? Response } }
        }
        guard let request = request as? Baton_App_V1_WatchContainerRequest else { throw Self.notRunning }
        let news = Mailbox<Baton_App_V1_ContainerNews>()
        state.withLock { state in
            state.watchers.append((request.identityOnly, news))
            guard !request.identityOnly else { return news.send(.with { $0.identityToken = state.token }) }
            let items = state.items.values.sorted { $0.path < $1.path }
            // In two parts.
            news.send(
                .with {
                    $0.reset = true
                    $0.changed = Array(items.prefix(1))
                })
            news.send(
                .with {
                    $0.changed = Array(items.dropFirst())
                    $0.gathered = true
                })
        }
        return ConnectResponses { { try await news.next() as? Response } }
    }

    static let notRunning = BatonError(.unavailable, reason: "daemon_not_running", "No daemon.")
}

/// An app with a container, in memory.
struct ContainerApp: Sendable {
    let daemon: ContainerDaemon
    let runtime: AppRuntime

    /// Runs a body in an app of its own, and ends it.
    @MainActor
    static func run(_ body: @MainActor (ContainerApp) async throws -> Void) async throws {
        let daemon = try ContainerDaemon()
        let profile = AppProfile(
            configuration: BatonConfiguration(bundleIdentifier: "com.example.App"), bundle: AppBundle(),
            executable: "/opt/tool", environment: ["BATON_SOCKET": "/run/baton.sock"])
        let runtime = AppRuntime(
            environment: .init(
                profile: { profile }, makeClient: { _ in daemon }, jitter: { 0 }, exit: { _ in }))
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await AppRuntime.$calling.withValue(runtime) {
                    try await body(ContainerApp(daemon: daemon, runtime: runtime))
                })
        } catch {
            result = .failure(error)
        }
        await runtime.stop()
        try result.get()
    }

    /// Runs what waits on a thread of its own, as an app does.
    func offMain<Output: Sendable>(_ body: @escaping @Sendable () throws -> Output) async throws -> Output {
        let runtime = runtime
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try runtime.run { try body() } }) }
        }
    }

    /// The environment of this app's documents, with the time and files of a fixture.
    func environment(_ fixture: DocumentFixture) -> DocumentEnvironment {
        var environment = fixture.environment
        let client = runtime.ubiquity
        environment.isUbiquitous = { client.isUbiquitous($0) }
        environment.makeAvailable = { try client.makeAvailable($0, waitsForItem: $1, patience: .seconds(20)) }
        environment.follow = { client.follow($0, $1) }
        environment.isListed = { client.isListed($0) }
        environment.transfer = { client.listedItem(at: $0).flatMap(DocumentTransfer.init) }
        return environment
    }

    @MainActor
    func make<Document>(_ fixture: DocumentFixture, _ body: @MainActor () throws -> Document) rethrows -> Document {
        try DocumentEnvironment.$scoped.withValue(environment(fixture)) { try body() }
    }

    func text(_ path: String) -> String? { try? String(contentsOf: daemon.url(path), encoding: .utf8) }
}
