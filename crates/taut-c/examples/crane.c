/* A crane in C: a boom on a motor lifts two tonnes on a chain of light links and puts them down.
 *
 *     cargo build --release -p taut-c
 *     cc -O2 crates/taut-c/examples/crane.c -I crates/taut-c/include -L target/release -ltaut_c -o crane
 *     LD_LIBRARY_PATH=target/release ./crane
 *
 *     crane                      builds the crane from code, runs it for 10 s, goes back and runs it again
 *     crane --scene NAME STEPS   runs a scene of the library
 *     crane --file FILE STEPS    runs a scene file
 *     crane --time               prints what a step and a call cost
 */
#define _POSIX_C_SOURCE 199309L
#include "taut.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINKS = 10, STEPS = 600 };

/* Ends the program where a call failed. */
static void check(TautStatus status, const char *what) {
    if (status == TAUT_STATUS_OK) return;
    fprintf(stderr, "%s: error %d: %s\n", what, (int)status, taut_last_error());
    exit(1);
}

#define TRY(call) check((call), #call)

typedef struct Crane {
    TautWorld *world;
    TautBody load;
    TautJoint hook;
    TautMotor hoist;
} Crane;

static TautBody body(TautWorld *world, TautBodyDef def) {
    TautBody made;
    TRY(taut_add_body(world, &def, &made));
    return made;
}

static TautJoint joint(TautWorld *world, TautJointDef def) {
    TautJoint made;
    TRY(taut_add_joint(world, &def, &made));
    return made;
}

static Crane build(void) {
    Crane crane;
    TRY(taut_world_new(&crane.world));
    TautBody ground;
    TRY(taut_ground(crane.world, &ground));

    /* A floor, as the collider of the ground. */
    TautColliderDef floor = taut_collider_def();
    TautCollider made;
    floor.body = ground;
    floor.shape = TAUT_SHAPE_KIND_HALF_SPACE;
    floor.size[1] = 1.0;
    TRY(taut_add_collider(crane.world, &floor, &made));

    /* A boom of 12 m and 3 t, level, on a hinge 8 m above the ground. */
    TautBodyDef boom = taut_body_def();
    boom.name = "boom";
    boom.shape = TAUT_SHAPE_KIND_BOX;
    boom.size[0] = 6.0;
    boom.size[1] = boom.size[2] = 0.3;
    boom.mass = 3000.0;
    boom.position[0] = 6.0;
    boom.position[1] = 8.0;
    TautBody last = body(crane.world, boom);

    TautJointDef foot = taut_joint_def();
    foot.name = "foot";
    foot.kind = TAUT_JOINT_KIND_HINGE;
    foot.first = last;
    foot.second = ground;
    foot.point[1] = 8.0;
    foot.axis[1] = 0.0;
    foot.axis[2] = 1.0;
    foot.lower = -0.5;
    foot.upper = 1.2;
    foot.motor = TAUT_MOTOR_KIND_SERVO;
    foot.stiffness = 5e6;
    foot.damping = 2e6;
    foot.target = 0.0;
    TRY(taut_motor_of(crane.world, joint(crane.world, foot), &crane.hoist));

    /* Links of 0.4 m and 0.2 kg down from its tip. */
    TautJointDef pin = taut_joint_def();
    pin.kind = TAUT_JOINT_KIND_BALL;
    pin.point[0] = 12.0;
    pin.point[1] = 8.0;
    for (int k = 0; k < LINKS; k++) {
        TautBodyDef link = taut_body_def();
        link.shape = TAUT_SHAPE_KIND_CAPSULE;
        link.size[0] = 0.02;
        link.size[1] = 0.18;
        link.mass = 0.2;
        link.position[0] = 12.0;
        link.position[1] = pin.point[1] - 0.2;
        pin.second = last;
        pin.first = last = body(crane.world, link);
        joint(crane.world, pin);
        pin.point[1] -= 0.4;
    }

    /* The load, ten thousand times as heavy as a link. */
    TautBodyDef load = taut_body_def();
    load.name = "load";
    load.shape = TAUT_SHAPE_KIND_BOX;
    load.size[0] = load.size[1] = load.size[2] = 0.5;
    load.mass = 2000.0;
    load.collides = true;
    load.position[0] = 12.0;
    load.position[1] = pin.point[1] - 0.5;
    crane.load = body(crane.world, load);
    pin.name = "hook";
    pin.second = last;
    pin.first = crane.load;
    crane.hook = joint(crane.world, pin);

    /* All else in the words of a scene file: the air takes a little from the load. */
    TRY(taut_world_add(crane.world,
                       "{\"taut\": 1, \"forces\": [{\"type\": \"drag\", \"body\": \"load\", \"damping\": 50}]}"));
    return crane;
}

/* Up in the first five seconds, down in the next. */
static TautReport run(const Crane *crane, int steps) {
    TautReport report;
    memset(&report, 0, sizeof report);
    for (int k = 0; k < steps; k++) {
        TRY(taut_set_motor(crane->world, crane->hoist, k < 300 ? 0.4 : -0.4, 0.0));
        TRY(taut_world_step(crane->world, 1.0 / 60.0, &report));
    }
    return report;
}

static uint64_t hash(const TautWorld *world) {
    uint64_t bits;
    TRY(taut_world_hash(world, &bits));
    return bits;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The least time of a call, in microseconds, over many rounds of so many. */
#define LEAST(rounds, count, call)                            \
    do {                                                      \
        least = 1e30;                                         \
        for (int r = 0; r < (rounds); r++) {                  \
            double before = seconds();                        \
            for (int n = 0; n < (count); n++) TRY(call);      \
            double took = (seconds() - before) / (count);     \
            if (took < least) least = took;                   \
        }                                                     \
        least *= 1e6;                                         \
    } while (0)

static void measure(void) {
    Crane crane = build();
    size_t bodies;
    TRY(taut_bodies(crane.world, NULL, 0, &bodies));
    double *poses = (double *)malloc(7 * bodies * sizeof *poses);
    double least, time;
    LEAST(50, 20, taut_world_step(crane.world, 1.0 / 60.0, NULL));
    printf("a step of %zu bodies: %.2f us\n", bodies - 1, least);
    LEAST(50, 1000, taut_world_time(crane.world, &time));
    printf("a call alone: %.3f us\n", least);
    LEAST(50, 1000, taut_set_motor(crane.world, crane.hoist, 0.0, 0.0));
    printf("a command of a motor: %.3f us\n", least);
    LEAST(50, 1000, taut_read_poses(crane.world, NULL, bodies, poses));
    printf("poses of all bodies: %.3f us\n", least);
    free(poses);
    TRY(taut_world_free(crane.world));
}

/* Handles that name nothing are errors, and no more. */
static void refuse(const Crane *crane) {
    TautBodyDef wrong = taut_body_def();
    TautBody none = {0};
    wrong.motion = TAUT_MOTION_PARTICLE;
    wrong.mass = -1.0;
    if (taut_add_body(crane->world, &wrong, &none) != TAUT_STATUS_BAD_INPUT) exit(2);
    printf("refused: %s\n", taut_last_error());
    if (taut_remove_body(crane->world, none) != TAUT_STATUS_BAD_HANDLE) exit(2);
    if (taut_world_step(NULL, 0.01, NULL) != TAUT_STATUS_BAD_HANDLE) exit(2);
}

static void demonstrate(void) {
    Crane crane = build();
    TautSnapshot *start;
    TRY(taut_world_snapshot(crane.world, &start));
    TautReport report = run(&crane, STEPS);
    double pose[7], carried[8];
    TRY(taut_read_poses(crane.world, &crane.load, 1, pose));
    TRY(taut_read_joints(crane.world, &crane.hook, 1, carried));
    printf("%.2f s: load at %.3f m, the hook carries %.0f N, largest gap %.1e m\n", report.time, pose[1], -carried[1],
           report.max_gap);
    uint64_t first = hash(crane.world);

    /* The state of the middle as bytes goes to another crane, which ends where this one did. */
    TRY(taut_world_restore(crane.world, start));
    run(&crane, 300);
    size_t size;
    TRY(taut_world_state_write(crane.world, NULL, 0, &size));
    uint8_t *bytes = (uint8_t *)malloc(size);
    TRY(taut_world_state_write(crane.world, bytes, size, &size));
    Crane other = build();
    TRY(taut_world_state_read(other.world, bytes, size));
    for (int k = 300; k < STEPS; k++) {
        TRY(taut_set_motor(other.world, other.hoist, -0.4, 0.0));
        TRY(taut_world_step(other.world, 1.0 / 60.0, NULL));
    }
    if (hash(other.world) != first) exit(2);
    refuse(&crane);
    bytes[size / 2] ^= 1;
    if (taut_world_state_read(other.world, bytes, size) != TAUT_STATUS_BAD_INPUT) exit(2);
    free(bytes);

    TRY(taut_snapshot_free(start));
    TRY(taut_world_free(other.world));
    TRY(taut_world_free(crane.world));
    if (taut_world_free(crane.world) != TAUT_STATUS_BAD_HANDLE) exit(2);
    printf("state %016" PRIx64 "\n", first);
}

int main(int count, char **words) {
    printf("Taut %s\n", taut_version());
    if (count == 2 && strcmp(words[1], "--time") == 0) {
        measure();
    } else if (count == 4) {
        TautWorld *world;
        TautReport report;
        double dt, time;
        memset(&report, 0, sizeof report);
        if (strcmp(words[1], "--scene") == 0) {
            TRY(taut_world_from_scene(words[2], NULL, 0, &world));
        } else {
            TRY(taut_world_from_file(words[2], &world));
        }
        TRY(taut_world_defaults(world, &dt, &time));
        for (int k = 0; k < atoi(words[3]); k++) TRY(taut_world_step(world, dt, &report));
        printf("%.4f s: largest gap %.1e m\nstate %016" PRIx64 "\n", report.time, report.max_gap, hash(world));
        TRY(taut_world_free(world));
    } else {
        demonstrate();
    }
    return 0;
}
