import Testing

@testable import Prediction

/// Offers of apps, beside learned items (P-61): a share of the probability, and no more.
@Suite struct PredictionOffersTests {
    private static let morning = PredictionSituation(now: 1_000_000, minute: 8 * 60)

    private static func media(_ id: String, of app: String = "com.example.player") -> PredictionItem {
        PredictionItem(kind: .media, app: app, id: id)
    }

    private static func learned(_ items: (String, Double)...) -> [Prediction] {
        items.enumerated().map { place, one in
            Prediction(item: media(one.0), name: one.0, probability: one.1, rank: place + 1)
        }
    }

    private static func offered(
        _ id: String, _ list: OfferedCandidate.List, place: Int = 0, app: String = "com.example.player",
        when relevance: OfferedCandidate.Relevance...
    ) -> OfferedCandidate {
        OfferedCandidate(item: media(id, of: app), name: id, list: list, place: place, relevance: relevance)
    }

    private static func merge(
        _ offers: PredictionOffers, _ learned: [Prediction], _ situation: PredictionSituation = morning
    ) -> [Prediction] {
        offers.merged(learned, kind: .media, situation: situation, limit: 9) { $0.app != "com.example.off" }
    }

    @Test("what is offered for just now is a candidate then, and only then (P-61)")
    func relevance() throws {
        let offers = PredictionOffers(candidates: [Self.offered("tone", .relevant, when: .routine(7))])
        #expect(Self.merge(offers, []).isEmpty)
        var situation = Self.morning
        situation.contexts = [.headphones]
        let found = try #require(Self.merge(offers, [], situation).first)
        #expect(found.item.id == "tone" && found.probability == PredictionOffers.relevantShare && found.rank == 1)
        #expect(found.probability > PredictionNoticePolicy.threshold)
        // The person's habits weigh more, and the sum stays one.
        let both = Self.merge(offers, Self.learned(("mine", 0.9), ("tone", 0.1)), situation)
        #expect(both.map(\.item.id) == ["mine", "tone"])
        #expect(abs(both.reduce(0) { $0 + $1.probability } - 1) < 1e-9)
        // Two apps that say the same say less.
        let two = PredictionOffers(
            candidates: [
                Self.offered("tone", .relevant, when: .routine(7)),
                Self.offered("noise", .relevant, app: "com.example.other", when: .routine(7)),
                Self.offered("off", .relevant, app: "com.example.off", when: .routine(7)),
            ])
        #expect(Self.merge(two, [], situation).map(\.probability) == [0.2, 0.2])
    }

    @Test("times, places and parts of the day hold or do not; what no input can tell never holds (P-61)")
    func situations() {
        var here = PredictionSituation(now: 50_000, minute: 18 * 60, latitude: 52.5, longitude: 13.4)
        #expect(here.holds(.time(from: 50_000, until: 50_000)) && !here.holds(.time(from: 50_001, until: 60_000)))
        #expect(here.holds(.circle(latitude: 52.5005, longitude: 13.4, radius: 1)))
        #expect(!here.holds(.circle(latitude: 52.51, longitude: 13.4, radius: 500)))
        #expect(!here.holds(.circle(latitude: .nan, longitude: 13.4, radius: 500)))
        #expect(here.holds(.routine(1)) && !here.holds(.routine(0)) && !here.holds(.routine(8)))
        #expect(!here.holds(.routine(99)) && !here.holds(.routine(-1)))
        here.places = ["gym"]
        #expect(here.holds(.routine(5)) && !here.holds(.routine(2)))
        here.latitude = nil
        #expect(!here.holds(.circle(latitude: 52.5, longitude: 13.4, radius: 500)))
    }

    @Test("upcoming media come in the app's order, never above what is worth a notice by themselves (P-61)")
    func upcoming() {
        let offers = PredictionOffers(candidates: (0..<5).map { Self.offered("\($0)", .upcomingMedia, place: $0) })
        let found = Self.merge(offers, [])
        #expect(found.map(\.item.id) == ["0", "1", "2", "3", "4"])
        #expect(found[0].probability < PredictionNoticePolicy.threshold)
    }

    @Test("an app may want that only what it suggests is predicted of a type of media (P-61)")
    func onlySuggested() {
        let offers = PredictionOffers(
            candidates: [Self.offered("new", .upcomingMedia)], onlyOffered: ["com.example.player": [2]],
            types: [Self.media("song"): 2, Self.media("film"): 3, Self.media("new"): 2])
        let found = Self.merge(offers, Self.learned(("song", 0.6), ("film", 0.3), ("new", 0.1)))
        #expect(Set(found.map(\.item.id)) == ["film", "new"])
        #expect(abs(found.reduce(0) { $0 + $1.probability } - 1) < 1e-9)
    }

    @Test("10,000 offers are cut, and nothing of another kind is mixed in (P-61)")
    func bounds() {
        let many = PredictionOffers(candidates: (0..<10_000).map { Self.offered("\($0)", .suggested, place: $0) })
        #expect(many.candidates.count == PredictionOffers.maximum)
        #expect(many.merged([], kind: .shortcut, situation: Self.morning, limit: 9) { _ in true }.isEmpty)
        #expect(Self.merge(PredictionOffers(), Self.learned(("mine", 1))).map(\.item.id) == ["mine"])
    }
}
