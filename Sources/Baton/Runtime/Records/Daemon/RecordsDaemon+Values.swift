import AppLink
import BatonConcurrency
import BatonWire
import Foundation
import SwiftProtobuf

/// Records as messages, and back. The daemon's messages are taken as they are: no fault in them stops the app.
extension RecordsDaemon {
    /// - Parameter sent: the record whose save was answered: the bytes of its values are at hand.
    /// - Returns: false if bytes of it could not be had.
    func record(
        _ message: Baton_App_V1_Record, _ link: RecordsLink, sent: SentRecord? = nil
    ) async -> (record: CKRecord, isComplete: Bool) {
        var system = RecordState.System(recordType: message.recordType, recordID: message.id.recordID)
        system.changeTag = message.changeTag.isEmpty ? nil : message.changeTag
        system.created = Self.date(message.created)
        system.modified = Self.date(message.modified)
        system.creator = Self.user(message.createdBy)
        system.modifier = Self.user(message.modifiedBy)
        system.device = message.modifiedByDevice.isEmpty ? nil : message.modifiedByDevice
        var content = RecordState.Content()
        if message.hasParent {
            content.parent = CKRecord.Reference(
                recordID: CKRecord.ID(fetched: message.parent, zoneID: system.recordID.zoneID), action: .none)
        }
        var isComplete = true
        for field in message.fields where field.hasValue {
            do {
                let own = sent?.value(of: field, link)
                content[field.encrypted].values[field.name] =
                    if let own { own } else { try await incoming(field.value, link) }
            } catch {
                isComplete = false
            }
        }
        return (CKRecord(state: RecordState(fetched: system, content: content)), isComplete)
    }

    private static func date(_ milliseconds: UInt64) -> Date? {
        milliseconds == 0 ? nil : Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    private static func user(_ name: String) -> CKRecord.ID? {
        name.isEmpty ? nil : CKRecord.ID(fetched: name, zoneID: .default)
    }

    // MARK: Values out

    func outgoing(_ value: RecordValue, _ link: RecordsLink) async throws(CKError) -> Baton_App_V1_RecordValue {
        var message = Baton_App_V1_RecordValue()
        switch value {
        case .string(let value): message.text = value
        case .data(let value): message.data = value
        case .date(let value): message.date = value.timeIntervalSinceReferenceDate
        case .integer(let value): message.integer = value
        case .real(let value): message.real = value
        case .location(let value): message.location = .init(value)
        case .reference(let value):
            message.reference.record = .init(value.recordID)
            message.reference.deletesSelf = value.action == .deleteSelf
        case .asset(let value): message.asset = try await asset(value, link)
        case .list(let values):
            var list = Baton_App_V1_RecordValueList()
            for value in values { list.values.append(try await outgoing(value, link)) }
            message.list = list
            return message
        }
        do {
            return try await link.outgoing(message)
        } catch {
            throw CKError(daemon: error)
        }
    }

    private func asset(_ asset: CKAsset, _ link: RecordsLink) async throws(CKError) -> Baton_App_V1_RecordAsset {
        if let stored = asset.stored, stored.container == link.container,
            let message = try? Baton_App_V1_RecordAsset(serializedBytes: stored.identity)
        {
            return message
        }
        guard let url = asset.fileURL, url.isFileURL else {
            throw CKError(.assetFileNotFound, "An asset has no file: it was not on this device when it was fetched.")
        }
        let disk = disk
        do {
            let file = try await disk.run { try AssetFile(url, queue: disk) }
            return try await link.write(content: .unspecified) { try await file.next(RecordsLink.partSize) }
        } catch {
            throw CKError(daemon: error)
        }
    }

    // MARK: Values in

    private func incoming(_ message: Baton_App_V1_RecordValue, _ link: RecordsLink) async throws -> RecordValue? {
        switch message.kind {
        case .asset(let asset) where asset.content == .unspecified: return .asset(try await file(of: asset, link))
        case .asset: return Self.value(try await link.incoming(message))
        case .list(let list):
            var values: [RecordValue] = []
            for element in list.values {
                if let value = try await incoming(element, link) { values.append(value) }
            }
            return .list(values)
        default: return Self.value(message)
        }
    }

    private static func value(_ message: Baton_App_V1_RecordValue) -> RecordValue? {
        switch message.kind {
        case .text(let value): .string(value)
        case .data(let value): .data(value)
        case .date(let value): .date(Date(timeIntervalSinceReferenceDate: value))
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .location(let value): .location(CLLocation(value))
        case .reference(let value):
            .reference(
                CKRecord.Reference(
                    recordID: value.record.recordID, action: value.deletesSelf ? .deleteSelf : .none))
        case .null, .asset, .list, nil: nil
        }
    }

    /// The bytes in a file of the cache. One that is there already is not read again.
    private func file(of asset: Baton_App_V1_RecordAsset, _ link: RecordsLink) async throws -> CKAsset {
        let stored = StoredAsset(asset, link)
        let (assets, disk) = (assets, disk)
        let name = asset.sha256.map { String(format: "%02x", $0) }.joined()
        guard asset.sha256.count == 32 else { throw Self.badAnswer }
        let (folder, isThere) = try await disk.run {
            let folder = try assets.folder()
            return (folder, FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path))
        }
        let url = folder.appendingPathComponent(name)
        if isThere { return CKAsset(fileURL: url, stored: stored) }
        let partial = folder.appendingPathComponent("\(name).\(UUID().uuidString)")
        do {
            let handle = try await disk.run {
                guard FileManager.default.createFile(atPath: partial.path, contents: nil) else {
                    throw CKError(.internalError, "An asset cannot be written to “\(folder.path)”. Is the disk full?")
                }
                return try FileHandle(forWritingTo: partial)
            }
            try await link.read(asset) { part in try await disk.run { try handle.write(contentsOf: part) } }
            try await disk.run {
                try handle.close()
                guard rename(partial.path, url.path) == 0 else {
                    throw CKError(.internalError, "An asset cannot be written to “\(folder.path)”.")
                }
            }
        } catch {
            try? await disk.run { try FileManager.default.removeItem(at: partial) }
            throw error
        }
        return CKAsset(fileURL: url, stored: stored)
    }
}

/// A record as it was sent: a value that is answered as it was sent need not be read again.
struct SentRecord {
    private let content: RecordState.Content
    private let message: Baton_App_V1_Record

    init(_ record: CKRecord, _ message: Baton_App_V1_Record) {
        content = record.withState { $0.content }
        self.message = message
    }

    /// Nil if it was not sent so, or is at hand in the answer.
    func value(of answered: Baton_App_V1_RecordField, _ link: RecordsLink) -> RecordValue? {
        guard case .asset(let asset) = answered.value.kind,
            let field = message.fields.first(where: {
                $0.name == answered.name && $0.encrypted == answered.encrypted
            }),
            case .asset(let sent) = field.value.kind, sent.sha256 == asset.sha256, sent.content == asset.content,
            let value = content[answered.encrypted].values[answered.name]
        else { return nil }
        guard case .asset(let own) = value else { return value }
        // The file is the app's: it stays for as long as the app likes.
        return .asset(CKAsset(fileURL: own.fileURL, stored: StoredAsset(asset, link)))
    }
}

extension StoredAsset {
    init(_ asset: Baton_App_V1_RecordAsset, _ link: RecordsLink) {
        self.init(identity: (try? asset.serializedBytes()) ?? Data(), container: link.container)
    }
}
