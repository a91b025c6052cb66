import BatonCore
import BatonWire
public import Foundation
import SwiftProtobuf
import Synchronization

// @unchecked: the stored properties are constants, and what changes lies behind their locks.

/// How it went: the answer to an intent. Intents'.
///
/// Abstract, as ``INIntent`` (P-53): make one of the classes below it. Safe to use from any thread.
public class INIntentResponse: INIntentValue, @unchecked Sendable {
    private let activity = Mutex<NSUserActivity?>(nil)
    private static let activityName = "userActivity"

    /// The activity to continue when a person comes back to this; nil for an activity whose type is the intent's class name.
    public var userActivity: NSUserActivity? {
        get {
            if let made = activity.withLock({ $0 }) { return made }
            guard let data = store.data(Self.activityName),
                let payload = try? Baton_Value_V1_ActivityPayload(serializedBytes: Array(data)),
                let state = try? UserActivityState(received: payload, id: .random())
            else { return nil }
            let new = NSUserActivity(state: state, runtime: .current)
            return activity.withLock { activity in
                if activity == nil { activity = new }
                return activity
            }
        }
        set {
            store[Self.activityName] = nil
            activity.withLock { $0 = newValue }
        }
    }

    /// Apple's number of the code.
    var codeNumber: Int { store.integer("code") ?? 0 }

    convenience init(number: Int, userActivity: NSUserActivity?) {
        self.init(values: ["code": .integer(Int64(number))])
        self.userActivity = userActivity
    }

    func storedCode<Code: RawRepresentable>(_ unspecified: Code) -> Code where Code.RawValue == Int {
        store.option("code", unspecified)
    }

    /// The status that follows from the code.
    var handlingStatus: INIntentHandlingStatus { .unspecified }

    override var values: [String: PropertyValue] {
        var values = store.values
        if let activity = activity.withLock({ $0 }),
            let payload: [UInt8] = try? activity.snapshot.wirePayload.serializedBytes()
        {
            values[Self.activityName] = .data(Data(payload))
        }
        return values
    }

    /// A response with the same properties, and the same activity.
    public override func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init(values: store.values)
        let made = activity.withLock { $0 }
        copy.activity.withLock { $0 = made }
        return copy
    }
}

/// How far an intent got. Intents'.
public enum INIntentHandlingStatus: Int, Sendable {
    /// Not specified.
    case unspecified = 0
    /// It can be done.
    case ready = 1
    /// It is being done.
    case inProgress = 2
    /// It was done.
    case success = 3
    /// It was not.
    case failure = 4
    /// The app itself is to go on.
    case deferredToApplication = 5
    /// The person has to say yes.
    case userConfirmationRequired = 6
}
