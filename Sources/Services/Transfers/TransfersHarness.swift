import BatonCore
package import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf

/// Answers `TransferService` of the link plane.
package struct TransfersHarness: Sendable {
    private let outbox: TransferOutbox
    private let deciders: TransferDeciders

    package init(outbox: TransferOutbox, deciders: TransferDeciders) {
        self.outbox = outbox
        self.deciders = deciders
    }

    /// - Parameter router: one that serves members of the account only.
    package func register(on router: inout ConnectRouter) {
        router.unary(TransferMethods.offerTransfer) { [deciders] request, context in
            let device = try context.device
            let id = try TransferID(validating: request.transferID)
            let decide = try deciders.decider(for: request.owner)
            let manifest = try TransferManifest(request)
            let isAccepted = try await decide(id, manifest, device, context.whenClosed)
            return .with { $0.accepted = isAccepted }
        }
        router.serverStream(TransferMethods.readFiles) { [outbox] request, context, writer in
            let device = try context.device
            let id = try TransferID(validating: request.transferID)
            let place = TransferPlace(entry: Int(request.entry), offset: request.offset)
            let tags = try PartTags(key: request.key)
            try await outbox.read(id, from: place, tags: tags, by: device) { parts in
                try await writer.write(.with { $0.parts = parts.map(\.message) })
            }
        }
        router.unary(TransferMethods.finishTransfer) { [outbox] request, context in
            let device = try context.device
            let id = try TransferID(validating: request.transferID)
            let failure =
                request.reason.isEmpty
                ? nil
                : BatonError(
                    .aborted, reason: String(request.reason.prefix(64)), String(request.message.prefix(500)))
            try outbox.finish(
                id, by: device,
                TransferOutbox.Receipt(files: Int(request.files), bytes: request.bytes, failure: failure))
            return .init()
        }
    }
}

extension TransferManifest {
    init(_ message: Baton_Link_V1_OfferTransferRequest) throws(BatonError) {
        var entries: [Entry] = []
        for entry in message.entries.prefix(Self.maximumEntries + 1) {
            let kind: Entry.Kind
            switch entry.kind {
            case .file: kind = .file
            case .directory: kind = .directory
            case .unspecified, .UNRECOGNIZED:
                throw BatonError(
                    .invalidArgument, reason: "invalid_manifest",
                    "The other device offers something that this version of Baton does not know. Update Baton.")
            }
            entries.append(
                Entry(
                    path: entry.path, kind: kind, size: entry.size, modified: entry.modified,
                    isExecutable: entry.executable))
            entries[entries.count - 1].version = entry.version.count == 16 ? entry.version : Data()
        }
        let links = message.links.prefix(Self.maximumEntries + 1).map { Link(path: $0.path, target: $0.target) }
        try self.init(entries: entries, urls: message.urls, links: links, leftOut: Int(message.leftOut))
    }

    /// - Parameter id: of the transfer.
    func message(_ id: TransferID) -> Baton_Link_V1_OfferTransferRequest {
        .with {
            $0.transferID = id.rawValue
            $0.urls = urls
            $0.links = links.map { link in
                .with {
                    $0.path = link.path
                    $0.target = link.target
                }
            }
            $0.leftOut = UInt32(clamping: leftOut)
            $0.entries = entries.map { entry in
                .with {
                    $0.path = entry.path
                    $0.kind = entry.kind == .file ? .file : .directory
                    $0.size = entry.size
                    $0.modified = entry.modified
                    $0.executable = entry.isExecutable
                    $0.version = entry.version
                }
            }
        }
    }
}

extension TransferPart {
    init(_ message: Baton_Link_V1_FilePart) {
        self.init(
            entry: Int(message.entry), offset: message.offset, data: message.data, tag: message.tag)
    }

    var message: Baton_Link_V1_FilePart {
        .with {
            $0.entry = UInt32(clamping: entry)
            $0.offset = offset
            $0.data = data
            $0.tag = tag
        }
    }
}
