import BatonCore
import BatonWire
import Testing

@testable import Handoff

/// H-3 H-5 H-6
@Suite("Explanations")
struct ExplanationsTests {
    private static let type = ActivityType(unchecked: "com.example.read")

    private func stages(
        _ team: TeamIdentity, there apps: [(bundle: String, types: Set<ActivityType>)]
    ) -> [String: String] {
        let offer = Offer(
            activity: ActivityDescription(id: .random(), type: Self.type),
            app: AppIdentity(bundleID: BundleID(unchecked: "com.example.Reader"), team: team),
            timestamp: HybridTimestamp(milliseconds: 1, counter: 0))
        let installed = apps.map { app in
            ContinuationApp(
                identity: AppIdentity(bundleID: BundleID(unchecked: app.bundle), team: team), name: app.bundle,
                activityTypes: app.types, version: AppVersion("1"), versionText: "1")
        }
        let finding = OfferRouter(installed: installed).finding(on: offer, claims: [])
        let stages = Explanations.receiving(offer, finding: finding, isKnown: true, isConsumed: false)
        return Dictionary(stages.filter { $0.verdict == .failed }.map { ($0.name, $0.finding + " " + $0.advice) }) {
            $1
        }
    }

    @Test("An app that is not there is told apart from one that does not declare the type", arguments: [true, false])
    func missingOrUndeclared(isUnsigned: Bool) {
        let team: TeamIdentity = isUnsigned ? .development : TeamIdentity(fingerprint: Array(repeating: 1, count: 32))
        #expect(stages(team, there: []).keys.sorted() == ["team"])
        let other = stages(team, there: [("com.example.Other", [])])
        #expect(other.keys.sorted() == ["app"])
        #expect(
            other["app"]?.contains("com.example.Reader is not \(isUnsigned ? "running" : "installed") there") == true)
        let undeclared = stages(team, there: [("com.example.Other", []), ("com.example.Reader", [])])
        #expect(undeclared.keys.sorted() == ["type"])
        #expect(undeclared["type"]?.contains("com.example.Reader there does not declare the type") == true)
        #expect(undeclared["type"]?.contains(isUnsigned ? "beside Package.swift" : "sign and install it again") == true)
        #expect(stages(team, there: [("com.example.Reader", [Self.type])]).isEmpty)
    }
}
