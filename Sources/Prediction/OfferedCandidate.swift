/// Something that an app offers to be done or played next: a candidate beside what was learned.
package struct OfferedCandidate: Sendable, Equatable {
    package enum List: Sendable, Equatable, Hashable, CaseIterable {
        /// `INVoiceShortcutCenter`'s suggestions.
        case suggested
        /// `INRelevantShortcutStore`'s shortcuts.
        case relevant
        /// `INUpcomingMediaManager`'s media, in the app's order.
        case upcomingMedia
    }

    /// When it is of use.
    package enum Relevance: Sendable, Equatable {
        /// Milliseconds since 1970.
        case time(from: UInt64, until: UInt64)
        /// Degrees and metres.
        case circle(latitude: Double, longitude: Double, radius: Double)
        /// By Apple's numbers of `INDailyRoutineSituation`.
        case routine(Int)
    }

    package let item: PredictionItem
    /// For people.
    package let name: String
    package let list: List
    /// Its place in the app's list, from 0.
    package let place: Int
    /// With none, the person's habits say when.
    package let relevance: [Relevance]

    package init(item: PredictionItem, name: String, list: List, place: Int, relevance: [Relevance] = []) {
        self.item = item
        self.name = name
        self.list = list
        self.place = max(0, place)
        self.relevance = relevance
    }

    /// Whether it is of use just now: one of the app's reasons holds.
    package func isRelevant(_ situation: PredictionSituation) -> Bool {
        list == .relevant && relevance.contains { situation.holds($0) }
    }

    /// Whether it is a candidate now. An offer for other times is not.
    func isCandidate(_ situation: PredictionSituation) -> Bool {
        list != .relevant || relevance.isEmpty || isRelevant(situation)
    }
}

/// The moment, the place and what is connected, by which shortcuts are of use or not.
package struct PredictionSituation: Sendable, Equatable {
    /// Milliseconds since 1970.
    package var now: UInt64
    /// The minute of the local day.
    package var minute: Int
    /// The events of the last minutes.
    package var contexts: Set<PredictionContext>
    /// The names of the place where the device is, in lower case: `home`, `work`, and the person's name of it.
    package var places: Set<String>
    package var latitude: Double?
    package var longitude: Double?
    package var hasHeadphones: Bool

    package init(
        now: UInt64, minute: Int, contexts: Set<PredictionContext> = [], places: Set<String> = [],
        latitude: Double? = nil, longitude: Double? = nil, hasHeadphones: Bool = false
    ) {
        self.now = now
        self.minute = minute
        self.contexts = contexts
        self.places = places
        self.latitude = latitude
        self.longitude = longitude
        self.hasHeadphones = hasHeadphones
    }

    /// A relevance that no input of this device can determine (a workout) never holds.
    package func holds(_ relevance: OfferedCandidate.Relevance) -> Bool {
        switch relevance {
        case .time(let start, let end): return start <= now && now <= end
        case .circle(let latitude, let longitude, let radius):
            guard let here = self.latitude, let there = self.longitude, radius >= 0 else { return false }
            return GreatCircle.metres(here, there, latitude, longitude) <= max(radius, 100)
        case .routine(let number):
            switch number {
            case 0: return (5 * 60..<11 * 60).contains(minute)
            case 1: return (17 * 60..<22 * 60).contains(minute)
            case 2: return places.contains("home") || contexts.contains(.home)
            case 3: return places.contains("work") || contexts.contains(.work)
            case 4: return places.contains("school")
            case 5: return places.contains("gym")
            case 6: return contexts.contains(.car)
            case 7: return hasHeadphones || contexts.contains(.headphones)
            default: return false
            }
        }
    }
}
