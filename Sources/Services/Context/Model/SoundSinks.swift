package import Foundation

/// Reads what `pactl -f json list sinks` prints.
package enum SoundSinks {
    static let maximumSinks = 64

    /// Headphones that are plugged in or connected, but for those by Bluetooth, which BlueZ reports.
    /// - Returns: nil for what is no such list.
    package static func headphones(_ output: Data) -> [ConnectedThing]? {
        guard let sinks = try? JSONSerialization.jsonObject(with: output) as? [[String: Any]] else { return nil }
        return sinks.prefix(maximumSinks).compactMap { sink in
            guard let id = sink["name"] as? String else { return nil }
            let properties = sink["properties"] as? [String: Any] ?? [:]
            guard properties["device.bus"] as? String != "bluetooth", !id.hasPrefix("bluez") else { return nil }
            let name = sink["description"] as? String ?? id
            let form = properties["device.form_factor"] as? String ?? ""
            if ["headphone", "headset"].contains(form) {
                return ConnectedThing(kind: .headphones, id: id, name: name)
            }
            let ports = (sink["ports"] as? [[String: Any]] ?? []).prefix(maximumSinks)
            let isPlugged = ports.contains { port in
                let kind = (port["type"] as? String ?? port["name"] as? String ?? "").lowercased()
                return (kind.contains("headphone") || kind.contains("headset"))
                    && port["availability"] as? String == "available"
            }
            return isPlugged ? ConnectedThing(kind: .headphones, id: id + "#headphones", name: name) : nil
        }
    }
}
