import FileSync

/// Where things were renamed from, as the system reported it: a look at the disk shows only where they are in the end.
///
/// Bound: ``maximum`` places, then all is forgotten; a rename may count as a deletion and a new file then.
struct RenameLog {
    private static let maximum = 4096
    private static let maximumSteps = 16

    /// By where something is: where it was before, the last place last.
    private(set) var places: [LocalPlace: [LocalPlace]] = [:]
    /// The two halves of a rename have one number.
    private var open: [UInt32: LocalPlace] = [:]

    mutating func left(_ place: LocalPlace, _ number: UInt32) {
        if open.count >= Self.maximum { open = [:] }
        open[number] = place
    }

    mutating func arrived(_ place: LocalPlace, _ number: UInt32) {
        guard let source = open.removeValue(forKey: number) else {
            places[place] = nil
            return
        }
        let before = places.removeValue(forKey: source) ?? []
        if places.count >= Self.maximum { places = [:] }
        places[place] = Array((before + [source]).suffix(Self.maximumSteps))
    }

    /// These were reported with a look at everything.
    mutating func forget(_ told: [LocalPlace: [LocalPlace]]) {
        for (place, before) in told where places[place] == before { places[place] = nil }
    }

    mutating func forgetAll() { self = RenameLog() }
}
