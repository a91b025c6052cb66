import ContextAwareness
import Testing

// Issue 28, part 6: CLLocationManager.
struct DevicePositionTests {
    @Test("A position is a place on the earth, and says only what is known")
    func positions() throws {
        #expect(DevicePosition(latitude: 91, longitude: 0, accuracy: 1) == nil)
        #expect(DevicePosition(latitude: .nan, longitude: 0, accuracy: 1) == nil)
        let position = try #require(
            DevicePosition(
                latitude: 41, longitude: 29, accuracy: -1, altitude: -1.797e308, speed: -1, heading: .infinity))
        #expect(position.accuracy == 100_000)
        #expect(position.altitude == nil && position.speed == nil && position.heading == nil)
    }
}
