import BatonCore
import BatonTestSupport
import Notices

/// Identifiers that say what they are.
enum Made {
    static func activity(_ number: UInt64) -> ActivityID { identifier(number) }
    static func acceptance(_ number: UInt64) -> AcceptanceID { identifier(number) }

    private static func identifier<ID: RandomIdentifier>(_ number: UInt64) -> ID {
        var generator = SeededGenerator(seed: number)
        return ID.random(using: &generator)
    }

    static let devices: [DeviceID] = ["A", "B", "C", "D"].map {
        DeviceID(unchecked: String(repeating: "A", count: 25) + $0)
    }
    static let apps: [AppIdentity] = ["com.example.a", "com.example.b", "com.example.c"].compactMap { text in
        BundleID(rawValue: text).map { AppIdentity(bundleID: $0, team: .development) }
    }

    static func offer(
        _ number: UInt64, at time: UInt64 = 1, device: Int = 0, app: Int? = 0, title: String? = "Title",
        effect: NoticeOffer.Effect = .continues, canContinue: Bool = true
    ) -> NoticeOffer {
        NoticeOffer(
            activity: activity(number), timestamp: HybridTimestamp(milliseconds: time, counter: 0),
            origin: devices[device], deviceName: "Desk \(device)", app: app.map { apps[$0] },
            appName: app.map { "App \($0)" } ?? "The browser", title: title, effect: effect, canContinue: canContinue)
    }

    static func subject(_ number: UInt64) -> NoticeSubject {
        NoticeSubject(activity: activity(number), deviceName: "Desk 0", appName: "App 0", title: "Title")
    }

    static func notice(_ id: UInt64, _ kind: Notice.Kind = .offer, title: String = "App 0 from Desk 0") -> Notice {
        Notice(
            id: id, kind: kind, title: title, lines: ["Title", "App 0 continues it here."],
            offer: kind == .offer ? activity(id) : nil, acceptance: kind == .offer ? nil : acceptance(id))
    }
}

extension [NoticeAction] {
    var shown: [Notice] {
        compactMap { if case .show(let notice) = $0 { notice } else { nil } }
    }
    var closed: [UInt64] {
        compactMap { if case .close(let id) = $0 { id } else { nil } }
    }
    var accepted: [ActivityID] {
        compactMap { if case .accept(let offer) = $0 { offer.activity } else { nil } }
    }
}
