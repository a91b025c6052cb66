import AppSessions
import BatonCore
import BatonTransport
import BatonWire
import Glibc
import SwiftProtobuf
import Synchronization
import Testing
import WebMarkup

@testable import Suggestions

/// Suggestions for fields of apps (P-36 to P-39), and data that apps do not get.
@Suite struct TextFieldHarnessTests {
    private struct Apps: AppSessionApps, SuggestionApps {
        func installedApp(of process: PeerProcess, claiming bundleID: String) -> AppCaller? { nil }
        func launch(
            _ app: AppIdentity, environment: [String: String]
        ) async throws -> (processID: Int32, wasRunning: Bool) { (1, false) }
        func noteRunning(_ app: AppIdentity, process: PeerProcess) {}
        func noteEnded(_ app: AppIdentity, process: PeerProcess) {}

        func app(of sessionID: String, caller: AdmittedCaller) throws -> (identity: AppIdentity, name: String) {
            let app = try BundleID(validating: "com.example.Reviews")
            return (AppIdentity(bundleID: app, team: .development), "Reviews")
        }
        func routingApp() -> RoutingApp? { nil }
        func isPresent(_ app: AppIdentity) -> Bool { true }
        func direct(to place: Place, with app: RoutingApp) async throws -> Bool { false }
        func openOnDesktop(_ geo: String) async throws {}
    }

    private static let type = "street-address"
    private let sessions = AppSessions(apps: Apps(), deviceName: { "A" }, recorder: NullEventRecorder())
    private let service = Suggestions(apps: Apps(), recorder: NullEventRecorder(), offer: { _ in })
    private let process = PeerProcess(
        processID: getpid(), userID: getuid(), startTime: PeerProcess.startTime(of: getpid()) ?? 0,
        executable: PeerProcess.executable(of: getpid()))

    private var harness: TextFieldHarness {
        TextFieldHarness(service, sessions: sessions, recorder: NullEventRecorder()) { true }
    }

    private func attach(_ name: String) throws -> AppSession {
        try sessions.attach(AppAttachment(.init()), by: caller(name)).0
    }

    private func caller(_ name: String) throws -> AdmittedCaller {
        try sessions.admit(process, claiming: AppClaim(bundleID: name))
    }

    private func visit() async throws {
        let script =
            #"{"@context":"http://schema.org","@type":"Restaurant","name":"Yank Sing","address":{"#
            + #""@type":"PostalAddress","streetAddress":"101 Spear St","addressLocality":"San Francisco"}}"#
        let count = try await service.remember(
            .init(
                address: "https://clinic.example/", title: "", summary: "", canonical: "", scripts: [script],
                document: "", browser: "Chromium"))
        #expect(count == 1)
    }

    private func update(_ session: AppSession, isInFront: Bool) throws {
        let caller = try caller(session.app.identity.bundleID.rawValue)
        try service.update(session: session.id.rawValue, caller: caller, isInFront: isInFront, shown: nil)
    }

    @Test func `Only the app in front is told anything, the one that came there last`() async throws {
        try await visit()
        let (form, other) = (try attach("com.example.Form"), try attach("com.example.Other"))
        func told() -> [Bool] { [form, other].map { !harness.suggestions(Self.type, for: $0.id).isEmpty } }
        // Neither has said that it is in front.
        #expect(told() == [false, false])
        try update(form, isInFront: true)
        #expect(told() == [true, false])
        try update(other, isInFront: true)
        #expect(told() == [false, true])
        try update(other, isInFront: false)
        #expect(told() == [true, false])
        service.ended(session: form.id.rawValue, app: form.app.identity)
        #expect(told() == [false, false])
    }

    @Test func `A field that is entered again is offered something where its app is in front`() async throws {
        try await visit()
        let (form, other) = (try attach("com.example.Form"), try attach("com.example.Other"))
        func told() -> [Bool] { [form, other].map { !harness.suggestions(Self.type, for: $0.id).isEmpty } }
        for session in [form, other] { try update(session, isInFront: true) }
        #expect(told() == [false, true])
        service.enteredField(of: form.id.rawValue)
        #expect(told() == [true, false])
        try update(form, isInFront: false)
        service.enteredField(of: form.id.rawValue)
        #expect(told() == [false, true])
    }

    @Test func `An app comes back only after it has said that it left`() throws {
        let reports = Mutex<[Bool]>([])
        let service = Suggestions(
            apps: Apps(), recorder: NullEventRecorder(),
            foreground: { _, isBack in reports.withLock { $0.append(isBack) } }, offer: { _ in })
        let form = try attach("com.example.Form")
        let caller = try caller("com.example.Form")
        for isInFront in [true, true, false, true, true] {
            try service.update(session: form.id.rawValue, caller: caller, isInFront: isInFront, shown: nil)
        }
        #expect(reports.withLock(\.self) == [false, false, true, false])
    }

    @Test func `A process that is not attached is in no field`() throws {
        let form = try attach("com.example.Form")
        #expect(try harness.session(of: process, as: form.app.identity).id == form.id)
        let stranger = PeerProcess(processID: 1, userID: getuid(), startTime: 1, executable: nil)
        let refusal = #expect(throws: BatonError.self) {
            _ = try harness.session(of: stranger, as: form.app.identity)
        }
        #expect(refusal?.reason == "unknown_session")
    }

    @Test func `An app learns no site that the person visited`() async throws {
        try await visit()
        let form = try attach("com.example.Form")
        try update(form, isInFront: true)
        let told = try #require(harness.suggestions(Self.type, for: form.id).first)
        #expect(told.text.hasPrefix("101 Spear St") && told.source == "a web page")
    }

    @Test func `A place is meant by its name in any case and without accents, and none by no name`() async throws {
        let script =
            #"{"@context":"http://schema.org","@type":"Hotel","name":"Otel Güneş","address":"İstiklal Cad. 5, Beyoğlu"}"#
        _ = try await service.remember(
            .init(
                address: "https://hotel.example/", title: "", summary: "", canonical: "", scripts: [script],
                document: "", browser: "Chromium"))
        for name in ["Otel Güneş", "otel gunes", " OTEL ", "otel g"] {
            #expect(service.place(name)?.place.name == "Otel Güneş", "\(name)")
        }
        for name in ["", "  ", "gunes"] { #expect(service.place(name) == nil, "\(name)") }
        let refusal = await #expect(throws: BatonError.self) { _ = try await service.directions(to: " ") }
        #expect(refusal?.reason == "no_place")
    }

    @Test("what a notice of a place that is forgotten leads to is no other place that has its number for a name (P-47)")
    func identifier() async throws {
        let script =
            #"{"@context":"http://schema.org","@type":"Hotel","name":"42 Rooms","address":"Elsewhere 5, Oslo"}"#
        _ = try await service.remember(
            .init(
                address: "https://hotel.example/", title: "", summary: "", canonical: "", scripts: [script],
                document: "", browser: "Chromium"))
        #expect(service.place("42")?.place.name == "42 Rooms")
        let refusal = await #expect(throws: BatonError.self) { _ = try await service.directions(toID: "42") }
        #expect(refusal?.reason == "unknown_place")
        let known = try #require(service.known.first)
        #expect(try await service.directions(toID: "\(known.id)").name == "42 Rooms")
    }

    @Test("an input method is told the likeliest place while fields may be offered anything, and nothing else (P-26)")
    func inputMethod() async throws {
        try await visit()
        for isOffering in [true, false] {
            let harness = SuggestionsHarness(service, recorder: NullEventRecorder()) { isOffering }
            let offer = try harness.offer(.with { $0.field = "fullStreetAddress" })
            #expect(offer.text == (isOffering ? "101 Spear St, San Francisco" : ""))
            #expect(offer.title == (isOffering ? "Yank Sing" : ""))
            #expect(offer.source == (isOffering ? "clinic.example in Chromium" : ""))
            let refusal = #expect(throws: BatonError.self) { _ = try harness.offer(.with { $0.field = "shoeSize" }) }
            #expect(refusal?.reason == "unknown_field")
        }
    }
}
