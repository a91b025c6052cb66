import BatonCore
import RequestGrammar

/// Finds what “this”, “here”, “them” and names stand for.
struct RequestPlanner {
    let ports: RequestPorts

    /// One plan, or one for each person that a name may mean.
    /// - Throws: `failed_precondition` where “this” is nothing, or lacks what is needed; `not_found` for an unknown name.
    func plans(for meaning: RequestMeaning) async throws -> [RequestPlan] {
        switch meaning {
        case .remind(let subject, let when):
            let here = await ports.screen.current()
            switch subject {
            case .text(let text): return [.remind(text, when, linked: nil, here: here)]
            case .current:
                let content = try required(here)
                return [.remind(content.subject, when, linked: content, here: here)]
            }
        case .directions(let place): return [.directions(try await destination(place))]
        case .call(let party): return try await calls(party)
        case .message(let party, let text):
            return try await people(party).map { .message($0, text: text) }
        case .media(let action, let media): return [.media(action, media)]
        case .open(let name): return [try await app(name)]
        case .search(let text): return [.search(text)]
        }
    }

    // MARK: What the person looks at

    private func required(_ content: RequestedContent?) throws(BatonError) -> RequestedContent {
        guard let content else {
            throw BatonError(
                .failedPrecondition, reason: "nothing_in_front",
                "There is nothing in front that “this”, “here” or “them” could mean. Open it in its app first, or name it."
            )
        }
        return content
    }

    private func current() async throws -> RequestedContent { try required(await ports.screen.current()) }

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
                    "\(content.appName) says that nobody can be led to \(place.name).")
            }
            return .known(place)
        case .home: return .home
        case .work: return .work
        case .named(.known(let entry)):
            let place = await ports.places.known().first { $0.id == entry.id }
            return place.map { .known($0) } ?? .named(entry.name)
        case .named(.written(let text)): return .named(text)
        }
    }

    // MARK: People

    private func calls(_ party: RequestMeaning.Party) async throws -> [RequestPlan] {
        switch party {
        case .current:
            let content = try await current()
            if let plan = try dial(content.place, of: content.appName) { return [plan] }
            let people = try await people(of: content)
            guard !people.isEmpty else { throw Self.missing("telephone number", "no_telephone_in_front", in: content) }
            return people.map { .call($0) }
        case .named(.known(let entry)) where entry.kind == .place:
            let place = await ports.places.known().first { $0.id == entry.id }
            guard let plan = try dial(place, of: "Its app") else {
                throw BatonError(
                    .failedPrecondition, reason: "no_telephone", "No telephone number of \(entry.name) is known.")
            }
            return [plan]
        case .named(let name):
            if let number = TelephoneAddress(name.text) { return [.dial(number, name: nil)] }
            return try await people(named: name.text).map { .call($0) }
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

    private func people(_ party: RequestMeaning.Party) async throws -> [RequestedPerson] {
        switch party {
        case .current:
            let content = try await current()
            let people = try await people(of: content)
            guard !people.isEmpty else { throw Self.missing("people", "nobody_in_front", in: content) }
            return people
        case .named(let name): return try await people(named: name.text)
        }
    }

    private func people(of content: RequestedContent) async throws -> [RequestedPerson] {
        var people: [RequestedPerson] = []
        for name in content.people.prefix(10) {
            for person in try await ports.people.resolve(name) where !people.contains(person) { people.append(person) }
        }
        return people
    }

    private func people(named name: String) async throws -> [RequestedPerson] {
        let people = try await ports.people.resolve(name)
        guard !people.isEmpty else {
            throw BatonError(
                .notFound, reason: "unknown_person",
                "Nobody called “\(name.prefix(100))” is known here. “baton people” lists everybody.")
        }
        return Array(people.prefix(10))
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
