"""Optional libraries: whoever needs one that is missing is told which extra brings it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(extra: str, what: str = "this") -> Iterator[None]:
    """Import what the extra `extra` brings inside of this block; `what` needs it.

    Raises ImportError that names the extra if a library is missing.

    >>> with needs("render", "drawing"):
    ...     import no_such_library
    Traceback (most recent call last):
    ImportError: drawing needs the extra 'render': pip install 'nakajima-zoo[render]' (No module named ...)
    """
    try:
        yield
    except ImportError as error:
        if (error.name or "").startswith("nakajima_zoo"):
            raise  # an error of ours
        message = f"{what} needs the extra {extra!r}: pip install 'nakajima-zoo[{extra}]' ({error})"
        raise ImportError(message, name=error.name) from error
