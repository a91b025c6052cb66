import Foundation

enum GreatCircle {
    /// The mean radius of the earth.
    private static let radius = 6_371_008.8

    /// Metres between two points in degrees; infinite for what is no point.
    static func metres(_ latitude: Double, _ longitude: Double, _ other: Double, _ otherLongitude: Double) -> Double {
        guard [latitude, longitude, other, otherLongitude].allSatisfy(\.isFinite) else { return .infinity }
        let radians = Double.pi / 180
        let (first, second) = (latitude * radians, other * radians)
        let (height, width) = (sin((second - first) / 2), sin((otherLongitude - longitude) * radians / 2))
        let square = height * height + cos(first) * cos(second) * width * width
        return 2 * radius * asin(min(1, max(0, square).squareRoot()))
    }
}
