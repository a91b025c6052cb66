import BatonCore
import BatonWire
import Foundation
import SearchText
import Spotlight
import SwiftProtobuf

/// The service of search with one app that is always there, and nothing else of a daemon.
struct SearchFixture {
    static let app = AppIdentity(
        bundleID: BundleID(unchecked: "com.example.benchmark"),
        team: TeamIdentity(fingerprint: [UInt8](repeating: 1, count: 32)))

    let service: SpotlightService
    let files: SpotlightService.Files

    init(folder: String, ranking: RankingParameters = SearchEngine.ranking) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        files = SpotlightService.Files(directory: folder)
        let ports = SearchPorts()
        service = try SpotlightService(
            files: files, apps: ports, activities: ports, opener: ports, language: TextLanguage("en"),
            recorder: NullEventRecorder(), protection: ports, ranking: ranking)
    }

    /// Returns when the items are in the journal, on the disk, and cannot be found yet.
    func journal(_ items: [(id: String, title: String, text: String)]) async throws {
        let steps = items.map { item in
            Baton_App_V1_SearchableIndexStep.with { step in
                step.index = .with {
                    $0.uniqueIdentifier = item.id
                    $0.attributes = .init(attributes: [
                        "title": .string(item.title), "textContent": .string(item.text),
                    ])
                }
            }
        }
        try await service.update(.with { $0.steps = steps }, of: Self.app)
    }

    /// Identifiers, the best first.
    func identifiers(_ query: String, isTyping: Bool = false, limit: Int) async throws -> [String] {
        try await service.search(query, isTyping: isTyping, limit: limit).hits.map(\.item.key)
    }
}

private struct SearchPorts: SpotlightApps, SpotlightActivities, SpotlightOpener, SpotlightProtection {
    func isPresent(_ app: AppIdentity) -> Bool { true }
    func isKept(_ app: AppIdentity) -> Bool { true }
    func app(_ bundleID: BundleID) -> AppIdentity? { SearchFixture.app }
    func hasDocumentsOff(_ app: AppIdentity) -> Bool { false }
    func name(of app: AppIdentity) -> String { app.bundleID.rawValue }
    func open(
        _ type: String, _ userInfo: [String: PropertyValue], title: String, with app: AppIdentity
    ) async -> Bool { false }
    func reindex(_ identifiers: [String]?, of app: AppIdentity) async -> Bool { true }
    func tellThrottled(_ isThrottled: Bool, _ apps: [AppIdentity]) {}
    func isRunning(_ app: AppIdentity) -> Bool { true }
    func indexExtensions() -> [AppIdentity] { [] }
    func hasIndexExtension(_ app: AppIdentity) -> Bool { false }
    func launchToReindex(_ app: AppIdentity) async -> Int32? { nil }
    func endReindexing(_ app: AppIdentity, _ process: Int32) async {}
    func searchOptions(of app: AppIdentity) -> AppSearchOptions { AppSearchOptions() }
    var deviceName: String { "Benchmark" }

    func identifiers() async -> [String] { [] }
    func activities(_ identifiers: [String]) async -> [SearchableActivity] { [] }
    func open(_ identifier: String) async -> Bool { false }
    func delete(_ identifiers: [String]) async {}
    func deleteAll(of app: AppIdentity?, savedSince: UInt64) async -> Int { 0 }

    func open(file path: String) async -> Bool { false }
    func open(url: String) async -> Bool { false }

    var isAvailable: Bool { true }
    func seal(_ bytes: Data, info: Data) -> Data { bytes }
    func open(_ sealed: Data, info: Data) -> Data { sealed }
}
