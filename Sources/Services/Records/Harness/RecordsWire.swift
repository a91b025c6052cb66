import BatonCore
import BatonWire
import FileSync
import Foundation
import RecordMerge
import SwiftProtobuf

/// Between the app plane's messages and the values of records.
enum RecordsWire {
    // MARK: From apps

    /// - Parameter asset: one that was handed over, by its identifier.
    static func value(
        _ message: Baton_App_V1_RecordValue, isNested: Bool = false, zone: RecordZoneName? = nil,
        asset: (Data) throws -> RecordAsset?
    ) throws -> RecordValue {
        switch message.kind {
        case .null, nil: return .nothing
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .date(let seconds): return .date(seconds)
        case .text(let text):
            guard text.utf8.count <= RecordLimits.inlineBytes else { throw tooLarge }
            return .text(text)
        case .data(let data):
            guard data.count <= RecordLimits.inlineBytes else { throw tooLarge }
            return .bytes(data)
        case .reference(let reference): return .reference(try self.reference(reference, in: zone))
        case .asset(let message):
            guard let asset = try asset(message.assetID) else { throw RecordsError.noAsset }
            return .asset(asset)
        case .location(let location): return .location(bytes(of: location))
        case .list(let list):
            guard !isNested else { throw RecordsError.invalid("A list holds no lists.") }
            return .list(
                try list.values.map { value in
                    let value = try self.value(value, isNested: true, zone: zone, asset: asset)
                    guard !value.isNothing else { throw RecordsError.invalid("A list holds values only.") }
                    return value
                })
        }
    }

    /// A value without assets and references: of a key, or a default.
    static func plainValue(_ message: Baton_App_V1_RecordValue) throws -> RecordValue {
        switch message.kind {
        case .reference, .list, .location, .asset:
            throw RecordsError.invalid("A key or a default is an integer, a real, a text or data.")
        default: return try value(message) { _ in nil }
        }
    }

    /// A value of a key that only names a row. A long one has a name, and no record.
    static func nameValue(_ message: Baton_App_V1_RecordValue) throws -> RecordValue {
        switch message.kind {
        case .text(let text): .text(text)
        case .data(let data): .bytes(data)
        default: try plainValue(message)
        }
    }

    private static func reference(
        _ message: Baton_App_V1_RecordReference, in zone: RecordZoneName?
    ) throws -> RecordReference {
        let name = try recordName(message.record.recordName)
        guard message.record.zone.ownerName.isEmpty else {
            throw RecordsError.invalid("A reference to another user's zone cannot be kept yet.")
        }
        let target = message.record.zone.zoneName
        guard target.isEmpty || RecordZoneName(target) != nil else { throw RecordsError.zoneNotFound(target) }
        return RecordReference(
            name: name, zone: target.isEmpty || target == zone?.rawValue ? nil : target,
            action: message.deletesSelf ? .deleteSelf : .none)
    }

    static func recordName(_ text: String) throws(BatonError) -> RecordName {
        do throws(BatonError) {
            return try RecordName(text)
        } catch {
            throw RecordsError.invalid(error.message)
        }
    }

    /// - Throws: `zone_not_found` for another user's zone, and for an invalid name.
    static func zoneName(_ message: Baton_App_V1_RecordZoneID) throws(BatonError) -> RecordZoneName {
        let name = message.zoneName.isEmpty ? RecordZoneName.standard.rawValue : message.zoneName
        guard message.ownerName.isEmpty, let zone = RecordZoneName(name) else {
            throw RecordsError.zoneNotFound(message.zoneName)
        }
        return zone
    }

    private static func numbers(of location: Baton_App_V1_RecordLocation) -> [Double] {
        [
            location.latitude, location.longitude, location.altitude, location.horizontalAccuracy,
            location.verticalAccuracy, location.course, location.speed, location.timestamp,
        ]
    }

    private static func bytes(of location: Baton_App_V1_RecordLocation) -> Data {
        numbers(of: location).reduce(into: Data()) { data, number in
            withUnsafeBytes(of: number.bitPattern.bigEndian) { data.append(contentsOf: $0) }
        }
    }

    private static let tooLarge = RecordsError.limit(
        "A value of more than \(RecordLimits.inlineBytes) bytes is handed over as an asset.")

    // MARK: To apps

    static func message(_ value: RecordValue, in zone: RecordZoneName) -> Baton_App_V1_RecordValue {
        .with { message in
            switch value {
            // An app of this version cannot represent it.
            case .nothing, .unknown: message.null = .init()
            case .integer(let number): message.integer = number
            case .real(let number): message.real = number
            case .text(let text): message.text = text
            case .bytes(let data): message.data = data
            case .date(let seconds): message.date = seconds
            case .reference(let reference):
                message.reference = .with {
                    $0.record = id(reference.name, in: reference.zone.flatMap { RecordZoneName($0) } ?? zone)
                    $0.deletesSelf = reference.action == .deleteSelf
                }
            case .asset(let asset): message.asset = self.message(asset)
            case .location(let data): message.location = location(data)
            case .list(let values): message.list = .with { $0.values = values.map { self.message($0, in: zone) } }
            }
        }
    }

    static func message(_ asset: RecordAsset) -> Baton_App_V1_RecordAsset {
        .with {
            $0.assetID = AssetID.of(asset)
            $0.size = asset.size
            $0.sha256 = asset.digest
            switch asset.kind {
            case .file: $0.content = .unspecified
            case .text: $0.content = .text
            case .bytes: $0.content = .data
            }
        }
    }

    private static func location(_ data: Data) -> Baton_App_V1_RecordLocation {
        let bytes = Array(data)
        let numbers = stride(from: 0, to: bytes.count - 7, by: 8).map { start in
            Double(bitPattern: bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) })
        }
        guard numbers.count >= 8 else { return .init() }
        return .with {
            ($0.latitude, $0.longitude, $0.altitude) = (numbers[0], numbers[1], numbers[2])
            ($0.horizontalAccuracy, $0.verticalAccuracy) = (numbers[3], numbers[4])
            ($0.course, $0.speed, $0.timestamp) = (numbers[5], numbers[6], numbers[7])
        }
    }

    static func id(_ name: RecordName, in zone: RecordZoneName) -> Baton_App_V1_RecordIdentifier {
        .with {
            $0.recordName = name.text
            $0.zone.zoneName = zone.rawValue
        }
    }

    /// - Parameter keys: nil for all fields.
    static func message(
        _ kept: KeptRecord, in zone: RecordZoneName, keys: Set<String>? = nil
    ) -> Baton_App_V1_Record {
        let record = kept.record
        return .with { message in
            message.id = id(record.name, in: zone)
            message.recordType = record.type
            message.changeTag = kept.changeTag
            if case .reference(let parent) = record[.parent] { message.parent = parent.name.text }
            message.created = milliseconds(record[.created])
            message.modified = milliseconds(record[.modified])
            message.createdBy = text(record[.creator])
            message.modifiedBy = text(record[.modifier])
            for (field, value) in record.numbers.sorted(by: { $0.key < $1.key }) where !value.isNothing {
                let (name, isEncrypted): (String, Bool)
                switch field {
                case .value(let key): (name, isEncrypted) = (key, false)
                case .encrypted(let key): (name, isEncrypted) = (key, true)
                default: continue
                }
                guard keys?.contains(name) ?? true else { continue }
                message.fields.append(
                    .with {
                        $0.name = name
                        $0.encrypted = isEncrypted
                        $0.value = self.message(value, in: zone)
                    })
            }
        }
    }

    static func text(_ value: RecordValue) -> String { if case .text(let text) = value { text } else { "" } }

    /// Milliseconds since 1970; 0 for none.
    static func milliseconds(_ value: RecordValue) -> UInt64 {
        guard case .date(let seconds) = value else { return 0 }
        return UInt64(exactly: ((seconds + Date.timeIntervalBetween1970AndReferenceDate) * 1000).rounded()) ?? 0
    }

    static func problem(_ error: any Error) -> Baton_App_V1_RecordProblem {
        .with {
            if let error = error as? BatonError {
                ($0.reason, $0.message) = (error.reason, error.message)
            } else {
                ($0.reason, $0.message) = ("internal", "The record could not be kept. See “baton log”.")
            }
        }
    }
}
