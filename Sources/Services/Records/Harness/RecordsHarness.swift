package import AppSessions
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
    private let sessions: AppSessions
    private let apps: any RecordsApps

    package init(_ service: RecordsService, sessions: AppSessions, apps: any RecordsApps) {
        self.service = service
        self.sessions = sessions
        self.apps = apps
    }

    package func register(on router: inout ConnectRouter) {
        registerDatabase(on: &router)
        registerRecords(on: &router)
        registerAssets(on: &router)
        registerMirrors(on: &router)
    }

    // MARK: Who asks

    /// The container that the calling process may use. A name that it gives is its claim; the entitlements decide.
    private func container(
        _ database: Baton_App_V1_RecordsDatabase, _ context: CallContext
    ) throws -> RecordContainer {
        let app = try sessions.admit(
            try context.process, claiming: database.bundleID, protocolVersion: database.protocolVersion)
        return try apps.container(database.container, of: app)
    }

    /// - Throws: `not_authenticated`, and what ``container(_:_:)`` throws.
    private func replica(
        _ database: Baton_App_V1_RecordsDatabase, _ context: CallContext
    ) async throws -> RecordReplica {
        let container = try container(database, context)
        switch database.scope {
        case .private, .unspecified: break
        case .public:
            throw RecordsError.unsupported(
                "There is no public database: the cloud cannot read what it keeps, so it can serve nobody but the account."
            )
        case .shared, .UNRECOGNIZED:
            throw RecordsError.unsupported("Nothing is shared between accounts yet.")
        }
        return try await service.open(container)
    }

    private func status(_ container: RecordContainer) -> (Baton_App_V1_AccountState, String) {
        service.account == nil ? (.noAccount, "") : (.available, service.userRecordName(of: container))
    }

    // MARK: Database

    private func registerDatabase(on router: inout ConnectRouter) {
        router.unary(RecordsMethods.openDatabase) { request, context in
            let container = try container(request.database, context)
            let (account, user) = status(container)
            if account == .available { _ = try await replica(request.database, context) }
            return .with {
                $0.container = container.identifier
                $0.account = account
                $0.userRecordName = user
            }
        }
        router.unary(RecordsMethods.getAccountStatus) { request, context in
            let (account, user) = status(try container(request.database, context))
            return .with {
                $0.account = account
                $0.userRecordName = user
            }
        }
        router.serverStream(RecordsMethods.watchDatabase) { request, context, writer in
            let replica = try await replica(request.database, context)
            let watcher = RecordsWatcher()
            let id = try replica.watch(watcher)
            defer { replica.endWatch(id) }
            let (account, user) = status(replica.container)
            try await writer.write(
                .with {
                    $0.begins = true
                    $0.account = account
                    $0.userRecordName = user
                })
            for await _ in watcher.bell {
                let news = watcher.take()
                let (account, user) = status(replica.container)
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
        router.unary(RecordsMethods.modifyZones) { request, context in
            try await replica(request.database, context).perform { try $0.modifyZones(request) }
        }
        router.unary(RecordsMethods.fetchZones) { request, context in
            try await replica(request.database, context).perform { try $0.fetchZones(request) }
        }
        router.unary(RecordsMethods.fetchDatabaseChanges) { request, context in
            try await replica(request.database, context).perform { try $0.databaseChanges(request) }
        }
    }

    // MARK: Records

    private func registerRecords(on router: inout ConnectRouter) {
        router.unary(RecordsMethods.modifyRecords) { [service] request, context in
            let replica = try await replica(request.database, context)
            let user = service.userRecordName(of: replica.container)
            return try await replica.perform { try $0.modify(request, user: user, isFull: replica.isFull) }
        }
        router.unary(RecordsMethods.fetchRecords) { request, context in
            try await replica(request.database, context).perform { try $0.fetch(request) }
        }
        router.unary(RecordsMethods.fetchZoneChanges) { request, context in
            try await replica(request.database, context).perform { try $0.changes(request) }
        }
    }

    // MARK: Assets

    private func registerAssets(on router: inout ConnectRouter) {
        router.unary(RecordsMethods.writeAsset) { [service] request, context in
            let replica = try await replica(request.database, context)
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
        router.serverStream(RecordsMethods.readAsset) { [service] request, context, writer in
            let replica = try await replica(request.database, context)
            guard let asset = try await replica.perform({ try $0.asset(request.assetID) }) else {
                throw RecordsError.unknownItem("asset")
            }
            try await service.read(asset) { bytes in try await writer.write(.with { $0.bytes = bytes }) }
        }
    }

    // MARK: Mirrors

    private func registerMirrors(on router: inout ConnectRouter) {
        router.unary(RecordsMethods.setSchema) { request, context in
            let replica = try await replica(request.database, context)
            let device = replica.account.device.rawValue
            return try await replica.perform { try $0.setSchema(request, device: device) }
        }
        router.unary(RecordsMethods.sendRows) { request, context in
            try await replica(request.database, context).perform { try $0.send(request) }
        }
        router.unary(RecordsMethods.fetchRows) { request, context in
            try await replica(request.database, context).perform { try $0.rows(request) }
        }
        router.unary(RecordsMethods.listRows) { request, context in
            try await replica(request.database, context).perform { try $0.list(request) }
        }
        router.unary(RecordsMethods.reportHeld) { request, context in
            try await replica(request.database, context).perform { try $0.hold(request) }
            return .init()
        }
    }
}
