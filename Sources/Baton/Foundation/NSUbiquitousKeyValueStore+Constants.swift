// swift-format-ignore: AlwaysUseLowerCamelCase
/// A key of a notification's `userInfo`: why the store has changed, an `Int` (K-15, K-16).
public let NSUbiquitousKeyValueStoreChangeReasonKey = "NSUbiquitousKeyValueStoreChangeReasonKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A key of a notification's `userInfo`: the keys whose values are others now, a `[String]` (K-15).
public let NSUbiquitousKeyValueStoreChangedKeysKey = "NSUbiquitousKeyValueStoreChangedKeysKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A value came from another device, or from another process of the app on this one.
public let NSUbiquitousKeyValueStoreServerChange = 0

// swift-format-ignore: AlwaysUseLowerCamelCase
/// All that the account has came for the first time. Values that were set before and met others of the account were
/// dropped.
public let NSUbiquitousKeyValueStoreInitialSyncChange = 1

// swift-format-ignore: AlwaysUseLowerCamelCase
/// There was no room for a value: the previous one stays (K-5). The app may have to remove keys (K-17).
public let NSUbiquitousKeyValueStoreQuotaViolationChange = 2

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Another account was signed in, or none is any more: its values have taken the place of the former one's.
public let NSUbiquitousKeyValueStoreAccountChange = 3
