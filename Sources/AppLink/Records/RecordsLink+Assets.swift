import BatonClient
package import BatonWire
package import Foundation
import SwiftProtobuf

/// Files, and values that are too large for a message of their own record.
extension RecordsLink {
    /// Hands over bytes in parts. The parts are asked for one after the other; empty at the end.
    package func write(
        content: Baton_App_V1_RecordAsset.Content, _ next: () async throws -> Data
    ) async throws -> Baton_App_V1_RecordAsset {
        var (upload, offset) = (Data(), UInt64(0))
        var part = try await next()
        while true {
            // Asked for before the part goes: the last one says that it is.
            let following = part.isEmpty ? Data() : try await next()
            let request = Baton_App_V1_WriteAssetRequest.with {
                $0.database = database
                $0.uploadID = upload
                $0.offset = offset
                $0.bytes = part
                $0.last = following.isEmpty
                $0.content = content
            }
            let answer = try await link.call(RecordsMethods.writeAsset, request, timeout: Self.timeout)
            if following.isEmpty {
                guard answer.hasAsset else { throw Self.badAnswer }
                return answer.asset
            }
            upload = answer.uploadID
            offset += UInt64(part.count)
            part = following
        }
    }

    package func write(
        _ bytes: Data, content: Baton_App_V1_RecordAsset.Content
    ) async throws -> Baton_App_V1_RecordAsset {
        var rest = bytes[...]
        return try await write(content: content) {
            let part = rest.prefix(Self.partSize)
            rest = rest.dropFirst(part.count)
            return Data(part)
        }
    }

    /// The parts of an asset, in order; they may come from the cloud.
    /// - Throws: `unavailable` (`asset_not_available`) while it is nowhere near; `not_found` (`unknown_item`).
    package func read(
        _ asset: Baton_App_V1_RecordAsset, _ take: (Data) async throws -> Void
    ) async throws {
        let request = Baton_App_V1_ReadAssetRequest.with {
            $0.database = database
            $0.assetID = asset.assetID
        }
        var size: UInt64 = 0
        for try await part in try await link.stream(RecordsMethods.readAsset, request) {
            size += UInt64(part.bytes.count)
            guard size <= asset.size else { throw Self.badAnswer }
            try await take(part.bytes)
        }
        guard size == asset.size else { throw Self.badAnswer }
    }

    package func read(_ asset: Baton_App_V1_RecordAsset) async throws -> Data {
        var bytes = Data()
        try await read(asset) { bytes += $0 }
        return bytes
    }

    // MARK: Large values

    /// The value with what is too large for a message handed over.
    package func outgoing(_ value: Baton_App_V1_RecordValue) async throws -> Baton_App_V1_RecordValue {
        switch value.kind {
        case .text(let text) where text.utf8.count > Self.inlineLimit:
            let asset = try await write(Data(text.utf8), content: .text)
            return .with { $0.asset = asset }
        case .data(let data) where data.count > Self.inlineLimit:
            let asset = try await write(data, content: .data)
            return .with { $0.asset = asset }
        default: return value
        }
    }

    /// The value with what stands for a text or data read; a file's asset stays one.
    package func incoming(_ value: Baton_App_V1_RecordValue) async throws -> Baton_App_V1_RecordValue {
        guard case .asset(let asset) = value.kind, asset.content != .unspecified else { return value }
        let bytes = try await read(asset)
        var value = value
        if asset.content == .text { value.text = String(decoding: bytes, as: UTF8.self) } else { value.data = bytes }
        return value
    }

    /// The record with all its values at hand, except for files.
    package func incoming(_ record: Baton_App_V1_Record) async throws -> Baton_App_V1_Record {
        var record = record
        for index in record.fields.indices where record.fields[index].hasValue {
            record.fields[index].value = try await incoming(record.fields[index].value)
        }
        return record
    }
}
