import BatonCore
public import Foundation

/// An amount of money. Intents'.
public final class INCurrencyAmount: INIntentValue, @unchecked Sendable {
    /// How much; nil when that cannot be read.
    public var amount: NSDecimalNumber? { store.decimal("amount") }
    /// The currency, by ISO 4217.
    public var currencyCode: String? { store.string("currencyCode") }

    /// An amount.
    public convenience init(amount: NSDecimalNumber, currencyCode: String) {
        self.init(values: ["currencyCode": .string(currencyCode)])
        store.set("amount", decimal: amount)
    }
}

/// To send money. Intents'.
public final class INSendPaymentIntent: INIntent, @unchecked Sendable {
    /// The recipient.
    public var payee: INPerson? { store.object("payee") }
    /// How much.
    public var currencyAmount: INCurrencyAmount? { store.object("currencyAmount") }
    /// The reason for the payment.
    public var note: String? { store.string("note") }

    /// A payment. Nil for what is not said.
    public convenience init(payee: INPerson?, currencyAmount: INCurrencyAmount?, note: String?) {
        self.init(values: [:])
        store.set("payee", payee)
        store.set("currencyAmount", currencyAmount)
        store.set("note", note)
    }

    override var persons: [INPerson] { payee.map { [$0] } ?? [] }

    override func parameter(_ name: String) -> Any? {
        switch name {
        case "payee": payee
        case "currencyAmount": currencyAmount
        default: super.parameter(name)
        }
    }
}

/// How it went to send money. Intents'.
public final class INSendPaymentIntentResponse: INIntentResponse, @unchecked Sendable {
    /// How it went.
    public var code: INSendPaymentIntentResponseCode { storedCode(.unspecified) }

    /// A response.
    ///
    /// - Parameters:
    ///   - code: how it went.
    ///   - userActivity: what the app continues when a person comes back to it; nil for an activity whose type is the
    ///     intent's class name.
    public convenience init(code: INSendPaymentIntentResponseCode, userActivity: NSUserActivity?) {
        self.init(number: code.rawValue, userActivity: userActivity)
    }

    override var handlingStatus: INIntentHandlingStatus {
        switch code {
        case .unspecified: .unspecified
        case .ready: .ready
        case .inProgress: .inProgress
        case .success: .success
        case .failureRequiringAppLaunch: .deferredToApplication
        default: .failure
        }
    }
}

/// How it went to send money: Apple's numbers. Intents'.
public enum INSendPaymentIntentResponseCode: Int, Sendable {
    /// Not specified.
    case unspecified = 0
    /// It can be done.
    case ready = 1
    /// It is being done.
    case inProgress = 2
    /// It was done.
    case success = 3
    /// It was not sent.
    case failure = 4
    /// The app has to be opened.
    case failureRequiringAppLaunch = 5
    /// The person has to prove who they are.
    case failureCredentialsUnverified = 6
    /// It is too little.
    case failurePaymentsAmountBelowMinimum = 7
    /// It is too much.
    case failurePaymentsAmountAboveMaximum = 8
    /// The currency cannot be sent.
    case failurePaymentsCurrencyUnsupported = 9
    /// There is not enough.
    case failureInsufficientFunds = 10
    /// There is no account.
    case failureNoBankAccount = 11
    /// The person may not.
    case failureNotEligible = 12
    /// The person has to accept the terms.
    case failureTermsAndConditionsAcceptanceRequired = 13
}
