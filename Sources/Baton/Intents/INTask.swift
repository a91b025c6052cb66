import BatonCore
public import Foundation

/// Whether a task is done. Intents'.
public enum INTaskStatus: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// It is open.
    case notCompleted = 1
    /// It is done.
    case completed = 2
}

/// Whether a task can be done. Intents'.
public enum INTaskType: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// It is a note only.
    case notCompletable = 1
    /// It can be done.
    case completable = 2
}

/// Whether a task is marked. Intents'.
public enum INTaskPriority: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// It is not.
    case notFlagged = 1
    /// It is.
    case flagged = 2
}

/// A task of a list. Intents'.
public final class INTask: INIntentValue, @unchecked Sendable {
    /// The title.
    public var title: INSpeakableString { store.object("title") ?? INSpeakableString(spokenPhrase: "") }
    /// Whether it is done.
    public var status: INTaskStatus { store.option("status", .unknown) }
    /// Whether it can be done.
    public var taskType: INTaskType { store.option("taskType", .unknown) }
    /// Where the person is reminded.
    public var spatialEventTrigger: INSpatialEventTrigger? { store.object("spatialEventTrigger") }
    /// When the person is reminded.
    public var temporalEventTrigger: INTemporalEventTrigger? { store.object("temporalEventTrigger") }
    /// When it was made.
    public var createdDateComponents: DateComponents? { store.components("createdDateComponents") }
    /// When it was changed.
    public var modifiedDateComponents: DateComponents? { store.components("modifiedDateComponents") }
    /// The app's own identifier.
    public var identifier: String? { store.string("identifier") }
    /// Whether it is marked.
    public var priority: INTaskPriority { store.option("priority", .unknown) }

    /// A task.
    public convenience init(
        title: INSpeakableString, status: INTaskStatus, taskType: INTaskType,
        spatialEventTrigger: INSpatialEventTrigger?, temporalEventTrigger: INTemporalEventTrigger?,
        createdDateComponents: DateComponents?, modifiedDateComponents: DateComponents?, identifier: String?,
        priority: INTaskPriority = .unknown
    ) {
        self.init(values: ["title": title.archived])
        store.set(option: "status", status)
        store.set(option: "taskType", taskType)
        store.set("spatialEventTrigger", spatialEventTrigger)
        store.set("temporalEventTrigger", temporalEventTrigger)
        store.set("createdDateComponents", createdDateComponents)
        store.set("modifiedDateComponents", modifiedDateComponents)
        store.set("identifier", identifier)
        store.set(option: "priority", priority)
    }
}

/// A list of tasks. Intents'.
public final class INTaskList: INIntentValue, @unchecked Sendable {
    /// The title.
    public var title: INSpeakableString { store.object("title") ?? INSpeakableString(spokenPhrase: "") }
    /// The tasks.
    public var tasks: [INTask] { store.objects("tasks") ?? [] }
    /// The group that it is of.
    public var groupName: INSpeakableString? { store.object("groupName") }
    /// When it was made.
    public var createdDateComponents: DateComponents? { store.components("createdDateComponents") }
    /// When it was changed.
    public var modifiedDateComponents: DateComponents? { store.components("modifiedDateComponents") }
    /// The app's own identifier.
    public var identifier: String? { store.string("identifier") }

    /// A list.
    public convenience init(
        title: INSpeakableString, tasks: [INTask], groupName: INSpeakableString?,
        createdDateComponents: DateComponents?, modifiedDateComponents: DateComponents?, identifier: String?
    ) {
        self.init(values: ["title": title.archived])
        store.set("tasks", tasks)
        store.set("groupName", groupName)
        store.set("createdDateComponents", createdDateComponents)
        store.set("modifiedDateComponents", modifiedDateComponents)
        store.set("identifier", identifier)
    }
}
