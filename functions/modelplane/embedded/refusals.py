"""Why an API server of the embedded loop says no; each stands for one HTTP answer of the real one."""

from __future__ import annotations


class Refused(Exception):  # noqa: N818  # it is an answer, not an error of this program
    """A request that the API server does not carry out."""


class NotFound(Refused):
    """The object, or the namespace that it should be in, does not exist (404)."""


class Invalid(Refused):
    """The object breaks its schema, a rule, or a field that may not change (422)."""


class Conflict(Refused):
    """The object exists, or is another than the caller thinks (409)."""


class InUse(Refused):
    """A Usage protects the object from deletion (409, by Crossplane's webhook)."""


class Unreachable(Refused):
    """The cluster does not answer."""
