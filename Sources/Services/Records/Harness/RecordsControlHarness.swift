import BatonCore
package import BatonTransport
import BatonWire
import Foundation
import RecordMerge
import SwiftProtobuf

/// Answers the command line about databases of records.
package struct RecordsControlHarness: Sendable {
    private let service: RecordsService
    private let apps: any RecordsApps

    package init(_ service: RecordsService, apps: any RecordsApps) {
        self.service = service
        self.apps = apps
    }

    package func register(on router: inout ConnectRouter) {
        router.unary(RecordsControlMethods.listRecordContainers) { _, _ in try await list() }
        router.unary(RecordsControlMethods.showRecords) { request, _ in try await show(request) }
        router.unary(RecordsControlMethods.resetRecords) { request, _ in try await reset(request) }
        router.unary(RecordsControlMethods.explainRecords) { request, _ in try await explain(request) }
    }

    private func list() async throws -> Baton_Control_V1_ListRecordContainersResponse {
        var containers: [Baton_Control_V1_RecordContainer] = []
        for replica in service.running {
            var zones = try await replica.look { try $0.shownZones }
            // There is nothing to be read from then.
            if !apps.hasCloud { for index in zones.indices { zones[index].complete = true } }
            containers.append(
                .with {
                    $0.identifier = replica.container.identifier
                    $0.teamID = replica.container.team.id.rawValue
                    $0.apps = apps.apps(using: replica.container).map(\.rawValue)
                    $0.zones = zones
                    $0.bytes = replica.bytes
                })
        }
        return .with { $0.containers = containers }
    }

    /// The container that a person means: by its identifier, or by an app that uses it.
    private func replica(_ text: String) throws -> RecordReplica {
        let running = service.running
        if service.account == nil { throw RecordsError.notAuthenticated }
        let named = running.filter { $0.container.identifier == text }
        if named.count == 1, let replica = named.first { return replica }
        // A program that is run from its build folder is found by its name, too.
        for bundleID in [text, "development." + text].compactMap({ BundleID(rawValue: $0) }) {
            for container in apps.containers(of: bundleID) {
                if let replica = service.replica(of: container) { return replica }
            }
        }
        throw RecordsService.noContainer(text)
    }

    private func show(
        _ request: Baton_Control_V1_ShowRecordsRequest
    ) async throws -> Baton_Control_V1_ShowRecordsResponse {
        let (names, apps) = (request, apps)
        return try await replica(request.app).look { transaction in
            try transaction.shown(names) { apps.deviceName(of: $0) }
        }
    }

    private func reset(
        _ request: Baton_Control_V1_ResetRecordsRequest
    ) async throws -> Baton_Control_V1_ResetRecordsResponse {
        let replica = try replica(request.app)
        let count: Int
        if request.everywhere {
            count = try await replica.perform { transaction in
                let count = try transaction.count
                for zone in try transaction.zones where zone.name != .zones {
                    try transaction.deleteZone(zone.name, byPerson: true)
                }
                return count
            }
        } else {
            count = try await service.reset(replica.container)
        }
        service.recorder.record(
            "records", "reset", "A database of records was reset.",
            ["container": replica.container.identifier, "everywhere": String(request.everywhere)])
        return .with { $0.records = UInt64(clamping: count) }
    }

    // MARK: Explaining

    private func explain(
        _ request: Baton_Control_V1_ExplainRecordsRequest
    ) async throws -> Baton_Control_V1_ExplainRecordsResponse {
        let replica = try replica(request.app)
        let (container, apps, full, hasCloud) = (replica.container, apps, replica.isFull, apps.hasCloud)
        return try await replica.look { transaction in
            try .with { response in
                if request.key.isEmpty {
                    response.explanations = try transaction.zones.filter { $0.name != .zones }.map {
                        try transaction.explanation(of: $0, container, isFull: full($0.name), hasCloud: hasCloud)
                    }
                    return
                }
                let records = try transaction.records(table: request.table, key: request.key)
                let untaken = try transaction.untakenRows(table: request.table, key: request.key)
                guard !records.isEmpty || !untaken.isEmpty else {
                    throw RecordsError.unknownItem("\(request.table) \(request.key)")
                }
                for (zone, kept) in records.prefix(10) {
                    let shown = try transaction.shown(kept, in: zone, withFields: true) { apps.deviceName(of: $0) }
                    response.records.append(shown)
                    response.explanations.append(
                        RecordExplanation.explanation(
                            of: shown, in: zone, hasCloud: hasCloud,
                            untaken: try transaction.untaken(kept.record.name, in: zone)))
                }
                for (_, name, reason) in untaken.prefix(10) {
                    response.records.append(
                        .with {
                            $0.name = name.text
                            $0.type = request.table
                        })
                    response.explanations.append(
                        .init("\(request.table) \(name)", [RecordExplanation.untaken(reason)]))
                }
            }
        }
    }
}

/// Why something is not the same everywhere.
enum RecordExplanation {
    private typealias Stage = Baton_Link_V1_Stage

    /// The app on this device has changes of the row that the replica does not take.
    static func untaken(_ reason: String) -> Baton_Link_V1_Stage {
        Stage(
            "taken", .failed, "Its changes on this device are not taken: \(reason)",
            "They stay in the app's table, and are tried again when the row changes and when the app starts.")
    }

    static func explanation(
        of record: Baton_Control_V1_ShownRecord, in zone: ReplicaZone, hasCloud: Bool, untaken: String?
    ) -> Baton_Control_V1_Explanation {
        .init(
            "\(record.type) \(record.name)",
            [
                Stage(
                    "here", !record.deleted ? .ok : .failed,
                    record.deleted
                        ? "It was deleted."
                        : record.mergedInto.isEmpty
                            ? "It is in the replica of this device." : "It became one with \(record.mergedInto)."),
                Stage(
                    "shown", record.held.isEmpty ? .ok : .failed,
                    record.held.isEmpty ? "Nothing holds it back." : "It is held: \(record.held).",
                    record.held.isEmpty
                        ? "" : "It is tried again when a row that it names comes, and when the app has another schema."),
                Stage(
                    "sent", !record.waiting || !hasCloud ? .ok : .failed,
                    !hasCloud
                        ? "Devices that come near get it. The account has no cloud."
                        : record.waiting ? "It waits to be sent to the cloud." : "The cloud has it.",
                    record.waiting && hasCloud ? "“baton explain sync” says what the sending waits for." : ""),
            ] + [untaken.map(Self.untaken)].compactMap(\.self))
    }
}
