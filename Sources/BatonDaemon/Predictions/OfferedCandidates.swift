import BatonCore
import BatonWire
import ContextAwareness
import People
import Prediction

/// The offers of apps, as predictions take them.
enum OfferedCandidates {
    /// - Parameters:
    ///   - donated: for the types of media.
    ///   - isGenuine: an app that has the name of another one is left out.
    static func offers(
        _ shortcuts: [OfferedShortcut], onlyOffered: [AppIdentity: Set<Int>], donated: [DonatedMedia],
        isGenuine: (AppIdentity) -> Bool
    ) -> PredictionOffers {
        let genuine = shortcuts.filter { isGenuine($0.app) }
        var types: [PredictionItem: Int] = [:]
        for media in donated.reversed() where isGenuine(media.app) {
            types[PredictionItem(kind: .media, app: media.app.bundleID.rawValue, id: media.identifier)] = media.type
        }
        for shortcut in genuine { if let type = shortcut.mediaType { types[item(shortcut)] = type } }
        return PredictionOffers(
            candidates: genuine.map { shortcut in
                OfferedCandidate(
                    item: item(shortcut), name: shortcut.title.shownLine(toBytes: 200), list: list(shortcut.list),
                    place: shortcut.place, relevance: shortcut.providers.compactMap(relevance))
            },
            onlyOffered: Dictionary(
                onlyOffered.filter { isGenuine($0.key) }.map { ($0.key.bundleID.rawValue, $0.value) },
                uniquingKeysWith: { first, _ in first }), types: types)
    }

    private static func item(_ shortcut: OfferedShortcut) -> PredictionItem {
        PredictionItem(
            kind: shortcut.mediaType == nil ? .shortcut : .media, app: shortcut.app.bundleID.rawValue,
            id: shortcut.identifier)
    }

    private static func list(_ list: Baton_App_V1_OfferShortcutsRequest.List) -> OfferedCandidate.List {
        switch list {
        case .relevant: .relevant
        case .upcomingMedia: .upcomingMedia
        case .suggested, .unspecified, .UNRECOGNIZED: .suggested
        }
    }

    /// Nil for one that can never hold.
    private static func relevance(_ provider: Baton_App_V1_RelevanceProvider) -> OfferedCandidate.Relevance? {
        switch provider.kind {
        case .date(let date)?:
            // A moment is worth a quarter of an hour.
            let end = date.hasEnd ? date.end : date.start + 15 * 60
            guard let start = milliseconds(date.start), let end = milliseconds(end), start <= end else { return nil }
            return .time(from: start, until: end)
        case .location(let place)?:
            guard (-90...90).contains(place.latitude), (-180...180).contains(place.longitude), place.radius.isFinite
            else { return nil }
            return .circle(latitude: place.latitude, longitude: place.longitude, radius: min(place.radius, 100_000))
        case .dailyRoutine(let number)?: return .routine(Int(number))
        case nil: return nil
        }
    }

    private static func milliseconds(_ seconds: Double) -> UInt64? {
        seconds.isFinite && seconds >= 0 && seconds < 1e11 ? UInt64(seconds * 1000) : nil
    }
}

extension PredictionSituation {
    /// The place and what is connected; the time is put in by who predicts.
    init(_ whereabouts: ContextWhereabouts) {
        self.init(
            now: 0, minute: 0, places: whereabouts.places, latitude: whereabouts.position?.latitude,
            longitude: whereabouts.position?.longitude, hasHeadphones: whereabouts.hasHeadphones)
    }
}
