import BatonConcurrency
package import BatonCore
package import Foundation
package import RequestGrammar
import Synchronization

/// Does what the person asks for in words (P-15, P-23, P-29).
package final class Requests: Sendable {
    private let ports: RequestPorts
    private let languages: [String]
    private let recorder: any EventRecorder
    private let clock: WallClock
    /// A sentence that wants to be difficult takes 50 ms of one core.
    private let queue = BlockingQueue("baton.requests")
    /// Requests that are read or done. Policy: more are refused.
    private let pending = Mutex(0)
    static let maximumPending = 16

    /// - Parameter languages: the person's, the preferred one first, as `LANGUAGE` and `LANG` name them.
    package init(
        ports: RequestPorts, languages: [String], recorder: any EventRecorder, clock: WallClock = .system
    ) {
        self.ports = ports
        self.languages = languages
        self.recorder = recorder
        self.clock = clock
    }

    /// Understands a sentence and does it. Where it could mean two things nothing is done, nor where an app names who is called or
    /// written to, and the person has not confirmed that.
    /// - Parameter confirmation: of an answer that the person has seen; empty for none.
    /// - Throws: `resource_exhausted` (`too_many_requests`); what is thrown by the one who does it.
    package func ask(
        _ text: String, isDryRun: Bool, timeZone: TimeZone, confirmation: String = ""
    ) async throws -> RequestAnswer {
        try enter()
        defer { pending.withLock { $0 -= 1 } }
        switch await read(text, { $0.read(text, now: $1, timeZone: timeZone) }) {
        case .none(let reason, let examples):
            return RequestAnswer(outcome: .notUnderstood, message: reason, examples: examples)
        case .several(let meanings):
            guard let planned = try await onlyKnown(meanings) else {
                return RequestAnswer(
                    outcome: .choices, meanings: meanings,
                    message: "This could mean more than one thing. Nothing was done.")
            }
            return try await answer(planned, isDryRun, timeZone, confirmation)
        case .one(let meaning):
            let planned = try await RequestPlanner(ports: ports).plans(for: meaning)
            return try await answer(planned, isDryRun, timeZone, confirmation)
        }
    }

    /// When a reminder is to come, in words: “monday 9am”, “when I get home”.
    /// - Returns: also what the person looks at, for words that say “here” or “them”.
    /// - Throws: `invalid_argument` (`unknown_when`), and as ``ask(_:isDryRun:timeZone:confirmation:)``.
    package func when(
        _ text: String, timeZone: TimeZone
    ) async throws -> (when: RequestMeaning.When, here: RequestedContent?) {
        try enter()
        defer { pending.withLock { $0 -= 1 } }
        let when = await read(text) { reader, now in
            Result { () throws(MeaningError) in try reader.when(text, now: now, timeZone: timeZone) }
        }
        switch when {
        case .success(let when): return (when, try await RequestPlanner(ports: ports).here(for: when))
        case .failure(let error): throw BatonError(.invalidArgument, reason: "unknown_when", error.sentence)
        }
    }

    private func enter() throws(BatonError) {
        try pending.withLock { count throws(BatonError) in
            guard count < Self.maximumPending else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_requests", "Too many requests come at once. Ask again.")
            }
            count += 1
        }
    }

    private func read<Read: Sendable>(
        _ text: String, _ body: @escaping @Sendable (RequestReader, _ now: Date) -> Read
    ) async -> Read {
        let lexicon = await lexicon(for: text)
        let now = Date(timeIntervalSince1970: Double(clock.milliseconds) / 1000)
        return await queue.run { [languages] in
            // The first one parses the grammars, which a daemon that is asked nothing does without.
            body(RequestReader(RequestGrammar.grammars(preferring: languages), lexicon: lexicon), now)
        }
    }

    /// Where the name of a place leads, as in “directions to ...”; nil for what may be an address, or a place that is not known here.
    /// - Throws: `invalid_argument` (`several_addresses`), `failed_precondition` (`no_postal_address`).
    package func destination(named text: String) async throws -> RequestDestination? {
        try await RequestPlanner(ports: ports).destination(named: text)
    }

    /// “Text Bob hello” goes to Bob where no person is called “Bob hello”: the one meaning with a known person.
    /// - Throws: `not_found` (`unknown_person`) where no meaning has a known person.
    private func onlyKnown(_ meanings: [RequestMeaning]) async throws -> RequestPlanner.Plans? {
        var found: [RequestPlanner.Plans] = []
        var unknown: BatonError?
        for meaning in meanings {
            do {
                found.append(try await RequestPlanner(ports: ports).plans(for: meaning))
            } catch let error as BatonError {
                // Anything else that keeps it from being done is not for this to decide.
                guard error.reason == "unknown_person" else { return nil }
                unknown = error
            }
        }
        if found.isEmpty, let unknown { throw unknown }
        return found.count == 1 && unknown != nil ? found[0] : nil
    }

    private func answer(
        _ planned: RequestPlanner.Plans, _ isDryRun: Bool, _ timeZone: TimeZone, _ confirmation: String
    ) async throws -> RequestAnswer {
        let plans = planned.plans
        guard plans.count == 1 else {
            let reason =
                planned.crowd.map { "\($0) shows several people, and this goes to one: say the name." }
                ?? planned.reason ?? "This could mean more than one person."
            return RequestAnswer(outcome: .choices, plans: plans, message: reason + " Nothing was done.")
        }
        if isDryRun { return RequestAnswer(outcome: .meant, plans: plans) }
        if let wanted = RequestConfirmation(of: plans[0], from: planned.source ?? planned.doubt) {
            let token = wanted.token(in: timeZone)
            guard token == confirmation else {
                let reasons = [planned.source.map { "\($0) names the person meant." }, planned.doubt].compactMap(\.self)
                return RequestAnswer(
                    outcome: .choices, plans: plans,
                    message: (reasons + ["Nothing was done yet."]).joined(separator: " "), confirmation: token)
            }
        }
        return try await perform(plans[0], timeZone)
    }

    private func show(
        _ listing: RequestMeaning.Listing, _ timeZone: TimeZone, _ answer: inout RequestAnswer
    ) async throws {
        guard listing != .playing else {
            answer.results = Array(await ports.media.playing().prefix(Self.maximumShown))
            answer.message = answer.results.isEmpty ? "Nothing is playing." : ""
            return
        }
        var end: Date?
        if listing == .remindersToday {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = timeZone
            let now = Date(timeIntervalSince1970: Double(clock.milliseconds) / 1000)
            end = calendar.dateInterval(of: .day, for: now)?.end
        }
        let all = try await ports.reminders.list(before: end, timeZone: timeZone)
        answer.results = Array(all.prefix(Self.maximumShown))
        if all.isEmpty {
            answer.message = listing == .reminders ? "There are no reminders." : "There are no reminders for today."
        } else if all.count > Self.maximumShown {
            answer.message = "There are \(all.count); “baton reminders” lists all."
        }
    }

    /// Results of one answer.
    private static let maximumShown = 20

    private func lexicon(for text: String) async -> RequestLexicon {
        var lexicon = RequestLexicon()
        for app in await ports.apps.names().prefix(2000) {
            lexicon.add(.init(kind: .app, id: app.id, name: app.name))
        }
        for place in await ports.places.known().prefix(500) {
            lexicon.add(.init(kind: .place, id: place.id, name: place.name))
        }
        let (known, people) = (lexicon, await ports.people.knownNames())
        return await queue.run {
            var lexicon = known
            lexicon.add(people: people, in: text)
            return lexicon
        }
    }

    private func perform(_ plan: RequestPlan, _ timeZone: TimeZone) async throws -> RequestAnswer {
        var answer = RequestAnswer(outcome: .done, plans: [plan])
        switch plan {
        case .remind(let subject, let when, let linked, let here):
            let doubt = try await ports.reminders.add(
                subject: subject, when: when, linkedActivity: linked, here: here)
            answer.message =
                when.map { "You will be reminded of “\(subject)” \($0.phrase(in: timeZone))." }
                ?? "“\(subject)” is among your reminders."
            if let doubt { answer.message += " " + doubt }
        case .directions(let destination):
            let app = try await ports.places.directions(to: destination)
            answer.message = "\(app) leads to \(destination.name)."
        case .dial(let number, let name):
            let app = try await ports.telephone.call(number)
            answer.message = "\(app.isEmpty ? "The desktop" : app) calls \(name.map { "\($0), " } ?? "")\(number.text)."
        case .call(let person):
            try await ports.people.call(person)
            answer.message = "\(person.name) is called."
        case .video(let person):
            try await ports.people.video(person)
            answer.message = "\(person.name) is called with video."
        case .message(let person, let text):
            try await ports.people.message(person, text: text)
            answer.message = "The message to \(person.name) is in the app."
        case .email(let person, let text):
            try await ports.people.email(person, text: text)
            answer.message = "The mail to \(person.name) is in the app."
        case .media(let action, let media):
            let player = try await ports.media.perform(action, media: media)
            answer.message = action.outcome(in: player, media: media)
        case .open(let id, let name):
            try await ports.apps.open(id)
            answer.message = "\(name) is open."
        case .page(let url):
            try await ports.apps.open(page: url)
            answer.message = "\(url.absoluteString) is open."
        case .search(let text):
            answer.results = try await ports.search.search(text)
            answer.message = answer.results.isEmpty ? "Nothing was found for “\(text)”." : ""
        case .show(let listing): try await show(listing, timeZone, &answer)
        }
        // Neither the sentence nor a name: a person's requests are private.
        recorder.record("requests", "done", "A request was done.", ["action": plan.action])
        return answer
    }
}
