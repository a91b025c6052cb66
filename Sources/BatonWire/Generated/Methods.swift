// Made by dev/generate from the services of Protocol/. Do not edit.

/// `baton.app.v1.AttachmentService`
package enum AttachmentMethods {
    package static let service = "baton.app.v1.AttachmentService"

    package static let attach = ConnectMethod<
        Baton_App_V1_AttachRequest, Baton_App_V1_AppCommand
    >(service, "Attach")
    package static let completeCommand = ConnectMethod<
        Baton_App_V1_CompleteCommandRequest, Baton_App_V1_CompleteCommandResponse
    >(service, "CompleteCommand")
}

/// `baton.app.v1.ActivityService`
package enum ActivityMethods {
    package static let service = "baton.app.v1.ActivityService"

    package static let updateActivity = ConnectMethod<
        Baton_App_V1_UpdateActivityRequest, Baton_App_V1_UpdateActivityResponse
    >(service, "UpdateActivity")
    package static let resignActivity = ConnectMethod<
        Baton_App_V1_ResignActivityRequest, Baton_App_V1_ResignActivityResponse
    >(service, "ResignActivity")
    package static let invalidateActivity = ConnectMethod<
        Baton_App_V1_InvalidateActivityRequest, Baton_App_V1_InvalidateActivityResponse
    >(service, "InvalidateActivity")
}

/// `baton.app.v1.SavedActivityService`
package enum SavedActivityMethods {
    package static let service = "baton.app.v1.SavedActivityService"

    package static let saveForSearch = ConnectMethod<
        Baton_App_V1_SaveForSearchRequest, Baton_App_V1_SaveForSearchResponse
    >(service, "SaveForSearch")
    package static let deleteSavedActivities = ConnectMethod<
        Baton_App_V1_DeleteSavedActivitiesRequest, Baton_App_V1_DeleteSavedActivitiesResponse
    >(service, "DeleteSavedActivities")
}

/// `baton.app.v1.ContinuationStreamService`
package enum ContinuationStreamMethods {
    package static let service = "baton.app.v1.ContinuationStreamService"

    package static let openStream = ConnectMethod<
        Baton_App_V1_OpenStreamRequest, Baton_App_V1_OpenStreamResponse
    >(service, "OpenStream")
    package static let acceptStream = ConnectMethod<
        Baton_App_V1_AcceptStreamRequest, Baton_App_V1_AcceptStreamResponse
    >(service, "AcceptStream")
}

/// `baton.app.v1.ShownContentService`
package enum ShownContentMethods {
    package static let service = "baton.app.v1.ShownContentService"

    package static let updateContext = ConnectMethod<
        Baton_App_V1_UpdateContextRequest, Baton_App_V1_UpdateContextResponse
    >(service, "UpdateContext")
}

/// `baton.app.v1.KeyValueService`
package enum KeyValueMethods {
    package static let service = "baton.app.v1.KeyValueService"

    package static let openKeyValueStore = ConnectMethod<
        Baton_App_V1_OpenKeyValueStoreRequest, Baton_App_V1_KeyValueNews
    >(service, "OpenKeyValueStore")
    package static let writeKeyValues = ConnectMethod<
        Baton_App_V1_WriteKeyValuesRequest, Baton_App_V1_WriteKeyValuesResponse
    >(service, "WriteKeyValues")
}

/// `baton.app.v1.OpeningService`
package enum OpeningMethods {
    package static let service = "baton.app.v1.OpeningService"

    package static let openURL = ConnectMethod<
        Baton_App_V1_OpenURLRequest, Baton_App_V1_OpenURLResponse
    >(service, "OpenURL")
    package static let canOpenURL = ConnectMethod<
        Baton_App_V1_CanOpenURLRequest, Baton_App_V1_CanOpenURLResponse
    >(service, "CanOpenURL")
    package static let listDocumentHandlers = ConnectMethod<
        Baton_App_V1_ListDocumentHandlersRequest, Baton_App_V1_ListDocumentHandlersResponse
    >(service, "ListDocumentHandlers")
    package static let openDocument = ConnectMethod<
        Baton_App_V1_OpenDocumentRequest, Baton_App_V1_OpenDocumentResponse
    >(service, "OpenDocument")
}

/// `baton.app.v1.QuestionService`
package enum QuestionMethods {
    package static let service = "baton.app.v1.QuestionService"

    package static let askPerson = ConnectMethod<
        Baton_App_V1_AskPersonRequest, Baton_App_V1_AskPersonResponse
    >(service, "AskPerson")
}

/// `baton.app.v1.SharingService`
package enum SharingMethods {
    package static let service = "baton.app.v1.SharingService"

    package static let shareByAirDrop = ConnectMethod<
        Baton_App_V1_ShareByAirDropRequest, Baton_App_V1_ShareByAirDropEvent
    >(service, "ShareByAirDrop")
}

/// `baton.app.v1.ContactsService`
package enum ContactsMethods {
    package static let service = "baton.app.v1.ContactsService"

    package static let getContactAccess = ConnectMethod<
        Baton_App_V1_GetContactAccessRequest, Baton_App_V1_GetContactAccessResponse
    >(service, "GetContactAccess")
    package static let requestContactAccess = ConnectMethod<
        Baton_App_V1_RequestContactAccessRequest, Baton_App_V1_RequestContactAccessResponse
    >(service, "RequestContactAccess")
    package static let fetchContacts = ConnectMethod<
        Baton_App_V1_FetchContactsRequest, Baton_App_V1_FetchContactsResponse
    >(service, "FetchContacts")
    package static let saveContacts = ConnectMethod<
        Baton_App_V1_SaveContactsRequest, Baton_App_V1_SaveContactsResponse
    >(service, "SaveContacts")
    package static let watchContacts = ConnectMethod<
        Baton_App_V1_WatchContactsRequest, Baton_App_V1_WatchContactsResponse
    >(service, "WatchContacts")
}

/// `baton.app.v1.ContainerService`
package enum ContainerMethods {
    package static let service = "baton.app.v1.ContainerService"

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
}

/// `baton.app.v1.CoordinationService`
package enum CoordinationMethods {
    package static let service = "baton.app.v1.CoordinationService"

    package static let attachCoordinator = ConnectMethod<
        Baton_App_V1_AttachCoordinatorRequest, Baton_App_V1_CoordinatorCommand
    >(service, "AttachCoordinator")
    package static let coordinate = ConnectMethod<
        Baton_App_V1_CoordinateRequest, Baton_App_V1_CoordinateResponse
    >(service, "Coordinate")
}

/// `baton.app.v1.IdleService`
package enum IdleMethods {
    package static let service = "baton.app.v1.IdleService"

    package static let keepAwake = ConnectMethod<
        Baton_App_V1_KeepAwakeRequest, Baton_App_V1_KeepAwakeResponse
    >(service, "KeepAwake")
}

/// `baton.app.v1.IntentService`
package enum IntentMethods {
    package static let service = "baton.app.v1.IntentService"

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

/// `baton.app.v1.LocationService`
package enum LocationMethods {
    package static let service = "baton.app.v1.LocationService"

    package static let getLocationAccess = ConnectMethod<
        Baton_App_V1_GetLocationAccessRequest, Baton_App_V1_GetLocationAccessResponse
    >(service, "GetLocationAccess")
    package static let requestLocationAccess = ConnectMethod<
        Baton_App_V1_RequestLocationAccessRequest, Baton_App_V1_RequestLocationAccessResponse
    >(service, "RequestLocationAccess")
    package static let watchLocation = ConnectMethod<
        Baton_App_V1_WatchLocationRequest, Baton_App_V1_WatchLocationResponse
    >(service, "WatchLocation")
}

/// `baton.app.v1.MediaService`
package enum MediaMethods {
    package static let service = "baton.app.v1.MediaService"

    package static let updateNowPlaying = ConnectMethod<
        Baton_App_V1_UpdateNowPlayingRequest, Baton_App_V1_UpdateNowPlayingResponse
    >(service, "UpdateNowPlaying")
}

/// `baton.app.v1.PlaceService`
package enum PlaceMethods {
    package static let service = "baton.app.v1.PlaceService"

    package static let lookUpPlaces = ConnectMethod<
        Baton_App_V1_LookUpPlacesRequest, Baton_App_V1_LookUpPlacesResponse
    >(service, "LookUpPlaces")
}

/// `baton.app.v1.RecordsService`
package enum RecordsMethods {
    package static let service = "baton.app.v1.RecordsService"

    package static let openDatabase = ConnectMethod<
        Baton_App_V1_OpenDatabaseRequest, Baton_App_V1_OpenDatabaseResponse
    >(service, "OpenDatabase")
    package static let getAccountStatus = ConnectMethod<
        Baton_App_V1_GetAccountStatusRequest, Baton_App_V1_GetAccountStatusResponse
    >(service, "GetAccountStatus")
    package static let watchDatabase = ConnectMethod<
        Baton_App_V1_WatchDatabaseRequest, Baton_App_V1_DatabaseNews
    >(service, "WatchDatabase")
    package static let modifyZones = ConnectMethod<
        Baton_App_V1_ModifyZonesRequest, Baton_App_V1_ModifyZonesResponse
    >(service, "ModifyZones")
    package static let fetchZones = ConnectMethod<
        Baton_App_V1_FetchZonesRequest, Baton_App_V1_FetchZonesResponse
    >(service, "FetchZones")
    package static let fetchDatabaseChanges = ConnectMethod<
        Baton_App_V1_FetchDatabaseChangesRequest, Baton_App_V1_FetchDatabaseChangesResponse
    >(service, "FetchDatabaseChanges")
    package static let modifyRecords = ConnectMethod<
        Baton_App_V1_ModifyRecordsRequest, Baton_App_V1_ModifyRecordsResponse
    >(service, "ModifyRecords")
    package static let fetchRecords = ConnectMethod<
        Baton_App_V1_FetchRecordsRequest, Baton_App_V1_FetchRecordsResponse
    >(service, "FetchRecords")
    package static let fetchZoneChanges = ConnectMethod<
        Baton_App_V1_FetchZoneChangesRequest, Baton_App_V1_FetchZoneChangesResponse
    >(service, "FetchZoneChanges")
    package static let writeAsset = ConnectMethod<
        Baton_App_V1_WriteAssetRequest, Baton_App_V1_WriteAssetResponse
    >(service, "WriteAsset")
    package static let readAsset = ConnectMethod<
        Baton_App_V1_ReadAssetRequest, Baton_App_V1_AssetPart
    >(service, "ReadAsset")
    package static let setSchema = ConnectMethod<
        Baton_App_V1_SetSchemaRequest, Baton_App_V1_SetSchemaResponse
    >(service, "SetSchema")
    package static let sendRows = ConnectMethod<
        Baton_App_V1_SendRowsRequest, Baton_App_V1_SendRowsResponse
    >(service, "SendRows")
    package static let fetchRows = ConnectMethod<
        Baton_App_V1_FetchRowsRequest, Baton_App_V1_FetchRowsResponse
    >(service, "FetchRows")
    package static let listRows = ConnectMethod<
        Baton_App_V1_ListRowsRequest, Baton_App_V1_ListRowsResponse
    >(service, "ListRows")
    package static let reportHeld = ConnectMethod<
        Baton_App_V1_ReportHeldRequest, Baton_App_V1_ReportHeldResponse
    >(service, "ReportHeld")
}

/// `baton.app.v1.SpotlightService`
package enum SpotlightMethods {
    package static let service = "baton.app.v1.SpotlightService"

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
}

/// `baton.app.v1.TextFieldService`
package enum TextFieldMethods {
    package static let service = "baton.app.v1.TextFieldService"

    package static let suggestForField = ConnectMethod<
        Baton_App_V1_SuggestForFieldRequest, Baton_App_V1_SuggestForFieldResponse
    >(service, "SuggestForField")
}

/// `baton.app.v1.WorkspaceService`
package enum WorkspaceMethods {
    package static let service = "baton.app.v1.WorkspaceService"

    package static let findApps = ConnectMethod<
        Baton_App_V1_FindAppsRequest, Baton_App_V1_FindAppsResponse
    >(service, "FindApps")
    package static let launchApp = ConnectMethod<
        Baton_App_V1_LaunchAppRequest, Baton_App_V1_LaunchAppResponse
    >(service, "LaunchApp")
}

/// `baton.cloud.v1.AccountService`
package enum AccountMethods {
    package static let service = "baton.cloud.v1.AccountService"

    package static let getServer = ConnectMethod<
        Baton_Cloud_V1_GetServerRequest, Baton_Cloud_V1_GetServerResponse
    >(service, "GetServer")
    package static let getChallenge = ConnectMethod<
        Baton_Cloud_V1_GetChallengeRequest, Baton_Cloud_V1_GetChallengeResponse
    >(service, "GetChallenge")
    package static let register = ConnectMethod<
        Baton_Cloud_V1_RegisterRequest, Baton_Cloud_V1_AuthenticateResponse
    >(service, "Register")
    package static let authenticate = ConnectMethod<
        Baton_Cloud_V1_AuthenticateRequest, Baton_Cloud_V1_AuthenticateResponse
    >(service, "Authenticate")
    package static let mergeMembership = ConnectMethod<
        Baton_Cloud_V1_MergeMembershipRequest, Baton_Cloud_V1_MergeMembershipResponse
    >(service, "MergeMembership")
    package static let getUsage = ConnectMethod<
        Baton_Cloud_V1_GetUsageRequest, Baton_Cloud_V1_GetUsageResponse
    >(service, "GetUsage")
    package static let deleteAccount = ConnectMethod<
        Baton_Cloud_V1_DeleteAccountRequest, Baton_Cloud_V1_DeleteAccountResponse
    >(service, "DeleteAccount")
}

/// `baton.cloud.v1.ZoneService`
package enum ZoneMethods {
    package static let service = "baton.cloud.v1.ZoneService"

    package static let listZones = ConnectMethod<
        Baton_Cloud_V1_ListZonesRequest, Baton_Cloud_V1_ListZonesResponse
    >(service, "ListZones")
    package static let writeItems = ConnectMethod<
        Baton_Cloud_V1_WriteItemsRequest, Baton_Cloud_V1_WriteItemsResponse
    >(service, "WriteItems")
    package static let fetchItems = ConnectMethod<
        Baton_Cloud_V1_FetchItemsRequest, Baton_Cloud_V1_FetchItemsResponse
    >(service, "FetchItems")
    package static let fetchChanges = ConnectMethod<
        Baton_Cloud_V1_FetchChangesRequest, Baton_Cloud_V1_FetchChangesResponse
    >(service, "FetchChanges")
    package static let deleteZone = ConnectMethod<
        Baton_Cloud_V1_DeleteZoneRequest, Baton_Cloud_V1_DeleteZoneResponse
    >(service, "DeleteZone")
    package static let subscribe = ConnectMethod<
        Baton_Cloud_V1_SubscribeRequest, Baton_Cloud_V1_SubscribeEvent
    >(service, "Subscribe")
}

/// `baton.cloud.v1.BlobService`
package enum BlobMethods {
    package static let service = "baton.cloud.v1.BlobService"

    package static let findMissingBlobs = ConnectMethod<
        Baton_Cloud_V1_FindMissingBlobsRequest, Baton_Cloud_V1_FindMissingBlobsResponse
    >(service, "FindMissingBlobs")
    package static let releaseBlobs = ConnectMethod<
        Baton_Cloud_V1_ReleaseBlobsRequest, Baton_Cloud_V1_ReleaseBlobsResponse
    >(service, "ReleaseBlobs")
}

/// `baton.cloud.v1.PublicIndexService`
package enum PublicIndexMethods {
    package static let service = "baton.cloud.v1.PublicIndexService"

    package static let givePublic = ConnectMethod<
        Baton_Cloud_V1_GivePublicRequest, Baton_Cloud_V1_GivePublicResponse
    >(service, "GivePublic")
    package static let takeBackPublic = ConnectMethod<
        Baton_Cloud_V1_TakeBackPublicRequest, Baton_Cloud_V1_TakeBackPublicResponse
    >(service, "TakeBackPublic")
    package static let findPublic = ConnectMethod<
        Baton_Cloud_V1_FindPublicRequest, Baton_Cloud_V1_FindPublicResponse
    >(service, "FindPublic")
}

/// `baton.control.v1.AddressBookService`
package enum AddressBookMethods {
    package static let service = "baton.control.v1.AddressBookService"

    package static let listCards = ConnectMethod<
        Baton_Control_V1_ListCardsRequest, Baton_Control_V1_ListCardsResponse
    >(service, "ListCards")
    package static let listContactAccess = ConnectMethod<
        Baton_Control_V1_ListContactAccessRequest, Baton_Control_V1_ListContactAccessResponse
    >(service, "ListContactAccess")
    package static let setContactAccess = ConnectMethod<
        Baton_Control_V1_SetContactAccessRequest, Baton_Control_V1_SetContactAccessResponse
    >(service, "SetContactAccess")
}

/// `baton.control.v1.AirDropService`
package enum AirDropMethods {
    package static let service = "baton.control.v1.AirDropService"

    package static let getAirDrop = ConnectMethod<
        Baton_Control_V1_GetAirDropRequest, Baton_Control_V1_AirDropState
    >(service, "GetAirDrop")
    package static let setAirDropVisibility = ConnectMethod<
        Baton_Control_V1_SetAirDropVisibilityRequest, Baton_Control_V1_AirDropState
    >(service, "SetAirDropVisibility")
    package static let watchNearby = ConnectMethod<
        Baton_Control_V1_WatchNearbyRequest, Baton_Control_V1_NearbyPeers
    >(service, "WatchNearby")
    package static let sendItems = ConnectMethod<
        Baton_Control_V1_SendItemsRequest, Baton_Control_V1_SendEvent
    >(service, "SendItems")
    package static let watchReceiving = ConnectMethod<
        Baton_Control_V1_WatchReceivingRequest, Baton_Control_V1_ReceivingEvent
    >(service, "WatchReceiving")
    package static let answerAsk = ConnectMethod<
        Baton_Control_V1_AnswerAskRequest, Baton_Control_V1_AnswerAskResponse
    >(service, "AnswerAsk")
    package static let listTransfers = ConnectMethod<
        Baton_Control_V1_ListTransfersRequest, Baton_Control_V1_ListTransfersResponse
    >(service, "ListTransfers")
    package static let listContacts = ConnectMethod<
        Baton_Control_V1_ListContactsRequest, Baton_Control_V1_ListContactsResponse
    >(service, "ListContacts")
    package static let removeContact = ConnectMethod<
        Baton_Control_V1_RemoveContactRequest, Baton_Control_V1_RemoveContactResponse
    >(service, "RemoveContact")
    package static let addContact = ConnectMethod<
        Baton_Control_V1_AddContactRequest, Baton_Control_V1_PairingEvent
    >(service, "AddContact")
    package static let explainNearby = ConnectMethod<
        Baton_Control_V1_ExplainNearbyRequest, Baton_Control_V1_ExplainResponse
    >(service, "ExplainNearby")
    package static let serveWeb = ConnectMethod<
        Baton_Control_V1_ServeWebRequest, Baton_Control_V1_WebTransferEvent
    >(service, "ServeWeb")
}

/// `baton.control.v1.BackupService`
package enum BackupMethods {
    package static let service = "baton.control.v1.BackupService"

    package static let setBackupTarget = ConnectMethod<
        Baton_Control_V1_SetBackupTargetRequest, Baton_Control_V1_SetBackupTargetResponse
    >(service, "SetBackupTarget")
    package static let changeBackupPaths = ConnectMethod<
        Baton_Control_V1_ChangeBackupPathsRequest, Baton_Control_V1_ChangeBackupPathsResponse
    >(service, "ChangeBackupPaths")
    package static let backUp = ConnectMethod<
        Baton_Control_V1_BackUpRequest, Baton_Control_V1_BackUpResponse
    >(service, "BackUp")
    package static let listBackups = ConnectMethod<
        Baton_Control_V1_ListBackupsRequest, Baton_Control_V1_ListBackupsResponse
    >(service, "ListBackups")
    package static let getBackupStatus = ConnectMethod<
        Baton_Control_V1_GetBackupStatusRequest, Baton_Control_V1_GetBackupStatusResponse
    >(service, "GetBackupStatus")
    package static let verifyBackups = ConnectMethod<
        Baton_Control_V1_VerifyBackupsRequest, Baton_Control_V1_VerifyBackupsResponse
    >(service, "VerifyBackups")
    package static let restoreBackup = ConnectMethod<
        Baton_Control_V1_RestoreBackupRequest, Baton_Control_V1_RestoreBackupResponse
    >(service, "RestoreBackup")
    package static let forgetBackups = ConnectMethod<
        Baton_Control_V1_ForgetBackupsRequest, Baton_Control_V1_ForgetBackupsResponse
    >(service, "ForgetBackups")
    package static let explainBackupPath = ConnectMethod<
        Baton_Control_V1_ExplainBackupPathRequest, Baton_Control_V1_ExplainBackupPathResponse
    >(service, "ExplainBackupPath")
    package static let explainBackup = ConnectMethod<
        Baton_Control_V1_ExplainBackupRequest, Baton_Control_V1_ExplainResponse
    >(service, "ExplainBackup")
}

/// `baton.control.v1.CloudControlService`
package enum CloudControlMethods {
    package static let service = "baton.control.v1.CloudControlService"

    package static let logInToCloud = ConnectMethod<
        Baton_Control_V1_LogInToCloudRequest, Baton_Control_V1_LogInToCloudResponse
    >(service, "LogInToCloud")
    package static let logOutOfCloud = ConnectMethod<
        Baton_Control_V1_LogOutOfCloudRequest, Baton_Control_V1_LogOutOfCloudResponse
    >(service, "LogOutOfCloud")
    package static let getCloudStatus = ConnectMethod<
        Baton_Control_V1_GetCloudStatusRequest, Baton_Control_V1_GetCloudStatusResponse
    >(service, "GetCloudStatus")
    package static let getCloudUsage = ConnectMethod<
        Baton_Control_V1_GetCloudUsageRequest, Baton_Control_V1_GetCloudUsageResponse
    >(service, "GetCloudUsage")
    package static let explainSync = ConnectMethod<
        Baton_Control_V1_ExplainSyncRequest, Baton_Control_V1_ExplainSyncResponse
    >(service, "ExplainSync")
}

/// `baton.control.v1.ContextService`
package enum ContextMethods {
    package static let service = "baton.control.v1.ContextService"

    package static let getContext = ConnectMethod<
        Baton_Control_V1_GetContextRequest, Baton_Control_V1_GetContextResponse
    >(service, "GetContext")
    package static let listStayPlaces = ConnectMethod<
        Baton_Control_V1_ListStayPlacesRequest, Baton_Control_V1_ListStayPlacesResponse
    >(service, "ListStayPlaces")
    package static let nameStayPlace = ConnectMethod<
        Baton_Control_V1_NameStayPlaceRequest, Baton_Control_V1_NameStayPlaceResponse
    >(service, "NameStayPlace")
    package static let forgetStayPlaces = ConnectMethod<
        Baton_Control_V1_ForgetStayPlacesRequest, Baton_Control_V1_ForgetStayPlacesResponse
    >(service, "ForgetStayPlaces")
}

/// `baton.control.v1.ControlService`
package enum ControlMethods {
    package static let service = "baton.control.v1.ControlService"

    package static let getStatus = ConnectMethod<
        Baton_Control_V1_GetStatusRequest, Baton_Control_V1_GetStatusResponse
    >(service, "GetStatus")
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
    package static let pair = ConnectMethod<
        Baton_Control_V1_PairRequest, Baton_Control_V1_PairingEvent
    >(service, "Pair")
    package static let confirmPairing = ConnectMethod<
        Baton_Control_V1_ConfirmPairingRequest, Baton_Control_V1_ConfirmPairingResponse
    >(service, "ConfirmPairing")
    package static let installApp = ConnectMethod<
        Baton_Control_V1_InstallAppRequest, Baton_Control_V1_InstallAppResponse
    >(service, "InstallApp")
    package static let uninstallApp = ConnectMethod<
        Baton_Control_V1_UninstallAppRequest, Baton_Control_V1_UninstallAppResponse
    >(service, "UninstallApp")
    package static let listApps = ConnectMethod<
        Baton_Control_V1_ListAppsRequest, Baton_Control_V1_ListAppsResponse
    >(service, "ListApps")
    package static let launchApp = ConnectMethod<
        Baton_Control_V1_LaunchAppRequest, Baton_Control_V1_LaunchAppResponse
    >(service, "LaunchApp")
    package static let quitApp = ConnectMethod<
        Baton_Control_V1_QuitAppRequest, Baton_Control_V1_QuitAppResponse
    >(service, "QuitApp")
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
    package static let readLog = ConnectMethod<
        Baton_Control_V1_ReadLogRequest, Baton_Control_V1_LogRecord
    >(service, "ReadLog")
    package static let explain = ConnectMethod<
        Baton_Control_V1_ExplainRequest, Baton_Control_V1_ExplainResponse
    >(service, "Explain")
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
    package static let openItem = ConnectMethod<
        Baton_Control_V1_OpenItemRequest, Baton_Control_V1_OpenItemResponse
    >(service, "OpenItem")
    package static let listHandlers = ConnectMethod<
        Baton_Control_V1_ListHandlersRequest, Baton_Control_V1_ListHandlersResponse
    >(service, "ListHandlers")
    package static let listHandlerDefaults = ConnectMethod<
        Baton_Control_V1_ListHandlerDefaultsRequest, Baton_Control_V1_ListHandlerDefaultsResponse
    >(service, "ListHandlerDefaults")
    package static let setHandlerDefault = ConnectMethod<
        Baton_Control_V1_SetHandlerDefaultRequest, Baton_Control_V1_SetHandlerDefaultResponse
    >(service, "SetHandlerDefault")
    package static let watchQuestions = ConnectMethod<
        Baton_Control_V1_WatchQuestionsRequest, Baton_Control_V1_QuestionNews
    >(service, "WatchQuestions")
    package static let answerQuestion = ConnectMethod<
        Baton_Control_V1_AnswerQuestionRequest, Baton_Control_V1_AnswerQuestionResponse
    >(service, "AnswerQuestion")
    package static let describeType = ConnectMethod<
        Baton_Control_V1_DescribeTypeRequest, Baton_Control_V1_DescribeTypeResponse
    >(service, "DescribeType")
    package static let listSites = ConnectMethod<
        Baton_Control_V1_ListSitesRequest, Baton_Control_V1_ListSitesResponse
    >(service, "ListSites")
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

/// `baton.control.v1.DocumentsService`
package enum DocumentsMethods {
    package static let service = "baton.control.v1.DocumentsService"

    package static let listContainers = ConnectMethod<
        Baton_Control_V1_ListContainersRequest, Baton_Control_V1_ListContainersResponse
    >(service, "ListContainers")
    package static let listDocuments = ConnectMethod<
        Baton_Control_V1_ListDocumentsRequest, Baton_Control_V1_ListDocumentsResponse
    >(service, "ListDocuments")
    package static let changeDocument = ConnectMethod<
        Baton_App_V1_ChangeDocumentRequest, Baton_App_V1_ChangeDocumentResponse
    >(service, "ChangeDocument")
    package static let listVersions = ConnectMethod<
        Baton_App_V1_ListFileVersionsRequest, Baton_App_V1_ListFileVersionsResponse
    >(service, "ListVersions")
    package static let readVersion = ConnectMethod<
        Baton_App_V1_ReadFileVersionRequest, Baton_App_V1_FileVersionPart
    >(service, "ReadVersion")
    package static let changeVersions = ConnectMethod<
        Baton_App_V1_ChangeFileVersionsRequest, Baton_App_V1_ChangeFileVersionsResponse
    >(service, "ChangeVersions")
    package static let decideDeletions = ConnectMethod<
        Baton_Control_V1_DecideDeletionsRequest, Baton_Control_V1_DecideDeletionsResponse
    >(service, "DecideDeletions")
    package static let explainFile = ConnectMethod<
        Baton_Control_V1_ExplainFileRequest, Baton_Control_V1_ExplainResponse
    >(service, "ExplainFile")
    package static let switchDocuments = ConnectMethod<
        Baton_Control_V1_SwitchDocumentsRequest, Baton_Control_V1_SwitchDocumentsResponse
    >(service, "SwitchDocuments")
    package static let addContainer = ConnectMethod<
        Baton_Control_V1_AddContainerRequest, Baton_Control_V1_AddContainerResponse
    >(service, "AddContainer")
    package static let purgeDocuments = ConnectMethod<
        Baton_Control_V1_PurgeDocumentsRequest, Baton_Control_V1_PurgeDocumentsResponse
    >(service, "PurgeDocuments")
}

/// `baton.control.v1.FoldersService`
package enum FoldersMethods {
    package static let service = "baton.control.v1.FoldersService"

    package static let listFolders = ConnectMethod<
        Baton_Control_V1_ListFoldersRequest, Baton_Control_V1_ListFoldersResponse
    >(service, "ListFolders")
    package static let addFolder = ConnectMethod<
        Baton_Control_V1_AddFolderRequest, Baton_Control_V1_AddFolderResponse
    >(service, "AddFolder")
    package static let revertFolder = ConnectMethod<
        Baton_Control_V1_RevertFolderRequest, Baton_Control_V1_RevertFolderResponse
    >(service, "RevertFolder")
    package static let keepContents = ConnectMethod<
        Baton_Control_V1_KeepFolderContentsRequest, Baton_Control_V1_KeepFolderContentsResponse
    >(service, "KeepContents")
    package static let leaveFolder = ConnectMethod<
        Baton_Control_V1_LeaveFolderRequest, Baton_Control_V1_LeaveFolderResponse
    >(service, "LeaveFolder")
    package static let forgetFolder = ConnectMethod<
        Baton_Control_V1_ForgetFolderRequest, Baton_Control_V1_ForgetFolderResponse
    >(service, "ForgetFolder")
}

/// `baton.control.v1.LocationAccessService`
package enum LocationAccessMethods {
    package static let service = "baton.control.v1.LocationAccessService"

    package static let listLocationAccess = ConnectMethod<
        Baton_Control_V1_ListLocationAccessRequest, Baton_Control_V1_ListLocationAccessResponse
    >(service, "ListLocationAccess")
    package static let setLocationAccess = ConnectMethod<
        Baton_Control_V1_SetLocationAccessRequest, Baton_Control_V1_SetLocationAccessResponse
    >(service, "SetLocationAccess")
}

/// `baton.control.v1.MediaControlService`
package enum MediaControlMethods {
    package static let service = "baton.control.v1.MediaControlService"

    package static let listPlayers = ConnectMethod<
        Baton_Control_V1_ListPlayersRequest, Baton_Control_V1_ListPlayersResponse
    >(service, "ListPlayers")
    package static let controlPlayer = ConnectMethod<
        Baton_Control_V1_ControlPlayerRequest, Baton_Control_V1_ControlPlayerResponse
    >(service, "ControlPlayer")
    package static let moveMedia = ConnectMethod<
        Baton_Control_V1_MoveMediaRequest, Baton_Control_V1_MoveMediaResponse
    >(service, "MoveMedia")
}

/// `baton.control.v1.PeopleService`
package enum PeopleMethods {
    package static let service = "baton.control.v1.PeopleService"

    package static let listPeople = ConnectMethod<
        Baton_Control_V1_ListPeopleRequest, Baton_Control_V1_ListPeopleResponse
    >(service, "ListPeople")
    package static let showPerson = ConnectMethod<
        Baton_Control_V1_ShowPersonRequest, Baton_Control_V1_ShowPersonResponse
    >(service, "ShowPerson")
    package static let contactPerson = ConnectMethod<
        Baton_Control_V1_ContactPersonRequest, Baton_Control_V1_ContactPersonResponse
    >(service, "ContactPerson")
    package static let resetPersonDefault = ConnectMethod<
        Baton_Control_V1_ResetPersonDefaultRequest, Baton_Control_V1_ResetPersonDefaultResponse
    >(service, "ResetPersonDefault")
    package static let forgetDonations = ConnectMethod<
        Baton_Control_V1_ForgetDonationsRequest, Baton_Control_V1_ForgetDonationsResponse
    >(service, "ForgetDonations")
}

/// `baton.control.v1.PredictionsService`
package enum PredictionsMethods {
    package static let service = "baton.control.v1.PredictionsService"

    package static let listPredictions = ConnectMethod<
        Baton_Control_V1_ListPredictionsRequest, Baton_Control_V1_ListPredictionsResponse
    >(service, "ListPredictions")
    package static let explainPrediction = ConnectMethod<
        Baton_Control_V1_ExplainPredictionRequest, Baton_Control_V1_ExplainResponse
    >(service, "ExplainPrediction")
    package static let forgetPredictions = ConnectMethod<
        Baton_Control_V1_ForgetPredictionsRequest, Baton_Control_V1_ForgetPredictionsResponse
    >(service, "ForgetPredictions")
    package static let allowPredictions = ConnectMethod<
        Baton_Control_V1_AllowPredictionsRequest, Baton_Control_V1_AllowPredictionsResponse
    >(service, "AllowPredictions")
    package static let answerPrediction = ConnectMethod<
        Baton_Control_V1_AnswerPredictionRequest, Baton_Control_V1_AnswerPredictionResponse
    >(service, "AnswerPrediction")
}

/// `baton.control.v1.ProtectionService`
package enum ProtectionMethods {
    package static let service = "baton.control.v1.ProtectionService"

    package static let getProtection = ConnectMethod<
        Baton_Control_V1_GetProtectionRequest, Baton_Control_V1_ProtectionState
    >(service, "GetProtection")
    package static let setPassphrase = ConnectMethod<
        Baton_Control_V1_SetPassphraseRequest, Baton_Control_V1_ProtectionState
    >(service, "SetPassphrase")
    package static let lock = ConnectMethod<
        Baton_Control_V1_LockRequest, Baton_Control_V1_ProtectionState
    >(service, "Lock")
    package static let unlock = ConnectMethod<
        Baton_Control_V1_UnlockRequest, Baton_Control_V1_ProtectionState
    >(service, "Unlock")
}

/// `baton.control.v1.PublicSearchService`
package enum PublicSearchMethods {
    package static let service = "baton.control.v1.PublicSearchService"

    package static let searchPublic = ConnectMethod<
        Baton_Control_V1_SearchPublicRequest, Baton_Control_V1_SearchPublicResponse
    >(service, "SearchPublic")
    package static let takeBackPublished = ConnectMethod<
        Baton_Control_V1_ForgetRequest, Baton_Control_V1_TakeBackPublishedResponse
    >(service, "TakeBackPublished")
}

/// `baton.control.v1.RecordsControlService`
package enum RecordsControlMethods {
    package static let service = "baton.control.v1.RecordsControlService"

    package static let listRecordContainers = ConnectMethod<
        Baton_Control_V1_ListRecordContainersRequest, Baton_Control_V1_ListRecordContainersResponse
    >(service, "ListRecordContainers")
    package static let showRecords = ConnectMethod<
        Baton_Control_V1_ShowRecordsRequest, Baton_Control_V1_ShowRecordsResponse
    >(service, "ShowRecords")
    package static let resetRecords = ConnectMethod<
        Baton_Control_V1_ResetRecordsRequest, Baton_Control_V1_ResetRecordsResponse
    >(service, "ResetRecords")
    package static let explainRecords = ConnectMethod<
        Baton_Control_V1_ExplainRecordsRequest, Baton_Control_V1_ExplainRecordsResponse
    >(service, "ExplainRecords")
}

/// `baton.control.v1.RemindersService`
package enum RemindersMethods {
    package static let service = "baton.control.v1.RemindersService"

    package static let listReminders = ConnectMethod<
        Baton_Control_V1_ListRemindersRequest, Baton_Control_V1_ListRemindersResponse
    >(service, "ListReminders")
    package static let addReminder = ConnectMethod<
        Baton_Control_V1_AddReminderRequest, Baton_Control_V1_AddReminderResponse
    >(service, "AddReminder")
    package static let answerReminder = ConnectMethod<
        Baton_Control_V1_AnswerReminderRequest, Baton_Control_V1_AnswerReminderResponse
    >(service, "AnswerReminder")
}

/// `baton.control.v1.RequestsService`
package enum RequestsMethods {
    package static let service = "baton.control.v1.RequestsService"

    package static let ask = ConnectMethod<
        Baton_Control_V1_AskRequest, Baton_Control_V1_AskResponse
    >(service, "Ask")
}

/// `baton.control.v1.SearchService`
package enum SearchMethods {
    package static let service = "baton.control.v1.SearchService"

    package static let search = ConnectMethod<
        Baton_Control_V1_SearchRequest, Baton_Control_V1_SearchResponse
    >(service, "Search")
    package static let openResult = ConnectMethod<
        Baton_Control_V1_OpenResultRequest, Baton_Control_V1_OpenResultResponse
    >(service, "OpenResult")
    package static let continueSearch = ConnectMethod<
        Baton_Control_V1_ContinueSearchRequest, Baton_Control_V1_ContinueSearchResponse
    >(service, "ContinueSearch")
    package static let listIndexes = ConnectMethod<
        Baton_Control_V1_ListIndexesRequest, Baton_Control_V1_ListIndexesResponse
    >(service, "ListIndexes")
    package static let explainSearch = ConnectMethod<
        Baton_Control_V1_ExplainSearchRequest, Baton_Control_V1_ExplainSearchResponse
    >(service, "ExplainSearch")
    package static let forget = ConnectMethod<
        Baton_Control_V1_ForgetRequest, Baton_Control_V1_ForgetResponse
    >(service, "Forget")
}

/// `baton.control.v1.SuggestionsService`
package enum SuggestionsMethods {
    package static let service = "baton.control.v1.SuggestionsService"

    package static let listSuggestions = ConnectMethod<
        Baton_Control_V1_ListSuggestionsRequest, Baton_Control_V1_ListSuggestionsResponse
    >(service, "ListSuggestions")
    package static let explainSuggestion = ConnectMethod<
        Baton_Control_V1_ExplainSuggestionRequest, Baton_Control_V1_ExplainResponse
    >(service, "ExplainSuggestion")
    package static let getDirections = ConnectMethod<
        Baton_Control_V1_GetDirectionsRequest, Baton_Control_V1_GetDirectionsResponse
    >(service, "GetDirections")
    package static let rememberPage = ConnectMethod<
        Baton_Control_V1_RememberPageRequest, Baton_Control_V1_RememberPageResponse
    >(service, "RememberPage")
    package static let forgetPlaces = ConnectMethod<
        Baton_Control_V1_ForgetPlacesRequest, Baton_Control_V1_ForgetPlacesResponse
    >(service, "ForgetPlaces")
    package static let offerForField = ConnectMethod<
        Baton_Control_V1_OfferForFieldRequest, Baton_Control_V1_OfferForFieldResponse
    >(service, "OfferForField")
}

/// `baton.link.v1.SyncService`
package enum SyncMethods {
    package static let service = "baton.link.v1.SyncService"

    package static let compareZones = ConnectMethod<
        Baton_Link_V1_CompareZonesRequest, Baton_Link_V1_CompareZonesResponse
    >(service, "CompareZones")
    package static let compareRanges = ConnectMethod<
        Baton_Link_V1_CompareRangesRequest, Baton_Link_V1_CompareRangesResponse
    >(service, "CompareRanges")
    package static let exchangeZone = ConnectMethod<
        Baton_Link_V1_ExchangeZoneRequest, Baton_Link_V1_ExchangeZoneResponse
    >(service, "ExchangeZone")
    package static let giveItems = ConnectMethod<
        Baton_Link_V1_GiveItemsRequest, Baton_Link_V1_GiveItemsResponse
    >(service, "GiveItems")
}

/// `baton.link.v1.DocumentLinkService`
package enum DocumentLinkMethods {
    package static let service = "baton.link.v1.DocumentLinkService"

    package static let findContents = ConnectMethod<
        Baton_Link_V1_FindContentsRequest, Baton_Link_V1_FindContentsResponse
    >(service, "FindContents")
    package static let readRuns = ConnectMethod<
        Baton_Link_V1_ReadRunsRequest, Baton_Link_V1_ReadRunsResponse
    >(service, "ReadRuns")
    package static let readContent = ConnectMethod<
        Baton_Link_V1_ReadContentRequest, Baton_Link_V1_ReadContentPart
    >(service, "ReadContent")
    package static let keepContents = ConnectMethod<
        Baton_Link_V1_KeepContentsRequest, Baton_Link_V1_KeepContentsResponse
    >(service, "KeepContents")
}

/// `baton.link.v1.PresenceService`
package enum PresenceMethods {
    package static let service = "baton.link.v1.PresenceService"

    package static let connect = ConnectMethod<
        Baton_Link_V1_PresenceFrame, Baton_Link_V1_PresenceFrame
    >(service, "Connect")
}

/// `baton.link.v1.HandoffService`
package enum HandoffMethods {
    package static let service = "baton.link.v1.HandoffService"

    package static let fetchPayload = ConnectMethod<
        Baton_Link_V1_FetchPayloadRequest, Baton_Link_V1_FetchPayloadResponse
    >(service, "FetchPayload")
    package static let acknowledgeContinuation = ConnectMethod<
        Baton_Link_V1_AcknowledgeContinuationRequest, Baton_Link_V1_AcknowledgeContinuationResponse
    >(service, "AcknowledgeContinuation")
    package static let explainActivity = ConnectMethod<
        Baton_Link_V1_ExplainActivityRequest, Baton_Link_V1_ExplainActivityResponse
    >(service, "ExplainActivity")
    package static let openStream = ConnectMethod<
        Baton_Link_V1_OpenStreamRequest, Baton_Link_V1_OpenStreamResponse
    >(service, "OpenStream")
}

/// `baton.link.v1.MediaLinkService`
package enum MediaLinkMethods {
    package static let service = "baton.link.v1.MediaLinkService"

    package static let controlMedia = ConnectMethod<
        Baton_Link_V1_ControlMediaRequest, Baton_Link_V1_ControlMediaResponse
    >(service, "ControlMedia")
    package static let giveMedia = ConnectMethod<
        Baton_Link_V1_GiveMediaRequest, Baton_Link_V1_GiveMediaResponse
    >(service, "GiveMedia")
    package static let takeMedia = ConnectMethod<
        Baton_Link_V1_TakeMediaRequest, Baton_Link_V1_TakeMediaResponse
    >(service, "TakeMedia")
}

/// `baton.link.v1.PairingService`
package enum PairingMethods {
    package static let service = "baton.link.v1.PairingService"

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

/// `baton.link.v1.RecordLinkService`
package enum RecordLinkMethods {
    package static let service = "baton.link.v1.RecordLinkService"

    package static let findAssetBlobs = ConnectMethod<
        Baton_Link_V1_FindAssetBlobsRequest, Baton_Link_V1_FindAssetBlobsResponse
    >(service, "FindAssetBlobs")
    package static let readAssetBlob = ConnectMethod<
        Baton_Link_V1_ReadAssetBlobRequest, Baton_Link_V1_ReadAssetBlobResponse
    >(service, "ReadAssetBlob")
}

/// `baton.link.v1.SearchLinkService`
package enum SearchLinkMethods {
    package static let service = "baton.link.v1.SearchLinkService"

    package static let findItems = ConnectMethod<
        Baton_Link_V1_FindItemsRequest, Baton_Link_V1_FindItemsResponse
    >(service, "FindItems")
}

/// `baton.link.v1.TransferService`
package enum TransferMethods {
    package static let service = "baton.link.v1.TransferService"

    package static let offerTransfer = ConnectMethod<
        Baton_Link_V1_OfferTransferRequest, Baton_Link_V1_OfferTransferResponse
    >(service, "OfferTransfer")
    package static let readFiles = ConnectMethod<
        Baton_Link_V1_ReadFilesRequest, Baton_Link_V1_FileParts
    >(service, "ReadFiles")
    package static let finishTransfer = ConnectMethod<
        Baton_Link_V1_FinishTransferRequest, Baton_Link_V1_FinishTransferResponse
    >(service, "FinishTransfer")
}

extension AppPlane {
    /// Those of all methods that apps may call.
    package static let paths: [String] = [
        AttachmentMethods.attach.path,
        AttachmentMethods.completeCommand.path,
        ActivityMethods.updateActivity.path,
        ActivityMethods.resignActivity.path,
        ActivityMethods.invalidateActivity.path,
        SavedActivityMethods.saveForSearch.path,
        SavedActivityMethods.deleteSavedActivities.path,
        ContinuationStreamMethods.openStream.path,
        ContinuationStreamMethods.acceptStream.path,
        ShownContentMethods.updateContext.path,
        KeyValueMethods.openKeyValueStore.path,
        KeyValueMethods.writeKeyValues.path,
        OpeningMethods.openURL.path,
        OpeningMethods.canOpenURL.path,
        OpeningMethods.listDocumentHandlers.path,
        OpeningMethods.openDocument.path,
        QuestionMethods.askPerson.path,
        SharingMethods.shareByAirDrop.path,
        ContactsMethods.getContactAccess.path,
        ContactsMethods.requestContactAccess.path,
        ContactsMethods.fetchContacts.path,
        ContactsMethods.saveContacts.path,
        ContactsMethods.watchContacts.path,
        ContainerMethods.openContainer.path,
        ContainerMethods.watchContainer.path,
        ContainerMethods.changeDocument.path,
        ContainerMethods.listFileVersions.path,
        ContainerMethods.readFileVersion.path,
        ContainerMethods.changeFileVersions.path,
        CoordinationMethods.attachCoordinator.path,
        CoordinationMethods.coordinate.path,
        IdleMethods.keepAwake.path,
        IntentMethods.donateInteraction.path,
        IntentMethods.deleteInteractions.path,
        IntentMethods.offerShortcuts.path,
        LocationMethods.getLocationAccess.path,
        LocationMethods.requestLocationAccess.path,
        LocationMethods.watchLocation.path,
        MediaMethods.updateNowPlaying.path,
        PlaceMethods.lookUpPlaces.path,
        RecordsMethods.openDatabase.path,
        RecordsMethods.getAccountStatus.path,
        RecordsMethods.watchDatabase.path,
        RecordsMethods.modifyZones.path,
        RecordsMethods.fetchZones.path,
        RecordsMethods.fetchDatabaseChanges.path,
        RecordsMethods.modifyRecords.path,
        RecordsMethods.fetchRecords.path,
        RecordsMethods.fetchZoneChanges.path,
        RecordsMethods.writeAsset.path,
        RecordsMethods.readAsset.path,
        RecordsMethods.setSchema.path,
        RecordsMethods.sendRows.path,
        RecordsMethods.fetchRows.path,
        RecordsMethods.listRows.path,
        RecordsMethods.reportHeld.path,
        SpotlightMethods.updateSearchableIndex.path,
        SpotlightMethods.fetchClientState.path,
        SpotlightMethods.querySearchableItems.path,
        SpotlightMethods.reportEngagement.path,
        TextFieldMethods.suggestForField.path,
        WorkspaceMethods.findApps.path,
        WorkspaceMethods.launchApp.path,
    ]
}
