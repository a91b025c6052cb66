import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SearchText
import SwiftProtobuf
import Synchronization

@testable import Spotlight

/// A device whose apps, clock and files a test has in its hands.
final class SearchDevice: Sendable {
    struct Opened: Hashable, Sendable {
        var type: String
        var userInfo: [String: PropertyValue]
        var app: AppIdentity
    }

    struct Throttling: Hashable, Sendable {
        var isThrottled: Bool
        var apps: [AppIdentity]
    }

    struct State {
        var now: UInt64 = 1_800_000_000_000
        var gone: Set<AppIdentity> = []
        var off: Set<AppIdentity> = []
        var opened: [Opened] = []
        var openedFiles: [String] = []
        var activities: [String: SearchableActivity] = [:]
        var reindexed: [AppIdentity] = []
        var acknowledges = true
        var isUnlocked = true
        var running: Set<AppIdentity> = []
        var extended: Set<AppIdentity> = []
        var launched: [AppIdentity] = []
        var throttled: [Throttling] = []
        var ended: [AppIdentity] = []
        var options = AppSearchOptions()
    }

    static let notes = identity("com.example.notes", 1)
    static let mail = identity("com.example.mail", 1)
    static let otherNotes = identity("com.example.notes", 2)

    private static func identity(_ name: String, _ team: UInt8) -> AppIdentity {
        AppIdentity(
            bundleID: BundleID(unchecked: name), team: TeamIdentity(fingerprint: [UInt8](repeating: team, count: 32)))
    }

    let directory: TemporaryDirectory
    /// `launched` and `ended`, for index extensions, and `throttled`.
    let (events, happened) = AsyncStream.makeStream(of: String.self)
    let state = Mutex(State())

    init() throws { directory = try TemporaryDirectory() }

    var files: SpotlightService.Files { .init(directory: directory.path) }
    var clock: WallClock {
        WallClock { [self] in Date(timeIntervalSince1970: Double(state.withLock { $0.now }) / 1000) }
    }
    func advance(days: Double) { state.withLock { $0.now += UInt64(days * 86_400_000) } }

    func service(limits: SpotlightLimits = .init(), language: String = "en") throws -> SpotlightService {
        try SpotlightService(
            files: files, apps: self, activities: self, opener: self, language: TextLanguage(language),
            recorder: NullEventRecorder(), limits: limits, clock: clock,
            protection: self)
    }

    /// The bytes of every file of search.
    func bytes() throws -> Data {
        var bytes = Data()
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
            bytes += try Data(contentsOf: URL(fileURLWithPath: "\(directory.path)/\(name)"))
        }
        return bytes
    }
}

extension SearchDevice: SpotlightApps, SpotlightActivities, SpotlightOpener {
    func isPresent(_ app: AppIdentity) -> Bool { state.withLock { !$0.gone.contains(app) } }
    func isKept(_ app: AppIdentity) -> Bool { isPresent(app) }
    func app(_ bundleID: BundleID) -> AppIdentity? { [Self.notes, Self.mail].first { $0.bundleID == bundleID } }
    func name(of app: AppIdentity) -> String { app.bundleID.rawValue }
    func hasDocumentsOff(_ app: AppIdentity) -> Bool { state.withLock { $0.off.contains(app) } }
    func searchOptions(of app: AppIdentity) -> AppSearchOptions { state.withLock { $0.options } }

    func open(_ type: String, _ userInfo: [String: PropertyValue], title: String, with app: AppIdentity) async -> Bool {
        state.withLock { $0.opened.append(Opened(type: type, userInfo: userInfo, app: app)) }
        return true
    }

    func reindex(_ identifiers: [String]?, of app: AppIdentity) async -> Bool {
        state.withLock { state in
            state.reindexed.append(app)
            return state.acknowledges
        }
    }

    func tellThrottled(_ isThrottled: Bool, _ apps: [AppIdentity]) {
        state.withLock { $0.throttled.append(.init(isThrottled: isThrottled, apps: apps)) }
        happened.yield("throttled")
    }
    func isRunning(_ app: AppIdentity) -> Bool { state.withLock { $0.running.contains(app) } }
    func indexExtensions() -> [AppIdentity] { state.withLock { Array($0.extended) } }
    func hasIndexExtension(_ app: AppIdentity) -> Bool { state.withLock { $0.extended.contains(app) } }

    func launchToReindex(_ app: AppIdentity) async -> Int32? {
        state.withLock { $0.launched.append(app) }
        happened.yield("launched")
        return 1
    }

    func endReindexing(_ app: AppIdentity, _ process: Int32) async {
        state.withLock { $0.ended.append(app) }
        happened.yield("ended")
    }

    var deviceName: String { "Test device" }

    func identifiers() async -> [String] { state.withLock { $0.activities.keys.sorted() } }

    func activities(_ identifiers: [String]) async -> [SearchableActivity] {
        state.withLock { state in identifiers.compactMap { state.activities[$0] } }
    }

    func open(_ identifier: String) async -> Bool {
        state.withLock { state in
            guard let activity = state.activities[identifier] else { return false }
            state.opened.append(Opened(type: "activity", userInfo: ["id": .string(identifier)], app: activity.app))
            return true
        }
    }

    func delete(_ identifiers: [String]) async {
        state.withLock { state in for identifier in identifiers { state.activities[identifier] = nil } }
    }

    func deleteAll(of app: AppIdentity?, savedSince: UInt64) async -> Int {
        state.withLock { state in
            let before = state.activities.count
            state.activities = state.activities.filter {
                !((app == nil || $0.value.app == app) && $0.value.saved >= savedSince)
            }
            return before - state.activities.count
        }
    }

    func open(file path: String) async -> Bool {
        state.withLock { $0.openedFiles.append(path) }
        return true
    }

    func open(url: String) async -> Bool {
        state.withLock { $0.openedFiles.append(url) }
        return true
    }
}

/// A seal for tests, which only its holder's lock protects.
extension SearchDevice: SpotlightProtection {
    var isAvailable: Bool { state.withLock { $0.isUnlocked } }

    func seal(_ bytes: Data, info: Data) -> Data { info + Data(bytes.map { $0 ^ 0x5A }) }

    func open(_ sealed: Data, info: Data) throws -> Data {
        guard isAvailable else { throw BatonError(.failedPrecondition, reason: "locked", "Locked.") }
        guard sealed.starts(with: info) else { throw BatonError(.dataLoss, reason: "sealed_file_damaged", "Damaged.") }
        return Data(sealed.dropFirst(info.count).map { $0 ^ 0x5A })
    }
}

// MARK: Requests

extension Baton_App_V1_SearchableIndexStep {
    static func item(
        _ id: String, _ title: String, _ text: String = "", domain: String = "", isUpdate: Bool = false,
        expires: Int64? = nil, _ more: [String: PropertyValue] = [:]
    ) -> Self {
        var attributes = more
        if !title.isEmpty { attributes["title"] = .string(title) }
        if !text.isEmpty { attributes["textContent"] = .string(text) }
        return .with { step in
            step.index = .with {
                $0.uniqueIdentifier = id
                $0.domainIdentifier = domain
                $0.isUpdate = isUpdate
                if let expires { $0.expirationTime = expires }
                $0.attributes = .init(attributes: attributes)
            }
        }
    }

    static func delete(_ id: String) -> Self { .with { $0.deleteItem = id } }
    static func delete(domain: String) -> Self { .with { $0.deleteDomain = domain } }
    static var deleteEverything: Self { .with { $0.deleteAll = true } }
}

extension SpotlightService {
    /// Journals the steps, and has them indexed.
    func index(
        _ steps: [Baton_App_V1_SearchableIndexStep], of app: AppIdentity = SearchDevice.notes, name: String = "",
        state: String? = nil, expected: String? = nil
    ) async throws {
        try await update(
            .with {
                $0.index.name = name
                $0.steps = steps
                if let state { $0.newClientState = Data(state.utf8) }
                if let expected { $0.expectedClientState = Data(expected.utf8) }
            }, of: app)
        try await applyJournal()
    }

    func titles(_ query: String, isTyping: Bool = false, limit: Int = 20) async throws -> [String] {
        try await search(query, isTyping: isTyping, limit: limit).hits.filter { !$0.isRelated }.map(\.item.title)
    }

    func identifiers(
        _ query: String, of app: AppIdentity = SearchDevice.notes, user: Bool = false
    ) async throws -> [String] {
        let parsed = try parse(
            .with {
                if user {
                    $0.userQuery = .with {
                        $0.text = query
                        $0.ranked = true
                    }
                } else {
                    $0.queryString = query
                }
            })
        return try await items(parsed, of: app).map(\.item.key)
    }
}
