package import SwiftProtobuf

/// One method of one service: its path, and the types of what is sent and answered.
package struct ConnectMethod<Request: Message & Sendable, Response: Message & Sendable>: Sendable {
    /// `/package.Service/Method`.
    package let path: String

    package init(_ service: String, _ method: String) {
        path = "/\(service)/\(method)"
    }
}

package enum ConnectProtocol {
    /// Grows when a peer must know more than unknown fields can tell. See docs/protocol.md.
    package static let version: UInt32 = 1
    /// The oldest version that is still served (H-98).
    package static let oldestVersion: UInt32 = 1
}

/// The services that apps may call: those of the package `baton.app.v1`.
package enum AppPlane {
    /// Whether a path is of a method of these services, one that this version knows or not.
    package static func contains(path: String) -> Bool { path.hasPrefix("/baton.app.v1.") }
}

/// `baton.app.v1.AppService`
package enum AppMethods {
    private static let service = "baton.app.v1.AppService"

    package static let attach = ConnectMethod<Baton_App_V1_AttachRequest, Baton_App_V1_AppCommand>(service, "Attach")
    package static let updateActivity = ConnectMethod<
        Baton_App_V1_UpdateActivityRequest, Baton_App_V1_UpdateActivityResponse
    >(service, "UpdateActivity")
    package static let resignActivity = ConnectMethod<
        Baton_App_V1_ResignActivityRequest, Baton_App_V1_ResignActivityResponse
    >(service, "ResignActivity")
    package static let invalidateActivity = ConnectMethod<
        Baton_App_V1_InvalidateActivityRequest, Baton_App_V1_InvalidateActivityResponse
    >(service, "InvalidateActivity")
    package static let updateContext = ConnectMethod<
        Baton_App_V1_UpdateContextRequest, Baton_App_V1_UpdateContextResponse
    >(service, "UpdateContext")
    package static let completeCommand = ConnectMethod<
        Baton_App_V1_CompleteCommandRequest, Baton_App_V1_CompleteCommandResponse
    >(service, "CompleteCommand")
    package static let saveForSearch = ConnectMethod<
        Baton_App_V1_SaveForSearchRequest, Baton_App_V1_SaveForSearchResponse
    >(service, "SaveForSearch")
    package static let deleteSavedActivities = ConnectMethod<
        Baton_App_V1_DeleteSavedActivitiesRequest, Baton_App_V1_DeleteSavedActivitiesResponse
    >(service, "DeleteSavedActivities")
    package static let openStream = ConnectMethod<Baton_App_V1_OpenStreamRequest, Baton_App_V1_OpenStreamResponse>(
        service, "OpenStream")
    package static let acceptStream = ConnectMethod<
        Baton_App_V1_AcceptStreamRequest, Baton_App_V1_AcceptStreamResponse
    >(service, "AcceptStream")
    package static let openKeyValueStore = ConnectMethod<
        Baton_App_V1_OpenKeyValueStoreRequest, Baton_App_V1_KeyValueNews
    >(service, "OpenKeyValueStore")
    package static let writeKeyValues = ConnectMethod<
        Baton_App_V1_WriteKeyValuesRequest, Baton_App_V1_WriteKeyValuesResponse
    >(service, "WriteKeyValues")
    package static let openURL = ConnectMethod<Baton_App_V1_OpenURLRequest, Baton_App_V1_OpenURLResponse>(
        service, "OpenURL")
    package static let lookUpPlaces = ConnectMethod<
        Baton_App_V1_LookUpPlacesRequest, Baton_App_V1_LookUpPlacesResponse
    >(service, "LookUpPlaces")
    package static let canOpenURL = ConnectMethod<Baton_App_V1_CanOpenURLRequest, Baton_App_V1_CanOpenURLResponse>(
        service, "CanOpenURL")
    package static let listDocumentHandlers = ConnectMethod<
        Baton_App_V1_ListDocumentHandlersRequest, Baton_App_V1_ListDocumentHandlersResponse
    >(service, "ListDocumentHandlers")
    package static let openDocument = ConnectMethod<
        Baton_App_V1_OpenDocumentRequest, Baton_App_V1_OpenDocumentResponse
    >(service, "OpenDocument")
    package static let openContainer = ConnectMethod<
        Baton_App_V1_OpenContainerRequest, Baton_App_V1_OpenContainerResponse
    >(service, "OpenContainer")
    package static let watchContainer = ConnectMethod<
        Baton_App_V1_WatchContainerRequest, Baton_App_V1_ContainerNews
    >(service, "WatchContainer")
    package static let changeDocument = ConnectMethod<
        Baton_App_V1_ChangeDocumentRequest, Baton_App_V1_ChangeDocumentResponse
    >(service, "ChangeDocument")
    package static let listFileVersions = ConnectMethod<
        Baton_App_V1_ListFileVersionsRequest, Baton_App_V1_ListFileVersionsResponse
    >(service, "ListFileVersions")
    package static let readFileVersion = ConnectMethod<
        Baton_App_V1_ReadFileVersionRequest, Baton_App_V1_FileVersionPart
    >(service, "ReadFileVersion")
    package static let changeFileVersions = ConnectMethod<
        Baton_App_V1_ChangeFileVersionsRequest, Baton_App_V1_ChangeFileVersionsResponse
    >(service, "ChangeFileVersions")
    package static let attachCoordinator = ConnectMethod<
        Baton_App_V1_AttachCoordinatorRequest, Baton_App_V1_CoordinatorCommand
    >(service, "AttachCoordinator")
    package static let coordinate = ConnectMethod<
        Baton_App_V1_CoordinateRequest, Baton_App_V1_CoordinateResponse
    >(service, "Coordinate")
    package static let shareByAirDrop = ConnectMethod<
        Baton_App_V1_ShareByAirDropRequest, Baton_App_V1_ShareByAirDropEvent
    >(service, "ShareByAirDrop")
    package static let updateSearchableIndex = ConnectMethod<
        Baton_App_V1_UpdateSearchableIndexRequest, Baton_App_V1_UpdateSearchableIndexResponse
    >(service, "UpdateSearchableIndex")
    package static let fetchClientState = ConnectMethod<
        Baton_App_V1_FetchClientStateRequest, Baton_App_V1_FetchClientStateResponse
    >(service, "FetchClientState")
    package static let querySearchableItems = ConnectMethod<
        Baton_App_V1_QuerySearchableItemsRequest, Baton_App_V1_QuerySearchableItemsAnswer
    >(service, "QuerySearchableItems")
    package static let reportEngagement = ConnectMethod<
        Baton_App_V1_ReportEngagementRequest, Baton_App_V1_ReportEngagementResponse
    >(service, "ReportEngagement")
    package static let askPerson = ConnectMethod<Baton_App_V1_AskPersonRequest, Baton_App_V1_AskPersonResponse>(
        service, "AskPerson")
}

/// `baton.link.v1.PresenceService` and `baton.link.v1.HandoffService`
package enum LinkMethods {
    private static let handoff = "baton.link.v1.HandoffService"
    package static let presence = ConnectMethod<Baton_Link_V1_PresenceFrame, Baton_Link_V1_PresenceFrame>(
        "baton.link.v1.PresenceService", "Connect")
    package static let fetchPayload = ConnectMethod<
        Baton_Link_V1_FetchPayloadRequest, Baton_Link_V1_FetchPayloadResponse
    >(handoff, "FetchPayload")
    package static let acknowledgeContinuation = ConnectMethod<
        Baton_Link_V1_AcknowledgeContinuationRequest, Baton_Link_V1_AcknowledgeContinuationResponse
    >(handoff, "AcknowledgeContinuation")
    package static let explainActivity = ConnectMethod<
        Baton_Link_V1_ExplainActivityRequest, Baton_Link_V1_ExplainActivityResponse
    >(handoff, "ExplainActivity")
    package static let openStream = ConnectMethod<Baton_Link_V1_OpenStreamRequest, Baton_Link_V1_OpenStreamResponse>(
        handoff, "OpenStream")

    private static let sync = "baton.link.v1.SyncService"
    package static let compareZones = ConnectMethod<
        Baton_Link_V1_CompareZonesRequest, Baton_Link_V1_CompareZonesResponse
    >(sync, "CompareZones")
    package static let compareRanges = ConnectMethod<
        Baton_Link_V1_CompareRangesRequest, Baton_Link_V1_CompareRangesResponse
    >(sync, "CompareRanges")
    package static let exchangeZone = ConnectMethod<
        Baton_Link_V1_ExchangeZoneRequest, Baton_Link_V1_ExchangeZoneResponse
    >(sync, "ExchangeZone")
    package static let giveItems = ConnectMethod<Baton_Link_V1_GiveItemsRequest, Baton_Link_V1_GiveItemsResponse>(
        sync, "GiveItems")
}

/// `baton.link.v1.PairingService`
package enum PairingMethods {
    private static let service = "baton.link.v1.PairingService"
    package static let begin = ConnectMethod<
        Baton_Link_V1_BeginPairingRequest, Baton_Link_V1_BeginPairingResponse
    >(service, "Begin")
    package static let reveal = ConnectMethod<
        Baton_Link_V1_RevealPairingRequest, Baton_Link_V1_RevealPairingResponse
    >(service, "Reveal")
    package static let exchange = ConnectMethod<
        Baton_Link_V1_ExchangePairingRequest, Baton_Link_V1_ExchangePairingResponse
    >(service, "Exchange")
    package static let attend = ConnectMethod<
        Baton_Link_V1_AttendPairingRequest, Baton_Link_V1_AttendPairingResponse
    >(service, "Attend")
    package static let abandon = ConnectMethod<
        Baton_Link_V1_AbandonPairingRequest, Baton_Link_V1_AbandonPairingResponse
    >(service, "Abandon")
}

/// `baton.control.v1.ControlService`
package enum ControlMethods {
    private static let service = "baton.control.v1.ControlService"

    package static let getStatus = ConnectMethod<Baton_Control_V1_GetStatusRequest, Baton_Control_V1_GetStatusResponse>(
        service, "GetStatus")
    package static let createAccount = ConnectMethod<
        Baton_Control_V1_CreateAccountRequest, Baton_Control_V1_CreateAccountResponse
    >(service, "CreateAccount")
    package static let leaveAccount = ConnectMethod<
        Baton_Control_V1_LeaveAccountRequest, Baton_Control_V1_LeaveAccountResponse
    >(service, "LeaveAccount")
    package static let listDevices = ConnectMethod<
        Baton_Control_V1_ListDevicesRequest, Baton_Control_V1_ListDevicesResponse
    >(service, "ListDevices")
    package static let renameDevice = ConnectMethod<
        Baton_Control_V1_RenameDeviceRequest, Baton_Control_V1_RenameDeviceResponse
    >(service, "RenameDevice")
    package static let revokeDevice = ConnectMethod<
        Baton_Control_V1_RevokeDeviceRequest, Baton_Control_V1_RevokeDeviceResponse
    >(service, "RevokeDevice")
    package static let createRecoveryKey = ConnectMethod<
        Baton_Control_V1_CreateRecoveryKeyRequest, Baton_Control_V1_CreateRecoveryKeyResponse
    >(service, "CreateRecoveryKey")
    package static let checkRecoveryKey = ConnectMethod<
        Baton_Control_V1_CheckRecoveryKeyRequest, Baton_Control_V1_CheckRecoveryKeyResponse
    >(service, "CheckRecoveryKey")
    package static let recoverAccount = ConnectMethod<
        Baton_Control_V1_RecoverAccountRequest, Baton_Control_V1_RecoverAccountResponse
    >(service, "RecoverAccount")
    package static let pair = ConnectMethod<Baton_Control_V1_PairRequest, Baton_Control_V1_PairingEvent>(
        service, "Pair")
    package static let confirmPairing = ConnectMethod<
        Baton_Control_V1_ConfirmPairingRequest, Baton_Control_V1_ConfirmPairingResponse
    >(service, "ConfirmPairing")
    package static let installApp = ConnectMethod<
        Baton_Control_V1_InstallAppRequest, Baton_Control_V1_InstallAppResponse
    >(service, "InstallApp")
    package static let uninstallApp = ConnectMethod<
        Baton_Control_V1_UninstallAppRequest, Baton_Control_V1_UninstallAppResponse
    >(service, "UninstallApp")
    package static let listApps = ConnectMethod<Baton_Control_V1_ListAppsRequest, Baton_Control_V1_ListAppsResponse>(
        service, "ListApps")
    package static let launchApp = ConnectMethod<Baton_Control_V1_LaunchAppRequest, Baton_Control_V1_LaunchAppResponse>(
        service, "LaunchApp")
    package static let quitApp = ConnectMethod<Baton_Control_V1_QuitAppRequest, Baton_Control_V1_QuitAppResponse>(
        service, "QuitApp")
    package static let listActivities = ConnectMethod<
        Baton_Control_V1_ListActivitiesRequest, Baton_Control_V1_ListActivitiesResponse
    >(service, "ListActivities")
    package static let watchOffers = ConnectMethod<
        Baton_Control_V1_WatchOffersRequest, Baton_Control_V1_WatchOffersResponse
    >(service, "WatchOffers")
    package static let watchNotices = ConnectMethod<
        Baton_Control_V1_WatchNoticesRequest, Baton_Control_V1_Notice
    >(service, "WatchNotices")
    package static let continueOffer = ConnectMethod<
        Baton_Control_V1_ContinueOfferRequest, Baton_Control_V1_ContinuationEvent
    >(service, "ContinueOffer")
    package static let readLog = ConnectMethod<Baton_Control_V1_ReadLogRequest, Baton_Control_V1_LogRecord>(
        service, "ReadLog")
    package static let explain = ConnectMethod<Baton_Control_V1_ExplainRequest, Baton_Control_V1_ExplainResponse>(
        service, "Explain")
    package static let listSettings = ConnectMethod<
        Baton_Control_V1_ListSettingsRequest, Baton_Control_V1_ListSettingsResponse
    >(service, "ListSettings")
    package static let changeSetting = ConnectMethod<
        Baton_Control_V1_ChangeSettingRequest, Baton_Control_V1_ChangeSettingResponse
    >(service, "ChangeSetting")
    package static let listSavedActivities = ConnectMethod<
        Baton_Control_V1_ListSavedActivitiesRequest, Baton_Control_V1_ListSavedActivitiesResponse
    >(service, "ListSavedActivities")
    package static let openSavedActivity = ConnectMethod<
        Baton_Control_V1_OpenSavedActivityRequest, Baton_Control_V1_OpenSavedActivityResponse
    >(service, "OpenSavedActivity")
    package static let listSites = ConnectMethod<
        Baton_Control_V1_ListSitesRequest, Baton_Control_V1_ListSitesResponse
    >(service, "ListSites")
    package static let openItem = ConnectMethod<Baton_Control_V1_OpenItemRequest, Baton_Control_V1_OpenItemResponse>(
        service, "OpenItem")
    package static let watchQuestions = ConnectMethod<
        Baton_Control_V1_WatchQuestionsRequest, Baton_Control_V1_QuestionNews
    >(service, "WatchQuestions")
    package static let answerQuestion = ConnectMethod<
        Baton_Control_V1_AnswerQuestionRequest, Baton_Control_V1_AnswerQuestionResponse
    >(service, "AnswerQuestion")
    package static let listHandlers = ConnectMethod<
        Baton_Control_V1_ListHandlersRequest, Baton_Control_V1_ListHandlersResponse
    >(service, "ListHandlers")
    package static let listHandlerDefaults = ConnectMethod<
        Baton_Control_V1_ListHandlerDefaultsRequest, Baton_Control_V1_ListHandlerDefaultsResponse
    >(service, "ListHandlerDefaults")
    package static let setHandlerDefault = ConnectMethod<
        Baton_Control_V1_SetHandlerDefaultRequest, Baton_Control_V1_SetHandlerDefaultResponse
    >(service, "SetHandlerDefault")
    package static let describeType = ConnectMethod<
        Baton_Control_V1_DescribeTypeRequest, Baton_Control_V1_DescribeTypeResponse
    >(service, "DescribeType")
    package static let refreshSites = ConnectMethod<
        Baton_Control_V1_RefreshSitesRequest, Baton_Control_V1_RefreshSitesResponse
    >(service, "RefreshSites")
    package static let readKeyValues = ConnectMethod<
        Baton_Control_V1_ReadKeyValuesRequest, Baton_Control_V1_KeyValueList
    >(service, "ReadKeyValues")
    package static let writeKeyValue = ConnectMethod<
        Baton_Control_V1_WriteKeyValueRequest, Baton_Control_V1_WriteKeyValueResponse
    >(service, "WriteKeyValue")
    package static let deleteKeyValueStore = ConnectMethod<
        Baton_Control_V1_DeleteKeyValueStoreRequest, Baton_Control_V1_DeleteKeyValueStoreResponse
    >(service, "DeleteKeyValueStore")
}
