import BatonCore
import BatonStore
import BatonWire
import Foundation
import Handoff
import Testing

@testable import BatonDaemon
@testable import LaunchServices

/// The verdicts of `baton explain app`.
@Suite struct AppExplanationTests {
    private static let bundleID = BundleID(unchecked: "com.example.app")
    private static let team = TeamIdentity(fingerprint: Array(repeating: 1, count: 32))

    private let identity = AppIdentity(bundleID: Self.bundleID, team: Self.team)

    private func app(types: Set<ActivityType> = [ActivityType(unchecked: "com.example.note")]) -> InstalledApp {
        InstalledApp(
            identity: identity, name: "App", version: "1.2", build: "7", activityTypes: types,
            activityTitles: [:], bundlePath: "/a/App.app", executablePath: "/a/App.app/App", containerPath: "/c",
            logPath: "/logs/app.log", digest: [],
            installed: Date(timeIntervalSince1970: 0))
    }

    private func attachment(_ identity: AppIdentity, types: Set<ActivityType> = []) -> AppExplanation.Attachment {
        (
            ContinuationApp(identity: identity, name: "App", activityTypes: types, version: nil, versionText: ""), 77
        )
    }

    private func verdicts(
        _ installed: AppExplanation.Installed?, _ attachments: [AppExplanation.Attachment] = []
    ) -> [String: Baton_Link_V1_Stage.Verdict] {
        let stages = AppExplanation(bundleID: Self.bundleID, installed: installed, attachments: attachments).stages
        // Every reported problem comes with advice.
        for stage in stages where stage.verdict == .failed { #expect(!stage.finding.isEmpty && !stage.advice.isEmpty) }
        return Dictionary(uniqueKeysWithValues: stages.map { ($0.name, $0.verdict) })
    }

    @Test("An app that is installed and does not run is well, and so is one that runs and is attached")
    func healthy() {
        let expected = ["installed", "bundle", "types", "launch", "attached"]
        var found = verdicts(.init(app: app()))
        #expect(found.keys.sorted() == expected.sorted() && found.values.allSatisfy { $0 == .ok })
        found = verdicts(.init(app: app(), process: 77), [attachment(identity)])
        #expect(found.keys.sorted() == expected.sorted() && found.values.allSatisfy { $0 == .ok })
    }

    @Test("A bundle that was tampered with since it was installed is found, though nobody has launched it")
    func tampered() {
        let damage = BatonError(.failedPrecondition, reason: "bundle_tampered", "Info.plist was changed.")
        let found = verdicts(.init(app: app(), damage: damage))
        #expect(found["bundle"] == .failed && found["installed"] == .ok)
    }

    @Test(
        "An app that crashed, or ended with a code other than 0, is not well, until it runs again",
        arguments: [("Crashed: SIGSEGV.", true), ("Ended with code 1.", true), ("Ended.", false)])
    func ended(description: String, isFailure: Bool) {
        let exit = AppExit(description: description, isFailure: isFailure, time: Date())
        #expect(verdicts(.init(app: app(), lastExit: exit))["launch"] == (isFailure ? .failed : .ok))
        #expect(verdicts(.init(app: app(), process: 77, lastExit: exit), [attachment(identity)])["launch"] == .ok)
    }

    @Test("A launch that failed is told until the app was launched or installed again")
    func launchFailed() {
        func record(_ event: String, _ message: String = "", bundleID: String = "com.example.app") -> EventRecord {
            EventRecord(time: 0, category: "launch", event: event, message: message, fields: ["bundle_id": bundleID])
        }
        let failure = record("launch_failed", "No.")
        let find = { AppExplanation.launchFailure(of: Self.bundleID, in: $0) }
        #expect(find([record("launched"), failure]) == "No.")
        #expect(find([failure, record("launched")]) == nil && find([failure, record("upgraded")]) == nil)
        #expect(find([record("launch_failed", "No.", bundleID: "com.example.other")]) == nil)
        #expect(verdicts(.init(app: app(), launchFailure: "No."))["launch"] == .failed)
    }

    @Test("An app without types is not well; nor is one that runs without being attached")
    func typesAndAttachment() {
        #expect(verdicts(.init(app: app(types: [])))["types"] == .failed)
        #expect(verdicts(.init(app: app(), process: 77))["attached"] == .failed)
    }

    @Test("An attached app of the same name by another team, or in development, is another app")
    func otherTeam() {
        let others = [
            AppIdentity(bundleID: Self.bundleID, team: TeamIdentity(fingerprint: Array(repeating: 2, count: 32))),
            AppIdentity(bundleID: Self.bundleID, team: .development),
        ].map { attachment($0) }
        #expect(verdicts(.init(app: app(), process: 78), others)["attached"] == .failed)
        #expect(verdicts(.init(app: app(), process: 78), others + [attachment(identity)])["attached"] == .ok)
    }

    @Test("An app that is not installed, and one in development")
    func notInstalled() {
        #expect(verdicts(nil) == ["installed": .failed])
        #expect(verdicts(nil, [attachment(identity)]) == ["installed": .failed])
        let development = AppIdentity(bundleID: Self.bundleID, team: .development)
        let type = ActivityType(unchecked: "com.example.note")
        #expect(
            verdicts(nil, [attachment(development, types: [type])])
                == ["installed": .ok, "launch": .unknown, "types": .ok])
        #expect(verdicts(nil, [attachment(development)])["types"] == .failed)
    }
}
