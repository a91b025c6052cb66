import BatonCore
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf

/// Between messages and the values of this module.
enum KeyValueWire {
    // MARK: Values

    static func bytes(of value: PropertyValue) throws -> Data {
        try Baton_Value_V1_PropertyValue(value).serializedData()
    }

    static func value(of bytes: Data) throws -> PropertyValue {
        try PropertyValue(Baton_Value_V1_PropertyValue(serializedBytes: bytes, options: options))
    }

    /// Values nest deeper than messages usually do.
    private static var options: BinaryDecodingOptions {
        var options = BinaryDecodingOptions()
        options.messageDepthLimit = ConnectCodec.depthLimit
        return options
    }

    // MARK: Items of the cloud

    static func content(of entry: KeyValueEntry) throws -> Data {
        try Baton_Sync_V1_KeyValueItem.with {
            $0.time = entry.stamp.time.rawValue
            $0.deviceID = entry.stamp.device.rawValue
            if let value = entry.value { $0.value = .init(value) } else { $0.removal = .init() }
        }.serializedData()
    }

    /// Nil for what cannot be read.
    static func entry(_ content: Data) -> KeyValueEntry? {
        guard let message = try? Baton_Sync_V1_KeyValueItem(serializedBytes: content, options: options),
            let device = DeviceID(rawValue: message.deviceID)
        else { return nil }
        let stamp = KeyValueStamp(time: HybridTimestamp(rawValue: message.time), device: device)
        switch message.kind {
        case .value(let value):
            return (try? PropertyValue(value)).map { KeyValueEntry(value: $0, stamp: stamp) }
        case .removal: return KeyValueEntry(value: nil, stamp: stamp)
        case nil: return nil
        }
    }

    /// The name of a key's item. A key may be empty, a name may not.
    static func name(_ key: String) -> String { ":" + key }

    /// Nil for a name that no device gives to an item: two spellings of a key would be two items.
    static func key(_ name: String) -> String? {
        guard name.utf8.first == UInt8(ascii: ":"), name.utf8.count <= 1024 else { return nil }
        let key = String(decoding: name.utf8.dropFirst(), as: UTF8.self)
        return Array(key.utf8) == Array(KeyValueLimits.canonical(key).utf8) ? key : nil
    }

    // MARK: Apps

    /// Names an entry to an app, which need not know which device wrote it.
    static func version(of stamp: KeyValueStamp) -> Data {
        Data(SHA256.hash(data: bytes(of: stamp)).prefix(16))
    }

    static func bytes(of stamp: KeyValueStamp) -> Data {
        withUnsafeBytes(of: stamp.time.rawValue.bigEndian) { Data($0) } + Data(stamp.device.rawValue.utf8)
    }

    static func message(_ reason: KeyValueChangeReason?) -> Baton_App_V1_KeyValueReason {
        switch reason {
        case .server: .server
        case .initialSync: .initialSync
        case .account: .account
        case .quotaViolation, nil: .unspecified
        }
    }

    static func message(
        _ key: String, _ slot: KeyValueReplica.Slot?, reason: KeyValueChangeReason?
    ) -> Baton_App_V1_KeyValueEntry {
        .with {
            $0.key = key
            if let value = slot?.entry.value { $0.value = .init(value) }
            if let stamp = slot?.entry.stamp { $0.version = version(of: stamp) }
            $0.reason = message(reason)
        }
    }
}
