package import BatonCore
import VCard

/// A person with everything by which they can be reached: a card, or a person that only an app knows.
package struct PersonSummary: Sendable, Hashable {
    package struct Address: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            case email
            case telephone
            case instantMessage
            case socialProfile
        }

        package var kind: Kind
        package var value: String
        package var label: String
        package var service: String
    }

    /// An app on the card.
    package struct App: Sendable, Hashable {
        package var identity: AppIdentity
        package var name: String
        package var actions: Set<PersonAction>
        /// The forms in which the app has donated this person, the newest first; empty for an app that only declares that it can.
        package var donated: [DonatedPerson]
        /// The form in which an app gets the person if it has donated none.
        package var suggested: DonatedPerson?
        /// Milliseconds since 1970; 0 for never.
        package var last: UInt64
    }

    /// Names the person for as long as the card, or the app that knows them, is here.
    package var id: String
    package var name: String
    package var contactIdentifier: String?
    /// The app that knows them, by its name, where there is no card.
    package var fromApp: String?
    package var addresses: [Address]
    package var apps: [App]
    /// By action, what was picked last.
    package var defaults: [PersonAction: String] = [:]

    /// One way to do something with the person.
    package struct Way: Sendable, Hashable {
        package var way: PersonWay
        package var name: String
        package var isDefault: Bool
        package var isDonated: Bool
    }

    /// The one picked last first, then apps that donated, the latest first, then those that declare it, then addresses.
    ///
    /// - Parameter schemes: of addresses that something opens.
    package func ways(for action: PersonAction, schemes: Set<String>) -> [Way] {
        let chosen = defaults[action]
        var ways = apps.filter { $0.actions.contains(action) }.map { app in
            let way = PersonWay.app(app.identity)
            return Way(
                way: way, name: app.name, isDefault: way.selector == chosen, isDonated: !app.donated.isEmpty)
        }
        let email = addresses.first { $0.kind == .email }?.value
        // A fax answers no call, and a message goes to a mobile telephone where there is one.
        let telephones = addresses.filter { $0.kind == .telephone }
        let telephone = (telephones.first { !CardLabel.isMachine($0.label) } ?? telephones.first)?.value
        let mobile = telephones.first { CardLabel.isMobile($0.label) }?.value ?? telephone
        func add(_ way: PersonWay, _ name: String, _ scheme: String) {
            guard schemes.contains(scheme) else { return }
            ways.append(Way(way: way, name: name, isDefault: way.selector == chosen, isDonated: false))
        }
        switch action {
        case .message:
            if let email { add(.email(email), "E-mail to \(email)", "mailto") }
            if let mobile { add(.sms(mobile), "Message to \(mobile)", "sms") }
        case .call: if let telephone { add(.phone(telephone), "Call to \(telephone)", "tel") }
        case .video: break
        }
        return ways.filter(\.isDefault) + ways.filter { !$0.isDefault }
    }
}

/// Joins the cards of the address book with the persons that apps have donated (P-48, P-50). A value.
struct PeopleDirectory: Sendable {
    private let contacts: any PeopleContacts
    private let apps: [ReachingApp]
    private let defaults: [String: [PersonAction: String]]
    /// By the identifier of the card, with what was donated of its person.
    private var joined: [String: [Donation]] = [:]
    /// By their keys, in the order of the last time.
    private var others: [(key: String, donations: [Donation])] = []
    /// By app, what it calls its service, and as what it knows people.
    private var services: [AppIdentity: Set<String>] = [:]
    private var suggestionTypes: [AppIdentity: DonatedPerson.SuggestionType] = [:]

    /// - Parameter donations: the newest first.
    init(
        contacts: any PeopleContacts, apps: [ReachingApp], donations: [Donation],
        defaults: [String: [PersonAction: String]] = [:]
    ) {
        self.contacts = contacts
        self.apps = apps
        self.defaults = defaults
        let present = Set(apps.map(\.identity))
        let donations = donations.filter { present.contains($0.app) && !$0.person.isMe }
        var cards: [DonatedPerson: String?] = [:]
        var custom: [String: String] = [:]
        for donation in donations {
            if let service = donation.service { services[donation.app, default: []].insert(service.lowercased()) }
            if suggestionTypes[donation.app] == nil { suggestionTypes[donation.app] = donation.person.suggestionType }
            guard cards[donation.person] == nil else { continue }
            let card = Self.card(of: donation.person, in: contacts)
            cards[donation.person] = .some(card)
            if let card, let identifier = donation.person.customIdentifier {
                custom[Self.custom(identifier, donation.app)] = card
            }
        }
        var places: [String: Int] = [:]
        for donation in donations {
            let own = cards[donation.person] ?? nil
            let known = donation.person.customIdentifier.flatMap { custom[Self.custom($0, donation.app)] }
            if let card = own ?? known {
                joined[card, default: []].append(donation)
                continue
            }
            let key = donation.person.key(in: donation.app)
            if let place = places[key] {
                others[place].donations.append(donation)
            } else {
                places[key] = others.count
                others.append((key, [donation]))
            }
        }
    }

    private static func custom(_ identifier: String, _ app: AppIdentity) -> String {
        "\(app.bundleID.rawValue):\(app.team.fingerprint):\(identifier)"
    }

    /// By the card's identifier, else by an equal address.
    private static func card(of person: DonatedPerson, in contacts: any PeopleContacts) -> String? {
        if let identifier = person.contactIdentifier, let card = contacts.card(identifier: identifier) {
            return card.identifier
        }
        for handle in person.handles {
            let cards = contacts.cards(handle: handle.value)
            guard let first = cards.first else { continue }
            // People who share a number are distinguished by the name.
            guard cards.count > 1 else { return first.identifier }
            let name = person.name.lowercased()
            return (cards.first { $0.displayName.lowercased() == name } ?? first).identifier
        }
        return nil
    }

    // MARK: Asking

    /// Those whose name or address matches; everybody for an empty word. Cards first, by name.
    func people(_ word: String) -> [PersonSummary] {
        let word = word.trimmed
        var cards = word.isEmpty ? contacts.cards() : contacts.cards(matching: word)
        if !word.isEmpty {
            let known = Set(cards.map(\.identifier))
            cards += contacts.cards(handle: word).filter { !known.contains($0.identifier) }
        }
        let matching = others.filter { other in
            word.isEmpty || other.donations.contains { Self.matches($0.person, word) }
        }
        let found = cards.map(summary) + matching.map(summary)
        func rank(_ person: PersonSummary) -> (Int, String, String) {
            (person.fromApp == nil ? 0 : 1, FoldedName.text(person.name), person.id)
        }
        return found.map { (rank($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// By the card, else by an equal address.
    func people(of person: DonatedPerson) -> [PersonSummary] {
        if let card = Self.card(of: person, in: contacts).flatMap({ contacts.card(identifier: $0) }) {
            return [summary(card)]
        }
        return others.filter { other in
            person.handles.contains { handle in other.donations.contains { Self.isHandle(of: $0.person, handle.value) }
            }
        }.map(summary)
    }

    /// The person of a donation, as the card or else the app knows them.
    func person(_ person: DonatedPerson, of app: AppIdentity) -> PersonSummary? {
        func isOne(_ donation: Donation) -> Bool { donation.app == app && donation.person == person }
        if let card = joined.first(where: { $0.value.contains(where: isOne) })?.key {
            return contacts.card(identifier: card).map(summary)
        }
        return others.first { $0.donations.contains(where: isOne) }.map(summary)
    }

    func person(id: String) -> PersonSummary? {
        if id.hasPrefix(Self.cardPrefix) {
            return contacts.card(identifier: String(id.dropFirst(Self.cardPrefix.count))).map(summary)
        }
        return others.first { Self.otherPrefix + $0.key == id }.map(summary)
    }

    /// Everything by which a person is reached: what the app has donated, then what the card has. Each once; at most
    /// ``maximumDonated``.
    func handles(of person: DonatedPerson) -> [String] {
        var handles = person.handles.sorted { $0.kind != .unknown && $1.kind == .unknown }.map(\.value)
        if let card = Self.card(of: person, in: contacts).flatMap({ contacts.card(identifier: $0) }) {
            handles += Self.addresses(of: card).map(\.value)
        }
        var seen: Set<String> = []
        return Array(
            handles.filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }.prefix(Self.maximumDonated))
    }

    /// As how many persons an app has donated one person, and addresses that only apps know. Policy: the older ones are not
    /// looked at.
    static let maximumDonated = 64
    private static let cardPrefix = "card:"
    private static let otherPrefix = "app:"

    private static func isHandle(of person: DonatedPerson, _ address: String) -> Bool {
        let folded = address.lowercased()
        return person.handles.contains {
            $0.value.lowercased() == folded || $0.kind == .telephone && TelephoneNumber.matches($0.value, address)
        }
    }

    private static func matches(_ person: DonatedPerson, _ word: String) -> Bool {
        if isHandle(of: person, word) { return true }
        let folded = FoldedName.text(word)
        let name = FoldedName.text(person.name)
        return name.split(separator: " ").contains { $0.hasPrefix(folded) } || name.hasPrefix(folded)
    }

    // MARK: Making

    private func summary(_ card: ContactCard) -> PersonSummary {
        let id = Self.cardPrefix + card.identifier
        let donations = joined[card.identifier] ?? []
        let addresses = Self.addresses(of: card)
        let donating = donatingApps(donations)
        let known = Set(donating.map(\.identity))
        let others = apps.filter { !known.contains($0.identity) }.compactMap { declaring($0, card) }
        return PersonSummary(
            id: id, name: card.displayName, contactIdentifier: card.identifier, fromApp: nil, addresses: addresses,
            apps: donating + others, defaults: defaults[id] ?? [:])
    }

    private func summary(_ other: (key: String, donations: [Donation])) -> PersonSummary {
        let id = Self.otherPrefix + other.key
        let donating = donatingApps(other.donations)
        let handles = other.donations.flatMap(\.person.handles)
        var addresses: [PersonSummary.Address] = []
        var known: Set<PersonSummary.Address> = []
        for handle in handles where handle.kind != .unknown && addresses.count < Self.maximumDonated {
            let address = PersonSummary.Address(
                kind: handle.kind == .email ? .email : .telephone, value: handle.value, label: "", service: "")
            if known.insert(address).inserted { addresses.append(address) }
        }
        return PersonSummary(
            id: id, name: other.donations.lazy.map(\.person.name).first { !$0.isEmpty } ?? "a person without a name",
            contactIdentifier: nil, fromApp: donating.first?.name ?? "", addresses: addresses, apps: donating,
            defaults: defaults[id] ?? [:])
    }

    private func donatingApps(_ donations: [Donation]) -> [PersonSummary.App] {
        var found: [PersonSummary.App] = []
        var donated: [Set<DonatedPerson>] = []
        for donation in donations {
            guard let app = apps.first(where: { $0.identity == donation.app }) else { continue }
            let index: Int
            if let known = found.firstIndex(where: { $0.identity == donation.app }) {
                index = known
            } else {
                index = found.count
                donated.append([])
                found.append(
                    .init(
                        identity: app.identity, name: app.name,
                        actions: Set(PersonAction.allCases.filter { $0.intentClass(declared: app.types) != nil }),
                        donated: [], suggested: nil, last: donation.time))
            }
            if let action = donation.action { found[index].actions.insert(action) }
            if donated[index].count < Self.maximumDonated, donated[index].insert(donation.person).inserted {
                found[index].donated.append(donation.person)
            }
        }
        return found
    }

    /// An app that declares that it can, on a card with an address of the kind by which it knows people.
    private func declaring(_ app: ReachingApp, _ card: ContactCard) -> PersonSummary.App? {
        let actions = Set(PersonAction.allCases.filter { $0.intentClass(declared: app.types) != nil })
        guard !actions.isEmpty, let person = person(of: card, for: app) else { return nil }
        return .init(identity: app.identity, name: app.name, actions: actions, donated: [], suggested: person, last: 0)
    }

    private func person(of card: ContactCard, for app: ReachingApp) -> DonatedPerson? {
        let names = (services[app.identity] ?? []).union([app.name.lowercased()])
        func handle(_ list: [ContactCard.Labeled<ContactCard.ServiceName>]) -> String? {
            list.first { names.contains($0.value.service.lowercased()) && !$0.value.username.isEmpty }?.value.username
        }
        let type = suggestionTypes[app.identity] ?? .none
        let own: String?
        switch type {
        case .none: own = nil
        case .socialProfile: own = handle(card.socialProfiles)
        case .instantMessageAddress: own = handle(card.instantMessages)
        }
        if type != .none {
            return own.map {
                DonatedPerson(
                    name: card.displayName, handle: .init(value: $0, kind: .unknown), suggestionType: type)
            }
        }
        let telephones = card.telephones.filter { !CardLabel.isMachine($0.label) }
        if let telephone = Self.preferred(telephones.isEmpty ? card.telephones : telephones) {
            return DonatedPerson(name: card.displayName, handle: .init(value: telephone, kind: .telephone))
        }
        return Self.preferred(card.emails).map {
            DonatedPerson(name: card.displayName, handle: .init(value: $0, kind: .email))
        }
    }

    private static func preferred(_ list: [ContactCard.Labeled<String>]) -> String? {
        (list.first { $0.isPreferred } ?? list.first)?.value
    }

    private static func addresses(of card: ContactCard) -> [PersonSummary.Address] {
        func plain(
            _ list: [ContactCard.Labeled<String>], _ kind: PersonSummary.Address.Kind
        ) -> [PersonSummary.Address] {
            (list.filter(\.isPreferred) + list.filter { !$0.isPreferred }).map {
                .init(kind: kind, value: $0.value, label: $0.label, service: "")
            }
        }
        func named(
            _ list: [ContactCard.Labeled<ContactCard.ServiceName>], _ kind: PersonSummary.Address.Kind
        ) -> [PersonSummary.Address] {
            list.map { .init(kind: kind, value: $0.value.username, label: $0.label, service: $0.value.service) }
        }
        return plain(card.telephones, .telephone) + plain(card.emails, .email)
            + named(card.instantMessages, .instantMessage) + named(card.socialProfiles, .socialProfile)
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
