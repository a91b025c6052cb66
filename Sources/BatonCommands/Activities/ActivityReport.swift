import BatonWire

/// The description of an activity as the command line shows it.
enum ActivityReport {
    static func json(_ activity: Baton_Value_V1_ActivityDescription) -> JSONValue {
        [
            "activity_id": .string(activity.activityID), "activity_type": .string(activity.activityType),
            "title": activity.hasTitle ? .string(activity.title) : .null,
            "webpage_url": activity.hasWebpageURL ? .string(activity.webpageURL) : .null,
            "eligible_for_handoff": .boolean(activity.eligibleForHandoff),
            "expiration_ms": activity.hasExpirationTime ? .init(activity.expirationTime) : .null,
            "minimum_app_version": activity.hasMinimumAppVersion ? .string(activity.minimumAppVersion) : .null,
        ]
    }

    /// The activity's name for a person.
    static func title(_ activity: Baton_Value_V1_ActivityDescription) -> String {
        if !activity.title.isEmpty { return activity.title }
        return activity.webpageURL.isEmpty ? activity.activityType : activity.webpageURL
    }
}
