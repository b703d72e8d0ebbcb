//! Scenes, what runs are judged by, the checks, and random worlds.

mod acceptance;
mod anytime;
mod bounded_scenes;
mod checks;
mod contact_checks;
mod energy;
mod fuzz;
mod golden;
mod judge;
mod pairs;
mod paper_scenes;
mod reduced;
mod thesis_scenes;
