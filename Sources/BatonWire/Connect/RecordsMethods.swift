/// `baton.app.v1.RecordsService`
package enum RecordsMethods {
    private static let service = "baton.app.v1.RecordsService"

    package static let openDatabase = ConnectMethod<
        Baton_App_V1_OpenDatabaseRequest, Baton_App_V1_OpenDatabaseResponse
    >(service, "OpenDatabase")
    package static let getAccountStatus = ConnectMethod<
        Baton_App_V1_GetAccountStatusRequest, Baton_App_V1_GetAccountStatusResponse
    >(service, "GetAccountStatus")
    package static let watchDatabase = ConnectMethod<Baton_App_V1_WatchDatabaseRequest, Baton_App_V1_DatabaseNews>(
        service, "WatchDatabase")

    package static let modifyZones = ConnectMethod<Baton_App_V1_ModifyZonesRequest, Baton_App_V1_ModifyZonesResponse>(
        service, "ModifyZones")
    package static let fetchZones = ConnectMethod<Baton_App_V1_FetchZonesRequest, Baton_App_V1_FetchZonesResponse>(
        service, "FetchZones")
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

    package static let writeAsset = ConnectMethod<Baton_App_V1_WriteAssetRequest, Baton_App_V1_WriteAssetResponse>(
        service, "WriteAsset")
    package static let readAsset = ConnectMethod<Baton_App_V1_ReadAssetRequest, Baton_App_V1_AssetPart>(
        service, "ReadAsset")

    package static let setSchema = ConnectMethod<Baton_App_V1_SetSchemaRequest, Baton_App_V1_SetSchemaResponse>(
        service, "SetSchema")
    package static let sendRows = ConnectMethod<Baton_App_V1_SendRowsRequest, Baton_App_V1_SendRowsResponse>(
        service, "SendRows")
    package static let fetchRows = ConnectMethod<Baton_App_V1_FetchRowsRequest, Baton_App_V1_FetchRowsResponse>(
        service, "FetchRows")
    package static let listRows = ConnectMethod<Baton_App_V1_ListRowsRequest, Baton_App_V1_ListRowsResponse>(
        service, "ListRows")
    package static let reportHeld = ConnectMethod<Baton_App_V1_ReportHeldRequest, Baton_App_V1_ReportHeldResponse>(
        service, "ReportHeld")
}

/// `baton.control.v1.RecordsControlService`
package enum RecordsControlMethods {
    private static let service = "baton.control.v1.RecordsControlService"

    package static let listContainers = ConnectMethod<
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
