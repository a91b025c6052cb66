import Foundation

extension Place.Coordinate {
    /// The way between two points over a sphere of the earth's size.
    package func meters(to other: Place.Coordinate) -> Double {
        let radians = Double.pi / 180
        let north = (other.latitude - latitude) * radians / 2
        let east = (other.longitude - longitude) * radians / 2
        let part =
            sin(north) * sin(north)
            + cos(latitude * radians) * cos(other.latitude * radians) * sin(east) * sin(east)
        return 2 * 6_371_000 * asin(min(1, part.squareRoot()))
    }
}
