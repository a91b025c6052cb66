import AppLink
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization

/// The versions of files in containers, which the daemon keeps; of all others, and those that this process kept itself, a
/// store of the process.
///
/// The daemon has no removing of versions: a conflict that is removed is resolved, and goes to the history, which the
/// person's settings limit.
final class UbiquityVersionStore: FileVersionStore {
    /// Holds versions that were fetched, until the process ends.
    private static let folder: URL = {
        atexit { try? FileManager.default.removeItem(at: UbiquityVersionStore.folder) }
        return URL(fileURLWithPath: NSTemporaryDirectory())
            .appendingPathComponent("baton-versions-\(ProcessInfo.processInfo.processIdentifier)")
    }()
    /// How long a version's content may take.
    private static let patience = Duration.seconds(300)

    private struct Key: Hashable {
        let path: String
        let identifier: String
    }

    private let local: any FileVersionStore
    /// Nil for the caller's runtime.
    private let given: UbiquityClient?
    private let fetched = Mutex<[Key: URL]>([:])

    init(local: any FileVersionStore, client: UbiquityClient? = nil) {
        self.local = local
        given = client
    }

    private var client: UbiquityClient { given ?? AppRuntime.current.ubiquity }

    // MARK: FileVersionStore

    func versions(of url: URL) throws -> [FileVersionRecord] {
        let own = try local.versions(of: url)
        guard client.isUbiquitous(url) else { return own }
        let all = try list(url).filter { !$0.current }.map { record($0, url) } + own
        return all.sorted { ($0.modificationDate ?? .distantPast) > ($1.modificationDate ?? .distantPast) }
    }

    func current(of url: URL) throws -> FileVersionRecord? {
        guard client.isUbiquitous(url) else { return nil }
        return try list(url).first(where: \.current).map { record($0, url) }
    }

    func add(_ content: URL, as url: URL, isConflict: Bool) throws -> FileVersionRecord {
        try local.add(content, as: url, isConflict: isConflict)
    }

    func fetch(_ identifier: String, of url: URL) throws -> FileVersionRecord {
        guard try isDaemons(identifier, url) else { return try local.fetch(identifier, of: url) }
        guard let version = try list(url).first(where: { $0.id == identifier }) else {
            throw DocumentErrors.cocoa(
                .fileNoSuchFile, "“\(url.lastPathComponent)” has no such version any more.", url)
        }
        var record = record(version, url)
        if record.content == nil { record.content = try download(version, url) }
        return record
    }

    func setResolved(_ identifier: String, of url: URL) throws {
        guard try isDaemons(identifier, url) else { return try local.setResolved(identifier, of: url) }
        try resolve([identifier], url)
    }

    func remove(_ identifier: String, of url: URL) throws {
        guard try isDaemons(identifier, url) else { return try local.remove(identifier, of: url) }
        if try list(url).contains(where: { $0.id == identifier && $0.conflict }) { try resolve([identifier], url) }
        forget(identifier, url)
    }

    func removeAll(of url: URL) throws {
        try local.removeAll(of: url)
        guard client.isUbiquitous(url) else { return }
        if try list(url).contains(where: \.conflict) { try resolve([], url) }
    }

    /// Versions that this process kept itself are in its own store.
    private func isDaemons(_ identifier: String, _ url: URL) throws -> Bool {
        guard client.isUbiquitous(url) else { return false }
        return try !local.versions(of: url).contains { $0.identifier == identifier }
    }

    // MARK: The daemon

    private func list(_ url: URL) throws -> [Baton_App_V1_DocumentVersion] {
        let client = client
        let request = Baton_App_V1_ListFileVersionsRequest.with {
            $0.path = client.daemonPath(of: url)
        }
        do {
            return try client.link.wait(UbiquityClient.timeout) {
                try await client.link.call(
                    ContainerMethods.listFileVersions, request, timeout: UbiquityClient.timeout
                ).versions
            }
        } catch let error as BatonError where error.code == .notFound {
            // It is so new that the daemon has not seen it.
            return []
        } catch {
            throw UbiquityErrors.cocoa(error, url)
        }
    }

    private func resolve(_ identifiers: [String], _ url: URL) throws {
        let client = client
        let request = Baton_App_V1_ChangeFileVersionsRequest.with {
            $0.path = client.daemonPath(of: url)
            $0.versionIds = identifiers
            $0.change = .resolve
        }
        do {
            _ = try client.link.wait(UbiquityClient.timeout) {
                try await client.link.call(
                    ContainerMethods.changeFileVersions, request, timeout: UbiquityClient.timeout)
            }
        } catch {
            throw UbiquityErrors.cocoa(error, url, isWriting: true)
        }
    }

    /// Writes the version's content to a file of its own. A file that is here is complete.
    private func download(_ version: Baton_App_V1_DocumentVersion, _ url: URL) throws -> URL {
        let client = client
        let request = Baton_App_V1_ReadFileVersionRequest.with {
            $0.path = client.daemonPath(of: url)
            $0.versionID = version.id
        }
        let folder = Self.folder.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let target = folder.appendingPathComponent(url.lastPathComponent)
        do {
            let isPackage = client.item(at: url)?.item.kind == .package
            try client.link.wait(Self.patience) {
                if isPackage {
                    let package = try PackageUnpacker(target)
                    let parts = try await client.link.stream(ContainerMethods.readFileVersion, request)
                    for try await part in parts { try package.write(part.data) }
                    return try package.finish()
                }
                try Data().write(to: target)
                let file = try FileHandle(forWritingTo: target)
                defer { try? file.close() }
                let parts = try await client.link.stream(ContainerMethods.readFileVersion, request)
                for try await part in parts { try file.write(contentsOf: part.data) }
            }
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw UbiquityErrors.cocoa(error, url)
        }
        if version.modified != 0 {
            let date = Date(timeIntervalSince1970: Double(version.modified) / 1e9)
            try? FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: target.path)
        }
        fetched.withLock { $0[Key(path: url.path, identifier: version.id)] = target }
        return target
    }

    private func forget(_ identifier: String, _ url: URL) {
        let file = fetched.withLock { $0.removeValue(forKey: Key(path: url.path, identifier: identifier)) }
        if let file { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
    }

    private func record(_ version: Baton_App_V1_DocumentVersion, _ url: URL) -> FileVersionRecord {
        FileVersionRecord(
            identifier: version.id,
            content: fetched.withLock { $0[Key(path: url.path, identifier: version.id)] },
            modificationDate: version.modified == 0
                ? nil : Date(timeIntervalSince1970: Double(version.modified) / 1e9),
            computerName: version.deviceName.isEmpty ? nil : version.deviceName, isConflict: version.conflict,
            isResolved: !version.conflict, isLocal: version.isLocal)
    }
}
