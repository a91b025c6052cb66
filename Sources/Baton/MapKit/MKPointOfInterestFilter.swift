public import Foundation

/// Which points of interest count. MapKit's.
public final class MKPointOfInterestFilter: NSObject, NSCopying, Sendable {
    private let categories: Set<MKPointOfInterestCategory>
    private let isExcluding: Bool

    /// Those that count, by their names; nil for all but some.
    var included: [MKPointOfInterestCategory]? { isExcluding ? nil : categories.sorted { $0.rawValue < $1.rawValue } }

    private init(_ categories: Set<MKPointOfInterestCategory>, isExcluding: Bool) {
        self.categories = categories
        self.isExcluding = isExcluding
        super.init()
    }

    /// These alone.
    public convenience init(including categories: [MKPointOfInterestCategory]) {
        self.init(Set(categories), isExcluding: false)
    }

    /// All but these.
    public convenience init(excluding categories: [MKPointOfInterestCategory]) {
        self.init(Set(categories), isExcluding: true)
    }

    /// All.
    public static let includingAll = MKPointOfInterestFilter([], isExcluding: true)
    /// None.
    public static let excludingAll = MKPointOfInterestFilter([], isExcluding: false)

    /// Whether a category counts.
    public func includes(_ category: MKPointOfInterestCategory) -> Bool {
        categories.contains(category) != isExcluding
    }

    /// Whether a category does not count.
    public func excludes(_ category: MKPointOfInterestCategory) -> Bool { !includes(category) }

    /// A filter does not change, so this is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
