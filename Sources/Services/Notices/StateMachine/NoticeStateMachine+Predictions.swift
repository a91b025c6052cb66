import BatonCore

/// The person's likely next step, after something happened (P-61). The predictor sees to it that notices are few.
extension NoticeStateMachine {
    /// One at a time: a newer one takes its place.
    /// - Parameter plays: whether it offers to play something.
    mutating func predicted(
        _ key: String, title: String, lines: [String], plays: Bool = false, now: Duration
    ) -> [NoticeAction] {
        guard policy != .off else { return [] }
        var notice = Notice(
            id: nextID(), kind: .prediction, title: NoticeText.line(title, limit: NoticeText.sentence),
            lines: lines.map { NoticeText.line($0, limit: NoticeText.sentence) })
        notice.prediction = key
        notice.plays = plays
        let actions = closePrediction()
        prediction = ShownReceipt(notice: notice, end: now + configuration.failureLifetime)
        return actions + [.show(notice)]
    }

    mutating func predictionEnded(_ key: String) -> [NoticeAction] {
        prediction?.notice.prediction == key ? closePrediction() : []
    }

    /// The key of the notice, which is open no longer; nil for another notice.
    mutating func takePrediction(_ id: UInt64) -> String? {
        guard let shown = prediction, shown.notice.id == id else { return nil }
        prediction = nil
        return shown.notice.prediction
    }

    mutating func advancePrediction(now: Duration) -> [NoticeAction] {
        guard let shown = prediction, shown.end <= now else { return [] }
        return closePrediction()
    }

    mutating func closePrediction() -> [NoticeAction] {
        defer { prediction = nil }
        return prediction.map { [.close($0.notice.id)] } ?? []
    }
}
