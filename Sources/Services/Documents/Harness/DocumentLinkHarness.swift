import BatonConcurrency
import BatonCore
package import BatonTransport
import BatonWire
import FileSync
import Foundation
import SwiftProtobuf
import Sync

/// Answers `DocumentLinkService` of the link plane.
package struct DocumentLinkHarness: Sendable {
    static let contentsAtOnce = 1000
    static let runsAtOnce = 80
    private static let rangesAtOnce = 4096
    private static let bytesAtOnce: UInt64 = 16 << 20
    private static let partBytes = 512 << 10
    private static let keptAtOnce = 64
    /// Contents that are fetched side by side for one call.
    private static let fetchesAtOnce = 4
    /// After that a call that asks to keep contents is answered with what is here.
    static let keepingTime = Duration.seconds(20)
    /// Contents that one device reads at once: each may hold 16 MiB in memory. Policy: more are refused.
    static let readings = 16
    /// Calls of each other kind that one device has under way: its connections, of which it has twice as many, serve other calls too.
    /// As above.
    static let callsAtOnce = 16

    private let service: DocumentsService
    private let underWay = CallLimit<DeviceID>(Self.readings)
    private let readingRuns = CallLimit<DeviceID>(Self.callsAtOnce)
    private let keeping = CallLimit<DeviceID>(Self.callsAtOnce)
    private let asking = CallLimit<DeviceID>(Self.callsAtOnce)

    package init(_ service: DocumentsService) { self.service = service }

    /// - Parameter router: one that serves members of the account only.
    package func register(on router: inout ConnectRouter) {
        router.unary(DocumentLinkMethods.findContents) { request, context in
            try await find(request, for: try context.device)
        }
        router.unary(DocumentLinkMethods.readRuns) { request, context in
            try await readRuns(request, for: try context.device)
        }
        router.serverStream(DocumentLinkMethods.readContent) { request, context, writer in
            try await read(request, for: try context.device) { try await writer.write($0) }
        }
        router.unary(DocumentLinkMethods.keepContents) { request, context in
            try await keep(request, for: try context.device)
        }
    }

    func find(
        _ request: Baton_Link_V1_FindContentsRequest, for device: DeviceID
    ) async throws -> Baton_Link_V1_FindContentsResponse {
        guard request.contents.count <= Self.contentsAtOnce else { throw Self.tooMany }
        let container = try container(request.zone)
        let keys = request.contents.map(ContentKey.init)
        let whole = try await asking.run(for: device) {
            try await container.perform { container in
                let reader = container.reader
                return keys.map { key in key.map { reader.held($0.hash, entry: $0.entry) != nil } ?? false }
            }
        }
        guard let whole else { throw Self.tooManyCalls }
        return .with { $0.whole = whole }
    }

    func readRuns(
        _ request: Baton_Link_V1_ReadRunsRequest, for device: DeviceID
    ) async throws -> Baton_Link_V1_ReadRunsResponse {
        guard request.hashes.count <= Self.runsAtOnce else { throw Self.tooMany }
        let container = try container(request.zone)
        let hashes = request.hashes.map { ContentHash($0) }
        let found = try await readingRuns.run(for: device) {
            try await container.writer.runs(hashes.compactMap(\.self))
        }
        guard let found else { throw Self.tooManyCalls }
        let runs = hashes.map { hash in Data(hash.flatMap { found[$0] } ?? []) }
        return .with { $0.runs = runs }
    }

    func read(
        _ request: Baton_Link_V1_ReadContentRequest, for device: DeviceID,
        write: (Baton_Link_V1_ReadContentPart) async throws -> Void
    ) async throws {
        let container = try container(request.zone)
        guard let key = ContentKey(request.content) else { throw Self.malformed }
        let ranges = try Self.ranges(request.ranges)
        let read: Void? = try await underWay.run(for: device) {
            try await container.writer.readHeld(key.hash, entry: key.entry, ranges) { bytes, offset in
                for start in stride(from: 0, to: bytes.count, by: Self.partBytes) {
                    try await write(
                        .with {
                            $0.data = Data(bytes[start..<min(start + Self.partBytes, bytes.count)])
                            $0.offset = offset + UInt64(start)
                        })
                    container.meters.add(min(Self.partBytes, bytes.count - start), .up)
                }
            }
        }
        guard read != nil else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_readings",
                "This device reads \(Self.readings) contents already. Ask again when one has come.")
        }
    }

    func keep(
        _ request: Baton_Link_V1_KeepContentsRequest, for device: DeviceID
    ) async throws -> Baton_Link_V1_KeepContentsResponse {
        guard request.contents.count <= Self.keptAtOnce else { throw Self.tooMany }
        let container = try container(request.zone)
        let kept = await keeping.run(for: device) { await Self.keep(request.contents, container, for: device) }
        guard let kept else { throw Self.tooManyCalls }
        return .with { $0.kept = kept }
    }

    private func container(_ zone: Baton_Link_V1_ZoneName) throws(BatonError) -> ContainerEngine {
        guard let zone = ZoneName(zone), let container = service.container(of: zone) else {
            throw BatonError(.notFound, reason: "unknown_zone", "This device does not keep that container.")
        }
        return container
    }

    private static func ranges(_ ranges: [Baton_Link_V1_ContentRange]) throws(BatonError) -> [Range<UInt64>] {
        guard ranges.count <= rangesAtOnce else { throw tooMany }
        var result: [Range<UInt64>] = []
        var bytes: UInt64 = 0
        for range in ranges {
            let (end, isTooFar) = range.offset.addingReportingOverflow(UInt64(range.length))
            bytes += UInt64(range.length)
            guard !isTooFar, end <= UInt64(Int64.max), range.length > 0, range.offset >= result.last?.upperBound ?? 0,
                bytes <= bytesAtOnce
            else { throw malformed }
            result.append(range.offset..<end)
        }
        return result
    }

    private static func keep(
        _ contents: [Baton_Link_V1_ContentToKeep], _ container: ContainerEngine, for device: DeviceID
    ) async -> [Data] {
        let asked = contents.compactMap { message -> (ContentKey, Entry)? in
            guard let key = ContentKey(message.content), let entry = try? EntryCodec.decode(message.entry)
            else { return nil }
            return (key, entry)
        }
        // Unstructured, since the timer ends it, and awaited here. Contents that have come until then are not fetched again for
        // the next request.
        let work = Task {
            await withTaskGroup(of: Data?.self) { group in
                var rest = asked[...]
                var kept: [Data] = []
                func next() {
                    guard !Task.isCancelled, let (key, entry) = rest.popFirst() else { return }
                    group.addTask {
                        await container.writer.keep(key, entry, for: device) ? Data(key.hash.bytes) : nil
                    }
                }
                for _ in 0..<fetchesAtOnce { next() }
                while let hash = await group.next() {
                    if let hash { kept.append(hash) }
                    next()
                }
                return kept
            }
        }
        let timer = DeadlineTimer.shared.schedule(after: keepingTime) { work.cancel() }
        defer { DeadlineTimer.shared.cancel(timer) }
        return await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }
    }

    private static let tooMany = BatonError(
        .invalidArgument, reason: "too_many_contents", "More was asked for at once than is allowed.")
    private static let tooManyCalls = BatonError(
        .resourceExhausted, reason: "too_many_calls",
        "This device has as many such calls under way as one device may have. Ask again when one is answered.")
    private static let malformed = BatonError(
        .invalidArgument, reason: "malformed_content", "A content or a part of it that cannot be was asked for.")
}
