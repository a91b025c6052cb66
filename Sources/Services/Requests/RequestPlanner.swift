import BatonCore
import Foundation
import RequestGrammar

/// Finds what “this”, “here”, “them” and names stand for.
struct RequestPlanner {
    let ports: RequestPorts

    /// One plan, or one for each person that a name may mean.
    struct Plans {
        var plans: [RequestPlan]
        /// The app or the page that gives the number or the name, where the person does not.
        var source: String?
        /// The app that shows several people, where “them” was said: nothing is done with all of them.
        var crowd: String?
        /// Why there are several plans, as a sentence, where it is not for several people.
        var reason: String?
        /// Why the one person may not be the one meant, as a sentence.
        var doubt: String?

        init(_ plans: [RequestPlan], from source: String? = nil, crowd: String? = nil, reason: String? = nil) {
            self.plans = plans
            self.source = source
            self.crowd = crowd
            self.reason = reason
        }
    }

    /// - Throws: `failed_precondition` where “this” is nothing, several things, or lacks what is needed; `not_found` for an unknown name.
    func plans(for meaning: RequestMeaning) async throws -> Plans {
        switch meaning {
        case .remind(.text(let text), let when):
            let here = try await here(for: when)
            let (subject, linked) = await self.subject(text)
            return Plans([.remind(subject, when, linked: linked, here: here)])
        case .remind(.current, let when):
            let content = try await current()
            if case .person(.current, _)? = when { try Self.checkOne(content) }
            return Plans([.remind(content.subject, when, linked: content, here: content)])
        case .directions(.named(.written(let text))):
            if let plans = try await directions(toSomebody: text) { return plans }
            return Plans([.directions(.named(text))])
        case .directions(let place): return Plans([.directions(try await destination(place))])
        case .call(let party): return try await calls(party)
        case .video(let party):
            return try await people(party).plans { .video($0) }
        case .message(let party, let text):
            return try await people(party).plans { .message($0, text: text) }
        case .email(let party, let text):
            return try await people(party).plans { .email($0, text: text) }
        case .media(let action, let media): return Plans([.media(action, media)])
        case .open(let name): return Plans([try await app(name)])
        case .page(let url): return Plans([.page(url)])
        case .search(let text): return Plans([.search(text)])
        case .show(let listing): return Plans([.show(listing)])
        }
    }

    // MARK: The content that the person looks at

    /// The content that the person looks at, where a reminder waits for “them”.
    func here(for when: RequestMeaning.When?) async throws -> RequestedContent? {
        guard case .person(.current, _)? = when else { return nil }
        let here = try await current()
        try Self.checkOne(here)
        return here
    }

    private func current() async throws -> RequestedContent {
        guard let content = try await ports.screen.current() else {
            throw BatonError(
                .failedPrecondition, reason: "nothing_in_front",
                "There is nothing in front that “this”, “here” or “them” could mean. Open it in its app first, or name it."
            )
        }
        return content
    }

    private static func missing(_ what: String, _ reason: String, in content: RequestedContent) -> BatonError {
        BatonError(
            .failedPrecondition, reason: reason,
            "\(content.appName) shows “\(content.subject)”, which has no \(what) that Baton knows of. Name it instead.")
    }

    // MARK: Places

    private func destination(_ place: RequestMeaning.Place) async throws -> RequestDestination {
        switch place {
        case .current:
            let content = try await current()
            guard let place = content.place else { throw Self.missing("place", "no_place_in_front", in: content) }
            guard place.supportsNavigation else {
                throw BatonError(
                    .failedPrecondition, reason: "no_navigation",
                    "\(content.appName) does not allow directions to \(place.name).")
            }
            return place.id.isEmpty ? .named(place.address ?? place.name) : .known(place)
        case .home: return .home
        case .work: return .work
        case .named(.known(let entry)):
            let place = await ports.places.known().first { $0.id == entry.id }
            return place.map { .known($0) } ?? .named(entry.name)
        case .named(.written(let text)): return .named(text)
        }
    }

    /// Where the name of a place leads, if it is home, work, a place that is known here, or a person of the address book; nil for
    /// anything else, which may be an address.
    /// - Throws: `invalid_argument` (`several_addresses`); `failed_precondition` (`no_postal_address`).
    func destination(named text: String) async throws -> RequestDestination? {
        switch text.lowercased() {
        case "home": return .home
        case "work": return .work
        default: break
        }
        let place = await ports.places.known().first {
            $0.name.compare(text, options: [.caseInsensitive, .diacriticInsensitive]) == .orderedSame
        }
        if let place { return .known(place) }
        guard let found = try await directions(toSomebody: text) else { return nil }
        let destinations = found.plans.compactMap { plan in
            if case .directions(let destination) = plan { destination } else { nil }
        }
        guard destinations.count == 1 else {
            let names = destinations.prefix(5).map { $0.name.shortened(toBytes: 200) }.joined(separator: "; ")
            throw BatonError(
                .invalidArgument, reason: "several_addresses",
                "“\(text.shortened(toBytes: 100))” has more than one address: \(names). Name one of them, or say whose home or "
                    + "office: “\(destinations.first?.owner ?? text)'s home”.")
        }
        return destinations[0]
    }

    /// To where a person of the address book lives or works; nil for text that is no name there.
    private func directions(toSomebody text: String) async throws -> Plans? {
        let wanted = PersonAddress(text)
        guard var addresses = try await ports.people.addresses(of: wanted.name) else { return nil }
        if let label = wanted.label {
            let labelled = addresses.filter { $0.label.lowercased() == label }
            // A card with one address of which it says nothing has no other to offer.
            addresses = labelled.isEmpty ? addresses.filter(\.label.isEmpty) : labelled
        }
        let sorted = addresses.enumerated().sorted { left, right in
            (PersonAddress.rank(left.element.label), left.offset) < (
                PersonAddress.rank(right.element.label), right.offset
            )
        }
        guard !sorted.isEmpty else {
            throw BatonError(
                .failedPrecondition, reason: "no_postal_address",
                "The card of \(wanted.name.shortened(toBytes: 100)) has no \(wanted.label.map { "\($0) " } ?? "")address. Name "
                    + "the address itself, with its town.")
        }
        let names = Set(addresses.map(\.person))
        let reason = names.count == 1 ? "\(addresses[0].person) has more than one address." : nil
        return Plans(sorted.prefix(10).map { .directions(.address($0.element)) }, reason: reason)
    }

    // MARK: People

    private func calls(_ party: RequestMeaning.Party) async throws -> Plans {
        switch party {
        case .current:
            let content = try await current()
            if let plan = try dial(content.place, of: content.appName) { return Plans([plan], from: content.appName) }
            let people = try await people(of: content)
            guard !people.isEmpty else { throw Self.missing("telephone number", "no_telephone_in_front", in: content) }
            return Plans(people.map { .call($0) }, from: content.appName, crowd: Self.crowd(content))
        case .lastContact:
            return try await lastContact().plans { .call($0) }
        case .named(.known(let entry)) where entry.kind == .place:
            let place = await ports.places.known().first { $0.id == entry.id }
            guard let plan = try dial(place, of: "Its app") else {
                // A place may have the name of a person: “Mum” is where Mum lives.
                let people = try await ports.people.resolve(entry.name)
                if !people.isEmpty {
                    return Plans(people.prefix(10).map { .call($0) }, from: Self.source(of: Array(people)))
                }
                throw BatonError(
                    .failedPrecondition, reason: "no_telephone", "No telephone number of \(entry.name) is known.")
            }
            return Plans([plan], from: place?.source ?? "An app")
        case .named(let name):
            if let number = TelephoneAddress(name.text) { return Plans([.dial(number, name: nil)]) }
            return try await people(named: name.text).plans { .call($0) }
        }
    }

    private func dial(_ place: RequestedPlace?, of app: String) throws(BatonError) -> RequestPlan? {
        guard let place, let number = place.telephone.flatMap(TelephoneAddress.init) else { return nil }
        guard place.supportsPhoneCall else {
            throw BatonError(
                .failedPrecondition, reason: "no_phone_call", "\(app) says that \(place.name) is not to be called.")
        }
        return .dial(number, name: place.name)
    }

    /// Those whom a sentence names, with what ``Plans`` says of them.
    private struct Found {
        var people: [RequestedPerson]
        var source: String?
        var crowd: String?
        var doubt: String?

        func plans(_ plan: (RequestedPerson) -> RequestPlan) -> Plans {
            var plans = Plans(people.map(plan), from: source, crowd: crowd)
            plans.doubt = doubt
            return plans
        }
    }

    private func people(_ party: RequestMeaning.Party) async throws -> Found {
        switch party {
        case .current:
            let content = try await current()
            let people = try await people(of: content)
            guard !people.isEmpty else { throw Self.missing("people", "nobody_in_front", in: content) }
            return Found(people: people, source: content.appName, crowd: Self.crowd(content))
        case .lastContact: return try await lastContact()
        case .named(let name): return try await people(named: name.text)
        }
    }

    /// Those whom the app in front shows, else the one of the last call: an app's word in both cases.
    private func lastContact() async throws -> Found {
        if let content = try await ports.screen.current() {
            let people = try await people(of: content)
            if !people.isEmpty {
                return Found(people: people, source: content.appName, crowd: Self.crowd(content))
            }
        }
        guard let (person, app) = try await ports.people.lastContact() else {
            throw BatonError(
                .failedPrecondition, reason: "no_last_contact",
                "No app here has reported a call or a message, so it is not known whom to call back. Say the name, as in "
                    + "“call Anna”, or the number.")
        }
        return Found(people: [person], source: app.isEmpty ? "An app" : app)
    }

    /// The app that gives the number or the address of one person: any app can say that it knows a person of that name.
    private static func source(of people: [RequestedPerson]) -> String? {
        guard people.count == 1, let app = people[0].fromApp else { return nil }
        return app.isEmpty ? "An app" : app
    }

    private func people(of content: RequestedContent) async throws -> [RequestedPerson] {
        var people: [RequestedPerson] = []
        for shown in content.people {
            for person in try await ports.people.resolve(shown, from: content.appName) where !people.contains(person) {
                people.append(person)
            }
        }
        return Array(people.prefix(ShownPerson.maximumPeople))
    }

    private static func crowd(_ content: RequestedContent) -> String? {
        content.people.count > 1 ? content.appName : nil
    }

    /// A reminder waits for one person.
    private static func checkOne(_ content: RequestedContent) throws(BatonError) {
        guard content.people.count > 1 else { return }
        throw BatonError(
            .failedPrecondition, reason: "several_people_in_front",
            "\(content.appName) shows \(names(content.people)). A reminder waits for one person: name who it is.")
    }

    private static func names(_ people: [ShownPerson]) -> String {
        let names = people.prefix(3).map { $0.shownName.shortened(toBytes: 100) }
        return names.joined(separator: ", ") + (people.count > 3 ? " and others" : "")
    }

    /// “Thank them” names the person meant, and leads back to where they were.
    private func subject(_ text: String) async -> (subject: String, linked: RequestedContent?) {
        guard RequestPronoun.isIn(text), let content = try? await ports.screen.current(), !content.people.isEmpty
        else { return (text, nil) }
        return ("\(text) (\(Self.names(content.people)))", content)
    }

    private func people(named name: String) async throws -> Found {
        var isUnsure = false
        var people = try await ports.people.resolve(name)
        // Which card is the person's own is not known, so the name is shown first.
        if people.isEmpty, case let kin = try await ports.people.kin(name), let first = kin.first {
            let label = first.label.shortened(toBytes: 100)
            let doubt = "The card of \(first.owner) says “\(label)” of this person. Is it the one meant?"
            return Found(people: kin.map(\.person), doubt: doubt)
        }
        // Most cards have no title: “Dr Weber” is found as Weber.
        if people.isEmpty, let plain = PersonTitle.removed(from: name) {
            people = try await ports.people.resolve(plain.name)
            isUnsure = plain.isUnsure
        }
        guard !people.isEmpty else {
            throw BatonError(
                .notFound, reason: "unknown_person",
                "No person called “\(name.prefix(100))” is known here. “baton people” lists all.")
        }
        let found = Array(people.prefix(10))
        let doubt = isUnsure ? "No card says “\(name.shortened(toBytes: 100))”. Is this the person meant?" : nil
        return Found(people: found, source: Self.source(of: found), doubt: doubt)
    }

    // MARK: Apps

    private func app(_ name: RequestMeaning.Name) async throws -> RequestPlan {
        switch name {
        case .known(let entry): return .open(id: entry.id, name: entry.name)
        case .written(let text):
            throw BatonError(
                .notFound, reason: "app_not_found",
                "No app called “\(text.prefix(100))” is installed here. “baton apps” lists those that are.")
        }
    }
}
