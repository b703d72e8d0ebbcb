"""What Taut raises. The messages are the engine's: which input, its value, what was expected."""


class Error(Exception):
    """Something that the engine refuses. The call that raised it has changed nothing."""


class InputError(Error, ValueError):
    """A value was refused where it entered. Has `name`, `value` and `expected`."""


class HandleError(Error, LookupError):
    """A handle names nothing in this world, or nothing any more. Has `what`, `handle` and `expected`."""


class PairingError(Error, ValueError):
    """A stabiliser and a solver do not go together. Has `stabiliser`, `solver` and `expected`."""


class StepError(Error):
    """A step could not be taken; the state is as it was before. Has `time`, `culprit` and `reason`."""


class AssemblyError(Error):
    """The parts could not be brought together; the state is as before. Has `joint`, `gap`, `expected` and `passes`."""


class UnbalancedError(Error, ValueError):
    """Efforts at the given joints cannot do what is asked. Has `joints`, and what is `missing` elsewhere."""


class FileError(Error, ValueError):
    """Something is wrong in a scene file. Has its `path` in the document, and `line` and `column` where they are known."""


class BusyError(Error):
    """The world is in use by another thread at this moment."""
