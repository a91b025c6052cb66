import Foundation

/// A VALARM: when it goes off, by the clock or by something that happens (RFC 9074, and `X-BATON-TRIGGER`).
package struct CalendarAlarm: Hashable, Sendable {
    package enum Trigger: Hashable, Sendable {
        case absolute(CalendarDate)
        /// Seconds after the start, or after the end where `isFromEnd`.
        case relative(seconds: Int, isFromEnd: Bool)
        /// The name of a place (VLOCATION), and where it is as a `geo:` address.
        case arriving(place: String, geo: String?)
        case leaving(place: String, geo: String?)
        /// The name of a device.
        case connected(String)
        case disconnected(String)
        /// An app's bundle identifier.
        case appOpened(String)
        /// A telephone number or address: a message to it or a call.
        case personContacted(String)
        case personMessaged(String)
        case personCalled(String)

        /// Whether it waits for something other than a moment.
        package var isEvent: Bool {
            switch self {
            case .absolute, .relative: false
            default: true
            }
        }
    }

    package var trigger: Trigger
    /// Another program showed it, and the person saw it: until then none goes off.
    package var acknowledged: CalendarDate?

    package init(_ trigger: Trigger) { self.trigger = trigger }

    /// Nil for an alarm that is not shown here: by mail, switched off, or with a trigger that cannot be read.
    package init?(_ component: CalendarComponent) {
        guard component.name == "VALARM" else { return nil }
        let action = component.line("ACTION")?.trimmed.uppercased() ?? "DISPLAY"
        guard action == "DISPLAY" || action == "AUDIO" else { return nil }
        guard let trigger = Self.event(component) ?? Self.time(component) else { return nil }
        self.trigger = trigger
        acknowledged = component.line("ACKNOWLEDGED").flatMap { CalendarDate($0) }
    }

    /// The moment of alarms that wait for something else; by itself it means no alarm.
    private static let never = "19760401T005545Z"

    private static func time(_ component: CalendarComponent) -> Trigger? {
        guard let line = component.line("TRIGGER"), line.value.trimmingCharacters(in: .whitespaces) != never else {
            return nil
        }
        if let duration = CalendarDuration(line.trimmed) {
            return .relative(seconds: duration.seconds, isFromEnd: line.parameter("RELATED")?.uppercased() == "END")
        }
        return CalendarDate(line).map(Trigger.absolute)
    }

    private static func event(_ component: CalendarComponent) -> Trigger? {
        if let own = component.line("X-BATON-TRIGGER")?.text, let colon = own.firstIndex(of: ":") {
            let value = String(own[own.index(after: colon)...])
            switch own[..<colon].lowercased() {
            case "app": return .appOpened(value)
            case "person": return .personContacted(value)
            case "messaged": return .personMessaged(value)
            case "called": return .personCalled(value)
            default: return nil
            }
        }
        let location = component.components.first { $0.name == "VLOCATION" }
        // Apple's programs wrote it so before RFC 9074.
        let apple = component.line("X-APPLE-STRUCTURED-LOCATION")
        // They escape in it as in a text.
        let title = apple?.parameter("X-TITLE")?.replacing("\\,", with: ",").replacing("\\;", with: ";")
            .replacing("\\n", with: " ")
        let name = location?.line("NAME")?.text ?? title ?? ""
        let geo = location?.line("URL")?.value ?? apple?.value
        let device = component.line("X-BATON-DEVICE")?.text ?? name
        switch (component.line("PROXIMITY") ?? component.line("X-APPLE-PROXIMITY"))?.trimmed.uppercased() {
        case "ARRIVE": return .arriving(place: name, geo: geo)
        case "DEPART": return .leaving(place: name, geo: geo)
        case "CONNECT": return .connected(device)
        case "DISCONNECT": return .disconnected(device)
        default: return nil
        }
    }

    /// - Parameter text: that a program shows.
    package func component(_ text: String, uid: String) -> CalendarComponent {
        var alarm = CalendarComponent("VALARM")
        alarm.set(ContentLine("UID", value: uid), for: "UID")
        alarm.set(ContentLine("ACTION", value: "DISPLAY"), for: "ACTION")
        alarm.set(text: text, for: "DESCRIPTION")
        // A moment long ago, as RFC 9074 has it, for programs that know no other triggers.
        alarm.set(ContentLine("TRIGGER", [("VALUE", "DATE-TIME")], value: Self.never), for: "TRIGGER")
        switch trigger {
        case .absolute(let date):
            alarm.set(ContentLine("TRIGGER", [("VALUE", "DATE-TIME")], value: date.text), for: "TRIGGER")
        case .relative(let seconds, let isFromEnd):
            alarm.set(
                ContentLine(
                    "TRIGGER", isFromEnd ? [("RELATED", "END")] : [], value: CalendarDuration(seconds: seconds).text),
                for: "TRIGGER")
        case .arriving(let place, let geo): Self.set("ARRIVE", place, geo, uid, &alarm)
        case .leaving(let place, let geo): Self.set("DEPART", place, geo, uid, &alarm)
        case .connected(let device): Self.set("CONNECT", device: device, &alarm)
        case .disconnected(let device): Self.set("DISCONNECT", device: device, &alarm)
        case .appOpened(let app): alarm.set(text: "app:" + app, for: "X-BATON-TRIGGER")
        case .personContacted(let handle): alarm.set(text: "person:" + handle, for: "X-BATON-TRIGGER")
        case .personMessaged(let handle): alarm.set(text: "messaged:" + handle, for: "X-BATON-TRIGGER")
        case .personCalled(let handle): alarm.set(text: "called:" + handle, for: "X-BATON-TRIGGER")
        }
        return alarm
    }

    private static func set(
        _ proximity: String, _ place: String, _ geo: String?, _ uid: String, _ alarm: inout CalendarComponent
    ) {
        alarm.set(ContentLine("PROXIMITY", value: proximity), for: "PROXIMITY")
        var location = CalendarComponent("VLOCATION")
        location.set(ContentLine("UID", value: uid + "-place"), for: "UID")
        location.set(text: place, for: "NAME")
        if let geo { location.set(ContentLine("URL", value: geo), for: "URL") }
        alarm.items.append(.component(location))
    }

    private static func set(_ proximity: String, device: String, _ alarm: inout CalendarComponent) {
        alarm.set(ContentLine("PROXIMITY", value: proximity), for: "PROXIMITY")
        alarm.set(text: device, for: "X-BATON-DEVICE")
    }
}
