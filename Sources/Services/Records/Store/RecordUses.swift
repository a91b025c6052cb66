import BatonWire
import Crypto
import FileSync
import Foundation
import RecordMerge
import SwiftProtobuf

/// The blobs and records that a record names.
enum RecordUses {
    struct Reference: Hashable {
        static let parent = 0
        static let deletesSelf = 1

        var target: RecordName
        var kind: Int
    }

    /// The records of its own zone that it goes with, or is a child of.
    static func references(of record: Record) -> Set<Reference> {
        guard record.isPresent else { return [] }
        var references: Set<Reference> = []
        for (field, register) in record.fields {
            if field == .parent {
                if case .reference(let parent) = register.value {
                    references.insert(Reference(target: parent.name, kind: Reference.parent))
                }
                continue
            }
            for reference in self.references(in: register.value) where reference.action == .deleteSelf {
                guard reference.zone == nil else { continue }
                references.insert(Reference(target: reference.name, kind: Reference.deletesSelf))
            }
        }
        return references
    }

    private static func references(in value: RecordValue) -> [RecordReference] {
        switch value {
        case .reference(let reference): [reference]
        case .list(let values): values.flatMap(references)
        default: []
        }
    }

    static func assets(of record: Record) -> Set<RecordAsset> {
        record.fields.values.reduce(into: []) { $0.formUnion(assets(in: $1.value)) }
    }

    static func assets(in value: RecordValue) -> [RecordAsset] {
        switch value {
        case .asset(let asset): [asset]
        case .list(let values): values.flatMap(assets)
        default: []
        }
    }
}

/// Names an asset to apps: a hash of where it lies, so that an app cannot name contents by guessing.
enum AssetID {
    static func of(_ asset: RecordAsset) -> Data {
        var hash = SHA256()
        hash.update(data: Data("baton-record-asset-v1".utf8))
        hash.update(data: [asset.kind.rawValue])
        hash.update(data: asset.digest)
        withUnsafeBytes(of: asset.size.bigEndian) { hash.update(bufferPointer: $0) }
        for part in asset.parts {
            hash.update(data: part.blob)
            hash.update(data: part.key)
            withUnsafeBytes(of: part.size.bigEndian) { hash.update(bufferPointer: $0) }
        }
        return Data(hash.finalize())
    }

    static func asset(_ content: Data) throws -> RecordAsset {
        try RecordCodec.asset(try Baton_Sync_V1_RecordItemAsset(serializedBytes: content))
    }
}

/// Random bytes of the system.
enum RandomBytes {
    static func make(_ count: Int) -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
}
