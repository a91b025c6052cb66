/// Finds from what a Bluetooth device says of itself whether it is a pair of headphones or a car. It may lie: all that follows
/// is an event.
enum BluetoothClass {
    static func kind(icon: String, deviceClass: UInt32, services: [String]) -> ConnectedThing.Kind {
        let major = (deviceClass >> 8) & 0x1f
        let minor = (deviceClass >> 2) & 0x3f
        func offers(_ number: String) -> Bool { services.contains { $0.lowercased().hasPrefix("0000\(number)-") } }
        // A client of the phone book or of messages on the other side reads them from a telephone: a car does.
        let readsTelephone = offers("112e") || offers("1133")
        if major == 4, minor == 8 || minor == 2 { return .car }
        if readsTelephone, offers("111e") || offers("110b") { return .car }
        if ["audio-headphones", "audio-headset"].contains(icon) { return .headphones }
        if major == 4, minor == 1 || minor == 6 { return .headphones }
        // Low energy earphones have neither: a sink of audio with a hands-free profile is on a person's ears.
        if icon.isEmpty, deviceClass == 0, offers("110b"), offers("111e") { return .headphones }
        return .device
    }
}
