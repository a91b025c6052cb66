#pragma once

/* The few functions of GIO and GLib that Baton uses, as their documentation gives them. GLib's own headers need flags of
   pkg-config that the package manager warns of. */

typedef struct _GAppInfo GAppInfo;

typedef struct {
    unsigned int domain;
    int code;
    char *message;
} GError;

char *g_content_type_guess(const char *filename, const unsigned char *data, unsigned long data_size,
                           int *result_uncertain);
char *g_content_type_get_mime_type(const char *type);
GAppInfo *g_app_info_get_default_for_uri_scheme(const char *uri_scheme);
int g_app_info_launch_default_for_uri(const char *uri, void *context, GError **error);
/* flags: 1 for a program that needs a terminal. */
GAppInfo *g_app_info_create_from_commandline(const char *command, const char *name, int flags, GError **error);
int g_app_info_launch(GAppInfo *info, void *files, void *context, GError **error);
void g_error_free(GError *error);
void g_object_unref(void *object);
void g_free(void *memory);
