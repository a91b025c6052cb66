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

    /// The page that the tab opens with.
    var startPage: String {
        switch self {
        case .weather: "https://www.weather.gov/"
        case .favorite: "https://en.wikipedia.org/wiki/Monkey"
        case .coffeeBreak: "https://en.wikipedia.org/wiki/Coffee"
        case .work: "https://www.swift.org/"
        }
    }

    var activityTitle: String { title + " Tab" }
    var activityType: String { "com.xamarin.monkeybrowser.tab\(rawValue)" }

    init?(activityType: String) {
        guard let tab = Self.allCases.first(where: { $0.activityType == activityType }) else { return nil }
        self = tab
    }

    /// From 0, as the window counts.
    var index: Int { rawValue - 1 }

    init?(index: Int) { self.init(rawValue: index &+ 1) }
}
