import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton forget`
struct ForgetCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Delete data of search and predictions: of an app, a site, a place, the last hours, or all.",
        discussion: "It is gone from the disk when the command ends. Documents and apps stay; only search forgets them."
    )

    @Option(
        help: ArgumentHelp("An app: its bundle identifier or name.", valueName: "app"),
        completion: DynamicCompletion.apps)
    var app: String?

    @Option(help: ArgumentHelp("A site and those below it, as in example.com.", valueName: "domain"))
    var site: String?

    @Option(help: ArgumentHelp("A place, by its name.", valueName: "name"))
    var place: String?

    @Option(help: ArgumentHelp("Data of the last so much time, as in 30m, 1h or 2d.", valueName: "time"))
    var last: String?

    @Flag(help: "Everything.")
    var all = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        let count = [app, site, place, last].count { $0 != nil } + (all ? 1 : 0)
        guard count == 1 else {
            throw ValidationError("Name one of --app, --site, --place, --last and --all.")
        }
        if let site, !Self.isDomain(site) {
            throw ValidationError("“\(site)” is no site. Write its domain, as in example.com.")
        }
        if let place, place.allSatisfy(\.isWhitespace) {
            throw ValidationError("“\(place)” is no place. Write its name, as in “baton places”.")
        }
        if let last, Self.milliseconds(last) == nil {
            throw ValidationError("“\(last)” is no time. Write 30m, 1h or 2d.")
        }
    }

    func run(in session: CommandSession) async throws {
        var request = Baton_Control_V1_ForgetRequest()
        var seen = Baton_Control_V1_ForgetPlacesRequest()
        var donated = Baton_Control_V1_ForgetDonationsRequest()
        var unknown: BatonError?
        if let app {
            (request.bundleID, unknown) = try await Self.bundleID(app, session)
            seen.bundleID = request.bundleID
            donated.bundleID = request.bundleID
        }
        if let site { (request.site, seen.site) = (site, site) }
        if let place { (request.place, seen.name) = (place, place) }
        if let last {
            request.last = Self.milliseconds(last) ?? 0
            seen.since = session.context.clock.milliseconds - min(request.last, session.context.clock.milliseconds)
            donated.since = seen.since
        }
        if all { (request.all, seen.all, donated.all) = (true, true, true) }
        // Suggestions go first: they are in memory, and shown soonest.
        let places = try await session.call(SuggestionsMethods.forgetPlaces, seen).places
        // A site and a place are no app's, so no app has donated them.
        let donations =
            donated.what == nil
            ? 0 : try await session.call(PeopleMethods.forgetDonations, donated, timeout: .seconds(60)).interactions
        let learned = try await LearnedForgetting(request, since: seen.since).run(session)
        let answer = try await session.call(SearchMethods.forget, request, timeout: .seconds(60))
        // The found items are gone by now, and are not given again.
        let published = try await session.call(
            PublicSearchMethods.takeBackPublished, request, timeout: .seconds(60))
        // Neither is there such an app, nor has one left anything.
        let counts = [
            UInt64(published.pages), answer.forgotten, UInt64(places), UInt64(donations), UInt64(learned.events),
        ]
        if let unknown, counts.allSatisfy({ $0 == 0 }) { throw unknown }
        let items = answer.forgotten == 1 ? "1 item is" : "\(answer.forgotten) items are"
        let suggested = places == 0 ? "" : places == 1 ? ", and 1 suggested place" : ", and \(places) suggested places"
        let told = donations == 0 ? "" : donations == 1 ? ", and 1 interaction" : ", and \(donations) interactions"
        try session.emit(
            json: [
                "forgotten": .init(answer.forgotten), "places": .init(UInt64(places)),
                "interactions": .init(UInt64(donations)), "events": .init(UInt64(learned.events)),
                "stay_places": .init(UInt64(learned.places)), "published": .init(UInt64(published.pages)),
                "published_waiting": .boolean(published.waiting),
            ], text: "\(items) forgotten\(suggested)\(told)\(learned.text).\(Self.text(published))")
        // The files are there as before, and it would not be clear why they are not found, or that they come back.
        if all || last != nil, answer.forgotten > 0 {
            try session.remark(
                "Documents that were forgotten are found again once they change, or after the daemon's next start.")
        }
    }

    private static func text(_ published: Baton_Control_V1_TakeBackPublishedResponse) -> String {
        let waits = published.waiting ? " The cloud does not answer, and is notified as soon as it does." : ""
        switch published.pages {
        case 0: return waits
        case 1: return " 1 page of the public index is taken back." + waits
        default: return " \(published.pages) pages of the public index are taken back." + waits
        }
    }

    /// An app that is gone may have left something, so its identifier is taken as it is.
    private static func bundleID(
        _ text: String, _ session: CommandSession
    ) async throws -> (id: String, unknown: BatonError?) {
        do {
            return (try await AppReference.bundleID(text, session), nil)
        } catch let error as BatonError where error.reason == "app_not_found" && BundleID.isValid(text) {
            return (text, error)
        }
    }

    private static func isDomain(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        }
    }

    static func milliseconds(_ text: String) -> UInt64? {
        let units: [Character: UInt64] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        guard let unit = text.last.flatMap({ units[$0] }), let number = UInt64(text.dropLast()), number > 0 else {
            return nil
        }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit)
        return overflow ? nil : product
    }
}
