"""Games as PGN: the text of one game, and a file that never holds half a game."""

import contextlib
import os
import textwrap
from pathlib import Path

import chess
import chess.pgn

from cythera.match.game_data import GameRecord, MoveRecord
from cythera.match.match_errors import MatchError

PROBE_BYTES = 65536  # enough for a few games
DETAILS = ("seldepth", "nodes", "nps", "left", "pv")  # what can be added to the comment of a move


def comment(move: MoveRecord, board: chess.Board | None = None, details: tuple[str, ...] = ()) -> str:
    """Score from the mover's side, depth and time, as other tools write and read it: `+0.35/12 0.081s`.

    `details` are added as `key=value`; the line, in SAN, needs the board before the move.
    """
    parts = [_score_depth_time(move)]
    values = {
        "seldepth": move.seldepth,
        "nodes": move.nodes,
        "nps": round(1000 * move.nodes / move.time_ms) if move.nodes and move.time_ms else None,
        "left": None if move.left_ms is None else f"{move.left_ms / 1000:.3f}s",
        "pv": _line_text(board, move.pv) if board is not None and move.pv else None,
    }
    for key in details:
        if values[key] is not None:
            parts.append(f'{key}="{values[key]}"' if key == "pv" else f"{key}={values[key]}")
    return ", ".join(parts)


def _line_text(board: chess.Board, pv: tuple[str, ...]) -> str | None:
    """The legal beginning of a line in SAN."""
    board = board.copy(stack=False)
    words = []
    for uci in pv:
        try:
            words.append(board.san_and_push(board.parse_uci(uci)))
        except ValueError:
            break
    return " ".join(words) or None


def _score_depth_time(move: MoveRecord) -> str:
    if move.mate is not None:
        score = f"{'+' if move.mate > 0 else '-'}M{abs(move.mate)}"
    elif move.score_cp is not None:
        score = f"{move.score_cp / 100:+.2f}"
    else:
        return f"{move.time_ms / 1000:.3f}s"
    return f"{score}/{move.depth or 0} {move.time_ms / 1000:.3f}s"


def final_position(record: GameRecord, *, chess960: bool = False) -> str:
    """The last position of a game as a line of EPD, with the players, the result and the reason."""
    board = chess.Board(record.opening.fen, chess960=chess960)
    for uci in (*record.opening.moves, *(move.uci for move in record.moves)):
        board.push_uci(uci)
    note = f"{record.white} - {record.black} {record.result}, {record.reason}".replace('"', "'").replace(";", ",")
    return board.epd(hmvc=board.halfmove_clock, fmvn=board.fullmove_number, c0=note) + "\n"


def game_text(
    record: GameRecord,
    *,
    event: str,
    time_controls: tuple[str, str],
    site: str = "?",
    details: tuple[str, ...] = (),
    chess960: bool = False,
) -> str:
    """One game in PGN's export format, with a blank line at its end."""
    board = chess.Board(record.opening.fen, chess960=chess960)
    white_control, black_control = time_controls
    tags = {
        "Event": event,
        "Site": site,
        "Date": record.started[:10].replace("-", ".") or "????.??.??",
        "Round": f"{record.index // 2 + 1}.{record.index % 2 + 1}",
        "White": record.white,
        "Black": record.black,
        "Result": record.result,
    }
    if record.opening.name:
        tags["Opening"] = record.opening.name
    if chess960:
        tags["Variant"] = "Chess960"
    if record.opening.fen != chess.STARTING_FEN or chess960:
        tags |= {"SetUp": "1", "FEN": record.opening.fen}
    if white_control == black_control:
        tags["TimeControl"] = white_control
    else:
        tags |= {"WhiteTimeControl": white_control, "BlackTimeControl": black_control}
    tags |= {
        "PlyCount": str(len(record.opening.moves) + len(record.moves)),
        "GameStartTime": record.started,
        "GameDuration": f"{record.duration_s:.1f}s",
        "Termination": record.termination,
        "TerminationDetails": record.reason,
    }
    words: list[str] = []
    book = [MoveRecord(uci) for uci in record.opening.moves]
    for at, move in enumerate((*book, *record.moves)):
        played = board.parse_uci(move.uci)
        if board.turn == chess.WHITE:
            words.append(f"{board.fullmove_number}.")
        elif at == 0:
            words.append(f"{board.fullmove_number}...")
        note = "book" if at < len(book) else comment(move, board, details)
        words.append(board.san_and_push(played))
        words.append(f"{{{note}}}")
    words.append(record.result)
    header = "".join(f'[{tag} "{_escaped(value)}"]\n' for tag, value in tags.items())
    body = textwrap.fill(" ".join(words), 100, break_long_words=False, break_on_hyphens=False)
    return f"{header}\n{body}\n\n"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


class PgnFile:
    """Appends whole games. A game that does not fit on the disk is taken back and reported."""

    def __init__(self, path: Path, keep_bytes: int | None = None) -> None:
        """Open for appending; `keep_bytes` cuts the file there first, to drop games that were not counted.

        Raises `MatchError` where the file cannot be written or the disk is full.
        """
        self.path = path
        try:
            self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
        except OSError as error:
            raise MatchError(f"cannot write games to {path}: {error.strerror}") from error
        if keep_bytes is not None:
            self._cut(keep_bytes)
        self.write("\n" * PROBE_BYTES)  # find out now, not after the first game, that the disk is full
        self._cut(self.size - PROBE_BYTES)

    @property
    def size(self) -> int:
        return os.fstat(self._fd).st_size

    def write(self, text: str) -> None:
        before = self.size
        data = memoryview(text.encode())
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError as error:
            self._cut(before)
            raise MatchError(f"cannot write games to {self.path}: {error.strerror}") from error

    def close(self) -> None:
        os.close(self._fd)

    def _cut(self, size: int) -> None:
        with contextlib.suppress(OSError):
            os.ftruncate(self._fd, size)
