"""Net files: what is written is read, and nothing else is."""

import hashlib
import json
import struct
import subprocess
import sys

import pytest

from cythera.errors import CytheraError, NetError
from cythera.net import file as nets

PAYLOAD = bytes(nets.payload_bytes(32))
WHOLE = nets.to_bytes(32, PAYLOAD, name="quiet", data={"games": 7}, losses={"validation": 0.01})


def with_header(change):
    """A sound file but for a header that was changed."""
    (length,) = struct.unpack_from("<I", WHOLE, 8)
    header = json.loads(WHOLE[12 : 12 + length])
    change(header)
    text = json.dumps(header).encode()
    return nets.MAGIC + struct.pack("<I", len(text)) + text + WHOLE[12 + length :]


def with_payload(payload):
    return nets.to_bytes(32, payload)


def test_a_net_comes_back_as_it_was_written(tmp_path):
    payload = bytes([1, 0]) * 769 * 32 + bytes([127, 0]) * 512 + bytes([0, 0, 255, 255]) * 8
    written = nets.write(tmp_path / "a.net", 32, payload, name="näme", data={"games": 7}, settings={"seed": 1})
    found = nets.read(tmp_path / "a.net")
    assert (found.hidden, found.name, found.payload) == (32, "näme", payload)
    assert found.header["data"] == {"games": 7}
    assert found.header["architecture"] == nets.architecture(32)
    assert found.digest == written.digest == hashlib.sha256(payload).hexdigest()
    assert [path.name for path in tmp_path.iterdir()] == ["a.net"]


@pytest.mark.parametrize("quick", [True, False])
def test_a_net_says_how_many_centipawns_its_output_is(quick):
    assert nets.parse(WHOLE, quick=quick).scale == 400
    other = nets.parse(nets.to_bytes(64, bytes(nets.payload_bytes(64)), scale=160), quick=quick)
    assert (other.hidden, other.scale) == (64, 160)
    assert other.header["architecture"]["scale"] == 160


def test_the_layout_is_the_one_documented():
    (length,) = struct.unpack_from("<I", WHOLE, 8)
    assert WHOLE[:8] == b"CYTHNET\x01"
    assert json.loads(WHOLE[12 : 12 + length])["architecture"]["activation"] == "screlu"
    assert WHOLE[12 + length :] == hashlib.sha256(PAYLOAD).digest() + PAYLOAD
    assert len(PAYLOAD) == 2 * 768 * 32 + 2 * 32 + 2 * 8 * 2 * 32 + 4 * 8


@pytest.mark.parametrize("cut", [1, 7, 8, 11, 12, 40, 300, len(WHOLE) - len(PAYLOAD), len(WHOLE) - 1])
def test_a_file_that_is_cut_off_is_refused(cut):
    with pytest.raises(NetError, match="cut off"):
        nets.parse(WHOLE[:cut])


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is not a net"),
        (b"CYGAMES1" + WHOLE[8:], "is not a net"),
        (b"CYTHNET\x02" + WHOLE[8:], "format 2"),
        (WHOLE + b"\0", "something after its end"),
        (WHOLE[:8] + b"\xff\xff\xff\xff" + WHOLE[12:], "claims to have 4294967295 bytes"),
        (WHOLE[:12] + b"!" + WHOLE[13:], "not JSON"),
        (WHOLE[:12] + b"\xff" + WHOLE[13:], "not JSON"),
        (WHOLE[:-1] + b"\1", "hash"),
        (with_header(lambda header: header.pop("architecture")), "names no architecture"),
        (with_header(lambda header: header.update(architecture=[])), "names no architecture"),
        (with_header(lambda header: header["architecture"].update(activation="relu")), "activation is 'relu'"),
        (with_header(lambda header: header["architecture"].update(king_buckets=4)), "king_buckets is 4"),
        (with_header(lambda header: header["architecture"].pop("qb")), "qb is None"),
        (with_header(lambda header: header["architecture"].update(mirrored=1)), "mirrored is 1"),
        (with_header(lambda header: header["architecture"].update(hidden=48)), "48 hidden units"),
        (with_header(lambda header: header["architecture"].update(scale=20)), "an output of 20 centipawns"),
        (with_header(lambda header: header["architecture"].update(scale=1001)), "an output of 1001 centipawns"),
        (with_header(lambda header: header["architecture"].update(scale=200.0)), "an output of 200.0 centipawns"),
        (with_header(lambda header: header["architecture"].update(hidden="32")), "32 hidden units"),
        (with_header(lambda header: header["architecture"].update(hidden=True)), "True hidden units"),
        (with_header(lambda header: header["architecture"].update(hidden=1024)), "1024 hidden units"),
        (with_header(lambda header: header["architecture"].update(hidden=64)), "cut off"),
        (with_payload(struct.pack("<h", 512) + PAYLOAD[2:]), "a feature weight beyond"),
        (with_payload(struct.pack("<h", -513) + PAYLOAD[2:]), "a feature weight beyond"),
        (with_payload(PAYLOAD[: 2 * 769 * 32] + struct.pack("<h", -128) + PAYLOAD[2 * 769 * 32 + 2 :]), "an output w"),
        (with_payload(PAYLOAD[:-4] + struct.pack("<i", -(2**31))), "an output bias beyond"),
    ],
)
def test_a_file_that_is_not_sound_is_refused_with_a_sentence(content, sentence):
    with pytest.raises(NetError, match=sentence) as caught:
        nets.parse(content, "some.net")
    assert "some.net" in str(caught.value)


def test_the_largest_weights_that_training_makes_are_read():
    edge = struct.pack("<h", 505) + struct.pack("<h", -505) + PAYLOAD[4 : 2 * 769 * 32]
    edge += struct.pack("<h", -127) + struct.pack("<h", 127) + PAYLOAD[2 * 769 * 32 + 4 :]
    assert nets.parse(with_payload(edge)).payload == edge


@pytest.mark.parametrize("weight", [127, -127])
def test_output_weights_that_could_overflow_together_are_refused(weight):
    size = 2 * 512
    payload = bytes(nets.payload_bytes(512))
    at = 2 * 769 * 512 + 2 * size * 3  # the fourth bucket
    most = nets.OUTPUT_SUM_LIMIT // 127
    full = struct.pack(f"<{most}h", *[weight] * most)
    nets.parse(nets.to_bytes(512, payload[:at] + full + payload[at + len(full) :]))
    full += struct.pack("<h", weight)
    with pytest.raises(NetError, match="sum up beyond"):
        nets.parse(nets.to_bytes(512, payload[:at] + full + payload[at + len(full) :]))


def test_a_header_that_nests_too_deep_is_damage_and_no_crash():
    text = b"[" * 200_000
    with pytest.raises(NetError, match="damaged"):
        nets.parse(nets.MAGIC + struct.pack("<I", len(text)) + text + bytes(32))


def test_a_missing_file_and_a_folder_are_sentences(tmp_path):
    with pytest.raises(NetError, match="no such file"):
        nets.read(tmp_path / "none.net")
    with pytest.raises(NetError, match="cannot read"):
        nets.read(tmp_path)
    with pytest.raises(NetError, match="cannot read"):
        nets.read("a\0b")
    assert issubclass(NetError, CytheraError)


def test_what_could_not_be_read_is_not_written(tmp_path):
    path = tmp_path / "a.net"
    path.write_bytes(b"before")
    with pytest.raises(NetError):
        nets.write(path, 32, PAYLOAD[:-1])
    with pytest.raises(NetError):
        nets.write(path, 48, PAYLOAD)
    assert path.read_bytes() == b"before"
    with pytest.raises(NetError, match="cannot write"):
        nets.write(tmp_path / "no" / "a.net", 32, PAYLOAD)


def test_reading_a_net_loads_nothing_heavy(tmp_path):
    nets.write(tmp_path / "a.net", 32, PAYLOAD)
    code = f"from cythera.net.file import read; read({str(tmp_path / 'a.net')!r}); import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not {"numpy", "pathlib", "typing", "dataclasses", "rich", "chess"} & set(done.stdout.split())


def test_a_quick_reading_gives_the_same_net_and_its_header_later(tmp_path):
    path = tmp_path / "a.net"
    nets.write(path, 32, PAYLOAD, name="a", data={"games": 3})
    whole, quick = nets.read(path), nets.read(path, quick=True)
    assert (quick.hidden, quick.payload, quick.digest) == (32, whole.payload, whole.digest)
    assert quick.header == whole.header and quick.name == "a"


def test_a_quick_reading_knows_the_beginning_of_every_header_that_is_written():
    for hidden, scale in ((32, 400), (96, 50), (512, 1000)):
        content = nets.to_bytes(hidden, b"", scale=scale, name="b")
        assert nets.numbers_in_beginning(content[12:]) == (hidden, scale)
    text = nets.to_bytes(32, b"")[12:]
    for other in (b'"hidden": 33', b'"hidden": 5120', b'"hidden": x'):
        assert nets.numbers_in_beginning(text.replace(b'"hidden": 32', other)) is None
    for other in (b'"scale": 49', b'"scale": 4e2', b'"scale": -400'):
        assert nets.numbers_in_beginning(text.replace(b'"scale": 400', other)) is None
    assert nets.numbers_in_beginning(text.replace(b"screlu", b"crelu")) is None


def test_a_quick_reading_of_another_architecture_is_refused_by_the_same_sentence():
    content = nets.to_bytes(32, PAYLOAD).replace(b"screlu", b"mrelu!")
    for quick in (False, True):
        with pytest.raises(NetError, match="activation is 'mrelu!'"):
            nets.parse(content, quick=quick)
