/// The four tabs; each has a type of activity of its own.
enum Tab: Int, CaseIterable, Sendable {
    case weather = 1
    case favorite
    case coffeeBreak
    case work

    var title: String {
        switch self {
        case .weather: "Weather"
        case .favorite: "Favorite"
        case .coffeeBreak: "Coffee Break"
        case .work: "Work"
        }
    }

    var activityTitle: String { title + " Tab" }
    var activityType: String { "com.xamarin.monkeybrowser.tab\(rawValue)" }

    init?(activityType: String) {
        guard let tab = Self.allCases.first(where: { $0.activityType == activityType }) else { return nil }
        self = tab
    }
}
