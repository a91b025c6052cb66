import BatonCore
import BatonWire
import ContextAwareness
import Foundation
import Handoff
import ICalendar
import LaunchServices
import People
import Reminders
import RequestGrammar
import Requests
import SwiftProtobuf

/// Reminders that a sentence asks for.
struct RequestedReminders: RequestReminders {
    let reminders: Reminders
    let handoff: HandoffService
    let people: PeopleService
    let context: ContextService
    let launchServices: LaunchServices

    func add(
        subject: String, when: RequestMeaning.When?, linkedActivity: RequestedContent?, here: RequestedContent?
    ) async throws -> String? {
        var trigger: ReminderTrigger?
        if let when { trigger = try await self.trigger(when, here: here) }
        var link: ReminderLink?
        if let linkedActivity, linkedActivity.device != nil {
            link = Self.page(of: linkedActivity)
        } else if let linkedActivity {
            // The very activity of which the sentence was understood, and not one that came after it.
            let (app, payload) = try await handoff.currentActivity(linkedActivity.activity)
            link = ReminderLink(app: app.identity, appName: app.name, payload: payload)
        }
        _ = try await reminders.add(ReminderDraft(subject: subject, trigger: trigger, activity: link))
        return trigger?.awaited.flatMap { context.doubt(of: $0) }
    }

    func list(before end: Date?, timeZone: TimeZone) async throws -> [RequestedResult] {
        await reminders.list().compactMap { reminder in
            let time = reminder.time.map { Date(timeIntervalSince1970: Double($0) / 1000) }
            if let end {
                guard let time, time < end else { return nil }
            }
            let when = time.map { RequestTime($0, hasTimeOfDay: true).phrase(in: timeZone) }
            let parts = [when, reminder.triggers.first?.text(naming: people.name(ofHandle:))].compactMap(\.self)
            return RequestedResult(
                title: reminder.subject.isEmpty ? "Reminder" : reminder.subject, origin: parts.joined(separator: ", "))
        }
    }

    /// Another device shows it: what is known of it here is its page. Nil for an activity without one.
    private static func page(of content: RequestedContent) -> ReminderLink? {
        guard let page = content.page else { return nil }
        return ReminderLink(
            app: content.app, appName: content.appName,
            payload: .with {
                $0.description_p.activityID = content.activity.rawValue
                $0.description_p.activityType = content.type.rawValue
                if let title = content.title { $0.description_p.title = title }
                $0.description_p.webpageURL = page
            })
    }

    func trigger(_ when: RequestMeaning.When, here: RequestedContent?) async throws -> ReminderTrigger {
        switch when {
        case .time(let time): return .time(time.date, try time.repetition.map(Self.rule))
        case .place(let place, let isArriving):
            let name = try self.name(of: place)
            return isArriving ? .arriving(name) : .leaving(name)
        case .device(let name, let isConnected):
            let device = Self.device(name.text)
            return isConnected ? .connected(device) : .disconnected(device)
        case .app(let name): return .appOpened(try app(name))
        case .person(let party, let contact):
            let handle = try await handle(of: party, here: here)
            switch contact {
            case .messaged: return .personMessaged(handle)
            case .called: return .personCalled(handle)
            case .contacted: return .personContacted(handle)
            }
        }
    }

    private func name(of place: RequestMeaning.Place) throws -> String {
        switch place {
        case .home: return "home"
        case .work: return "work"
        case .named(let name): return name.text
        case .current:
            let stay = context.places().first(where: \.isHere)
            guard let name = stay.map({ $0.learned ?? $0.place.name }), !name.isEmpty else {
                throw BatonError(
                    .failedPrecondition, reason: "unknown_place",
                    "The place where this device is has no name yet. “baton places” lists places, and “baton places name” names them."
                )
            }
            return name
        }
    }

    private func app(_ name: RequestMeaning.Name) throws -> AppIdentity {
        let found = launchServices.apps().first { app in
            switch name {
            case .known(let entry): app.bundleID.rawValue == entry.id
            case .written(let text): app.name.compare(text, options: .caseInsensitive) == .orderedSame
            }
        }
        guard let found else {
            throw BatonError(
                .notFound, reason: "app_not_found",
                "There is no app “\(name.text.shortened(toBytes: 100))”. “baton apps” lists those that are installed.")
        }
        return found.identity
    }

    private func handle(of party: RequestMeaning.Party, here: RequestedContent?) async throws -> String {
        let word: String
        switch party {
        // No sentence has a reminder wait for the last one.
        case .current, .lastContact:
            guard let here, let shown = here.people.first else {
                throw BatonError(
                    .notFound, reason: "nobody_in_front", "The app in front names no person. Name the person.")
            }
            return try await handle(of: shown, in: here)
        case .named(.known(let entry)): word = entry.id
        case .named(.written(let text)): word = text
        }
        let person = try await people.person(word)
        guard let handle = person.addresses.first?.value else { throw Self.noAddress(of: person.name) }
        return handle
    }

    /// One person that an app shows: the address of their card, where there is one, else what the app says.
    private func handle(of shown: ShownPerson, in content: RequestedContent) async throws -> String {
        let known = try await people.people(shownAs: shown)
        guard known.count < 2 else {
            throw BatonError(
                .invalidArgument, reason: "ambiguous_person",
                "“\(shown.shownName)” of \(content.appName) may be more than one person. Name who it is.")
        }
        guard let handle = known.first?.addresses.first?.value ?? shown.addresses.first else {
            throw Self.noAddress(of: shown.shownName)
        }
        return handle
    }

    private static func noAddress(of name: String) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "no_address",
            "\(name) has neither an e-mail address nor a telephone number by which a message or a call would be known."
        )
    }

    /// “The car” and “my headphones” stand for any.
    private static func device(_ name: String) -> String {
        let words = name.lowercased()
        if ["headphone", "kopfhörer", "kulaklı"].contains(where: words.contains) { return "headphones" }
        let parts = words.split { !$0.isLetter }
        return parts.contains { ["car", "auto", "wagen", "araba", "arabaya"].contains($0) } ? "car" : name
    }

    private static func rule(_ repetition: RequestTime.Repetition) throws -> RecurrenceRule {
        let frequency =
            switch repetition.unit {
            case .minute: "MINUTELY"
            case .hour: "HOURLY"
            case .day: "DAILY"
            case .week: "WEEKLY"
            case .month: "MONTHLY"
            case .year: "YEARLY"
            }
        let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
        let ordinal = repetition.ordinal.map { "\($0)" } ?? ""
        let days = repetition.weekdays.filter { (1...7).contains($0) }.map { ordinal + names[$0 - 1] }
        let lastDay = days.isEmpty && repetition.unit == .month && repetition.ordinal == -1 ? ";BYMONTHDAY=-1" : ""
        let rule = RecurrenceRule(
            "FREQ=\(frequency);INTERVAL=\(max(1, repetition.interval))"
                + (days.isEmpty ? lastDay : ";BYDAY=\(days.joined(separator: ","))"))
        guard let rule else {
            throw BatonError(
                .invalidArgument, reason: "unknown_repetition",
                "A reminder cannot come again like this. Say each quarter of an hour, hour, day, week, month or year.")
        }
        return rule
    }
}
