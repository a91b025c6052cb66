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

/// The daemon's own methods of the control service: its state, its log, and explanations across services.
struct ControlHarness: Sendable {
    let account: AccountService
    let presence: PresenceService
    let launchServices: LaunchServices
    let handoff: HandoffService
    let sites: SiteAssociations
    let opening: OpeningService
    let log: EventLog
    let started: UInt64
    let home: String
    let interfaces: [String]
    let linkPort: @Sendable () -> Int

    func register(on router: inout ConnectRouter) {
        router.unary(ControlMethods.getStatus) { _, _ in status() }
        router.serverStream(ControlMethods.readLog) { request, _, writer in try await readLog(request, writer) }
        router.unary(ControlMethods.explain) { request, _ in try await explain(request) }
    }

    // MARK: Status

    private func status() -> Baton_Control_V1_GetStatusResponse {
        let snapshot = account.snapshot()
        return .with {
            $0.softwareVersion = BatonVersion.current
            $0.protocolVersion = ConnectProtocol.version
            $0.processID = UInt32(clamping: ProcessInfo.processInfo.processIdentifier)
            $0.started = started
            $0.home = home
            $0.interfaces = interfaces
            $0.linkPort = UInt32(clamping: linkPort())
            $0.discovery = presence.discoveryFinding
            if let snapshot {
                $0.accountID = snapshot.accountID.rawValue
                $0.deviceID = snapshot.deviceID.rawValue
                $0.deviceName = snapshot.name(of: snapshot.deviceID)
                $0.revoked = snapshot.standing == .revoked
                $0.devicesKnown = UInt32(clamping: snapshot.otherDevices.count)
                $0.devicesConnected = UInt32(presence.connections().count)
            }
            $0.appsInstalled = UInt32(launchServices.apps().count)
            $0.appsRunning = UInt32(launchServices.runningCount)
            $0.activities = UInt32(handoff.localActivities().count)
            $0.offers = UInt32(handoff.offers().count)
        }
    }

    // MARK: Log

    private func readLog(
        _ request: Baton_Control_V1_ReadLogRequest, _ writer: ConnectWriter<Baton_Control_V1_LogRecord>
    ) async throws {
        let acceptance = request.acceptanceID.isEmpty ? nil : request.acceptanceID
        // Followed from before the past is read, so that no record falls between; doubles are left out.
        let following = request.follow ? log.follow() : nil
        let past = log.recent(limit: Int(request.limit), acceptanceID: acceptance)
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
        let explanations: [Baton_Control_V1_Explanation]
        switch request.subject {
        case .device(let text):
            explanations = [try explainDevice(text)]
        case .app(let text):
            let stages = await AppExplanation.stages(
                text, launchServices: launchServices, handoff: handoff, log: log)
            explanations = [Self.explanation(text.shortened(toBytes: 160), stages)]
        case .activity(let subject):
            let devices: [DeviceID]
            if subject.device.isEmpty {
                devices = handoff.otherDevices()
            } else {
                let device = try account.device(named: subject.device)
                if device == account.snapshot()?.deviceID {
                    let stage = Baton_Link_V1_Stage(
                        "device", .ok, "That is this device.", "Name another one: an activity is offered to the others."
                    )
                    return .with { $0.explanations = [Self.explanation(subject.device, [stage])] }
                }
                devices = [device]
            }
            explanations = try await handoff.explainActivity(subject.activity, at: devices)
        case .page(let text):
            explanations = try sites.explain(text)
        case .url(let url):
            explanations = [opening.explain(url: url)]
        case .file(let path):
            explanations = [await opening.explain(file: path)]
        case nil:
            throw BatonError(
                .invalidArgument, reason: "missing_subject", "Name a device, an app, an activity or a page to explain.")
        }
        return .with { $0.explanations = explanations }
    }

    private func explainDevice(_ text: String) throws -> Baton_Control_V1_Explanation {
        guard let snapshot = account.snapshot() else {
            throw BatonError(
                .failedPrecondition, reason: "no_account",
                "This device has no account. Make one with “baton account create”, or join one with “baton pair”.")
        }
        let device = try account.device(named: text)
        return Self.explanation(snapshot.name(of: device), presence.explain(device: device))
    }

    private static func explanation(
        _ subject: String, _ stages: [Baton_Link_V1_Stage]
    ) -> Baton_Control_V1_Explanation {
        .with {
            $0.subject = subject
            $0.stages = stages
            $0.healthy = stages.allSatisfy { $0.verdict == .ok }
        }
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
