import BatonConcurrency
import BatonCore
package import WebMarkup

/// The places that the person looked at in the last two hours: a value without I/O and clock, kept in memory alone.
///
/// Bounds: ``maximumPlaces``, of which the one seen the longest time ago goes first; ``maximumEvidence`` for each.
package struct PlaceMemory: Sendable {
    package static let maximumPlaces = 200
    package static let maximumEvidence = 16
    /// Milliseconds that a place stays after it was last on the screen.
    package static let lifetime: UInt64 = 2 * 3_600_000
    /// Milliseconds in which a place has one notice.
    package static let noticePause: UInt64 = 3_600_000
    /// Notices of one app's places at once, and the time in which one more may come: an app makes up as many places as it likes.
    private static let (noticeBurst, noticeInterval) = (4, Duration.seconds(300))
    /// Apps whose notices are counted. Policy: of more the one that had none for the longest time begins anew.
    private static let maximumNoticed = 64
    /// Screens at once: sessions of apps.
    static let maximumScreens = 1024

    private struct Screen: Sendable {
        var isInFront: Bool
        /// Counts up: the larger one came to the front later.
        var cameToFront: UInt64
        var place: UInt64?
        var source: PlaceEvidence.Source
        var activity: String
    }

    package private(set) var places: [KnownPlace] = []
    private var lastID: UInt64
    /// The place that each session of an app shows.
    private var screens: [String: Screen] = [:]
    private var lastArrival: UInt64 = 0
    /// When the last notice of a place was shown.
    private var noticed: [UInt64: UInt64] = [:]
    private var noticeRate = TokenBuckets<PlaceEvidence.Source>(maximum: PlaceMemory.maximumNoticed)

    /// - Parameter start: greater at each start of the daemon. Identifiers count on from it, so that one that the desktop's search or a
    ///   notice still has never names another place, whose number would be called.
    package init(after start: UInt64 = 0) { lastID = start }

    // MARK: Producers

    /// Sets the place that an app shows now, in place of the one before.
    /// - Parameter shown: nil where it shows no place.
    /// - Returns: the place to suggest, when the app that shows one leaves the foreground (P-25).
    package mutating func update(
        screen: String, isInFront: Bool, source: PlaceEvidence.Source, shown: (place: Place, evidence: PlaceEvidence)?,
        now: UInt64
    ) -> KnownPlace? {
        expire(now: now)
        let before = screens[screen]
        if isInFront, before?.isInFront != true { lastArrival += 1 }
        var after = Screen(
            isInFront: isInFront, cameToFront: before?.isInFront == true ? before?.cameToFront ?? 0 : lastArrival,
            place: nil, source: source, activity: shown?.evidence.activity ?? "")
        if let shown {
            let isSameView = before?.place != nil && before?.activity == after.activity
            after.place = note(shown.place, shown.evidence, isNewView: !isSameView)
        }
        if let former = before?.place, former != after.place { touch(former, source, now) }
        if before == nil, screens.count >= Self.maximumScreens { return nil }
        // Also one that shows nothing and is not in front: it has said that it left.
        screens[screen] = after
        guard let before, before.isInFront, !isInFront, let left = after.place ?? before.place else { return nil }
        return suggestion(left, of: source, now)
    }

    /// The last report of a session of an app; nil for one that has said nothing.
    package func screen(_ screen: String) -> (isInFront: Bool, place: KnownPlace?)? {
        screens[screen].map { shown in (shown.isInFront, shown.place.flatMap { id in places.first { $0.id == id } }) }
    }

    /// The session that is in front: among those that say so the one that came there last. Nil where none says so.
    package var front: String? {
        screens.filter(\.value.isInFront).max { $0.value.cameToFront < $1.value.cameToFront }?.key
    }

    /// The person is in a field of this session: of those that say they are in front it is the one that came there last.
    mutating func enteredField(of screen: String) {
        guard screens[screen]?.isInFront == true else { return }
        lastArrival += 1
        screens[screen]?.cameToFront = lastArrival
    }

    var appsInFront: Set<AppIdentity> {
        Set(
            screens.values.compactMap { screen in
                guard screen.isInFront, case .app(let app) = screen.source else { return nil }
                return app
            })
    }

    /// The apps that have said that they left the front, and not since that they are there.
    var appsThatLeft: Set<AppIdentity> {
        let apps = screens.values.compactMap { screen -> AppIdentity? in
            guard !screen.isInFront, case .app(let app) = screen.source else { return nil }
            return app
        }
        return Set(apps).subtracting(appsInFront)
    }

    /// The app's session ended: what it showed is on the screen no longer.
    /// - Returns: as ``update(screen:isInFront:source:shown:now:)``.
    package mutating func ended(screen: String, now: UInt64) -> KnownPlace? {
        expire(now: now)
        guard let before = screens.removeValue(forKey: screen), let place = before.place else { return nil }
        touch(place, before.source, now)
        return before.isInFront ? suggestion(place, of: before.source, now) : nil
    }

    /// A page that the person visited has these places.
    package mutating func visited(_ found: [Place], _ evidence: PlaceEvidence, now: UInt64) {
        expire(now: now)
        for place in found { _ = note(place, evidence, isNewView: true) }
    }

    private mutating func note(_ place: Place, _ evidence: PlaceEvidence, isNewView: Bool) -> UInt64 {
        guard let index = places.firstIndex(where: { Self.isOne($0, place, of: evidence.source) }) else {
            lastID &+= 1
            places.append(KnownPlace(id: lastID, place: place, evidence: [evidence]))
            makeRoom()
            return lastID
        }
        // The newest description counts; what it does not say stays. A page only adds to what others say.
        let isAddition = evidence.source.isSite && places[index].evidence.contains { $0.source != evidence.source }
        var merged = isAddition ? places[index].place : place
        merged.take(isAddition ? place : places[index].place)
        places[index].place = merged
        var entries = places[index].evidence
        if let known = entries.firstIndex(where: { $0.source == evidence.source }) {
            var entry = entries.remove(at: known)
            entry.activity = evidence.activity
            entry.title = evidence.title
            entry.lastSeen = max(entry.lastSeen, evidence.lastSeen)
            entry.views = min(entry.views + (isNewView ? 1 : 0), 1000)
            entry.expires = evidence.expires
            entry.supportsNavigation = evidence.supportsNavigation
            entry.supportsPhoneCall = evidence.supportsPhoneCall
            entries.append(entry)
        } else {
            entries.append(evidence)
        }
        places[index].evidence = Array(entries.suffix(Self.maximumEvidence))
        return places[index].id
    }

    /// The newest word of one source counts. Another one's counts only for the same address, and where it contradicts nothing:
    /// a page that calls itself as a place of an app's would have its own number called in that place's name.
    private static func isOne(_ known: KnownPlace, _ place: Place, of source: PlaceEvidence.Source) -> Bool {
        known.place.isSame(as: place)
            && (known.evidence.allSatisfy { $0.source == source } || known.place.agrees(with: place))
    }

    private mutating func touch(_ id: UInt64, _ source: PlaceEvidence.Source, _ now: UInt64) {
        guard let index = places.firstIndex(where: { $0.id == id }),
            let entry = places[index].evidence.firstIndex(where: { $0.source == source })
        else { return }
        places[index].evidence[entry].lastSeen = max(places[index].evidence[entry].lastSeen, now)
    }

    private mutating func makeRoom() {
        guard places.count > Self.maximumPlaces else { return }
        let shown = Set(screens.values.compactMap(\.place))
        let oldest = places.filter { !shown.contains($0.id) }.min { $0.lastSeen < $1.lastSeen } ?? places[0]
        places.removeAll { $0.id == oldest.id }
        noticed[oldest.id] = nil
    }

    // MARK: Time

    /// Forgets places that are over. Those on the screen are seen now.
    package mutating func expire(now: UInt64) {
        for screen in screens.values {
            if let place = screen.place, screen.isInFront { touch(place, screen.source, now) }
        }
        for index in places.indices {
            places[index].evidence.removeAll { entry in
                (entry.expires.map { $0 <= now } ?? false)
                    || now >= entry.lastSeen && now - entry.lastSeen >= Self.lifetime
            }
        }
        removeUnfounded()
        noticed = noticed.filter { now >= $0.value && now - $0.value < Self.noticePause }
    }

    private mutating func removeUnfounded() {
        places.removeAll(where: \.evidence.isEmpty)
        let known = Set(places.map(\.id))
        for screen in screens.keys where screens[screen]?.place.map({ !known.contains($0) }) ?? false {
            screens[screen]?.place = nil
        }
        noticed = noticed.filter { known.contains($0.key) }
    }

    // MARK: Forgetting

    /// - Returns: how many places have gone.
    @discardableResult
    package mutating func forget(_ isForgotten: (KnownPlace, PlaceEvidence) -> Bool) -> Int {
        let before = places.count
        for index in places.indices {
            let place = places[index]
            places[index].evidence.removeAll { isForgotten(place, $0) }
        }
        removeUnfounded()
        return before - places.count
    }

    // MARK: Suggesting

    /// The place of a notice: at most once in an hour (P-25, P-47), and a few places of one app.
    private mutating func suggestion(_ id: UInt64, of source: PlaceEvidence.Source, _ now: UInt64) -> KnownPlace? {
        guard noticed[id] == nil, let place = places.first(where: { $0.id == id }), place.obstacle == nil,
            place.supportsNavigation,
            noticeRate.take(
                source, burst: Self.noticeBurst, interval: Self.noticeInterval,
                now: .milliseconds(Int64(clamping: now)))
        else { return nil }
        noticed[id] = now
        return place
    }
}
