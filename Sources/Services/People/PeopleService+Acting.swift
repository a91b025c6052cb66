package import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import VCard

/// The list of people, and the actions with them.
extension PeopleService {
    private func directory() async throws -> PeopleDirectory {
        PeopleDirectory(
            contacts: contacts, apps: apps.all(), donations: try await store.donations(),
            defaults: try await store.defaults())
    }

    /// Those whose name or address matches; everybody for an empty word. Those of the address book first.
    package func resolve(_ word: String) async throws -> [PersonSummary] { try await directory().people(word) }

    /// Those of the address book who have just this name, else those whose names have these words, else as ``resolve(_:)``: a longer
    /// name, or one that only begins so, does not make it ambiguous, nor does what an app says. A word of kinship is all of a name.
    package func named(_ name: String) async throws -> [PersonSummary] {
        let found = Self.preferring(name, called(name, try await resolve(name)))
        let exact = found.filter { person in
            guard person.fromApp == nil, let card = person.contactIdentifier.flatMap(contacts.card(identifier:)) else {
                return false
            }
            return Self.fullNames(of: card).contains { $0.lowercased() == name.lowercased() }
        }
        return exact.isEmpty ? found : exact
    }

    /// Where those of the address book are to be found who have this name, whole or as one of its words, each address once: empty where
    /// their cards have none, nil where no card has it. A word within a longer name is one only where that card has an address,
    /// for it may be a town as well.
    package func postalAddresses(of name: String) async throws -> [(person: String, label: String, address: String)]? {
        let wanted = Self.folded(name)
        guard !wanted.isEmpty else { return nil }
        let cards = try await named(name).compactMap { person in
            person.fromApp == nil ? person.contactIdentifier.flatMap(contacts.card(identifier:)) : nil
        }
        func isWhole(_ card: ContactCard) -> Bool {
            (Self.fullNames(of: card) + [card.nickname, card.givenName]).contains { Self.folded($0) == wanted }
        }
        let words = Set(wanted.split(separator: " "))
        let meant = cards.filter { card in
            isWhole(card)
                || !card.addresses.isEmpty
                    && words.isSubset(of: Self.fullNames(of: card).flatMap { Self.folded($0).split(separator: " ") })
        }
        guard !meant.isEmpty else { return nil }
        return meant.flatMap { card in
            card.addresses.compactMap { address in
                let line = address.value.line
                return line.isEmpty ? nil : (person: card.displayName, label: address.label, address: line)
            }
        }
    }

    static func folded(_ text: String) -> String {
        FoldedName.words(of: text).joined(separator: " ")
    }

    /// “Ann” is Ann, and not Anna, where both are found.
    private static func preferring(_ name: String, _ found: [PersonSummary]) -> [PersonSummary] {
        func words(_ text: String) -> Set<String> { Set(FoldedName.words(of: text)) }
        let wanted = words(name)
        let whole = found.count > 1 ? found.filter { wanted.isSubset(of: words($0.name)) } : []
        return wanted.isEmpty || whole.isEmpty ? found : whole
    }

    /// The identity of a person that an app shows: by the card or an address that it names, by the name where it names neither.
    package func people(shownAs shown: ShownPerson) async throws -> [PersonSummary] {
        if shown.addresses.isEmpty, shown.contactIdentifier == nil { return try await named(shown.name) }
        let directory = try await directory()
        var seen: Set<String> = []
        return directory.people(of: DonatedPerson(shown)).filter { seen.insert($0.id).inserted }
    }

    /// The person to call back: of the last call that came, else the last one with whom there was a call or a message. Groups are
    /// passed over.
    /// - Returns: also the name of the app that says so; nil where no app does.
    package func lastContact() async throws -> (person: PersonSummary, app: String)? {
        var found: [(donated: DonatedPerson, app: AppIdentity, time: UInt64, isCallThatCame: Bool)] = []
        for name in IntentName.contacting {
            for stored in try await store.interactions(ofClass: name, of: nil, limit: Self.maximumContacts) {
                guard apps.isKept(stored.app), let intent = try? DonatedIntent(stored.message) else { continue }
                let persons = intent.persons
                guard persons.count == 1 else { continue }
                let isCall = intent.action != .message
                found.append((persons[0].person, stored.app, stored.time, isCall && intent.isIncoming))
            }
        }
        let called = found.filter(\.isCallThatCame)
        guard let last = (called.isEmpty ? found : called).max(by: { $0.time < $1.time }),
            let person = try await directory().person(last.donated, of: last.app)
        else { return nil }
        return (person, apps.name(of: last.app))
    }

    /// Interactions of one class that are looked at for the last one. Policy: of all of these with groups none is found.
    private static let maximumContacts = 50

    /// The full names and nicknames of the address book, by card. Policy: those of further cards are left out.
    /// - Parameter limit: of cards.
    package func names(limit: Int) -> [String] {
        contacts.cards().prefix(limit).flatMap { card in
            (Self.fullNames(of: card) + [card.nickname]).filter { !$0.isEmpty }
        }
    }

    /// As the card shows it, and with the given name first.
    static func fullNames(of card: ContactCard) -> [String] {
        let parts = [card.givenName, card.familyName].filter { !$0.isEmpty }
        return [card.displayName] + (parts.count == 2 ? [parts.joined(separator: " ")] : [])
    }

    /// One person.
    /// - Parameter selector: an identifier, a name, a part of one, or an address.
    /// - Throws: `not_found`, `invalid_argument` where several are meant.
    package func person(_ selector: String) async throws -> PersonSummary {
        let directory = try await directory()
        if let person = directory.person(id: selector) { return person }
        let found = selector.isEmpty ? [] : called(selector, directory.people(selector))
        let exact = found.filter { $0.name.lowercased() == selector.lowercased() }
        // A name of the address book is not made ambiguous by what an app says.
        let cards = exact.filter { $0.fromApp == nil }
        if cards.count == 1 { return cards[0] }
        let candidates = exact.isEmpty ? Self.preferring(selector, found) : exact
        guard let first = candidates.first else {
            let meant = SpokenName.meant(selector, among: names(limit: 2000))
            throw BatonError(
                .notFound, reason: "unknown_person",
                "No person is called “\(selector.prefix(60))”. \(meant)“baton people” lists all.")
        }
        guard candidates.count == 1 else {
            let names = candidates.prefix(5).map { person in
                // People of one name are distinguished by an address.
                let isShared = candidates.count { $0.name.lowercased() == person.name.lowercased() } > 1
                let more = person.fromApp.map { "from \($0)" } ?? (isShared ? person.addresses.first?.value : nil)
                return person.name + (more.map { " (\($0))" } ?? "")
            }
            throw BatonError(
                .invalidArgument, reason: "ambiguous_person",
                "“\(selector.prefix(60))” may be \(names.joined(separator: ", ")). Give more of the name, an address, or the "
                    + "identifier of “baton people --json”.")
        }
        return first
    }

    /// The schemes of addresses that something here opens.
    package func openSchemes() -> Set<String> {
        Set(["mailto", "sms", "tel"].filter { apps.canOpen($0 + ":") })
    }

    /// The donations of apps about a person, the newest first.
    package func interactions(
        with person: PersonSummary, limit: Int = 50
    ) async throws -> [(app: AppIdentity, intent: String, time: UInt64, isIncoming: Bool)] {
        var found: [StoredInteraction] = []
        for app in person.apps {
            found += try await store.interactions(of: app.identity, with: Set(app.donated), limit: limit)
        }
        return found.sorted { $0.time > $1.time }.prefix(limit).map {
            ($0.app, $0.message.intent.className, $0.time, $0.message.direction == .incoming)
        }
    }

    package func name(of app: AppIdentity) -> String { apps.name(of: app) }

    /// Whose card has a number or an address; nil where no card has it, or more than one.
    package func name(ofHandle handle: String) -> String? {
        let cards = contacts.cards(handle: handle)
        return cards.count == 1 ? cards[0].displayName.shownLine(toBytes: 256) : nil
    }

    /// - Returns: how many choices were forgotten.
    package func resetDefaults(of person: PersonSummary) async throws -> Int {
        try await store.resetDefaults(of: person.id)
    }

    package struct Outcome: Sendable {
        package var person: PersonSummary
        package var way: PersonSummary.Way
        package var isHandled: Bool
    }

    /// Has an app begin a message or a call; see ``act(_:person:text:way:)``.
    /// - Parameter app: a bundle identifier or a name, `email`, `sms` or `phone`; nil for the default, or the only way.
    package func act(_ action: PersonAction, person: String, text: String?, app: String?) async throws {
        try Self.check(await act(action, person: person, text: text, way: app))
    }

    /// As ``act(_:person:text:app:)``, but nothing is remembered.
    package func act(_ action: PersonAction, person: String, text: String?, onceBy way: String?) async throws {
        try await act(action, with: try await self.person(person), text: text, onceBy: way)
    }

    /// As ``act(_:person:text:onceBy:)``, for somebody who need not be known.
    package func act(
        _ action: PersonAction, with person: PersonSummary, text: String?, onceBy way: String? = nil
    ) async throws {
        try Self.check(await act(action, with: person, text: text ?? "", way: way, isRemembered: false))
    }

    private static func check(_ outcome: Outcome) throws(BatonError) {
        guard outcome.isHandled else {
            throw BatonError(
                .aborted, reason: "not_handled",
                "\(outcome.way.name) was opened for \(outcome.person.name), but did not take it.")
        }
    }

    /// Has an app begin a message or a call, once (P-55). A way that is named is remembered for the person and the action (P-49).
    ///
    /// - Throws: `not_found`, `invalid_argument` where the person or the way is not clear, what delivering throws.
    package func act(
        _ action: PersonAction, person selector: String, text: String?, way chosen: String?
    ) async throws -> Outcome {
        try await act(action, with: try await person(selector), text: text ?? "", way: chosen)
    }

    private func act(
        _ action: PersonAction, with person: PersonSummary, text: String, way chosen: String?, isRemembered: Bool = true
    ) async throws -> Outcome {
        guard text.utf8.count <= limits.textBytes else {
            throw BatonError(
                .invalidArgument, reason: "text_too_long",
                "A message has at most \(ByteSize.text(limits.textBytes)). Write the rest in the app.")
        }
        let way = try choose(chosen, among: person.ways(for: action, schemes: openSchemes()), for: person, action)
        let isHandled: Bool
        switch way.way {
        case .app(let identity):
            guard let app = person.apps.first(where: { $0.identity == identity }) else {
                throw Self.unreachable(person)
            }
            isHandled = try await begin(action, with: person, in: app, text: text)
        case .email(let address): isHandled = try await open("mailto:", address, text)
        case .sms(let number): isHandled = try await open("sms:", try Self.dialled(number, person), text)
        case .phone(let number): isHandled = try await open("tel:", try Self.dialled(number, person), "")
        }
        if isRemembered, let chosen, !chosen.isEmpty {
            try await store.setDefault(way.way.selector, for: person.id, action)
        }
        return Outcome(person: person, way: way, isHandled: isHandled)
    }

    private func choose(
        _ chosen: String?, among ways: [PersonSummary.Way], for person: PersonSummary, _ action: PersonAction
    ) throws -> PersonSummary.Way {
        let verb =
            switch action {
            case .message: "send \(person.name) a message"
            case .call: "call \(person.name)"
            case .video: "call \(person.name) with video"
            }
        guard let first = ways.first else {
            let isMail = chosen == PersonWay.emailSelector
            let usable = person.addresses.first {
                $0.kind == .telephone && !isMail || $0.kind == .email && action == .message
            }
            if isMail, usable == nil {
                throw BatonError(
                    .notFound, reason: "no_way",
                    "\(person.name) has no e-mail address, and nothing was written. Add one to the card.")
            }
            // Where there is an address, the program is missing.
            if let usable {
                throw BatonError(
                    .notFound, reason: "no_way",
                    "Nothing here can \(verb): no program opens “\(usable.value.prefix(100))”, and no app has been used for it. "
                        + "Install an app that can.")
            }
            throw BatonError(
                .notFound, reason: "no_way",
                "Nothing here can \(verb): no app has been used for it, and there is no address that something opens. "
                    + "Add an address to the card, or an app that can.")
        }
        let list = ways.map { "\($0.way.selector) (\($0.name))" }.joined(separator: ", ")
        if let chosen, !chosen.isEmpty {
            let meant = Self.ways(chosen, among: ways)
            guard meant.count <= 1 else {
                throw BatonError(
                    .invalidArgument, reason: "several_ways",
                    "Several ways are called “\(chosen.prefix(60))”: \(list). Name one by what stands before its name.")
            }
            let named = meant.first
            if named == nil, chosen == PersonWay.emailSelector {
                throw BatonError(
                    .invalidArgument, reason: "unknown_way",
                    "\(person.name) has no e-mail address, or nothing here opens one. These can \(verb): \(list).")
            }
            guard let named else {
                throw BatonError(
                    .invalidArgument, reason: "unknown_way",
                    "“\(chosen.prefix(60))” cannot \(verb). These can: \(list).")
            }
            return named
        }
        guard first.isDefault || ways.count == 1 else {
            throw BatonError(
                .invalidArgument, reason: "several_ways",
                "Several can \(verb): \(list). “baton people \(action.rawValue) NAME --with \(first.way.selector)” takes one, "
                    + "and it is remembered.")
        }
        return first
    }

    /// Those that a word of the person means. Apps choose their names.
    private static func ways(_ chosen: String, among ways: [PersonSummary.Way]) -> [PersonSummary.Way] {
        if let way = ways.first(where: { $0.way.selector == chosen }) { return [way] }
        let word = chosen.lowercased()
        return PersonWay.addressSelectors.contains(word) ? [] : ways.filter { $0.name.lowercased() == word }
    }

    private static func unreachable(_ person: PersonSummary) -> BatonError {
        BatonError(
            .notFound, reason: "no_way",
            "The app does not know \(person.name) any more. Name another way with --with.")
    }

    /// A number of a card may be a code that changes settings of a telephone, or no number at all.
    private static func dialled(_ number: String, _ person: PersonSummary) throws -> String {
        guard let dialled = TelephoneNumber.dialled(number) else {
            throw BatonError(
                .failedPrecondition, reason: "no_number",
                "“\(number.prefix(60))” of \(person.name) is no number that can be dialled. Mend it on the card.")
        }
        return dialled
    }

    // MARK: Delivering

    private func begin(
        _ action: PersonAction, with person: PersonSummary, in app: PersonSummary.App, text: String
    ) async throws -> Bool {
        let donated = try await store.interactions(of: app.identity, with: Set(app.donated), limit: 200)
        let template = donated.first { (try? DonatedIntent($0.message))?.action == action }?.message
        let interaction: Baton_Value_V1_Interaction
        if let template {
            interaction = try PersonIntent.filled(template, with: Set(app.donated), action, text: text)
        } else {
            let types = apps.all().first { $0.identity == app.identity }?.types ?? []
            let value = donated.lazy.compactMap { try? PersonIntent.value(in: $0.message, of: Set(app.donated)) }.first
            guard let name = action.intentClass(declared: types),
                let value = value ?? (app.donated.first ?? app.suggested)?.value
            else { throw Self.unreachable(person) }
            interaction = PersonIntent.made(name, for: value, action, text: text)
        }
        note(
            "acted", "The person acts on a card, and an app goes on.",
            [
                "bundle_id": app.identity.bundleID.rawValue, "intent": interaction.intent.className,
            ])
        return try await apps.deliver(Self.payload(interaction), interaction, to: app.identity)
    }

    /// The response's own activity, or one whose type is the name of the intent's class.
    static func payload(_ interaction: Baton_Value_V1_Interaction) -> Baton_Value_V1_ActivityPayload {
        var payload = Baton_Value_V1_ActivityPayload()
        if interaction.hasResponse, interaction.response.hasActivity {
            payload = interaction.response.activity
            // The object that could have answered is gone.
            payload.description_p.supportsContinuationStreams = false
        } else {
            payload.description_p.activityType = interaction.intent.className
        }
        payload.description_p.activityID = ActivityID.random().rawValue
        return payload
    }

    private func open(_ scheme: String, _ address: String, _ text: String) async throws -> Bool {
        // An address is a card's or an app's: nothing in it may become another part of the URL.
        let path = Self.escaped(address, keeping: "@+")
        let query = text.isEmpty ? "" : "?body=" + Self.escaped(text, keeping: "")
        return try await apps.open(scheme + path + query)
    }

    static func escaped(_ text: String, keeping: String) -> String {
        var allowed = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        allowed.insert(charactersIn: keeping)
        return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
}
