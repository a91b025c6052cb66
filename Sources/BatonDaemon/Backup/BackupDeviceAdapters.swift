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
        var folders: [DeviceFacts.Folder] = []
        // For all folders together: the facts are one small file.
        var left = DeviceFacts.maximumEntries
        func bounded(_ identifiers: [String]) -> [String]? {
            let first = Array(identifiers.prefix(left))
            left -= first.count
            return first.isEmpty ? nil : first
        }
        for place in await documents.folderPlaces() {
            var folder = DeviceFacts.Folder(name: place.name, path: place.path)
            folder.isReadOnly = place.isReadOnly ? true : nil
            folder.onDemand = bounded(place.onDemand)
            folder.kept = bounded(place.kept)
            folders.append(folder)
        }
        return DeviceFacts(
            handlers: defaults.all().map { entry in
                var bundleID = ""
                if case .app(let app) = entry.choice { bundleID = app.rawValue }
                return .init(kind: entry.kind, name: entry.name, bundleID: bundleID)
            },
            folders: folders)
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
            var place = DocumentsService.Place(name: folder.name, path: folder.path)
            place.isReadOnly = folder.isReadOnly == true
            (place.onDemand, place.kept) = (folder.onDemand ?? [], folder.kept ?? [])
            do {
                try await documents.joinAgain(place)
            } catch {
                notes.append(Self.note(folder, error))
            }
        }
        return notes
    }

    private static func note(_ folder: DeviceFacts.Folder, _ error: any Error) -> String {
        let known = error as? BatonError
        let why = known?.message ?? "\(error)"
        // One that only receives begins empty.
        let place = known?.reason == "folder_not_empty" ? "DIR" : folder.path
        let flag = folder.isReadOnly == true ? " --read-only" : ""
        let rest =
            folder.onDemand?.isEmpty == false
            ? ", and say with “baton folder on-demand” what of it is to come on demand again." : "."
        return "The folder “\(folder.name)” is not kept equal here yet. \(why) Join it with “baton folder join "
            + "\(folder.name) \(place)\(flag)”\(rest)"
    }
}
