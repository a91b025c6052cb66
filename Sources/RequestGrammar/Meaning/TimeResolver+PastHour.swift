import Foundation

extension TimeResolver {
    /// “At half past” is the next one, and so many minutes past each hour.
    func pastHour() throws(MeaningError) -> RequestTime {
        let others = ["hour", "parthour", "days", "weekday", "day", "month", "nth"].contains { slots[$0] != nil }
        let isHourly = slots.symbol("repeat") == "hour" && slots.number("interval") ?? 1 == 1
        guard !others, slots.symbol("end") == nil, slots.symbol("next") == nil, offset() == nil,
            isHourly || slots.symbol("repeat") == nil
        else { throw MeaningError(sentence: "Say the hour, too, as in “at half past six”.") }
        guard (0..<60).contains(slots.number("before") ?? 0), (0..<60).contains(slots.number("after") ?? 0) else {
            throw Self.impossible
        }
        let minute = ((slots.number("after") ?? 0) - (slots.number("before") ?? 0) + 60) % 60
        var date = try moved(try first(of: .hour, now), .minute, minute)
        if date <= now { date = try moved(date, .hour, 1) }
        return RequestTime(date, hasTimeOfDay: true, repetition: isHourly ? .init(.hour) : nil)
    }

    static let whichWeek = MeaningError(
        sentence: "That weekday is today. Say “today”, or the date of the next one.")

    var passed: MeaningError {
        guard slots.number("days") == 0 else { return MeaningError(sentence: "That time has passed.") }
        return MeaningError(sentence: "That time has passed today. Say “tomorrow”, or a later time.")
    }
}
