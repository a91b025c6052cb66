import Testing

@testable import ContextAwareness

/// The kind of a Bluetooth device, by its description (P-61).
@Suite struct BluetoothClassTests {
    private static func services(_ numbers: String...) -> [String] {
        numbers.map { "0000\($0)-0000-1000-8000-00805f9b34fb" }
    }

    @Test("headphones, headsets and cars are told apart from the rest (P-61)")
    func kinds() {
        func kind(_ icon: String, _ number: UInt32, _ services: [String] = []) -> ConnectedThing.Kind {
            BluetoothClass.kind(icon: icon, deviceClass: number, services: services)
        }
        #expect(kind("audio-headphones", 0x240418) == .headphones)
        #expect(kind("audio-headset", 0x240404) == .headphones)
        #expect(kind("", 0x240418) == .headphones)
        #expect(kind("", 0, Self.services("110b", "111e")) == .headphones)
        #expect(kind("audio-card", 0x240420) == .car)
        #expect(kind("audio-headset", 0x200408) == .car)
        #expect(kind("audio-card", 0x240414, Self.services("110B", "111E", "112E")) == .car)
        #expect(kind("input-keyboard", 0x2540) == .device)
        #expect(kind("audio-card", 0x240414) == .device)
        #expect(kind("", .max, Array(repeating: "", count: 100)) == .device)
    }
}
