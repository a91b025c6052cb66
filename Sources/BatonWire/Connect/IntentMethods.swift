/// `baton.app.v1.IntentService`
package enum IntentMethods {
    private static let service = "baton.app.v1.IntentService"

    package static let donateInteraction = ConnectMethod<
        Baton_App_V1_DonateInteractionRequest, Baton_App_V1_DonateInteractionResponse
    >(service, "DonateInteraction")
    package static let deleteInteractions = ConnectMethod<
        Baton_App_V1_DeleteInteractionsRequest, Baton_App_V1_DeleteInteractionsResponse
    >(service, "DeleteInteractions")
    package static let offerShortcuts = ConnectMethod<
        Baton_App_V1_OfferShortcutsRequest, Baton_App_V1_OfferShortcutsResponse
    >(service, "OfferShortcuts")
}
