#pragma once

/* The few functions of IBus and GLib that baton-ibus uses, as their documentation gives them. dev/desktop compiles this file
   behind their own headers, so that a declaration that differs from theirs is an error. */

#ifdef BATON_CHECK_DECLARATIONS
#include <ibus.h>
#else
typedef unsigned int gunichar;
#endif

typedef struct _GClosure GClosure;
typedef struct _GDBusConnection GDBusConnection;
typedef struct _GMainContext GMainContext;
typedef struct _GMainLoop GMainLoop;
typedef struct _IBusBus IBusBus;
typedef struct _IBusEngine IBusEngine;
typedef struct _IBusFactory IBusFactory;
typedef struct _IBusText IBusText;

/* GLib */
GMainLoop *g_main_loop_new(GMainContext *context, int is_running);
void g_main_loop_run(GMainLoop *loop);
void g_main_loop_quit(GMainLoop *loop);
unsigned int g_idle_add_full(int priority, int (*function)(void *), void *data, void (*notify)(void *));
unsigned long g_signal_connect_data(void *instance, const char *signal, void (*handler)(void), void *data,
                                    void (*notify)(void *, GClosure *), unsigned int flags);

/* The bus */
void ibus_init(void);
IBusBus *ibus_bus_new(void);
int ibus_bus_is_connected(IBusBus *bus);
GDBusConnection *ibus_bus_get_connection(IBusBus *bus);
unsigned int ibus_bus_request_name(IBusBus *bus, const char *name, unsigned int flags);

/* Engines */
IBusFactory *ibus_factory_new(GDBusConnection *connection);
IBusEngine *ibus_engine_new(const char *engine_name, const char *object_path, GDBusConnection *connection);
void ibus_engine_commit_text(IBusEngine *engine, IBusText *text);
void ibus_engine_update_auxiliary_text(IBusEngine *engine, IBusText *text, int visible);
void ibus_engine_hide_auxiliary_text(IBusEngine *engine);
void ibus_engine_get_surrounding_text(IBusEngine *engine, IBusText **text, unsigned int *cursor_pos,
                                      unsigned int *anchor_pos);
void ibus_engine_get_content_type(IBusEngine *engine, unsigned int *purpose, unsigned int *hints);

/* Texts and keys */
IBusText *ibus_text_new_from_string(const char *str);
const char *ibus_text_get_text(IBusText *text);
gunichar ibus_keyval_to_unicode(unsigned int keyval);
