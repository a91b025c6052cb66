package import FileSync

/// Rule 7: a row that was there before sync began, or that the table of a device has which was out of the account, keeps its record alive
/// until anybody says anything of it.
///
/// The dot is the same on each device, and each other change covers it: so equal rows are one, and a row that a device has deleted
/// does not come back with the table of a device that has not heard of it.
extension Dot {
    package static let adoption = Dot(actor: .settlement, counter: 1)
}

extension Record {
    /// No device has changed it since it was taken over.
    package var isAdopted: Bool { presence == [.adoption] }

    /// The dots that stand beside what the other one knows.
    func presence(beside other: Record) -> Set<Dot> {
        guard presence.contains(.adoption), !other.context.counters.isEmpty, !other.presence.contains(.adoption) else {
            return presence
        }
        return presence.subtracting([.adoption])
    }
}

extension DotContext {
    /// Each change covers the adoption, so it is named only where nothing else is known.
    var withoutNeedlessAdoption: DotContext {
        guard self[.settlement] > 0, counters.count > 1 else { return self }
        return DotContext(counters.filter { $0.key != .settlement })
    }
}
