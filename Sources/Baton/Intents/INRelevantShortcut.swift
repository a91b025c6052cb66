import BatonCore
import BatonWire
public import Foundation
import SwiftProtobuf
import Synchronization

/// The kind of a relevant shortcut. Intents'.
public enum INRelevantShortcutRole: Int, Sendable {
    /// Something to do.
    case action = 0
    /// Something to read.
    case information = 1
}

/// A part of the day, or a state of the person or the device. Intents'.
public enum INDailyRoutineSituation: Int, Sendable {
    /// In the morning.
    case morning = 0
    /// In the evening.
    case evening = 1
    /// At home.
    case home = 2
    /// At work.
    case work = 3
    /// At school.
    case school = 4
    /// At the gym.
    case gym = 5
    /// On the way to work or home.
    case commute = 6
    /// Headphones were connected.
    case headphonesConnected = 7
    /// During a workout.
    case activeWorkout = 8
    /// The person has moved too little.
    case physicalActivityIncomplete = 9
}

/// When a shortcut is of use. Intents'. Make one of the classes below it.
public class INRelevanceProvider: NSObject, NSCopying, @unchecked Sendable {
    let message: Baton_App_V1_RelevanceProvider

    init(_ message: Baton_App_V1_RelevanceProvider) {
        self.message = message
        super.init()
    }

    /// A provider does not change, so this is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// At a time. Intents'.
public final class INDateRelevanceProvider: INRelevanceProvider, @unchecked Sendable {
    /// From when on.
    public let startDate: Date
    /// Until when; nil for the moment alone.
    public let endDate: Date?

    /// At a time.
    /// - Parameters:
    ///   - start: from when on.
    ///   - end: until when; nil for the moment alone.
    public init(start: Date, end: Date?) {
        startDate = start
        endDate = end
        super.init(
            .with {
                $0.date.start = start.timeIntervalSince1970
                if let end { $0.date.end = end.timeIntervalSince1970 }
            })
    }
}

/// At a place. Intents'.
public final class INLocationRelevanceProvider: INRelevanceProvider, @unchecked Sendable {
    /// The place. Only circles are used.
    public let region: CLRegion

    /// At a place.
    public init(region: CLRegion) {
        self.region = region
        super.init(
            .with {
                $0.location.identifier = region.identifier
                guard let circle = region as? CLCircularRegion else { return }
                $0.location.latitude = circle.center.latitude
                $0.location.longitude = circle.center.longitude
                $0.location.radius = circle.radius
            })
    }
}

/// In a situation of every day. Intents'.
public final class INDailyRoutineRelevanceProvider: INRelevanceProvider, @unchecked Sendable {
    /// Which situation.
    public let situation: INDailyRoutineSituation

    /// In a situation of every day.
    public init(situation: INDailyRoutineSituation) {
        self.situation = situation
        super.init(.with { $0.dailyRoutine = Int32(situation.rawValue) })
    }
}

// @unchecked: what changes lies behind a lock.

/// A shortcut that is of use at a time, at a place, or in a situation. Intents'.
public final class INRelevantShortcut: NSObject, NSCopying, @unchecked Sendable {
    private struct State {
        var providers: [INRelevanceProvider] = []
        var role = INRelevantShortcutRole.action
        var widgetKind: String?
    }

    /// The action.
    public let shortcut: INShortcut
    private let state = Mutex(State())

    /// A shortcut that is of use some time.
    public init(shortcut: INShortcut) {
        self.shortcut = shortcut
        super.init()
    }

    /// When it is of use; the person's habits say it where there are none.
    public var relevanceProviders: [INRelevanceProvider] {
        get { state.withLock { $0.providers } }
        set { state.withLock { $0.providers = newValue } }
    }

    /// Its kind; an action at first.
    public var shortcutRole: INRelevantShortcutRole {
        get { state.withLock { $0.role } }
        set { state.withLock { $0.role = newValue } }
    }

    /// The kind of widget that shows it; nil at first. There are no widgets here.
    public var widgetKind: String? {
        get { state.withLock { $0.widgetKind } }
        set { state.withLock { $0.widgetKind = newValue } }
    }

    /// A shortcut with the same properties.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = INRelevantShortcut(shortcut: shortcut)
        let own = state.withLock { $0 }
        copy.state.withLock { $0 = own }
        return copy
    }

    var message: Baton_App_V1_OfferedShortcut {
        var message = shortcut.message
        message.role = Int32(shortcutRole.rawValue)
        message.providers = relevanceProviders.map(\.message)
        return message
    }
}

/// The shortcuts that an app thinks are of use some time. Intents'.
public final class INRelevantShortcutStore: NSObject, Sendable {
    /// The one there is.
    public static let `default` = INRelevantShortcutStore()

    override init() { super.init() }

    /// Replaces the list. At most 100, which take at most 256 KiB together.
    ///
    /// - Parameter completionHandler: called once, asynchronously, on a serial queue: nil means that they are on the disk.
    @preconcurrency
    public func setRelevantShortcuts(
        _ shortcuts: [INRelevantShortcut], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let (runtime, messages) = (AppRuntime.current, shortcuts.map(\.message))
        runtime.donations.perform(runtime, failing: .donatingInteraction, completionHandler) {
            try await $0.offer(.relevant, messages)
        }
    }

    /// Replaces the list. Returns when it is on the disk.
    public func setRelevantShortcuts(_ shortcuts: [INRelevantShortcut]) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            setRelevantShortcuts(shortcuts) { error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(()))
            }
        }
    }
}
