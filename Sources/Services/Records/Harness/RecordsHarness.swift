import AppSessions
import BatonCore
package import BatonTransport
import BatonWire
import Foundation
import RecordMerge
import SwiftProtobuf
import Sync

/// Answers apps about their databases of records.
package struct RecordsHarness: Sendable {
    private let service: RecordsService
    private let apps: any RecordsApps

    package init(_ service: RecordsService, apps: any RecordsApps) {
        self.service = service
        self.apps = apps
    }

    package func register(on router: inout ConnectRouter) {
        registerDatabase(on: &router)
        registerRecords(on: &router)
        registerAssets(on: &router)
        registerMirrors(on: &router)
    }

    // MARK: Callers

    /// The container that the calling process may use. A name that it gives is its claim; the entitlements decide.
    private func container(
        _ database: Baton_App_V1_RecordsDatabase, _ caller: AdmittedCaller
    ) throws -> RecordContainer {
        try apps.container(database.container, of: caller.app)
    }

    /// - Throws: `not_authenticated`, and what ``container(_:_:)`` throws.
    private func replica(
        _ database: Baton_App_V1_RecordsDatabase, _ caller: AdmittedCaller
    ) async throws -> RecordReplica {
        let container = try container(database, caller)
        switch database.scope {
        case .private, .unspecified: break
        case .public:
            throw RecordsError.unsupported(
                "There is no public database: the cloud cannot read its contents, so it can serve only the account."
            )
        case .shared, .UNRECOGNIZED:
            throw RecordsError.unsupported("Nothing is shared between accounts yet.")
        }
        try await service.waitForAccount()
        return try await service.open(container)
    }

    private func status(_ container: RecordContainer) async throws -> (Baton_App_V1_AccountState, String) {
        try await service.waitForAccount()
        return service.account == nil ? (.noAccount, "") : (.available, service.userRecordName(of: container))
    }

    // MARK: Database

    private func registerDatabase(on router: inout ConnectRouter) {
        router.app(RecordsMethods.openDatabase) { request, caller in
            let container = try container(request.database, caller)
            let (account, user) = try await status(container)
            if account == .available { _ = try await replica(request.database, caller) }
            return .with {
                $0.container = container.identifier
                $0.account = account
                $0.userRecordName = user
            }
        }
        router.app(RecordsMethods.getAccountStatus) { request, caller in
            let (account, user) = try await status(try container(request.database, caller))
            return .with {
                $0.account = account
                $0.userRecordName = user
            }
        }
        router.appStream(RecordsMethods.watchDatabase) { request, caller, writer in
            let replica = try await replica(request.database, caller)
            let watcher = RecordsWatcher()
            let id = try replica.watch(watcher)
            defer { replica.endWatch(id) }
            let (account, user) = try await status(replica.container)
            try await writer.write(
                .with {
                    $0.begins = true
                    $0.account = account
                    $0.userRecordName = user
                })
            for await _ in watcher.signals {
                let news = watcher.take()
                let (account, user) = try await status(replica.container)
                try await writer.write(
                    .with {
                        $0.zones = news.zones.sorted().map { zone in .with { $0.zoneName = zone.rawValue } }
                        $0.databaseChanged = news.isDatabaseChanged
                        $0.accountChanged = news.isAccountChanged
                        $0.account = account
                        $0.userRecordName = user
                    })
                // The replica is closed: the app asks again, and hears why.
                if news.isAccountChanged { return }
            }
        }
        router.app(RecordsMethods.modifyZones) { request, caller in
            try await replica(request.database, caller).perform { try $0.modifyZones(request) }
        }
        router.app(RecordsMethods.fetchZones) { request, caller in
            try await replica(request.database, caller).perform { try $0.fetchZones(request) }
        }
        router.app(RecordsMethods.fetchDatabaseChanges) { request, caller in
            try await replica(request.database, caller).perform { try $0.databaseChanges(request) }
        }
    }

    // MARK: Records

    private func registerRecords(on router: inout ConnectRouter) {
        router.app(RecordsMethods.modifyRecords) { [service] request, caller in
            let replica = try await replica(request.database, caller)
            let user = service.userRecordName(of: replica.container)
            return try await replica.perform { try $0.modify(request, user: user, isFull: replica.isFull) }
        }
        router.app(RecordsMethods.fetchRecords) { request, caller in
            try await replica(request.database, caller).perform { try $0.fetch(request) }
        }
        router.app(RecordsMethods.fetchZoneChanges) { request, caller in
            try await replica(request.database, caller).perform { try $0.changes(request) }
        }
    }

    // MARK: Assets

    private func registerAssets(on router: inout ConnectRouter) {
        router.app(RecordsMethods.writeAsset) { [service] request, caller in
            let replica = try await replica(request.database, caller)
            let kind: RecordAsset.Kind =
                switch request.content {
                case .text: .text
                case .data: .bytes
                case .unspecified, .UNRECOGNIZED: .file
                }
            let (id, asset) = try await service.uploads.write(
                request.bytes, at: request.offset, isLast: request.last, of: request.uploadID, kind: kind,
                container: replica.container)
            guard let asset else { return .with { $0.uploadID = id } }
            let kept = try await service.keep(asset, in: replica)
            return .with {
                $0.uploadID = id
                $0.asset = RecordsWire.message(kept)
            }
        }
        router.appStream(RecordsMethods.readAsset) { [service] request, caller, writer in
            let replica = try await replica(request.database, caller)
            guard let asset = try await replica.perform({ try $0.asset(request.assetID) }) else {
                throw RecordsError.unknownItem("asset")
            }
            try await service.read(asset, in: replica) { bytes in try await writer.write(.with { $0.bytes = bytes }) }
        }
    }

    // MARK: Mirrors

    private func registerMirrors(on router: inout ConnectRouter) {
        router.app(RecordsMethods.setSchema) { request, caller in
            let replica = try await replica(request.database, caller)
            let device = replica.account.device.rawValue
            return try await replica.perform { try $0.setSchema(request, device: device) }
        }
        router.app(RecordsMethods.sendRows) { request, caller in
            try await replica(request.database, caller).perform { try $0.send(request) }
        }
        router.app(RecordsMethods.fetchRows) { request, caller in
            // A table is filled while more of its rows are written.
            try await replica(request.database, caller).look { try $0.rows(request) }
        }
        router.app(RecordsMethods.listRows) { request, caller in
            try await replica(request.database, caller).perform { try $0.list(request) }
        }
        router.app(RecordsMethods.reportHeld) { request, caller in
            try await replica(request.database, caller).perform { try $0.hold(request) }
            return .init()
        }
    }
}
