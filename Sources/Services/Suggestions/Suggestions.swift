import BatonConcurrency
package import BatonCore
package import BatonTransport
import Foundation
import Synchronization
package import WebMarkup

/// Remembers for two hours which places the person looked at, in apps and on pages, and suggests them (P-16 to P-26).
///
/// Everything is in memory alone, and gone when the daemon ends.
package final class Suggestions: Sendable {
    /// The notice to the person when they leave an app that shows a place.
    package struct Offer: Sendable, Equatable {
        package let place: String
        /// Names the place, for ``directions(to:)``.
        package let id: String
        package let title: String
        package let source: String
    }

    private let memory: Mutex<PlaceMemory>
    private let people = Mutex(ScreenPeople())
    /// Places came or went, or were looked at, or another app is in front.
    private let changed = Broadcaster<Void>(.newest)
    private let apps: any SuggestionApps
    private let index: (any PageIndex)?
    private let recorder: any EventRecorder
    private let clock: WallClock
    /// Called with the app that is in front now, perhaps again, and whether it came back after it had left. Must not block.
    private let foreground: @Sendable (_ app: AppIdentity, _ isBack: Bool) -> Void
    /// Called when the person leaves an app that shows a place. Must not block.
    private let offer: @Sendable (Offer) -> Void
    /// Pages take up to half a second of one core.
    private let pages = BlockingQueue("baton.suggestions.pages")
    /// Pages that wait or are read. Policy: more are refused.
    private let pending = Mutex(0)
    static let maximumPending = 8
    /// The limit of a page, with its scripts.
    static let maximumPage = 1 << 20

    /// - Parameter start: greater at each start of the daemon: no identifier of a place is one of a former start.
    package init(
        apps: any SuggestionApps, index: (any PageIndex)? = nil, recorder: any EventRecorder,
        clock: WallClock = .system, start: UInt64 = 0,
        foreground: @escaping @Sendable (_ app: AppIdentity, _ isBack: Bool) -> Void = { _, _ in },
        offer: @escaping @Sendable (Offer) -> Void
    ) {
        memory = Mutex(PlaceMemory(after: start))
        self.apps = apps
        self.index = index
        self.recorder = recorder
        self.clock = clock
        self.foreground = foreground
        self.offer = offer
    }

    // MARK: Apps

    /// The place that a session of an app shows now.
    package struct Shown: Sendable {
        package var activity: String
        package var title: String
        package var expires: UInt64?
        package var attributes: [String: PropertyValue]
    }

    /// - Parameters:
    ///   - shown: the place of the current activity; nil where it shows none.
    ///   - people: of the activity with this identifier.
    package func update(
        session: String, caller: AdmittedCaller, isInFront: Bool, shown: Shown?, activity: String = "",
        people: [ShownPerson] = []
    ) throws {
        let app = try apps.app(of: session, caller: caller)
        self.people.withLock { $0.update(screen: session, activity: activity, people: people) }
        let now = clock.milliseconds
        let source = PlaceEvidence.Source.app(app.identity)
        let place = shown.flatMap { shown in
            AppPlace(shown.attributes).map { place in
                (
                    place: place.place,
                    evidence: PlaceEvidence(
                        source: source, sourceName: PlaceText.clean(app.name, limit: 100) ?? "An app",
                        activity: shown.activity, title: PlaceText.clean(shown.title) ?? "", time: now,
                        expires: shown.expires, supportsNavigation: place.supportsNavigation,
                        supportsPhoneCall: place.supportsPhoneCall)
                )
            }
        }
        let (left, hadLeft) = memory.withLock { memory in
            let hadLeft = memory.screen(session)?.isInFront == false
            return (
                memory.update(screen: session, isInFront: isInFront, source: source, shown: place, now: now), hadLeft
            )
        }
        if isInFront { foreground(app.identity, hadLeft) }
        changed.send(())
        if let left { tell(left) }
    }

    /// The person has entered a field of an app, which may never have said that it left.
    func enteredField(of session: String) {
        memory.withLock { $0.enteredField(of: session) }
        changed.send(())
    }

    /// The apps that say that they are in front.
    package var appsInFront: Set<AppIdentity> { memory.withLock { $0.appsInFront } }

    /// The apps that have said that they left the front, and not since that they are there.
    package var appsThatLeft: Set<AppIdentity> { memory.withLock { $0.appsThatLeft } }

    /// A session of an app ended.
    package func ended(session: String, app: AppIdentity) {
        people.withLock { $0.ended(screen: session) }
        let left = memory.withLock { $0.ended(screen: session, now: clock.milliseconds) }
        changed.send(())
        // The places of a program in development go with it.
        if !app.team.isDevelopment, let left { tell(left) }
        if app.team.isDevelopment, !apps.isPresent(app) { forget { $1.source == .app(app) } }
    }

    /// Apps were installed or removed.
    package func appsChanged() {
        forget { _, evidence in
            if case .app(let app) = evidence.source { !apps.isPresent(app) } else { false }
        }
    }

    private func tell(_ place: KnownPlace) {
        guard let name = place.place.name, let source = place.source else { return }
        let title = RoutingApp.offer(of: apps.routingApp(), to: name)
        recorder.record("suggestions", "offered", "A place was suggested as its app left the foreground.", [:])
        offer(Offer(place: name, id: "\(place.id)", title: title, source: source.sourceName))
    }

    // MARK: Pages

    /// A page as the browser's extension sends it.
    package struct Page: Sendable {
        package var address: String
        package var title: String
        package var summary: String
        package var canonical: String
        package var scripts: [String]
        package var document: String
        package var browser: String
    }

    /// - Returns: how many places it has.
    /// - Throws: `invalid_argument`, `page_too_large`, `page_too_deep`, `resource_exhausted` with too many pages at once.
    package func remember(_ page: Page) async throws -> Int {
        let address = try WebPage(page.address)
        let size = page.scripts.reduce(page.document.utf8.count) { $0 + $1.utf8.count }
        guard size <= Self.maximumPage else {
            throw BatonError(
                .invalidArgument, reason: "page_too_large",
                "The page's markup is larger than 1 MiB. Nothing was remembered.")
        }
        try pending.withLock { count throws(BatonError) in
            guard count < Self.maximumPending else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_pages", "Too many pages come at once. This one was left out.")
            }
            count += 1
        }
        defer { pending.withLock { $0 -= 1 } }
        let markup = try await pages.run {
            try PageExtractor.extract(
                scripts: page.scripts, document: page.document.isEmpty ? nil : page.document, address: page.address)
        }
        let now = clock.milliseconds
        let site = address.shownHost
        let browser = PlaceText.clean(page.browser, limit: 40) ?? "a browser"
        let source = "\(site) in \(browser)"
        let evidence = PlaceEvidence(
            source: .site(site, browser: browser), sourceName: source, activity: page.address,
            title: PlaceText.clean(page.title) ?? "", time: now)
        let places = markup.places.map { place in
            var place = place
            if place.name == nil { place.name = PlaceText.clean(page.title) }
            return place
        }
        memory.withLock { $0.visited(places, evidence, now: now) }
        changed.send(())
        if let index {
            let names = markup.entities.roots.compactMap { PlaceText.clean(markup.entities.entities[$0].text("name")) }
            await index.index(
                RememberedPage(
                    address: page.address, title: PlaceText.clean(page.title) ?? "",
                    summary: PlaceText.clean(page.summary, limit: 1000) ?? "", names: Array(names.prefix(50)),
                    browser: browser))
        }
        return places.count
    }

    // MARK: People

    /// Places came or went, or were looked at, or another app is in front. The newest waits.
    package func changes(_ first: [Void] = []) -> AsyncStream<Void> { changed.subscribe(first) }

    package func suggestions(field: FieldType?, limit: Int) -> [PlaceRanker.Suggestion] {
        let now = clock.milliseconds
        return PlaceRanker.suggestions(known(now), field: field, now: now, limit: limit)
    }

    /// The places of the last two hours.
    package var known: [KnownPlace] { known(clock.milliseconds) }
    /// The place that a session of an app shows: nil where it has not said so.
    package func screen(of session: String) -> (isInFront: Bool, place: KnownPlace?)? {
        let now = clock.milliseconds
        return memory.withLock { memory in
            memory.expire(now: now)
            return memory.screen(session)
        }
    }

    /// The people of the activity that a session of an app shows.
    package func people(of session: String, activity: ActivityID) -> [ShownPerson] {
        people.withLock { $0.people(screen: session, activity: activity.rawValue) }
    }

    /// The session of the app that is in front, as far as apps say so.
    package var front: String? { memory.withLock(\.front) }

    private func known(_ now: UInt64) -> [KnownPlace] {
        memory.withLock { memory in
            memory.expire(now: now)
            return memory.places
        }
    }

    /// A known place by its identifier.
    package func place(id: String) -> KnownPlace? { known(clock.milliseconds).first { "\($0.id)" == id } }

    /// A known place by its identifier or its name, in any case and without accents, the one seen last; nil where there is none.
    package func place(_ selector: String) -> KnownPlace? {
        let places = known(clock.milliseconds).sorted { $0.lastSeen > $1.lastSeen }
        let name = PlaceRequest.fold(selector.trimmingCharacters(in: .whitespacesAndNewlines))
        // Every name begins with nothing.
        guard !name.isEmpty else { return nil }
        func folded(_ place: KnownPlace) -> String { place.place.name.map(PlaceRequest.fold) ?? "" }
        return places.first { "\($0.id)" == selector } ?? places.first { folded($0) == name }
            ?? places.first { folded($0).hasPrefix(name) }
    }

    /// The time now, and a place's rank for a field.
    package func rank(of place: KnownPlace, field: FieldType?) -> (now: UInt64, rank: Int?, score: PlaceRanker.Score) {
        let now = clock.milliseconds
        let ranked = PlaceRanker.suggestions(known(now), field: field, now: now, limit: PlaceMemory.maximumPlaces)
        let rank = ranked.firstIndex { $0.place.id == place.id }.map { $0 + 1 }
        return (now, rank, PlaceRanker.score(place, field, now))
    }

    /// The app that leads there, whether it took the place, and its name for people.
    package typealias Led = (app: RoutingApp?, isHandled: Bool, name: String)

    /// Opens the routing app with a place, else the desktop's handler of `geo:` (P-25, P-27).
    /// - Parameter selector: a known place's identifier or name, else a coordinate or an address.
    /// - Throws: `not_found` where nothing here leads anywhere.
    package func directions(to selector: String) async throws -> Led {
        let place: Place
        if let known = self.place(selector) {
            place = known.place
        } else if let given = DirectionsRequest.place(selector) {
            guard given.coordinate != nil || given.hasAddress else {
                throw BatonError(
                    .invalidArgument, reason: "no_place",
                    "That address names no coordinate on the earth. Write it as geo:LATITUDE,LONGITUDE.")
            }
            place = given
        } else {
            guard let text = PlaceText.clean(selector) else {
                throw BatonError(.invalidArgument, reason: "no_place", "Name a place, or an address.")
            }
            var given = Place()
            given.addressText = text
            place = given
        }
        return try await directions(to: place)
    }

    /// - Parameter id: of a known place, and nothing else: no other place that has it for a name.
    /// - Throws: `not_found` (`unknown_place`) for one that is not known any more.
    package func directions(toID id: String) async throws -> Led {
        guard let known = place(id: id) else {
            throw BatonError(
                .notFound, reason: "unknown_place",
                "The place is not known any more. Look at it again in its app.")
        }
        return try await directions(to: known.place)
    }

    /// - Parameter place: one that need not be known here.
    package func directions(to place: Place) async throws -> Led {
        let name = DirectionsRequest.shown(place)
        if let app = apps.routingApp() {
            return (app, try await apps.direct(to: place, with: app), name)
        }
        guard let geo = DirectionsRequest.geo(to: place) else {
            throw BatonError(
                .failedPrecondition, reason: "no_way",
                "“\(name)” has neither an address nor a coordinate, so there are no directions to it.")
        }
        do {
            try await apps.openOnDesktop(geo)
        } catch let error as BatonError where error.reason == "no_handler" {
            throw BatonError(
                .notFound, reason: "no_routing_app",
                "Nothing here gives directions. Install an app for it, or one of the desktop's for maps, such as GNOME Maps "
                    + "or Marble.", cause: error)
        }
        return (nil, true, name)
    }

    @discardableResult
    package func forget(_ isForgotten: (KnownPlace, PlaceEvidence) -> Bool) -> Int {
        defer { changed.send(()) }
        return memory.withLock { $0.forget(isForgotten) }
    }
}
