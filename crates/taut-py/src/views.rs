//! What is read of a body, a joint and the rest: views that hold the world and a handle. They look at the world as it is when they are
//! asked. One of something that was removed raises `HandleError`.

use crate::convert::{Free, ToPy, V3};
use crate::error::raise;
use crate::ids::*;
use crate::world::World;
use pyo3::prelude::*;

macro_rules! view {
    ($(#[$doc:meta])* $name:ident($id:ty as $wrapper:ident) by $get:ident {
        gets { $($(#[$gm:meta])* $getter:ident)* }
        lists { $($(#[$lm:meta])* $list:ident)* }
        tries { $($(#[$tm:meta])* $try:ident)* }
        rest { $($rest:tt)* }
    }) => {
        $(#[$doc])*
        #[pyclass(frozen, module = "taut")]
        pub struct $name {
            world: World,
            id: $id,
        }

        impl $name {
            /// Of something that is there.
            pub fn new(world: &World, id: $id) -> PyResult<Self> {
                world.0.lock()?.world.$get(id).map_err(raise)?;
                Ok($name { world: world.clone(), id })
            }
        }

        #[pymethods]
        impl $name {
            /// Its handle.
            #[getter]
            fn id(&self) -> $wrapper {
                $wrapper(self.id)
            }
            $(
                $(#[$gm])*
                #[getter]
                fn $getter(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    self.world.ask(py, |w| Ok(w.$get(self.id)?.$getter().to_py(py)))
                }
            )*
            $(
                $(#[$lm])*
                #[getter]
                fn $list(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    self.world.ask(py, |w| Ok(w.$get(self.id)?.$list().collect::<Vec<_>>()))
                }
            )*
            $(
                $(#[$tm])*
                #[getter]
                fn $try(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    self.world.ask(py, |w| w.$get(self.id)?.$try())
                }
            )*
            $($rest)*
        }
    };
}

impl<T: ToPy> ToPy for PyResult<T> {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self?.to_py(py)
    }
}

view! {
    /// A body as it is now.
    BodyRef(taut::BodyId as BodyId) by body {
        gets {
            /// Its name; empty without one.
            name
            /// How it moves.
            motion
            /// Mass, kg; zero for bodies that do not move freely.
            mass
            /// Inertia about its centre of mass along its own axes, kg m^2; zero for particles and bodies that do not move freely.
            inertia
            /// Mass and inertia together.
            mass_properties
            /// The solid that its mass was made from, about the centre of mass along its own axes; none when only numbers were given.
            solid
            /// Pose of its centre of mass.
            pose
            /// Its centre of mass, world, m.
            position
            /// Its orientation, body to world.
            rotation
            /// Velocity of the centre of mass, m/s. It belongs half a step before the pose.
            velocity
            /// Angular velocity, world frame, rad/s.
            angular_velocity
            /// Momentum, N s.
            momentum
            /// Angular momentum about its centre of mass, N m s.
            angular_momentum
            /// Kinetic energy, J.
            kinetic_energy
            /// Decay rates of linear and angular velocity, 1/s.
            damping
            /// How much of gravity it feels, no unit.
            gravity_scale
            /// What water and wind see of it.
            exposure
            /// How fast it can go, m/s, and turn, rad/s; infinite where nothing holds it.
            top_speed
            /// Directions of the world in which it is locked.
            locks
            /// Whether it takes part.
            is_enabled
            /// Whether it sleeps.
            is_asleep
            /// Whether it moves by the equations of motion.
            is_free
            /// Its colliders, in the order they were added.
            colliders
            /// Force (N) and torque about its centre of mass (N m), world axes, that it was given for the next step.
            load
            /// Where a kinematic body must be after the next step, if it was told.
            target
            /// The number that the user has given it.
            user_data
        }
        lists {}
        tries {}
        rest {
            /// Velocity of the point of the body that is at a point of the world (m) now, m/s.
            fn velocity_at(&self, py: Python<'_>, point: V3) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| Ok(w.body(self.id)?.velocity_at(point.0)))
            }
            fn __repr__(&self) -> PyResult<String> {
                let scene = self.world.0.lock()?;
                let b = scene.world.body(self.id).map_err(raise)?;
                Ok(format!("BodyRef({:?}, '{}', position={:?})", self.id, b.name(), b.position().to_array()))
            }
        }
    }
}

view! {
    /// A joint as it is now.
    JointRef(taut::JointId as JointId) by joint {
        gets {
            /// Its name; empty without one.
            name
            /// Kind, such as "hinge".
            kind
            /// The bodies it joins: i and j.
            bodies
            /// Its frames in the coordinates of the two bodies.
            frames
            /// What can be limited, driven and read of it.
            freedoms
            /// What it can carry before it breaks.
            strength
            /// What it is to be when coordinates are reduced.
            role
            /// Whether it holds anything: it and its bodies are switched on, and one of them moves freely. One that does not carries
            /// no force, has no gap and stores nothing.
            is_active
            /// Whether it is switched on.
            is_enabled
            /// The number that the user has given it.
            user_data
            /// Whether some of its rows were ever found redundant.
            is_redundant
            /// Its origins on the two bodies, world, m.
            points
            /// Its main axis on body i, world, of length 1.
            axis
            /// Multipliers of its rows, N or N m: those of its block, then those with bounds (limits, bounded motors, friction). All
            /// are zero while it holds nothing (`JointRef.is_active`), whatever it goes on with afterwards.
            #[pyo3(name = "lambda_")]
            lambda
            /// Give of its linear and of its angular rows, where it was changed from that of its kind.
            softness
            /// Force and torque on body i about the joint's origin on it, world axes: all that the joint does, motors, limits and
            /// friction included.
            reaction
            /// The same without its motors: what its bearing carries.
            bearing
            /// What `JointRef.reaction` says, in the axes U, V, N of the joint's frame on body i: the reading of a force-torque
            /// sensor.
            wrench
            /// Force on body i, N, world axes.
            force
            /// Torque on body i about the joint's origin on it, N m, world axes.
            torque
            /// Pull of a rod, a rope or a linear drive, N; negative when it pushes. Zero for joints without a row along a line.
            tension
            /// Opening of its linear rows, m; zero while it holds nothing.
            gap
            /// Largest violation of its angular rows, rad; zero while it holds nothing.
            angle
            /// Largest excess over one of its rigid limits, m or rad; zero within all of them, and while it holds nothing.
            excess
            /// Energy stored in its compliance, J; zero while it holds nothing.
            energy
            /// Whole turns of the freedom that goes round beyond those that a joint has which is added here: see `Joint.turns`.
            turns
            /// Its armature, kg m^2 for turns and kg for slides; zero for none.
            armature
            /// What it leaves free, where reduced coordinates can replace its rows.
            chart
        }
        lists {
            /// Its limits, that of a rope first.
            limits
            /// The limits that its kind brings along, as they are now: that of a rope. They come first among `JointRef.limits`.
            own_limits
            /// Its dry friction, in the order it was given.
            frictions
            /// The bounds of its speed, in the order they were given.
            speed_limits
            /// Freedom, position (m, rad) and rate (m/s, rad/s) of all that it leaves free.
            coordinates
        }
        tries {
            /// Where its only freedom is, m or rad from where it was added: the angle of a hinge, the offset of a slide, the length
            /// of a rope. An error for joints with none or several.
            position
            /// How fast its only freedom moves, m/s or rad/s.
            rate
        }
        rest {
            /// Its motors.
            #[getter]
            fn motors(&self) -> PyResult<Vec<MotorRef>> {
                let ids: Vec<_> =
                    self.world.0.lock()?.world.joint(self.id).map_err(raise)?.motors().map(|m| m.id()).collect();
                ids.into_iter().map(|id| MotorRef::new(&self.world, id)).collect()
            }
            /// Where a freedom is, m or rad.
            fn position_of(&self, py: Python<'_>, freedom: Free) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| Ok(w.joint(self.id)?.position_of(freedom.0)))
            }
            /// How fast a freedom moves, m/s or rad/s.
            fn rate_of(&self, py: Python<'_>, freedom: Free) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| Ok(w.joint(self.id)?.rate_of(freedom.0)))
            }
            fn __repr__(&self) -> PyResult<String> {
                let scene = self.world.0.lock()?;
                let j = scene.world.joint(self.id).map_err(raise)?;
                Ok(format!("JointRef({:?}, '{}', {})", self.id, j.name(), j.kind()))
            }
        }
    }
}

view! {
    /// A motor as it is now.
    MotorRef(taut::MotorId as MotorId) by motor {
        gets {
            /// Its name; empty without one.
            name
            /// What it is made of.
            definition
            /// What it drives.
            freedom
            /// How it drives it.
            drive
            /// Where it is, m or rad: body i against body j, from where the joint was added, whole turns counted.
            position
            /// How fast it moves, m/s or rad/s.
            rate
            /// What it pushes body i with, N or N m; zero while it is told nothing or its joint holds nothing.
            effort
            /// Power that it gives, W.
            power
            /// What it is told; nothing until it has been told something.
            command
        }
        lists {}
        tries {}
        rest {}
    }
}

view! {
    /// A coupling as it is now.
    CouplingRef(taut::CouplingId as CouplingId) by coupling {
        gets {
            /// Its name.
            name
            /// What it is, with its freedoms and its offset as they were found when it was added: to be changed and given back to
            /// `World.set_coupling`.
            definition
            /// What the sum is to be.
            offset
            /// How it gives way.
            soft
            /// The sum less the offset, in the unit of the sum.
            error
            /// The generalised force lambda, N or N m per unit of the sum. Freedom k gets ratio_k times that, N or N m; positive
            /// pushes the sum up. Zero while a joint of it, or one of their bodies, is switched off, and while none of them moves
            /// freely.
            force
            /// Energy stored in its compliance, J.
            energy
        }
        lists {
            /// Where its freedoms are, in the order of its terms, m or rad: whole turns are counted.
            positions
        }
        tries {}
        rest {
            /// Force, N, and torque about its centre, N m, on a body.
            fn force_on(&self, py: Python<'_>, body: BodyId) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| w.coupling(self.id)?.force_on(body.0))
            }
        }
    }
}

view! {
    /// A rope over guides as it is now.
    RopeRef(taut::RopeId as RopeId) by rope {
        gets {
            /// Its name.
            name
            /// How many straight spans it has: one more than it touches guides between its ends.
            span_count
            /// Whether it is endless: its last guide is its first.
            is_closed
            /// Tension of its first span, N.
            tension
            /// Length of its way from the start to the end along spans and wraps, m. On a drum it begins where it leaves the drum.
            /// That of an endless rope goes once round.
            path
            /// Rope on the drums that it begins and ends on, m; none where that was not said, and where it is tied to a point.
            stored
            /// By how much its way is longer than the rope is, m: negative when it is slack, what it is stretched by when it is taut.
            excess
            /// Largest fleet angle, rad: how far it is off the plane of a sheave. Above 5 degrees a block should have a swivel.
            fleet
            /// Whether it is so far off the plane of a sheave that a real one would jump its groove.
            is_off_plane
            /// Energy that it has stored by stretching and by torsion, J.
            energy
            /// Twist of the whole rope, rad, whole turns counted: by how much its end is turned against its start about the direction
            /// from start to end, by the right hand, beyond what it was when it was laid, and less what is wound on drums. Zero
            /// without torsion (`Reeving.torsion`), and where an end turns freely.
            twist
            /// Moment of torsion about the rope, N m, in the last step: positive where it turns its end back from a positive twist.
            torque
            /// Whether it touches all guides that it was given and nothing else, and all of them are points and plain circles. Those
            /// that a free end has left do not count. Grips may have passed sheaves.
            is_as_given
            /// Force that would double its length, N; none where it does not stretch.
            stiffness
            /// Torsional stiffness of its section, G J, N m^2; none where it turns freely about itself.
            torsion
            /// Whether it meets colliders as the members of these groups do; none where it meets nothing.
            groups
            /// Its diameter, m.
            thickness
            /// Its length without stretch, m; of a rope on a drum what is off the drum.
            length
            /// By how much it is longer than when it was added, m: what drums and `World.pay_out` have paid out, less what they have
            /// hauled in.
            paid_out
            /// Slack of each span, m: by how much it is longer than straight. Slack that lies between two guides that the rope does
            /// not slip on is shared by their spans as their lengths are.
            slacks
            /// Which of the guides that it was given it passes, in the order of its way as it is now: grips pass sheaves, and those
            /// that ride come behind the sheave. Guides that it has left, and colliders, are not among them; the start of an endless
            /// rope is the first alone.
            order
            /// The particles at its ends where these hang free; they belong to the rope, and go with it.
            free_ends
        }
        lists {
            /// The bodies of its start, of the guides that it touches and of its end.
            bodies
            /// The colliders that it is bent by, in the order of its way.
            colliders
            /// Tension of each span, N.
            tensions
            /// Rate at which it slipped over each guide between its ends in the last step, towards its end, m/s. At guides without
            /// friction, which it always runs over freely, and at those that it cannot slip on, this is zero.
            slips
            /// Straight length of each span, m; zero where guides overlap.
            lengths
            /// Angle of wrap of each guide that it touches between its ends, rad: whole turns are counted. Where it passes through a
            /// ring or over an edge it is the angle between the spans.
            wraps
            /// Tangent points of each span, m.
            ends
            /// Its start, the guides that it touches now, and its end.
            guides
            /// Whether each of the guides that it was given keeps it.
            keepers
            /// The grips that ride on sheaves now, in the order of `RopeMemory.rides`. They are not among its guides.
            riding
        }
        tries {}
        rest {
            /// Length of the rope from its start to where it passes nearest to a point of the world, m.
            fn length_to(&self, py: Python<'_>, point: V3) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| Ok(w.rope(self.id)?.length_to(point.0)))
            }
            /// The point of the rope at a length from its start, m.
            fn point_at(&self, py: Python<'_>, length: f64) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| w.rope(self.id)?.point_at(length))
            }
        }
    }
}

view! {
    /// A rope with mass as it is now.
    HeavyRopeRef(taut::HeavyRopeId as HeavyRopeId) by heavy_rope {
        gets {
            /// Its name.
            name
            /// Its particles, from the feed node to the end.
            nodes
            /// The rods between them, from the feed node to the end.
            links
            /// The rope without mass that leads to the feed node; none out of a locker.
            rope
            /// What is out, from the last guide or the hawse to the end, m.
            out
            /// What is left on the drum or in the locker, m.
            stored
            /// Tension at the guide or hawse, N.
            tension
        }
        lists {
            /// Its particles that are not out: on the drum, in the locker, or left out where it is adaptive. They are switched off.
            waiting
            /// Rope in each piece, from the feed node to the end, m: a segment, or several of them where it is adaptive and tight.
            lengths
            /// Tension of each piece, from the feed node to the end, N.
            tensions
        }
        tries {}
        rest {}
    }
}

view! {
    /// A deformable as it is now.
    DeformableRef(taut::DeformableId as DeformableId) by deformable {
        gets {
            /// Its name; empty without one.
            name
            /// The user's own number.
            user_data
            /// How many nodes it has.
            node_count
            /// How many parts it has that share no node: one, until it was cut or torn apart.
            parts
            /// Stress beyond which it tears, Pa.
            strength
            /// Energy that its elements hold now, J.
            energy
            /// What its elements remember besides the places of their nodes: of a plastic material the permanent deformation of each
            /// point by columns and the sum of its strain, of an incompressible one the pressure of each element, Pa. Nothing of most
            /// materials.
            remembered
            /// The collider that stands for its surface; none without a skin. Its material, groups and the rest can be changed like
            /// those of any collider, and contacts, events and queries name it.
            surface
            /// Half the thickness of its skin, m; zero without one.
            skin
            /// Largest von Mises stress, Pa.
            largest_stress
            /// Smallest ratio of volume (area, length) to that at rest: negative where an element is inverted.
            smallest_ratio
            /// Activation of its fibres, 0 to 1.
            activation
            /// Mass of all its nodes, kg.
            mass
            /// Von Mises stress at each node, Pa: the mean over the points of the elements around it, or of the control points that
            /// carry it.
            stress
            /// Largest von Mises stress of all points, Pa, and smallest volume over that at rest.
            extremes
            /// Largest stretch or compression of any point along any direction, less that at rest, -.
            largest_strain
            /// Volume of its cells now, m^3; of sheets with their thickness at rest, of bars with their cross section.
            volume
            /// The collider that stands for its skin, if it has one.
            skin_collider
        }
        lists {
            /// Where all nodes are, m, in the order of the mesh.
            positions
            /// Strain and stress at all points of all elements.
            outputs
        }
        tries {}
        rest {
            /// The body of a node.
            fn node(&self, py: Python<'_>, k: usize) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| w.deformable(self.id)?.node(k))
            }
            /// Whether a node moves with a body, or is held.
            fn is_bound(&self, py: Python<'_>, k: usize) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| w.deformable(self.id)?.is_bound(k))
            }
            /// Where a node is, m.
            fn position(&self, py: Python<'_>, k: usize) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| w.deformable(self.id)?.position(k))
            }
            /// How fast a node moves, m/s.
            fn velocity(&self, py: Python<'_>, k: usize) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| w.deformable(self.id)?.velocity(k))
            }
            /// What carries a node.
            fn carriers(&self, py: Python<'_>, k: usize) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| w.deformable(self.id)?.carriers(k))
            }
            /// Triangles of its surface, three numbers of nodes each.
            #[getter]
            fn triangles(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| Ok(w.deformable(self.id)?.elements().surface().to_vec()))
            }
        }
    }
}

/// A collider as it is now.
#[pyclass(frozen, module = "taut")]
pub struct ColliderView {
    world: World,
    id: taut::ColliderId,
}

impl ColliderView {
    /// Of one that is there.
    pub fn new(world: &World, id: taut::ColliderId) -> PyResult<Self> {
        world.0.lock()?.world.collider(id).map_err(raise)?;
        Ok(ColliderView { world: world.clone(), id })
    }
}

macro_rules! fields {
    ($($(#[$fm:meta])* $field:ident)*) => {
        #[pymethods]
        impl ColliderView {
            /// Its handle.
            #[getter]
            fn id(&self) -> ColliderId {
                ColliderId(self.id)
            }
            $(
                $(#[$fm])*
                #[getter]
                fn $field(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    self.world.ask(py, |w| Ok(w.collider(self.id)?.$field.to_owned()))
                }
            )*
        }
    };
}
fields! {
    /// The body it is on.
    body
    /// Its shape.
    shape
    /// Its pose in the frame of the body.
    local
    /// Its present pose in the world.
    pose
    /// What its surface is like.
    material
    /// Whom it meets.
    groups
    /// Whether it only tells what overlaps it.
    sensor
    /// Whether it is switched on.
    enabled
    /// A number of the user's own.
    user_data
    /// Its name.
    name
}
