import BatonCore

/// Whether a person comes to a place or leaves it. Intents'.
public enum INSpatialEvent: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// The person arrives.
    case arrive = 1
    /// The person leaves.
    case depart = 2
}

/// A place at which a person is reminded. Intents'.
public final class INSpatialEventTrigger: INIntentValue, @unchecked Sendable {
    /// Where; an unknown place when that cannot be read.
    public var placemark: CLPlacemark { store.place("placemark") ?? CLPlacemark(values: [:]) }
    /// On arriving there, or on leaving.
    public var event: INSpatialEvent { store.option("event", .unknown) }

    /// A place.
    public convenience init(placemark: CLPlacemark, event: INSpatialEvent) {
        self.init(values: [:])
        store.set("placemark", placemark)
        store.set(option: "event", event)
    }
}

/// A time at which a person is reminded. Intents'.
public final class INTemporalEventTrigger: INIntentValue, @unchecked Sendable {
    /// When.
    public var dateComponentsRange: INDateComponentsRange {
        store.object("dateComponentsRange") ?? INDateComponentsRange(start: nil, end: nil)
    }

    /// A time.
    public convenience init(dateComponentsRange: INDateComponentsRange) {
        self.init(values: ["dateComponentsRange": dateComponentsRange.archived])
    }
}

/// To add tasks to a list. Intents'.
public final class INAddTasksIntent: INIntent, @unchecked Sendable {
    /// The list.
    public var targetTaskList: INTaskList? { store.object("targetTaskList") }
    /// The tasks' titles.
    public var taskTitles: [INSpeakableString]? { store.objects("taskTitles") }
    /// Where the person is reminded.
    public var spatialEventTrigger: INSpatialEventTrigger? { store.object("spatialEventTrigger") }
    /// When the person is reminded.
    public var temporalEventTrigger: INTemporalEventTrigger? { store.object("temporalEventTrigger") }
    /// Whether they are marked.
    public var priority: INTaskPriority { store.option("priority", .unknown) }

    /// Tasks. Nil for what is not said.
    public convenience init(
        targetTaskList: INTaskList?, taskTitles: [INSpeakableString]?, spatialEventTrigger: INSpatialEventTrigger?,
        temporalEventTrigger: INTemporalEventTrigger?, priority: INTaskPriority
    ) {
        self.init(values: [:])
        store.set("targetTaskList", targetTaskList)
        store.set("taskTitles", taskTitles)
        store.set("spatialEventTrigger", spatialEventTrigger)
        store.set("temporalEventTrigger", temporalEventTrigger)
        store.set(option: "priority", priority)
    }

    override func parameter(_ name: String) -> Any? {
        switch name {
        case "targetTaskList": targetTaskList
        case "taskTitles": taskTitles
        case "spatialEventTrigger": spatialEventTrigger
        case "temporalEventTrigger": temporalEventTrigger
        default: super.parameter(name)
        }
    }
}

/// How it went to add tasks. Intents'.
public final class INAddTasksIntentResponse: INIntentResponse, @unchecked Sendable {
    /// How it went.
    public var code: INAddTasksIntentResponseCode { storedCode(.unspecified) }

    /// The list as it is now.
    public var modifiedTaskList: INTaskList? {
        get { store.object("modifiedTaskList") }
        set { store.set("modifiedTaskList", newValue) }
    }

    /// The tasks that were added.
    public var addedTasks: [INTask]? {
        get { store.objects("addedTasks") }
        set { store.set("addedTasks", newValue) }
    }

    /// A response.
    ///
    /// - Parameters:
    ///   - code: how it went.
    ///   - userActivity: what the app continues when a person comes back to it; nil for an activity whose type is the
    ///     intent's class name.
    public convenience init(code: INAddTasksIntentResponseCode, userActivity: NSUserActivity?) {
        self.init(number: code.rawValue, userActivity: userActivity)
    }

    override var handlingStatus: INIntentHandlingStatus {
        switch code {
        case .unspecified: .unspecified
        case .ready: .ready
        case .inProgress: .inProgress
        case .success: .success
        case .failure: .failure
        case .failureRequiringAppLaunch: .deferredToApplication
        }
    }
}

/// How it went to add tasks: Apple's numbers. Intents'.
public enum INAddTasksIntentResponseCode: Int, Sendable {
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
    /// The app has to be opened.
    case failureRequiringAppLaunch = 5
}
