/// Says in words what speaks for an item.
struct PredictionWords {
    let kind: PredictionItem.Kind
    let hour: Int
    /// The item in front, and the one before it.
    let front: String
    let earlier: String

    func sentence(_ share: PredictionLearner.Share) -> String {
        let times = "\(Int(share.count.rounded())) of \(Int(share.total.rounded())) times"
        let often = share.total > 0 && share.count / share.total >= 0.5 ? "usually" : "often"
        return switch share.evidence {
        case .all: "\(used) often, \(times)"
        case .recent: "\(used) a lot of late"
        case .afterFront: "\(often) after \(front), \(times)"
        case .afterFrontRecent: "of late \(often) after \(front)"
        case .afterTwo: "\(often) after \(earlier) and \(front), \(times)"
        case .afterEarlier: "\(often) soon after \(earlier), \(times)"
        case .hour: "often at \(hour)"
        case .context(let context): "after \(context.phrase), \(times)"
        }
    }

    private var used: String {
        switch kind {
        case .app: "used"
        case .media: "played"
        case .person: "reached"
        case .shortcut: "done"
        }
    }
}

extension PredictionContext {
    /// As in “after headphones connected”.
    package var phrase: String {
        switch self {
        case .headphones: "headphones connected"
        case .car: "the car connected"
        case .home: "arriving home"
        case .work: "arriving at work"
        case .unlock: "unlocking"
        }
    }

    /// The title of a notice.
    package var title: String {
        switch self {
        case .headphones: "Headphones connected"
        case .car: "Car connected"
        case .home: "At home"
        case .work: "At work"
        case .unlock: "Welcome back"
        }
    }
}
