import BatonCore

/// Which feedback on a ride is wanted: Apple's bits. Intents'.
public struct INRideFeedbackTypeOptions: OptionSet, Sendable, Hashable {
    /// Apple's bits.
    public let rawValue: UInt
    /// Options by Apple's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A rating.
    public static let rate = Self(rawValue: 1)
    /// A tip.
    public static let tip = Self(rawValue: 2)
}

/// How a ride ended. Intents'.
public final class INRideCompletionStatus: INIntentValue, @unchecked Sendable {
    /// Continued in the app to finish what is left; nil at first.
    public var completionUserActivity: NSUserActivity? {
        get { store.activity("completionUserActivity") }
        set { store.set("completionUserActivity", newValue) }
    }
    /// Tips that are offered; nil at first.
    public var defaultTippingOptions: Set<INCurrencyAmount>? {
        get { store.objects("defaultTippingOptions", INCurrencyAmount.self).map { Set($0) } }
        set { store.set("defaultTippingOptions", newValue.map { Array($0) }) }
    }
    /// Whether it reached its end.
    public var isCompleted: Bool { store.boolean("isCompleted") ?? false }
    /// Whether it was canceled.
    public var isCanceled: Bool { store.boolean("isCanceled") ?? false }
    /// Whether it was canceled since the person did not come.
    public var isMissedPickup: Bool { store.boolean("isMissedPickup") ?? false }
    /// How much is paid or to be paid.
    public var paymentAmount: INCurrencyAmount? { store.object("paymentAmount") }
    /// The feedback that is wanted.
    public var feedbackType: INRideFeedbackTypeOptions {
        INRideFeedbackTypeOptions(rawValue: UInt(clamping: store.integer("feedbackType") ?? 0))
    }
    /// Whether a payment or feedback is left to do.
    public var isOutstanding: Bool { store.boolean("isOutstanding") ?? false }

    /// It reached its end.
    public class func completed() -> Self { Self(values: ["isCompleted": .boolean(true)]) }

    /// It reached its end and is paid.
    public class func completed(settled settledPaymentAmount: INCurrencyAmount) -> Self {
        let status = completed()
        status.store.set("paymentAmount", settledPaymentAmount)
        return status
    }

    /// It reached its end and is to be paid.
    public class func completed(outstanding outstandingPaymentAmount: INCurrencyAmount) -> Self {
        let status = completed(settled: outstandingPaymentAmount)
        status.store.set("isOutstanding", true)
        return status
    }

    /// It reached its end, and the person's feedback is wanted.
    public class func completed(outstanding feedbackType: INRideFeedbackTypeOptions) -> Self {
        let status = completed()
        status.store.set("feedbackType", Int(clamping: feedbackType.rawValue))
        status.store.set("isOutstanding", true)
        return status
    }

    /// The service has canceled it.
    public class func canceledByService() -> Self { Self(values: ["isCanceled": .boolean(true)]) }

    /// The person has canceled it.
    public class func canceledByUser() -> Self { canceledByService() }

    /// The service has canceled it, since the person did not come.
    public class func canceledMissedPickup() -> Self {
        let status = canceledByService()
        status.store.set("isMissedPickup", true)
        return status
    }
}
