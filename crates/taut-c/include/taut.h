#ifndef TAUT_H
#define TAUT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * Taut: physics for mechanisms and cables under load.
 *
 * - Every function returns a TautStatus but taut_version, taut_last_error and those that return a def. After anything but TAUT_STATUS_OK
 *   taut_last_error() has the words: which value, and what was expected. A call that fails has changed nothing.
 * - Handles of worlds, snapshots and parts are numbers that are checked: NULL (or 0), one that was freed or removed, and one of another
 *   world are errors. All other pointers must be NULL or valid during the call; texts are UTF-8 and end with a zero; arrays have at least
 *   as many elements as is said. NULL where something is needed is an error.
 * - Different worlds may be used by different threads at the same time. A world may go from thread to thread. Of two calls with one world
 *   at the same time the second is refused with TAUT_STATUS_BUSY. The text of taut_last_error belongs to its thread.
 * - A step may use several threads by itself; the option "parallel" switches that off. Results have the same bits either way.
 * - Nothing is thrown across the border.
 * - SI units. Positions and directions are those of the world, rotations are quaternions x, y, z, w.
 */


// What a call came to. `taut_last_error` has the words.
typedef enum TautStatus {
  // It is done.
  TAUT_STATUS_OK = 0,
  // A value was refused; nothing has changed.
  TAUT_STATUS_BAD_INPUT = 1,
  // A handle names nothing: it is NULL, freed, removed, or of another world; nothing has changed.
  TAUT_STATUS_BAD_HANDLE = 2,
  // Another thread is in a call with the same world; nothing has changed.
  TAUT_STATUS_BUSY = 3,
  // The step could not be taken; the world is as it was before.
  TAUT_STATUS_STEP_FAILED = 4,
  // An event of the scene has ended the run: no step was taken.
  TAUT_STATUS_STOPPED = 5,
  // The buffer is too small; the length that is needed was told.
  TAUT_STATUS_TOO_SMALL = 6,
  // An error inside the engine. The world can only be freed. Please report it.
  TAUT_STATUS_INTERNAL = 7,
} TautStatus;

// How a body moves.
typedef enum TautMotion {
  // By the forces on it.
  TAUT_MOTION_DYNAMIC = 0,
  // By the forces on it, without rotation.
  TAUT_MOTION_PARTICLE = 1,
  // Never.
  TAUT_MOTION_FIXED = 2,
  // As it is told, whatever hangs on it.
  TAUT_MOTION_KINEMATIC = 3,
} TautMotion;

// A solid.
typedef enum TautShapeKind {
  // None: a body without extent; no collider.
  TAUT_SHAPE_KIND_NONE = 0,
  // `size` is half the edges, m.
  TAUT_SHAPE_KIND_BOX = 1,
  // `size[0]` is the radius, m.
  TAUT_SHAPE_KIND_BALL = 2,
  // Along y: `size[0]` is the radius, `size[1]` half the length without the caps, m.
  TAUT_SHAPE_KIND_CAPSULE = 3,
  // Along y: `size[0]` is the radius, `size[1]` half the height, m.
  TAUT_SHAPE_KIND_CYLINDER = 4,
  // All that is behind the plane through the body's place; `size` is the plane's normal. Not for bodies that move freely.
  TAUT_SHAPE_KIND_HALF_SPACE = 5,
} TautShapeKind;

// A joint.
typedef enum TautJointKind {
  // Leaves three rotations about a point.
  TAUT_JOINT_KIND_BALL = 0,
  // Leaves the rotation about an axis.
  TAUT_JOINT_KIND_HINGE = 1,
  // Leaves the translation along an axis.
  TAUT_JOINT_KIND_PRISMATIC = 2,
  // Leaves both.
  TAUT_JOINT_KIND_CYLINDRICAL = 3,
  // Leaves two rotations, about `axis` and across it.
  TAUT_JOINT_KIND_UNIVERSAL = 4,
  // Leaves the translations across an axis and the rotation about it.
  TAUT_JOINT_KIND_PLANAR = 5,
  // Leaves nothing.
  TAUT_JOINT_KIND_WELD = 6,
  // A rod between two points.
  TAUT_JOINT_KIND_DISTANCE = 7,
  // A rope between two points: it only pulls.
  TAUT_JOINT_KIND_ROPE = 8,
} TautJointKind;

// A motor.
typedef enum TautMotorKind {
  // None.
  TAUT_MOTOR_KIND_NONE = 0,
  // Keeps a rate.
  TAUT_MOTOR_KIND_RATE = 1,
  // Goes to a target, with a stiffness and a damping.
  TAUT_MOTOR_KIND_SERVO = 2,
} TautMotorKind;

// What a winch does.
typedef enum TautWinding {
  // Hauls in at a speed (m/s; negative: pays out) with at most a pull (N).
  TAUT_WINDING_HAUL = 0,
  // Holds with at most a pull, N; infinite: whatever pulls.
  TAUT_WINDING_BRAKE = 1,
  // Turns freely.
  TAUT_WINDING_FREE = 2,
} TautWinding;

// A world as it was.
typedef struct TautSnapshot TautSnapshot;

// A world.
typedef struct TautWorld TautWorld;

// What a step tells.
typedef struct TautReport {
  // Time after the step, s.
  double time;
  // Energy of motion after the step, J.
  double kinetic;
  // Of height, J.
  double gravity;
  // Of springs and soft joints, J.
  double elastic;
  // Largest opening of a rigid joint, m.
  double max_gap;
  // Sum of the openings of all rigid joints, m.
  double sum_gap;
  // Largest angular error of a rigid joint, rad.
  double max_angle;
  // Largest excess of rigid ropes and limits of length, m.
  double overrun;
  // Largest excess of rigid limits of angle, rad.
  double overrun_angle;
  // Deepest penetration of rigid contacts at the start of the step, m.
  double penetration;
  // Worst relative residual of the linear solve.
  double residual;
  // Residual of rows with bounds, m/s or rad/s.
  double bounded_residual;
  // Change of the energy in the step, J. What follows says where it came from (positive) and went (negative).
  double change;
  // Work of forces, motors and driven bodies, J.
  double work;
  // Damping and friction in joints, J.
  double damping;
  // The stabiliser, J.
  double stabiliser;
  // Joints and ropes beyond what they store, J.
  double constraints;
  // Contacts, J.
  double contacts;
  // Elements of deformables beyond what they store, J.
  double elements;
  // Work of deformables that yield, J.
  double plastic;
  // What broke or was cut held, J.
  double broken;
  // Rope that has run in or out, J.
  double fed;
  // Pieces of rope divided or joined, J.
  double merged;
  // Error of the integration, J.
  double integration;
  // `change` less all of these, J: rounding and the residual of the solve.
  double imbalance;
  // Linear solves of the island with most.
  uint64_t solves;
  // Contact points that push.
  uint64_t contact_points;
  // Joints that broke in the step.
  uint64_t broken_joints;
  // Rows that contradict each other.
  uint64_t conflicts;
} TautReport;

// What a body is made of. Begin with `taut_body_def()`.
typedef struct TautBodyDef {
  // A `TautMotion`.
  int32_t motion;
  // A `TautShapeKind`, with its numbers.
  int32_t shape;
  // Numbers of the shape.
  double size[3];
  // Mass, kg; NaN: that of the shape with its density.
  double mass;
  // Density of the shape, kg/m^3.
  double density;
  // Principal moments of inertia about x, y and z, kg m^2; NaN: those of the shape.
  double inertia[3];
  // Centre of mass, m.
  double position[3];
  // Rotation x, y, z, w.
  double rotation[4];
  // Velocity of the centre of mass, m/s.
  double velocity[3];
  // Angular velocity, rad/s.
  double angular_velocity[3];
  // Damping of the velocity, 1/s.
  double linear_damping;
  // Of the angular velocity, 1/s.
  double angular_damping;
  // How much of gravity it feels.
  double gravity_scale;
  // Whether the shape of a body that moves freely is its collider; that of another always is.
  bool collides;
  // Coefficient of friction.
  double friction;
  // Rebound speed over impact speed, 0 to 1.
  double restitution;
  // Name, or NULL.
  const char *name;
} TautBodyDef;

// Handle of a body or particle; 0 names nothing.
typedef struct TautBody {
  // Number of the handle.
  uint64_t id;
} TautBody;

// What a joint is. Begin with `taut_joint_def()`. Limits, spring, friction and motor are of hinges, prismatic joints and what else leaves
// one thing free; joints that leave several free take theirs through `taut_world_add`.
typedef struct TautJointDef {
  // A `TautJointKind`.
  int32_t kind;
  // The first body.
  struct TautBody first;
  // The second body; motors and limits speak of the first against it.
  struct TautBody second;
  // Where they meet in the world, m; not of rods and ropes, nor is the axis.
  double point[3];
  // The axis, in the world.
  double axis[3];
  // Of rods and ropes: the points on the first and on the second body, m; NaN: their centres.
  double ends[2][3];
  // Of rods and ropes, m; NaN: as it is.
  double length;
  // Give: compliance m/N (rad/(N m)) and damping N s/m (N m s/rad); 0 and 0: rigid.
  double linear[2];
  // The same of its rotations: rad/(N m) and N m s/rad.
  double angular[2];
  // Lower limit, m or rad from where the joint is added; infinite, as the upper one: none.
  double lower;
  // Upper limit.
  double upper;
  // Spring and damper on what it leaves free: N/m (N m/rad), N s/m (N m s/rad); 0 and 0: none.
  double spring[2];
  // Friction, N or N m; 0: none.
  double friction;
  // Inertia that the rates of what it leaves free feel, and nothing else: kg m^2, kg for slides; 0: none.
  double armature;
  // Force (N) and torque (N m) at which it breaks; infinite: never.
  double strength[2];
  // A `TautMotorKind`.
  int32_t motor;
  // Stiffness of a servo, N/m or N m/rad.
  double stiffness;
  // Damping of a servo, N s/m or N m s/rad.
  double damping;
  // Least it pushes with, N or N m; minus infinity: no bound.
  double min_force;
  // Most it pushes with, N or N m; infinite: no bound.
  double max_force;
  // Target that it is told at first, m or rad. With target and rate NaN it is told nothing, and does nothing.
  double target;
  // Rate that it is told at first, m/s or rad/s.
  double rate;
  // Name, or NULL; its motor has it too.
  const char *name;
} TautJointDef;

// Handle of a joint; 0 names nothing.
typedef struct TautJoint {
  // Number of the handle.
  uint64_t id;
} TautJoint;

// Handle of a motor of a joint; 0 names nothing.
typedef struct TautMotor {
  // Number of the handle.
  uint64_t id;
} TautMotor;

// What a collider is. Begin with `taut_collider_def()`.
typedef struct TautColliderDef {
  // Its body; the ground for what stands still.
  struct TautBody body;
  // A `TautShapeKind`, with its numbers.
  int32_t shape;
  // Numbers of the shape.
  double size[3];
  // From the centre of mass of the body along its axes, m.
  double position[3];
  // Rotation x, y, z, w.
  double rotation[4];
  // Coefficient of friction.
  double friction;
  // Rebound speed over impact speed, 0 to 1.
  double restitution;
  // Groups that it is in, as bits: two colliders meet when each is in a group that the other meets.
  uint32_t member;
  // Groups that it meets.
  uint32_t with;
  // It tells what overlaps it and pushes nothing.
  bool sensor;
  // Name, or NULL.
  const char *name;
} TautColliderDef;

// Handle of a collider; 0 names nothing.
typedef struct TautCollider {
  // Number of the handle.
  uint64_t id;
} TautCollider;

// Handle of a constant force, spring or drag; 0 names nothing.
typedef struct TautForce {
  // Number of the handle.
  uint64_t id;
} TautForce;

// Handle of a rope over guides; 0 names nothing.
typedef struct TautRope {
  // Number of the handle.
  uint64_t id;
} TautRope;

// Handle of a winch; 0 names nothing.
typedef struct TautWinch {
  // Number of the handle.
  uint64_t id;
} TautWinch;

// A contact point.
typedef struct TautContact {
  // The first collider.
  struct TautCollider first;
  // The second collider.
  struct TautCollider second;
  // Body of the first.
  struct TautBody first_body;
  // Body of the second.
  struct TautBody second_body;
  // Place, m.
  double point[3];
  // From the first to the second.
  double normal[3];
  // Force on the second, N.
  double force[3];
  // Negative where they overlap, m.
  double distance;
} TautContact;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The words of the last call of this thread that failed; empty when none has. They hold until the next call that fails in this thread.
const char *taut_last_error(void);

// The version of the library, such as "0.1.0".
const char *taut_version(void);

// An empty world with a ground. Its own step is 1/60 s.
enum TautStatus taut_world_new(struct TautWorld **world);

// A scene of the library by its name, as `taut list` tells it, with `count` parameters such as "links=20".
enum TautStatus taut_world_from_scene(const char *name,
                                      const char *const *parameters,
                                      size_t count,
                                      struct TautWorld **world);

// A scene file. Tables and meshes that it names are looked for in its folder.
enum TautStatus taut_world_from_file(const char *path, struct TautWorld **world);

// A scene file as text. Tables and meshes that it names are looked for in `folder`; with NULL it may name none.
enum TautStatus taut_world_from_text(const char *json, const char *folder, struct TautWorld **world);

// Frees a world. Its handle and those of its parts name nothing afterwards.
enum TautStatus taut_world_free(struct TautWorld *world);

// Adds what a scene file describes: bodies, joints, couplings, ropes over sheaves, winches, deformables, forces, colliders of the ground,
// water and wind. It may name bodies, deformables and colliders that are there already; it has no programs, events, settings and outputs.
enum TautStatus taut_world_add(struct TautWorld *world,
                               const char *json);

// Writes the world as a scene file into `buffer`, with a zero at its end, and its length without the zero into `length`. With NULL for
// `buffer` the length is told alone. `taut_world_warnings` tells what a file cannot say.
enum TautStatus taut_world_save(struct TautWorld *world,
                                char *buffer,
                                size_t capacity,
                                size_t *length);

// What was odd about the making, adding to or saving of the world, a line each; empty when nothing was. As `taut_world_save` writes.
enum TautStatus taut_world_warnings(struct TautWorld *world,
                                    char *buffer,
                                    size_t capacity,
                                    size_t *length);

// Advances by `h` seconds. `report` may be NULL.
enum TautStatus taut_world_step(struct TautWorld *world, double h, struct TautReport *report);

// Simulated time, s.
enum TautStatus taut_world_time(const struct TautWorld *world, double *time);

// The step that the scene is meant to be run with, s, and for how long, s.
enum TautStatus taut_world_defaults(const struct TautWorld *world, double *dt, double *time);

// A hash of the state: equal runs have equal ones, on every machine. `taut run --json` has it as `state_hash`.
enum TautStatus taut_world_hash(const struct TautWorld *world, uint64_t *hash);

// Keeps the whole world as it is now, in memory.
enum TautStatus taut_world_snapshot(const struct TautWorld *world, struct TautSnapshot **snapshot);

// Goes back to a snapshot of the same world, whatever was added, removed or broken since; it may be gone back to again. Handles of parts
// that were added since name nothing, or what is added in their place.
enum TautStatus taut_world_restore(struct TautWorld *world,
                                   const struct TautSnapshot *snapshot);

// Frees a snapshot.
enum TautStatus taut_snapshot_free(struct TautSnapshot *snapshot);

// Writes the state of the world and of its events into `buffer`, for a file or another process, and how many bytes that are into `length`.
// With NULL for `buffer` the length is told alone; it does not change before the next step or change of the world.
enum TautStatus taut_world_state_write(const struct TautWorld *world,
                                       uint8_t *buffer,
                                       size_t capacity,
                                       size_t *length);

// Goes on from such bytes, of this world or of one that was built in the same way; damaged bytes, and those of a world with other bodies
// or joints (also where some have broken or been removed since) are refused. Options, masses, limits and constant forces are no part of
// them.
enum TautStatus taut_world_state_read(struct TautWorld *world,
                                      const uint8_t *bytes,
                                      size_t length);

// Changes a setting. `gravity` is three numbers with commas between them (m/s^2); `sleep` and `parallel` are `true` or `false`;
// `coordinates`, `stabiliser`, `solver`, `bounded` and `bounded-tolerance` are as `taut run --help` has them.
enum TautStatus taut_world_set_option(struct TautWorld *world,
                                      const char *name,
                                      const char *value);

// Writes a setting into `buffer` as it can be set, with a zero at its end, and its length without the zero into `length`; `solver` is the
// one that runs.
enum TautStatus taut_world_option(const struct TautWorld *world,
                                  const char *name,
                                  char *buffer,
                                  size_t capacity,
                                  size_t *length);

// A particle to be: dynamic, without shape and mass.
struct TautBodyDef taut_body_def(void);

// Adds a body.
enum TautStatus taut_add_body(struct TautWorld *world, const struct TautBodyDef *def, struct TautBody *body);

// A rigid ball joint at the origin, between no bodies yet.
struct TautJointDef taut_joint_def(void);

// Adds a joint.
enum TautStatus taut_add_joint(struct TautWorld *world, const struct TautJointDef *def, struct TautJoint *joint);

// The motor of a joint that has one.
enum TautStatus taut_motor_of(const struct TautWorld *world, struct TautJoint joint, struct TautMotor *motor);

// A collider without a shape, on no body yet, that meets all others.
struct TautColliderDef taut_collider_def(void);

// Adds a collider.
enum TautStatus taut_add_collider(struct TautWorld *world,
                                  const struct TautColliderDef *def,
                                  struct TautCollider *collider);

// Adds a constant force (three numbers, N) that acts on a body at a point of the world (m; NULL: the centre of mass) and moves with it.
enum TautStatus taut_add_force(struct TautWorld *world,
                               struct TautBody body,
                               const double *vector,
                               const double *point,
                               struct TautForce *force);

// Removes a body with its joints, colliders and forces.
enum TautStatus taut_remove_body(struct TautWorld *world, struct TautBody body);

// Removes a joint with its motors.
enum TautStatus taut_remove_joint(struct TautWorld *world, struct TautJoint joint);

// Removes a collider.
enum TautStatus taut_remove_collider(struct TautWorld *world, struct TautCollider collider);

// Removes a constant force, spring or drag.
enum TautStatus taut_remove_force(struct TautWorld *world, struct TautForce force);

// Removes a rope over guides.
enum TautStatus taut_remove_rope(struct TautWorld *world, struct TautRope rope);

// The body of that name; an error when there is none, or several.
enum TautStatus taut_find_body(const struct TautWorld *world, const char *name, struct TautBody *body);

// The joint of that name; an error when there is none, or several.
enum TautStatus taut_find_joint(const struct TautWorld *world, const char *name, struct TautJoint *joint);

// The motor of that name, or the only motor of the joint of that name.
enum TautStatus taut_find_motor(const struct TautWorld *world, const char *name, struct TautMotor *motor);

// The constant force, spring or drag of that name.
enum TautStatus taut_find_force(const struct TautWorld *world, const char *name, struct TautForce *force);

// The rope over guides of that name. (A rope between two points is a joint.)
enum TautStatus taut_find_rope(const struct TautWorld *world, const char *name, struct TautRope *rope);

// The winch of that name, of a scene file or of what was added by `taut_world_add`.
enum TautStatus taut_find_winch(const struct TautWorld *world, const char *name, struct TautWinch *winch);

// The fixed body at the origin that every world has.
enum TautStatus taut_ground(const struct TautWorld *world, struct TautBody *body);

// Writes the handles of all bodies into `bodies`, the ground first, then in the order in which they were added, and their number into
// `count`. With NULL for `bodies` the number is told alone.
enum TautStatus taut_bodies(const struct TautWorld *world,
                            struct TautBody *bodies,
                            size_t capacity,
                            size_t *count);

// The same of all joints.
enum TautStatus taut_joints(const struct TautWorld *world, struct TautJoint *joints, size_t capacity, size_t *count);

// The same of all motors, by joint.
enum TautStatus taut_motors(const struct TautWorld *world, struct TautMotor *motors, size_t capacity, size_t *count);

// The same of all ropes over guides.
enum TautStatus taut_ropes(const struct TautWorld *world, struct TautRope *ropes, size_t capacity, size_t *count);

// Writes the name of a body into `buffer`, with a zero at its end, and its length without the zero into `length`; empty without a name.
enum TautStatus taut_body_name(const struct TautWorld *world,
                               struct TautBody body,
                               char *buffer,
                               size_t capacity,
                               size_t *length);

// The same of a joint.
enum TautStatus taut_joint_name(const struct TautWorld *world,
                                struct TautJoint joint,
                                char *buffer,
                                size_t capacity,
                                size_t *length);

// The same of a motor.
enum TautStatus taut_motor_name(const struct TautWorld *world,
                                struct TautMotor motor,
                                char *buffer,
                                size_t capacity,
                                size_t *length);

// Poses of `count` bodies, seven numbers each: position of the centre of mass x, y, z (m), rotation x, y, z, w. With NULL for `bodies`
// those of all, in the order of `taut_bodies`.
enum TautStatus taut_read_poses(const struct TautWorld *world,
                                const struct TautBody *bodies,
                                size_t count,
                                double *poses);

// Velocities of bodies, six numbers each: of the centre of mass (m/s), angular (rad/s). `bodies` as for `taut_read_poses`.
enum TautStatus taut_read_velocities(const struct TautWorld *world,
                                     const struct TautBody *bodies,
                                     size_t count,
                                     double *velocities);

// What joints carry, eight numbers each: force on the first body (N), torque on it about the point of the joint (N m), opening (m) and
// pull along the line of a rope, rod or ligament (N; 0 of other joints).
enum TautStatus taut_read_joints(const struct TautWorld *world,
                                 const struct TautJoint *joints,
                                 size_t count,
                                 double *loads);

// Motors, three numbers each: position (m or rad, from where the joint was added), rate (m/s or rad/s), and effort on the first body
// (N or N m).
enum TautStatus taut_read_motors(const struct TautWorld *world,
                                 const struct TautMotor *motors,
                                 size_t count,
                                 double *values);

// Ropes over guides, four numbers each: largest tension (N), length without stretch, what was paid out since the start, slack (m).
enum TautStatus taut_read_ropes(const struct TautWorld *world,
                                const struct TautRope *ropes,
                                size_t count,
                                double *values);

// Writes the contact points that pushed in the last step into `contacts`, and their number into `count`. With NULL for `contacts` the
// number is told alone.
enum TautStatus taut_contacts(const struct TautWorld *world,
                              struct TautContact *contacts,
                              size_t capacity,
                              size_t *count);

// Tells a motor what to do from the next step on: a target (m or rad; servos with stiffness) and a rate (m/s or rad/s). A rate motor has
// no target: give 0.
enum TautStatus taut_set_motor(struct TautWorld *world,
                               struct TautMotor motor,
                               double target,
                               double rate);

// Lets a motor go: it does nothing until it is told something again.
enum TautStatus taut_release_motor(struct TautWorld *world, struct TautMotor motor);

// Tells a winch what to do. `winding` is a `TautWinding`; `speed` (m/s) counts for TAUT_WINDING_HAUL, `force` (N) not for TAUT_WINDING_FREE.
enum TautStatus taut_set_winch(struct TautWorld *world,
                               struct TautWinch winch,
                               int32_t winding,
                               double speed,
                               double force);

// Pays out a rope over guides at its end, m; negative: hauls it in. The ledger has what that does with the joints and ropes.
enum TautStatus taut_pay_out(struct TautWorld *world,
                             struct TautRope rope,
                             double length);

// A force (three numbers, N) on a body during the next step, at a point of the world (three numbers, m; NULL: the centre of mass). Forces
// on a body add up.
enum TautStatus taut_apply_force(struct TautWorld *world,
                                 struct TautBody body,
                                 const double *force,
                                 const double *point);

// A torque (three numbers, N m) on a body during the next step.
enum TautStatus taut_apply_torque(struct TautWorld *world, struct TautBody body, const double *torque);

// Hits a body at once: an impulse (three numbers, N s) at a point of the world (m; NULL: the centre of mass).
enum TautStatus taut_apply_impulse(struct TautWorld *world,
                                   struct TautBody body,
                                   const double *impulse,
                                   const double *point);

// Changes a constant force (N) or torque (N m), three numbers.
enum TautStatus taut_set_force(struct TautWorld *world, struct TautForce force, const double *vector);

// Puts a body elsewhere: seven numbers as `taut_read_poses` has them.
enum TautStatus taut_set_pose(struct TautWorld *world, struct TautBody body, const double *pose);

// Where a kinematic body is to be after the next step: seven numbers as `taut_read_poses` has them.
enum TautStatus taut_set_target(struct TautWorld *world, struct TautBody body, const double *pose);

// Gives a body a velocity: six numbers as `taut_read_velocities` has them.
enum TautStatus taut_set_velocity(struct TautWorld *world, struct TautBody body, const double *velocity);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TAUT_H */
