"""Net files: the weights of a neural evaluation, quantised, with a header that says where they come from.

A file is, little-endian throughout:

    8 bytes     magic, b"CYTHNET" and the version of the format
    4 bytes     length of the header
    …           header, UTF-8 JSON: architecture, name, data, settings, losses
    32 bytes    SHA-256 of the payload
    …           payload: int16 feature weights [king buckets][768][N], int16 feature biases [N],
                int16 output weights [8][2][N], int32 output biases [8]

and nothing after it. docs/training.md says what the numbers mean. The engine reads nets at its start, so
this module uses the standard library only, and as little of it as it can.
"""

import os
import struct

from cythera.common.text import shortened
from cythera.core import (
    NET_BLOCK,
    NET_BUCKETS,
    NET_INPUTS,
    NET_KING_BUCKETS,
    NET_LARGEST,
    NET_QA,
    NET_QB,
    NET_SCALE_LARGEST,
    NET_SCALE_LEAST,
)
from cythera.errors import NetError

MAGIC = b"CYTHNET\x01"
FAMILY = MAGIC[:7]
SCALE = 400  # centipawns of an output of 1.0, unless a net says otherwise
HEADER_LARGEST = 1 << 20
DIGEST_BYTES = 32
WEIGHT_CLIP = 1.98  # of the float weights
FEATURE_LIMIT = 511  # just above WEIGHT_CLIP * NET_QA: 32 pieces and a bias stay within 16 bits
OUTPUT_LIMIT = 127  # WEIGHT_CLIP * NET_QB, rounded: times 255 it stays within 16 bits
OUTPUT_SUM_LIMIT = (2**31 - 1) // NET_QA**2  # of the weights of one sign: all units may be full at once
OUTPUT_BIAS_LIMIT = 1 << 27  # so that 32-bit sums of the output cannot overflow by the bias

# How a header begins, as bytes: `architecture` in JSON, cut where hidden size and scale stand.
BEGINNING = (
    f'{{"architecture": {{"inputs": {NET_INPUTS}, "hidden": '.encode(),
    f', "mirrored": true, "activation": "screlu", "buckets": {NET_BUCKETS}, "qa": {NET_QA}, "qb": {NET_QB}, '
    '"scale": '.encode(),
    b"}, ",
)


# Layouts of king buckets by their number: the bucket of the own king by its square, a1 b1 c1 d1 a2 … d8, as its side
# sees the board and mirrored to the files a to d. A net's header has the layout itself.
KING_LAYOUTS = {
    2: (0, 0, 0, 0, *(1,) * 28),
    4: (0, 0, 1, 1, *(2,) * 4, *(3,) * 24),
    8: (0, 1, 2, 3, 4, 4, 5, 5, *(6,) * 8, *(7,) * 16),
}


def architecture(hidden: int, scale: int = SCALE, kings: tuple[int, ...] = ()) -> dict[str, object]:
    """The architecture as headers tell it; without king buckets it says nothing of them."""
    known: dict[str, object] = {
        "inputs": NET_INPUTS,
        "hidden": hidden,
        "mirrored": True,
        "activation": "screlu",
        "buckets": NET_BUCKETS,
        "qa": NET_QA,
        "qb": NET_QB,
        "scale": scale,
    }
    if kings:
        known["kings"] = list(kings)
    return known


def payload_bytes(hidden: int, king_buckets: int = 1) -> int:
    """The length of the payload of a net with this many hidden units per perspective.

    >>> payload_bytes(32)
    50272
    """
    return 2 * hidden * (king_buckets * NET_INPUTS + 1 + NET_BUCKETS * 2) + 4 * NET_BUCKETS


class Net:
    """A net as it stands in its file. An output of 1.0 is `scale` centipawns; `kings` has the bucket of the own king
    by its square, and is empty for a net without king buckets; `digest` is the SHA-256 of the payload in hexadecimal
    digits."""

    __slots__ = ("_header", "_text", "digest", "hidden", "kings", "payload", "scale")

    def __init__(
        self,
        hidden: int,
        scale: int,
        kings: tuple[int, ...],
        text: bytes,
        header: "dict[str, object] | None",
        payload: bytes,
        digest: str,
    ) -> None:
        self.hidden = hidden
        self.scale = scale
        self.kings = kings
        self.payload = payload
        self.digest = digest
        self._text = text
        self._header = header

    @property
    def header(self) -> dict[str, object]:
        """All the header tells, read when it is first asked for."""
        if self._header is None:
            self._header = header_of(self._text, "the net")
        return self._header

    @property
    def king_buckets(self) -> int:
        return max(self.kings, default=0) + 1

    @property
    def name(self) -> str:
        return str(self.header.get("name", ""))

    def __repr__(self) -> str:
        inputs = f"768×{self.king_buckets}" if self.kings else "768"
        return f"<Net {self.name!r}: ({inputs} → {self.hidden})×2 → 1×8, {self.digest[:12]}>"


def read(path: str | os.PathLike[str], *, quick: bool = False) -> Net:
    """Reads a net; raises NetError with a message if it is missing, cut off, damaged or of another kind.

    With `quick` no more of the header is looked at than the engine needs, as long as it begins as `to_bytes` writes
    it: a parser of JSON costs as much time as all the rest of the engine's start.
    """
    try:
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        raise NetError(f"cannot read {shortened(str(path))}: no such file") from None
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        reason = getattr(error, "strerror", None) or error
        raise NetError(f"cannot read net {shortened(str(path))}: {reason}") from error
    return parse(content, shortened(str(path)), quick=quick)


def parse(content: bytes, source: str = "the net", *, quick: bool = False) -> Net:
    """A net from the bytes of a file; `source` names it in errors, `quick` is as for `read`."""
    from hashlib import sha256

    if content[:7] != FAMILY[: len(content)] or not content:
        raise NetError(f"{source} is not a net of Cythera")
    if len(content) < 12:
        raise NetError(f"{source} is cut off: it has {len(content)} bytes")
    if content[:8] != MAGIC:
        raise NetError(f"{source} is a net in format {content[7]}; this version reads format {MAGIC[7]}")
    (length,) = struct.unpack_from("<I", content, 8)
    at = 12 + length
    if length > HEADER_LARGEST:
        raise NetError(f"{source} is damaged: its header claims to have {length} bytes")
    if len(content) < at + DIGEST_BYTES:
        raise NetError(f"{source} is cut off: it has {len(content)} bytes, and its header alone needs more")
    text, header = content[12:at], None
    numbers = numbers_in_beginning(text) if quick else None
    if numbers is None:
        header = header_of(text, source)
        hidden, scale, kings = checked_architecture(header, source)
    else:
        (hidden, scale), kings = numbers, ()
    payload = content[at + DIGEST_BYTES :]
    wanted = payload_bytes(hidden, max(kings, default=0) + 1)
    if len(payload) != wanted:
        trouble = "is cut off" if len(payload) < wanted else "has something after its end"
        raise NetError(
            f"{source} {trouble}: {len(payload)} bytes of weights, where {hidden} hidden units need {wanted}"
        )
    digest = sha256(payload)
    if digest.digest() != content[at : at + DIGEST_BYTES]:
        raise NetError(f"{source} is damaged: the hash of its weights is not that of its header")
    check_ranges(hidden, payload, source)
    return Net(hidden, scale, kings, text, header, payload, digest.hexdigest())


def header_of(text: bytes, source: str) -> dict[str, object]:
    """A header as an object."""
    import json

    try:
        header = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError):
        raise NetError(f"{source} is damaged: its header is not JSON") from None
    if not isinstance(header, dict):
        raise NetError(f"{source} is damaged: its header names no architecture")
    return header


def numbers_in_beginning(text: bytes) -> tuple[int, int] | None:
    """Hidden size and scale of a header that begins with this version's architecture, as `to_bytes` writes it."""
    first, second, last = BEGINNING
    size, cut, rest = text[:512].removeprefix(first).partition(second)
    scale, end, _ = rest.partition(last)
    if not (text.startswith(first) and cut and end and size.isdigit() and scale.isdigit()):
        return None
    return (int(size), int(scale)) if good_size(int(size)) and good_scale(int(scale)) else None


def checked_architecture(header: dict[str, object], source: str) -> tuple[int, int, tuple[int, ...]]:
    """The hidden size, scale and king buckets a header tells, once all else in its architecture is what this version
    knows."""
    told = header.get("architecture")
    if not isinstance(told, dict):
        raise NetError(f"{source} is damaged: its header names no architecture")
    hidden = told.get("hidden")
    if type(hidden) is not int or not good_size(hidden):
        raise NetError(
            f"{source} has {hidden} hidden units; it can be a multiple of {NET_BLOCK} up to {NET_LARGEST}"
        )
    scale = told.get("scale")
    if type(scale) is not int or not good_scale(scale):
        raise NetError(
            f"{source} has an output of {scale} centipawns; it can be from {NET_SCALE_LEAST} to {NET_SCALE_LARGEST}"
        )
    kings = told.get("kings", [])
    if not isinstance(kings, list) or ("kings" in told and not good_kings(kings)):
        raise NetError(
            f"{source} has king buckets that this version does not know; it can have 32 numbers from 0 on, without "
            f"gaps, below {NET_KING_BUCKETS}"
        )
    known = architecture(hidden, scale, tuple(kings))
    for key in (*known, *told):
        if key not in known or told.get(key) != known[key] or type(told[key]) is not type(known[key]):
            here = f"this version knows {known[key]!r}" if key in known else "this version does not know that"
            raise NetError(f"{source} has an unknown architecture: {key} is {told.get(key)!r}, and {here}")
    return hidden, scale, tuple(kings)


def good_kings(kings: list[object]) -> bool:
    """Whether buckets by the king's square are 32, of one kind at least, and their numbers have no gap."""
    numbers = {number for number in kings if type(number) is int}
    count = len(numbers)
    return (
        len(kings) == 32
        and all(type(number) is int for number in kings)
        and 2 <= count <= NET_KING_BUCKETS
        and numbers == set(range(count))
    )


def good_scale(scale: int) -> bool:
    return NET_SCALE_LEAST <= scale <= NET_SCALE_LARGEST


def good_size(hidden: int) -> bool:
    return NET_BLOCK <= hidden <= NET_LARGEST and hidden % NET_BLOCK == 0


def check_ranges(hidden: int, payload: bytes, source: str) -> None:
    """Weights beyond what training can make would overflow the engine's integers."""
    outputs = len(payload) - 4 * NET_BUCKETS
    features = outputs - 4 * hidden * NET_BUCKETS
    # A 16-bit number is within FEATURE_LIMIT if its high byte is one of four: no need to look at each.
    if payload[1:features:2].translate(None, b"\x00\x01\xfe\xff"):
        raise NetError(f"{source} has a feature weight beyond ±{FEATURE_LIMIT}, which no training makes")
    weights = struct.unpack(f"<{16 * hidden}h", payload[features:outputs])
    if max(map(abs, weights)) > OUTPUT_LIMIT:
        raise NetError(f"{source} has an output weight beyond ±{OUTPUT_LIMIT}, which no training makes")
    for bucket in range(NET_BUCKETS):
        mine = weights[2 * hidden * bucket : 2 * hidden * (bucket + 1)]
        whole, size = sum(mine), sum(map(abs, mine))
        if max(size + whole, size - whole) // 2 > OUTPUT_SUM_LIMIT:  # of those above zero, and of those below
            raise NetError(f"{source} has output weights that sum up beyond ±{OUTPUT_SUM_LIMIT}, too much for 32 bits")
    if max(map(abs, struct.unpack(f"<{NET_BUCKETS}i", payload[outputs:]))) > OUTPUT_BIAS_LIMIT:
        raise NetError(f"{source} has an output bias beyond ±{OUTPUT_BIAS_LIMIT}, which no training makes")


def write(
    path: str | os.PathLike[str],
    hidden: int,
    payload: bytes,
    *,
    scale: int = SCALE,
    kings: tuple[int, ...] = (),
    name: str = "",
    data: dict[str, object] | None = None,
    settings: dict[str, object] | None = None,
    losses: dict[str, object] | None = None,
) -> Net:
    """Writes a net; a file that is there is replaced at once, or not at all. Returns it as read back."""
    content = to_bytes(
        hidden, payload, scale=scale, kings=kings, name=name, data=data, settings=settings, losses=losses
    )
    net = parse(content)  # never write what could not be read
    from cythera.common.files import atomic_write

    try:
        atomic_write(path, content)
    except OSError as error:
        raise NetError(f"cannot write the net {path}: {error.strerror}") from error
    return net


def to_bytes(
    hidden: int,
    payload: bytes,
    *,
    scale: int = SCALE,
    kings: tuple[int, ...] = (),
    name: str = "",
    data: dict[str, object] | None = None,
    settings: dict[str, object] | None = None,
    losses: dict[str, object] | None = None,
) -> bytes:
    """The bytes of a net file."""
    import json
    from hashlib import sha256

    header = {
        "architecture": architecture(hidden, scale, kings),
        "name": name,
        "data": data or {},
        "settings": settings or {},
        "losses": losses or {},
    }
    text = json.dumps(header, ensure_ascii=False, allow_nan=False).encode("utf-8")
    return MAGIC + struct.pack("<I", len(text)) + text + sha256(payload).digest() + payload
