/// One event: an item by its number, or a context, in 8 bytes: there are 20,000 of them.
struct PredictionEvent: Sendable, Equatable {
    enum Subject: Sendable, Equatable {
        case item(UInt32)
        case context(PredictionContext)
    }

    /// Numbers of items are below it; contexts are from it on.
    static let maximumItems: UInt32 = 1 << 19

    /// From the highest bit: 33 bits of seconds since 1970, 11 of the minute, 20 of the subject.
    private let bits: UInt64

    /// - Parameters:
    ///   - minute: of the local day, as it was then.
    ///   - time: milliseconds since 1970; kept in seconds.
    init(subject: Subject, minute: UInt16, time: UInt64) {
        let number: UInt32 =
            switch subject {
            case .item(let item): min(item, Self.maximumItems - 1)
            case .context(let context):
                Self.maximumItems + UInt32(PredictionContext.allCases.firstIndex(of: context) ?? 0)
            }
        bits = min(time / 1000, (1 << 33) - 1) << 31 | UInt64(minute & 0x7ff) << 20 | UInt64(number)
    }

    var subject: Subject {
        let number = UInt32(bits & 0xf_ffff)
        guard number >= Self.maximumItems else { return .item(number) }
        let contexts = PredictionContext.allCases
        return .context(contexts[min(Int(number - Self.maximumItems), contexts.count - 1)])
    }

    var minute: UInt16 { UInt16(bits >> 20 & 0x7ff) }

    /// Milliseconds since 1970, of the second in which it was.
    var time: UInt64 { (bits >> 31) * 1000 }

    /// The end of that second, so that what is forgotten from a moment on goes entirely.
    var end: UInt64 { time + 999 }

    /// Another number for the same item.
    func renumbered(_ number: UInt32) -> Self { Self(subject: .item(number), minute: minute, time: time) }
}
