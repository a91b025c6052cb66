import BatonWire
import WebMarkup

/// `baton explain suggestion`: the evidence for a place, its age, and why it is suggested or not.
struct SuggestionExplanation {
    private let place: KnownPlace
    private let field: FieldType?
    private let rank: (now: UInt64, rank: Int?, score: PlaceRanker.Score)

    init(_ place: KnownPlace, field: FieldType?, rank: (now: UInt64, rank: Int?, score: PlaceRanker.Score)) {
        self.place = place
        self.field = field
        self.rank = rank
    }

    var message: Baton_Control_V1_Explanation { .init(place.place.name ?? "a place without a name", stages) }

    private var stages: [Baton_Link_V1_Stage] {
        var stages = place.evidence.sorted { $0.lastSeen > $1.lastSeen }.map { evidence in
            let title = evidence.title.isEmpty ? "" : " (“\(evidence.title)”)"
            let views = evidence.views == 1 ? "once" : "\(evidence.views) times"
            return Baton_Link_V1_Stage(
                "evidence", .ok,
                "\(evidence.sourceName) showed it \(views)\(title), last \(age(evidence.lastSeen)).", "")
        }
        stages.append(Baton_Link_V1_Stage("described_as", .ok, description, ""))
        stages += place.warnings.map { Baton_Link_V1_Stage("warning", .ok, $0, "") }
        if let obstacle = PlaceRanker.obstacle(place, field: field) {
            stages.append(
                Baton_Link_V1_Stage(
                    "suggested", .failed, "It is no suggestion. \(obstacle)",
                    "The app or the page that shows it would have to say more of it."))
        } else {
            stages.append(Baton_Link_V1_Stage("suggested", .ok, suggested, ""))
        }
        if !place.supportsNavigation {
            stages.append(
                Baton_Link_V1_Stage(
                    "directions", .ok, "Its app does not allow directions to it, so no notice offers them.", "")
            )
        }
        return stages
    }

    private var suggested: String {
        func shown(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
        let score = rank.score
        return "It is number \(rank.rank ?? 0)"
            + (field.map { " for a field of type \($0.name)" } ?? "")
            + ", with \(shown(score.total)): \(shown(score.recency)) for how lately it was seen, \(shown(score.views)) for how "
            + "often, \(shown(score.fit)) for what is known of it."
    }

    private var description: String {
        let coordinate = place.place.coordinate.map { "\($0.latitude), \($0.longitude)" }
        let parts = [place.place.name, place.place.addressLine, coordinate, place.place.telephone].compactMap { $0 }
        return parts.joined(separator: "; ") + "."
    }

    private func age(_ time: UInt64) -> String {
        let minutes = (rank.now - min(rank.now, time)) / 60_000
        return minutes == 0 ? "just now" : minutes == 1 ? "a minute ago" : "\(minutes) minutes ago"
    }
}
