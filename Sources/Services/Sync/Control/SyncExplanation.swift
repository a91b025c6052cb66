import BatonCore
import BatonWire
import CloudClient
import Foundation

/// Says what waits, since when, why, and what would help.
struct SyncExplanation: Sendable {
    private typealias Stage = Baton_Link_V1_Stage

    /// More are counted as this many “or more”.
    static let countLimit = 1000

    struct ZoneCount: Sendable {
        /// Nil: the zone's name.
        var title: String?
        var pending: Int
        /// Items held back until the zone was read to its end.
        var early: EarlyItems?
        /// The findings of the source itself.
        var findings: [ZoneFinding] = []
        /// Devices that are near exchange it without a cloud.
        var isExchanged = true
        /// The source could not be asked.
        var problem: String?
    }

    let hasAccount: Bool
    let isMember: Bool
    /// Whether the account has another device than this one.
    let hasOthers: Bool
    let address: CloudAddress?
    let report: SyncReport
    let counts: [ZoneName: ZoneCount]
    /// Milliseconds since 1970.
    let now: UInt64

    var explanations: [Baton_Control_V1_Explanation] {
        [.init("Cloud", cloud)] + report.zones.map { .init(counts[$0.name]?.title ?? $0.name.description, stages($0)) }
    }

    private var cloud: [Baton_Link_V1_Stage] {
        guard hasAccount else {
            return [
                Stage(
                    "account", .failed, "this device belongs to no account",
                    "Make one with “baton account create”, or join one with “baton pair”.")
            ]
        }
        guard isMember else {
            return [
                Stage(
                    "account", .failed, "this device was revoked",
                    "Pair it again with a device of the account: “baton pair” on both.")
            ]
        }
        let isRefused = ["device_revoked", "not_a_member"].contains(report.failure?.reason)
        var stages = [
            isRefused
                ? Stage("account", .failed, "this device is a member by its own records, and not by the cloud's")
                : Stage("account", .ok, "this device is a member")
        ]
        guard let address else {
            stages.append(
                Stage(
                    "cloud", .ok,
                    "the account has none; devices that are near exchange directly",
                    "For devices that are not near: run baton-cloud somewhere, and “baton cloud login URL”."
                ))
            return stages
        }
        stages.append(Stage("cloud", .ok, address.url))
        switch report.cloud {
        case .connected:
            stages.append(Stage("connection", .ok, "for \(age(report.connectedSince ?? now))"))
        case .connecting:
            stages.append(Stage("connection", .unknown, "being made", ""))
        case .off, .waiting:
            var finding = report.failure?.message ?? "not tried yet"
            if let last = report.lastConnected {
                finding += (finding.hasSuffix(".") ? " " : ". ") + "Last connected \(age(last)) ago."
            }
            var next = ""
            if case .waiting(let until) = report.cloud { next = "It is tried again in \(seconds(until)). " }
            let advice =
                report.failure?.reason == "device_revoked"
                ? "Another device of the account has removed this one: values set here are not sent. To come back, pair "
                    + "it again: “baton pair” on both."
                : next + "Values set meanwhile are kept and sent then."
            stages.append(Stage("connection", .failed, finding, advice))
        }
        stages += clockStages
        return stages
    }

    /// Less than that is not noticed.
    private static let clockTolerance: UInt64 = 60_000

    /// When two devices set a value independently, the later time wins: a wrong clock decides wrongly.
    private var clockStages: [Baton_Link_V1_Stage] {
        let lead = report.clockLead
        guard lead.magnitude > Self.clockTolerance else { return [] }
        let difference = Self.text(lead.magnitude / 1000)
        let comparison = "\(difference) \(lead > 0 ? "ahead of" : "behind") the cloud's"
        return [
            Stage(
                "clock", .failed,
                report.isClockMeasured
                    ? "this device's clock is \(comparison)"
                    : "this device's clock was \(comparison) when that could be asked last",
                "Set the one that is wrong; “timedatectl set-ntp true” keeps it right. Until then what is set here "
                    + "\(lead > 0 ? "wins over" : "gives way to") what other devices set in between without having seen it."
            )
        ]
    }

    private func stages(_ zone: SyncReport.Zone) -> [Baton_Link_V1_Stage] {
        var stages: [Baton_Link_V1_Stage] = []
        let count = counts[zone.name] ?? ZoneCount(pending: 0, problem: nil)
        if let problem = count.problem { stages.append(Stage("kept here", .failed, problem, "See “baton log”.")) }
        switch zone.succeeded {
        case let time?: stages.append(Stage("read", .ok, "\(age(time)) ago"))
        case nil where address == nil: stages.append(Stage("read", .ok, "from devices that are near"))
        case nil: stages.append(Stage("read", .unknown, "not since the daemon started", ""))
        }
        // Without a cloud and other devices that is how it must be, and for what near devices exchange otherwise.
        let isFine = address == nil && (!hasOthers || !count.isExchanged)
        let waiting: Baton_Link_V1_Stage.Verdict = isFine ? .ok : .unknown
        if let early = count.early {
            let finding = "\(early.count) waiting for \(age(early.since)), until all that the account has was read here"
            stages.append(Stage("sent", waiting, finding, earlyAdvice(zone)))
        } else if count.pending > 0 {
            let number = count.pending >= Self.countLimit ? "\(Self.countLimit) or more" : String(count.pending)
            let since = zone.waitingSince.map { " for \(age($0))" } ?? ""
            stages.append(Stage("sent", waiting, "\(number) waiting\(since)", advice(zone)))
        } else {
            stages.append(Stage("sent", .ok, "everything"))
        }
        stages += count.findings.map {
            Stage($0.subject, $0.isFailure ? .failed : .unknown, $0.finding, $0.advice)
        }
        if zone.parked > 0 {
            let items = zone.parked == 1 ? "1 item is" : "\(zone.parked) items are"
            stages.append(
                Stage(
                    "opened", .failed,
                    "\(items) sealed under a key that has not come, written by a newer Baton, or damaged",
                    "Let another device of the account connect to the cloud or come near; update Baton here."))
        }
        if let failure = zone.failure {
            let next = zone.retryAt.map { "It is tried again in \(seconds($0))." } ?? "It is tried again soon."
            stages.append(Stage("last attempt", .failed, failure.message, next))
        }
        return stages
    }

    private static let cloudOnly = "It is for a cloud alone: “baton cloud login URL” gives the account one."

    private func advice(_ zone: SyncReport.Zone) -> String {
        if address == nil, counts[zone.name]?.isExchanged == false {
            return Self.cloudOnly
        }
        if address == nil {
            return (hasOthers ? "No device of the account that lacks it is near. It" : "It")
                + " syncs to nearby devices only. To sync through a cloud: “baton cloud login URL”."
        }
        if report.cloud != .connected { return "It is sent when the cloud answers." }
        return zone.failure == nil ? "It is being sent." : ""
    }

    /// Before the first download nothing is sent, so that nothing is written over what the account has.
    private func earlyAdvice(_ zone: SyncReport.Zone) -> String {
        if address == nil, counts[zone.name]?.isExchanged == false {
            return Self.cloudOnly
        }
        if address == nil {
            return "Let a device of the account come near that has been in use, or give the account a cloud: "
                + "“baton cloud login URL”."
        }
        if report.cloud != .connected {
            return "Let this device reach the cloud (“baton cloud status” says why it does not), or come near a "
                + "device of the account."
        }
        return zone.failure == nil ? "It is being read." : ""
    }

    private func age(_ time: UInt64) -> String { Self.text((now - min(now, time)) / 1000) }

    private func seconds(_ time: UInt64) -> String { Self.text((time - min(now, time)) / 1000) }

    private static func text(_ seconds: UInt64) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) d"
        }
    }
}
