import BatonCore
import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import VCard

@testable import People

/// An address book of the test's choice.
struct FakeContacts: PeopleContacts {
    var all: [ContactCard] = []

    func cards() -> [ContactCard] { all }
    func card(identifier: String) -> ContactCard? { all.first { $0.identifier == identifier } }
    func cards(matching word: String) -> [ContactCard] {
        all.filter { $0.displayName.lowercased().contains(word.lowercased()) }
    }
    func cards(handle: String) -> [ContactCard] {
        all.filter { card in
            card.emails.contains { $0.value.lowercased() == handle.lowercased() }
                || card.telephones.contains { TelephoneNumber.matches($0.value, handle) }
        }
    }

    static func card(_ name: String, email: String? = nil, telephone: String? = nil) -> ContactCard {
        var card = ContactCard(identifier: "id-" + name.lowercased())
        card.formattedName = name
        if let email { card.emails = [.init(value: email)] }
        if let telephone { card.telephones = [.init(value: telephone)] }
        return card
    }
}

/// Apps that note what they are given.
final class FakePeopleApps: PeopleApps {
    struct Delivered: Sendable {
        var payload: Baton_Value_V1_ActivityPayload
        var interaction: Baton_Value_V1_Interaction
        var app: AppIdentity
    }

    private struct State {
        var apps: [ReachingApp] = []
        var delivered: [Delivered] = []
        var opened: [String] = []
        var schemes: Set<String> = []
        /// Nil for all of them, one at a time.
        var front: Set<AppIdentity>?
        var left: Set<AppIdentity> = []
        var now = Date(timeIntervalSince1970: 1_800_000_000)
    }

    private let state = Mutex(State())

    static let chat = identity("com.example.chat", 1)
    static let phone = identity("com.example.phone", 2)

    static func identity(_ name: String, _ team: UInt8) -> AppIdentity {
        AppIdentity(
            bundleID: BundleID(unchecked: name), team: TeamIdentity(fingerprint: [UInt8](repeating: team, count: 32)))
    }

    var delivered: [Delivered] { state.withLock { $0.delivered } }
    var opened: [String] { state.withLock { $0.opened } }
    var now: Date { state.withLock { $0.now } }
    func advance(by seconds: Double) { state.withLock { $0.now += seconds } }
    func set(_ apps: [ReachingApp], schemes: Set<String> = []) {
        state.withLock { ($0.apps, $0.schemes) = (apps, schemes) }
    }

    func all() -> [ReachingApp] { state.withLock { $0.apps } }
    func setFront(_ apps: Set<AppIdentity>) { state.withLock { $0.front = apps } }
    func setLeft(_ apps: Set<AppIdentity>) { state.withLock { $0.left = apps } }
    func thatLeft() -> Set<AppIdentity> { state.withLock { $0.left } }
    func inFront() -> Set<AppIdentity> { state.withLock { $0.front ?? [] } }
    func isKept(_ app: AppIdentity) -> Bool { all().contains { $0.identity == app } }
    func name(of app: AppIdentity) -> String { all().first { $0.identity == app }?.name ?? app.bundleID.rawValue }

    func deliver(
        _ payload: Baton_Value_V1_ActivityPayload, _ interaction: Baton_Value_V1_Interaction?, to app: AppIdentity
    ) async throws -> Bool {
        state.withLock { $0.delivered.append(.init(payload: payload, interaction: interaction ?? .init(), app: app)) }
        return true
    }

    func canOpen(_ url: String) -> Bool { state.withLock { $0.schemes.contains(String(url.dropLast())) } }

    func open(_ url: String) async throws -> Bool {
        state.withLock { $0.opened.append(url) }
        return true
    }
}

extension DonatedPerson {
    /// As `INPerson` archives it.
    var full: PropertyValue {
        guard case .dictionary(var entries) = value else { return value }
        if let contactIdentifier { entries[.string("contactIdentifier")] = .string(contactIdentifier) }
        if let customIdentifier { entries[.string("customIdentifier")] = .string(customIdentifier) }
        return .dictionary(entries)
    }
}

extension Baton_Value_V1_Interaction {
    static func message(
        _ identifier: String, to people: [DonatedPerson], text: String = "Hello", at time: Double = 1_800_000_000,
        activity: String? = nil
    ) -> Self {
        .with {
            $0.identifier = identifier
            $0.start = time
            $0.intent.className = "INSendMessageIntent"
            $0.intent.parameters = .init(attributes: [
                "recipients": .array(people.map(\.full)), "content": .string(text), "serviceName": .string("Chat"),
            ])
            guard let activity else { return }
            $0.response.className = "INSendMessageIntentResponse"
            $0.response.code = 3
            $0.response.activity.description_p.activityID = ActivityID.random().rawValue
            $0.response.activity.description_p.activityType = activity
        }
    }
}
