// D-Bus activation of a trivial service, the baseline of launching an app to open something.
//
//     activation serve       owns the name and ends at the first call
//     activation stay        owns the name, and answers until it is ended
//     activation call COUNT  prints the nanoseconds from a call until the answer of the service that the bus started for it
//     activation ask NAME PATH INTERFACE MEMBER COUNT
//                            prints the nanoseconds of each call of a method without arguments
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

static const char *const name = "dev.baton.Benchmark.Trivial";
static const char *const path = "/dev/baton/Benchmark/Trivial";
static int isDone = 0, stays = 0;

static int answer(sd_bus_message *message, void *data, sd_bus_error *error) {
    (void)data;
    (void)error;
    isDone = !stays;
    return sd_bus_reply_method_return(message, "");
}

static const sd_bus_vtable methods[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Open", "", "", answer, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

static int serve(sd_bus *bus) {
    if (sd_bus_add_object_vtable(bus, NULL, path, name, methods, NULL) < 0) return 1;
    if (sd_bus_request_name(bus, name, 0) < 0) return 1;
    while (!isDone) {
        int result = sd_bus_process(bus, NULL);
        if (result < 0) return 1;
        if (result == 0) sd_bus_wait(bus, UINT64_MAX);
    }
    return sd_bus_flush(bus) < 0;
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// Whether the service before has left the bus.
static int isOwned(sd_bus *bus) {
    sd_bus_creds *owner = NULL;
    int result = sd_bus_get_name_creds(bus, name, 0, &owner);
    sd_bus_creds_unref(owner);
    return result >= 0;
}

static int ask(sd_bus *bus, char **words) {
    for (int number = 0; number < atoi(words[4]); number++) {
        long long begin = now();
        if (sd_bus_call_method(bus, words[0], words[1], words[2], words[3], NULL, NULL, "") < 0) return 1;
        printf("%lld\n", now() - begin);
    }
    return 0;
}

int main(int count, char **words) {
    sd_bus *bus = NULL;
    if (count < 2 || sd_bus_open_user(&bus) < 0) return 1;
    stays = strcmp(words[1], "stay") == 0;
    if (stays || strcmp(words[1], "serve") == 0) return serve(bus);
    if (count == 7) return ask(bus, words + 2);
    if (count < 3) return 1;
    for (int number = 0; number < atoi(words[2]); number++) {
        while (isOwned(bus)) usleep(1000);
        long long begin = now();
        if (sd_bus_call_method(bus, name, path, name, "Open", NULL, NULL, "") < 0) return 1;
        printf("%lld\n", now() - begin);
    }
    return 0;
}
