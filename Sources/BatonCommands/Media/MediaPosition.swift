import ArgumentParser

/// A position from the beginning, as people write one: 90, 1:30 or 1:02:03.
struct MediaPosition: ExpressibleByArgument {
    let seconds: Double

    /// Nil for a step, too: “+30” is meant from where the player is.
    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 3 else { return nil }
        var seconds = 0.0
        for (index, part) in parts.enumerated() {
            guard part.first?.isNumber ?? false, let number = Double(part), number.isFinite, index == 0 || number < 60
            else { return nil }
            seconds = seconds * 60 + number
        }
        guard seconds.isFinite else { return nil }
        self.seconds = seconds
    }
}
