/// Numbers of bytes, for people.
package enum ByteSize {
    /// As in “1 byte”, “512 bytes”, “64 KiB” or “1.5 MiB”: one digit after the point, where it is not 0.
    package static func text(_ bytes: some BinaryInteger) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        var (value, unit) = (Double(bytes), 0)
        // A value that would be rounded to 1024.0 moves to the next unit.
        while value >= (unit == 0 ? 1024 : 1023.95), unit < units.count - 1 { (value, unit) = (value / 1024, unit + 1) }
        if unit == 0 { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        let tenths = (value * 10).rounded()
        return tenths.remainder(dividingBy: 10) == 0
            ? "\(Int(tenths / 10)) \(units[unit])" : "\(tenths / 10) \(units[unit])"
    }
}
