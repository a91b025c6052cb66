import BatonConcurrency
import BatonCore
import BatonTransport
import BatonWire
import Files
import Foundation
import SavedActivities
import ServiceLifecycle
import SwiftProtobuf
import Sync

/// Pages that apps offer to everybody, and the public index of the account's cloud (H-37).
struct PublicIndexPart: DaemonPart {
    private let client: PublicIndexClient

    init(_ daemon: DaemonComposition) throws {
        let settings = try daemon.part(SettingsPart.self).settings
        client = PublicIndexClient(
            saved: try daemon.part(SavedActivitiesPart.self).saved, sync: try daemon.part(SyncPart.self).sync,
            isAllowed: { settings.value(of: .searchPublic) == "on" }, changes: settings.values(of: .searchPublic),
            path: daemon.options.locations.data + "/public-index.json", recorder: daemon.log)
    }

    func registerLocal(on router: inout ConnectRouter) {
        router.unary(PublicSearchMethods.searchPublic) { [client] request, _ in try await client.search(request) }
        router.unary(PublicSearchMethods.takeBackPublished) { [client] request, _ in
            try await client.takeBack(request)
        }
    }

    var services: [any Service] { [client] }
}

/// Gives pages, takes them back, and asks. Nothing leaves the device while the setting `search.public` is off, but what is taken back.
final class PublicIndexClient: Service {
    /// Pages of a call, and calls of one look.
    private static let batch = 50
    private static let maximumOffered = 1000
    /// Between two looks, so that an app that saves all the time costs little; and where nothing happens, as the cloud may be back.
    private static let pause = Duration.seconds(2)
    private static let interval = Duration.seconds(3600)

    private let saved: SavedActivities
    private let sync: SyncService
    private let isAllowed: @Sendable () -> Bool
    private let settings: AsyncStream<String>
    private let path: String
    private let recorder: any EventRecorder
    private let clock: WallClock
    /// One look, or one that takes back, at a time.
    private let turns = AsyncSemaphore(1)
    private let looks = Broadcaster<Void>(.newest)
    private let queue = BlockingQueue("development.baton.public-index")

    init(
        saved: SavedActivities, sync: SyncService, isAllowed: @escaping @Sendable () -> Bool,
        changes: AsyncStream<String>,
        path: String, recorder: any EventRecorder, clock: WallClock = .system
    ) {
        self.saved = saved
        self.sync = sync
        self.isAllowed = isAllowed
        settings = changes
        self.path = path
        self.recorder = recorder
        self.clock = clock
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            let wanted = looks.subscribe()
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [self] in for await _ in saved.changesOfActivities() { looks.send(()) } }
                group.addTask { [self] in for await _ in settings { looks.send(()) } }
                group.addTask { [self] in
                    while (try? await Task.sleep(for: Self.interval)) != nil { looks.send(()) }
                }
                group.addTask { [self] in
                    for await _ in wanted {
                        _ = await look()
                        try? await Task.sleep(for: Self.pause)
                    }
                }
                await group.waitForAll()
            }
        }
    }

    // MARK: Giving

    /// Takes back what is to be taken back, then gives what is new.
    /// - Returns: whether the cloud received all.
    private func look() async -> Bool {
        do {
            return try await turns.withPermit {
                var state = try await self.read()
                try await self.tell(&state)
                guard self.isAllowed() else { return true }
                try await self.give(&state)
                return true
            }
        } catch let error as BatonError where ["no_cloud", "no_account"].contains(error.reason) {
            return false
        } catch {
            let reason = (error as? BatonError)?.reason ?? "\(type(of: error))"
            recorder.record(
                "search", "public_index_waits", "The public index of the cloud does not answer; it is tried again.",
                ["reason": reason])
            return false
        }
    }

    private func tell(_ state: inout PublishedPages) async throws {
        if state.takesBackAll {
            _ = try await sync.callCloud(PublicIndexMethods.takeBackPublic, .with { $0.all = true })
            state.takesBackAll = false
            try await write(state)
        }
        while !state.takingBack.isEmpty {
            let some = state.takingBack.prefix(Self.batch)
            _ = try await sync.callCloud(
                PublicIndexMethods.takeBackPublic, .with { $0.entries = some.map(Self.message) })
            state.takingBack.removeFirst(some.count)
            try await write(state)
        }
    }

    private func give(_ state: inout PublishedPages) async throws {
        let offered = try await saved.activities(limit: Self.maximumOffered).compactMap(Self.page)
        var due = state.due(offered, now: clock.milliseconds)[...]
        while !due.isEmpty {
            let some = Array(due.prefix(Self.batch))
            _ = try await sync.callCloud(
                PublicIndexMethods.givePublic, .with { $0.entries = some.map { Self.message($0.entry) } })
            state.gave(some, now: clock.milliseconds)
            try await write(state)
            due = due.dropFirst(some.count)
        }
    }

    /// Nil for an item that its app does not make public, and for one that is no public page.
    private static func page(_ activity: SavedActivity) -> PublishedPages.Page? {
        let description = activity.payload.description_p
        guard activity.isForPublicIndex, description.hasWebpageURL else { return nil }
        var keywords = activity.payload.keywords
        if activity.payload.hasContentAttributes,
            case .array(let values)? = try? activity.payload.contentAttributes.attributes()["keywords"]
        {
            keywords += values.compactMap { if case .string(let text) = $0 { text } else { nil } }
        }
        return PublicEntry(url: description.webpageURL, title: description.title, keywords: keywords).map {
            PublishedPages.Page(entry: $0, app: activity.app.bundleID.rawValue, seen: activity.saved, given: 0)
        }
    }

    private static func message(_ entry: PublicEntry) -> Baton_Cloud_V1_PublicEntry {
        .with {
            $0.url = entry.url
            $0.title = entry.title
            $0.keywords = entry.keywords
        }
    }

    // MARK: People

    func search(
        _ request: Baton_Control_V1_SearchPublicRequest
    ) async throws -> Baton_Control_V1_SearchPublicResponse {
        guard isAllowed() else {
            throw BatonError(
                .failedPrecondition, reason: "public_search_off",
                "The public index is not asked: the setting is off. “baton settings set search.public on” allows it, and gives it pages that apps make public."
            )
        }
        let answer: Baton_Cloud_V1_FindPublicResponse
        do {
            answer = try await sync.callCloud(
                PublicIndexMethods.findPublic,
                .with {
                    $0.text = request.query
                    $0.limit = request.limit
                })
        } catch let error as BatonError where error.code == .unimplemented {
            throw BatonError(
                .failedPrecondition, reason: "no_public_index",
                "The account's cloud keeps no public index. Its operator can start it with --public-index.",
                cause: error
            )
        }
        // A cloud may be lied to, or lie: what is no public page is not shown.
        let entries = answer.entries.prefix(50).compactMap {
            PublicEntry(url: $0.url, title: $0.title, keywords: $0.keywords)
        }
        return .with {
            $0.results = entries.map { entry in
                .with {
                    $0.title = entry.title
                    $0.url = entry.url
                    $0.keywords = entry.keywords
                }
            }
        }
    }

    func takeBack(
        _ request: Baton_Control_V1_ForgetRequest
    ) async throws -> Baton_Control_V1_TakeBackPublishedResponse {
        let now = clock.milliseconds
        let (count, isWaiting) = try await turns.withPermit { () -> (Int, Bool) in
            var state = try await self.read()
            let count: Int
            switch request.what {
            case .bundleID(let id)?: count = state.takeBack(now: now) { $0.app == id }
            case .site(let site)?: count = state.takeBack(now: now) { Self.isOf(site.lowercased(), $0.entry) }
            case .last(let time)?: count = state.takeBack(now: now) { $0.seen >= now - min(time, now) }
            case .all(true)?:
                // Nothing was ever given by this device, so nothing is asked of the cloud.
                guard state != PublishedPages() else { return (0, false) }
                count = state.takeBackAll(now: now)
            case .place?, .all(false)?, nil: count = 0
            }
            try await self.write(state)
            return (count, state.takesBackAll || !state.takingBack.isEmpty)
        }
        let isTold = isWaiting ? await look() : true
        return .with {
            $0.pages = UInt32(clamping: count)
            $0.waiting = !isTold
        }
    }

    private static func isOf(_ site: String, _ entry: PublicEntry) -> Bool {
        guard let host = (try? WebPage(entry.url))?.host.lowercased() else { return false }
        return host == site || host.hasSuffix("." + site)
    }

    // MARK: The file

    private func read() async throws -> PublishedPages {
        try await queue.run { [path] in
            guard let bytes = try AtomicFile.read(path, limit: 16 << 20) else { return PublishedPages() }
            // A file that cannot be read is begun anew: the cloud counts an account once.
            return (try? JSONDecoder().decode(PublishedPages.self, from: Data(bytes))) ?? PublishedPages()
        }
    }

    private func write(_ state: PublishedPages) async throws {
        try await queue.run { [path] in try AtomicFile.write(Array(JSONEncoder().encode(state)), to: path) }
    }
}
