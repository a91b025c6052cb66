import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import Testing
import Transfers

/// which items each device is offered, and which decider answers.
@Suite("A capability's transfers", .timeLimit(.minutes(1))) struct TransferClientTests {
    private static let receiver = DeviceID(unchecked: String(repeating: "B", count: 26))
    private static let other = DeviceID(unchecked: String(repeating: "C", count: 26))

    /// A receiver that answers offers, and does something once it has.
    private final class Receiver: TransferPeers {
        private let accepts: Bool
        private let answered: @Sendable (TransferID) -> Void
        private let requests = Mutex<[Baton_Link_V1_OfferTransferRequest]>([])

        init(accepts: Bool, answered: @escaping @Sendable (TransferID) -> Void = { _ in }) {
            self.accepts = accepts
            self.answered = answered
        }

        var offers: [Baton_Link_V1_OfferTransferRequest] { requests.withLock { $0 } }

        func call<Request, Response>(
            _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID, _ timeout: Duration
        ) async throws -> Response {
            let offer = try #require(request as? Baton_Link_V1_OfferTransferRequest)
            requests.withLock { $0.append(offer) }
            if accepts { answered(try TransferID(validating: offer.transferID)) }
            return try #require(Baton_Link_V1_OfferTransferResponse.with { $0.accepted = accepts } as? Response)
        }

        func stream<Request, Response>(
            _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID
        ) async throws -> ConnectResponses<Response> {
            throw BatonError(.unimplemented, reason: "no_stream", "Nothing is read in this test.")
        }
    }

    /// The items that reading devices got.
    private final class Seen: Sendable {
        private let state = Mutex<(read: Data, refusals: [String])>((Data(), []))

        var read: Data { state.withLock { $0.read } }
        var refusals: [String] { state.withLock { $0.refusals } }

        func add(_ parts: [TransferPart]) { state.withLock { state in for part in parts { state.read += part.data } } }
        func add(_ error: any Error) {
            state.withLock { $0.refusals.append((error as? BatonError)?.reason ?? "\(error)") }
        }
    }

    @Test("an offer names its owner, and one that is declined sends nothing")
    func declined() async throws {
        let peers = Receiver(accepts: false)
        let client = TransferClient(owner: .airDrop, outbox: TransferOutbox(), peers: peers)
        let items = try LocalItems(paths: [], urls: ["https://example.com/"])
        let error = await #expect(throws: BatonError.self) { try await client.send(items, to: Self.receiver) { _ in } }
        #expect(error?.reason == "declined")
        #expect(peers.offers.map(\.owner) == ["airdrop"])
        #expect(peers.offers.map(\.urls) == [["https://example.com/"]])
    }

    @Test("only the device that a transfer was offered to reads it and ends it")
    func readers() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("note.txt")
        try Data("hello".utf8).write(to: URL(fileURLWithPath: path))
        let (outbox, seen) = (TransferOutbox(), Seen())
        let peers = Receiver(accepts: true) { id in
            // The receiver, which goes on after it has answered.
            Task {
                for device in [Self.other, Self.receiver] {
                    do {
                        let tags = try PartTags(key: PartTags.randomKey())
                        try await outbox.read(id, from: TransferPlace(), tags: tags, by: device) { seen.add($0) }
                    } catch {
                        seen.add(error)
                    }
                    do {
                        try outbox.finish(id, by: device, .init(files: 1, bytes: 5))
                    } catch {
                        seen.add(error)
                    }
                }
            }
        }
        let client = TransferClient(owner: .airDrop, outbox: outbox, peers: peers)
        try await client.send(try LocalItems(paths: [path]), to: Self.receiver) { _ in }
        #expect(seen.read == Data("hello".utf8))
        #expect(seen.refusals == ["unknown_transfer", "unknown_transfer"])
    }

    @Test("the owner's decider is asked, that of AirDrop where an offer names none; an unknown owner is refused")
    func deciders() async throws {
        let deciders = TransferDeciders()
        let asked = Mutex<[String]>([])
        deciders.register(.airDrop) { _, _, _, _ in
            asked.withLock { $0.append("airdrop") }
            return true
        }
        deciders.register(TransferOwner(rawValue: "other")) { _, _, _, _ in
            asked.withLock { $0.append("other") }
            return false
        }
        let manifest = try TransferManifest(entries: [], urls: ["https://example.com/"])
        for owner in ["", "airdrop", "other"] {
            _ = try await deciders.decider(for: owner)(.random(), manifest, Self.receiver) { _ in }
        }
        #expect(asked.withLock { $0 } == ["airdrop", "airdrop", "other"])
        for owner in ["AirDrop", "backup", String(repeating: "x", count: 65)] {
            let error = #expect(throws: BatonError.self) { _ = try deciders.decider(for: owner) }
            #expect(error?.reason == "unknown_transfer_owner")
        }
    }
}
