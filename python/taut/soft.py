"""Meshes and materials of deformables."""

from ._taut import soft as _soft

Mesh = _soft.Mesh
Material = _soft.Material
Law = _soft.Law
Plasticity = _soft.Plasticity
Fibre = _soft.Fibre

__all__ = ["Mesh", "Material", "Law", "Plasticity", "Fibre"]
