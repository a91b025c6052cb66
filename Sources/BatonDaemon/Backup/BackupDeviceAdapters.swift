import Backup
import BackupFormat
import BatonCore
import BatonTrust
import Devices
import Documents
import Foundation
import Opening
import Sync

/// The account's cloud, as backups use it.
struct BackingUpCloud: BackupCloud {
    let account: AccountService
    let access: AccountAccess
    let connectors: CloudConnectors
    let sync: SyncService
    /// Milliseconds since 1970.
    let clock: @Sendable () -> UInt64

    var isConfigured: Bool { access.address() != nil }
    var isReachable: Bool { sync.isConnected }

    func calls() async throws -> any BackupCloudCalls {
        guard let address = access.address() else { throw BackupService.noCloud }
        return CloudBackupCalls(try await access.session(to: address, invitation: ""))
    }

    func recover(
        _ code: String, at url: String, fingerprint: Data
    ) async throws -> (keys: any BackupKeys, calls: any BackupCloudCalls) {
        let code = try RecoveryCode(typed: code)
        let endpoint = try CloudEndpoint(
            url: url, certificate: fingerprint.isEmpty ? nil : Array(fingerprint),
            timestamp: HybridTimestamp(milliseconds: clock(), counter: 0))
        let cloud = CloudRecovery(connectors: connectors)
        let key = try code.key()
        let found = try await cloud.fetch(code.account, as: key, at: endpoint)
        let recovered = try code.recover(statements: found.statements, envelopes: found.contentKeys)
        return (
            SealedBackupKeys(ring: recovered.keyRing, membership: recovered.membership, key: nil),
            CloudBackupCalls(try await cloud.signIn(code.account, key, endpoint))
        )
    }
}

/// The daemon's state besides files.
struct BackingUpDevice: BackupDevice {
    let defaults: HandlerDefaults
    let documents: DocumentsService
    let settings: DaemonSettings
    let recorder: any EventRecorder

    func facts() async -> DeviceFacts {
        DeviceFacts(
            handlers: defaults.all().map { entry in
                var bundleID = ""
                if case .app(let app) = entry.choice { bundleID = app.rawValue }
                return .init(kind: entry.kind, name: entry.name, bundleID: bundleID)
            },
            folders: documents.folderPlaces.sorted { $0.key < $1.key }.map { .init(name: $0.key, path: $0.value) })
    }

    func settingsRestored() async {
        do {
            try await settings.reload()
        } catch {
            recorder.record(
                "backup", "settings_refused", (error as? BatonError)?.message ?? "The settings cannot be used.", [:])
        }
    }

    func restore(handlers: [DeviceFacts.Handler]) async -> [String] {
        var refused = 0
        for handler in handlers {
            let isSet = try? await defaults.restore(
                kind: handler.kind, name: handler.name, bundleID: handler.bundleID)
            if isSet != true { refused += 1 }
        }
        return refused == 0 ? [] : ["\(refused) handlers could not be restored. “baton default” shows those that are."]
    }

    func restore(folders: [DeviceFacts.Folder]) async -> [String] {
        var notes: [String] = []
        for folder in folders {
            do {
                try await documents.joinAgain(folder.name, at: folder.path)
            } catch {
                let why = (error as? BatonError)?.message ?? "\(error)"
                notes.append(
                    "The folder “\(folder.name)” is not kept equal here yet. \(why) Join it with “baton folder join \(folder.name) "
                        + "\(folder.path)”.")
            }
        }
        return notes
    }
}
