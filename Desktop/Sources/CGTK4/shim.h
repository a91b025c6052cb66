#pragma once

/* The few functions of GTK 4 and GLib that baton-desktop uses, as their documentation gives them. Their own headers need
   flags of pkg-config that the package manager refuses. dev/desktop compiles this file behind GTK's headers, so that a
   declaration that differs from theirs is an error. */

#ifdef BATON_CHECK_DECLARATIONS
#include <glib-unix.h>
#include <gtk/gtk.h>
#endif

typedef struct _GBytes GBytes;
typedef struct _GFile GFile;
typedef struct _GListModel GListModel;
typedef struct _GMainContext GMainContext;
typedef struct _GMainLoop GMainLoop;
typedef struct _GClosure GClosure;
typedef struct _GdkTexture GdkTexture;
typedef struct _GdkDisplay GdkDisplay;
typedef struct _GdkMonitor GdkMonitor;
typedef struct _GdkPaintable GdkPaintable;
typedef struct _GtkAccessible GtkAccessible;
typedef struct _GtkBox GtkBox;
typedef struct _GtkButton GtkButton;
typedef struct _GtkEditable GtkEditable;
typedef struct _GtkEntry GtkEntry;
typedef struct _GtkEventController GtkEventController;
typedef struct _GtkFileChooser GtkFileChooser;
typedef struct _GtkFileChooserNative GtkFileChooserNative;
typedef struct _GtkImage GtkImage;
typedef struct _GtkLabel GtkLabel;
typedef struct _GtkNativeDialog GtkNativeDialog;
typedef struct _GtkPicture GtkPicture;
typedef struct _GtkScrolledWindow GtkScrolledWindow;
typedef struct _GtkWidget GtkWidget;
typedef struct _GtkWindow GtkWindow;

#ifndef BATON_CHECK_DECLARATIONS
typedef struct {
    unsigned int domain;
    int code;
    char *message;
} GError;
typedef struct {
    unsigned long type;
    unsigned long long data[2];
} GValue;
#endif

/* GLib */
void g_set_prgname(const char *name);
void g_set_application_name(const char *name);
GMainLoop *g_main_loop_new(GMainContext *context, int is_running);
void g_main_loop_run(GMainLoop *loop);
void g_main_loop_quit(GMainLoop *loop);
unsigned int g_timeout_add_full(int priority, unsigned int milliseconds, int (*function)(void *), void *data,
                                void (*notify)(void *));
unsigned int g_unix_fd_add_full(int priority, int descriptor, unsigned int condition,
                                int (*function)(int, unsigned int, void *), void *data, void (*notify)(void *));
int g_source_remove(unsigned int source);
unsigned long g_signal_connect_data(void *instance, const char *signal, void (*handler)(void), void *data,
                                    void (*notify)(void *, GClosure *), unsigned int flags);
void g_object_unref(void *object);
void g_free(void *memory);
void g_error_free(GError *error);
GBytes *g_bytes_new(const void *data, unsigned long size);
void g_bytes_unref(GBytes *bytes);
GValue *g_value_init(GValue *value, unsigned long type);
void g_value_set_string(GValue *value, const char *text);
void g_value_unset(GValue *value);

/* GIO */
GFile *g_file_new_for_path(const char *path);
char *g_file_get_path(GFile *file);
void *g_list_model_get_item(GListModel *list, unsigned int position);

/* GDK */
GdkDisplay *gdk_display_get_default(void);
GListModel *gdk_display_get_monitors(GdkDisplay *display);
int gdk_monitor_get_scale_factor(GdkMonitor *monitor);
GdkTexture *gdk_texture_new_from_bytes(GBytes *bytes, GError **error);
int gdk_texture_get_width(GdkTexture *texture);
int gdk_texture_get_height(GdkTexture *texture);

/* GTK */
int gtk_init_check(void);
void gtk_accessible_update_property_value(GtkAccessible *self, int count, unsigned int properties[],
                                          const GValue values[]);

GtkWidget *gtk_window_new(void);
void gtk_window_set_title(GtkWindow *window, const char *title);
void gtk_window_set_default_size(GtkWindow *window, int width, int height);
void gtk_window_set_child(GtkWindow *window, GtkWidget *child);
void gtk_window_set_decorated(GtkWindow *window, int is_decorated);
void gtk_window_set_resizable(GtkWindow *window, int is_resizable);
void gtk_window_set_default_widget(GtkWindow *window, GtkWidget *widget);
void gtk_window_present(GtkWindow *window);
void gtk_window_destroy(GtkWindow *window);

void gtk_widget_add_controller(GtkWidget *widget, GtkEventController *controller);
void gtk_widget_add_css_class(GtkWidget *widget, const char *name);
int gtk_widget_grab_focus(GtkWidget *widget);
void gtk_widget_set_focusable(GtkWidget *widget, int is_focusable);
void gtk_widget_set_hexpand(GtkWidget *widget, int expands);
void gtk_widget_set_vexpand(GtkWidget *widget, int expands);
void gtk_widget_set_margin_bottom(GtkWidget *widget, int margin);
void gtk_widget_set_margin_end(GtkWidget *widget, int margin);
void gtk_widget_set_margin_start(GtkWidget *widget, int margin);
void gtk_widget_set_margin_top(GtkWidget *widget, int margin);
void gtk_widget_set_sensitive(GtkWidget *widget, int is_sensitive);
void gtk_widget_set_visible(GtkWidget *widget, int is_visible);

GtkWidget *gtk_box_new(unsigned int orientation, int spacing);
void gtk_box_append(GtkBox *box, GtkWidget *child);
GtkWidget *gtk_button_new(void);
GtkWidget *gtk_button_new_with_label(const char *label);
void gtk_button_set_child(GtkButton *button, GtkWidget *child);
void gtk_button_set_label(GtkButton *button, const char *label);
GtkWidget *gtk_label_new(const char *text);
void gtk_label_set_wrap(GtkLabel *label, int wraps);
void gtk_label_set_xalign(GtkLabel *label, float alignment);
void gtk_label_set_max_width_chars(GtkLabel *label, int count);
void gtk_label_set_ellipsize(GtkLabel *label, unsigned int mode);
GtkWidget *gtk_image_new_from_file(const char *path);
GtkWidget *gtk_image_new_from_icon_name(const char *name);
GtkWidget *gtk_image_new_from_paintable(GdkPaintable *paintable);
void gtk_image_set_pixel_size(GtkImage *image, int size);
GtkWidget *gtk_picture_new_for_paintable(GdkPaintable *paintable);
void gtk_picture_set_can_shrink(GtkPicture *picture, int can_shrink);
GtkWidget *gtk_scrolled_window_new(void);
void gtk_scrolled_window_set_child(GtkScrolledWindow *window, GtkWidget *child);
void gtk_scrolled_window_set_max_content_height(GtkScrolledWindow *window, int height);
void gtk_scrolled_window_set_policy(GtkScrolledWindow *window, unsigned int horizontal, unsigned int vertical);
void gtk_scrolled_window_set_propagate_natural_height(GtkScrolledWindow *window, int propagates);
GtkWidget *gtk_entry_new(void);
void gtk_entry_set_activates_default(GtkEntry *entry, int activates);
void gtk_entry_set_placeholder_text(GtkEntry *entry, const char *text);
const char *gtk_editable_get_text(GtkEditable *editable);
void gtk_editable_set_text(GtkEditable *editable, const char *text);
void gtk_editable_set_position(GtkEditable *editable, int position);
GtkEventController *gtk_event_controller_focus_new(void);
GtkEventController *gtk_event_controller_key_new(void);

GtkFileChooserNative *gtk_file_chooser_native_new(const char *title, GtkWindow *parent, unsigned int action,
                                                  const char *accept, const char *cancel);
GFile *gtk_file_chooser_get_file(GtkFileChooser *chooser);
int gtk_file_chooser_set_current_folder(GtkFileChooser *chooser, GFile *folder, GError **error);
void gtk_native_dialog_show(GtkNativeDialog *dialog);
void gtk_native_dialog_destroy(GtkNativeDialog *dialog);
