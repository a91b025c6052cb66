import BatonCore
import BatonStore
import BatonTransport
import BatonTrust
import BatonWire
import Devices
import Foundation
import Handoff
import LaunchServices
import Opening
import SiteAssociations
import SwiftProtobuf

/// The daemon's own methods of the control service: its state, its log, and explanations of every part.
struct ControlHarness: Sendable {
    let daemon: DaemonComposition
    /// When the daemon started, in milliseconds since 1970.
    let started: UInt64

    func register(on router: inout ConnectRouter) {
        router.unary(ControlMethods.getStatus) { _, _ in status() }
        router.serverStream(ControlMethods.readLog) { request, _, writer in try await readLog(request, writer) }
        router.unary(ControlMethods.explain) { request, _ in try await explain(request) }
    }

    // MARK: Status

    private func status() -> Baton_Control_V1_GetStatusResponse {
        var status = Baton_Control_V1_GetStatusResponse()
        status.softwareVersion = BatonVersion.current
        status.protocolVersion = ConnectProtocol.version
        status.processID = UInt32(clamping: ProcessInfo.processInfo.processIdentifier)
        status.started = started
        status.home = daemon.options.locations.data
        status.interfaces = daemon.options.interfaces ?? []
        for part in daemon.parts {
            part.fill(&status)
            status.stages += part.stages
        }
        return status
    }

    // MARK: Log

    private func readLog(
        _ request: Baton_Control_V1_ReadLogRequest, _ writer: ConnectWriter<Baton_Control_V1_LogRecord>
    ) async throws {
        let acceptance = request.acceptanceID.isEmpty ? nil : request.acceptanceID
        // Followed from before the past is read, so that no record falls between; doubles are left out.
        let following = request.follow ? daemon.log.follow() : nil
        let past = daemon.log.recent(limit: Int(request.limit), acceptanceID: acceptance)
        for record in past { try await writer.write(.init(record)) }
        guard let following else { return }
        let newest = past.last?.time ?? 0
        let known = Set(past.filter { $0.time == newest })
        for await record in following where record.time >= newest && !known.contains(record) {
            guard acceptance == nil || record.fields["acceptance_id"] == acceptance else { continue }
            try await writer.write(.init(record))
        }
    }

    // MARK: Explain

    private func explain(_ request: Baton_Control_V1_ExplainRequest) async throws -> Baton_Control_V1_ExplainResponse {
        if let subject = request.subject {
            for part in daemon.parts {
                guard let explanations = try await part.explain(subject) else { continue }
                return .with { $0.explanations = explanations }
            }
        }
        throw BatonError(
            .invalidArgument, reason: "missing_subject", "Name a device, an app, an activity or a page to explain.")
    }
}

extension Baton_Control_V1_LogRecord {
    init(_ record: EventRecord) {
        self.init()
        time = record.time
        category = record.category
        event = record.event
        message = record.message
        fields = record.fields
    }
}
