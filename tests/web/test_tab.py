"""What a tab is answered: lines, moves, curves, trees; and that it ends what it began."""

import asyncio
import contextlib
import time

import chess.pgn
import pytest
from support.web import START, Talker, searches, wait_until

from cythera import Engine, Limit, Position
from cythera.engine.options import MAX_ELO, MIN_ELO
from cythera.web.lab_process import drawn
from cythera.web.outbox import RATE, Outbox

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]


def test_a_page_is_told_what_this_machine_can_do(talker):
    hello = talker.hello
    assert hello["elo"] == [MIN_ELO, MAX_ELO]
    assert {"name": "beginner", "elo": MIN_ELO} in hello["levels"]
    assert hello["threads"] >= 1
    assert hello["hash"] >= 256


def test_analysis_goes_on_until_it_is_stopped(talker):
    number = talker.say("analyse", fen=START, moves=["e2e4"], lines=3)
    first = talker.hear("lines", number)
    assert len(first["lines"]) == 3
    later = talker.hear("lines", number)
    assert later["nodes"] > first["nodes"]
    assert searches() == 1
    talker.say("stop", what="analyse")
    talker.hear("ended", number)
    wait_until(lambda: searches() == 0)


def test_lines_are_white_s_scores_and_legal_moves(talker):
    number = talker.say("analyse", fen=MATE_IN_ONE.replace(" w ", " b "), lines=2, time=0.2)
    answer = talker.hear("lines", number, done=True)
    position = Position(MATE_IN_ONE.replace(" w ", " b "))
    for line in answer["lines"]:
        assert line["score"]["cp"] > 200  # White is a rook up
        assert line["wdl"][0] > line["wdl"][2]
        assert position.is_legal(line["moves"][0])


def test_a_mate_says_who_gives_it(talker):
    number = talker.say("analyse", fen=MATE_IN_ONE, time=0.1)
    assert talker.hear("lines", number, done=True)["lines"][0]["score"] == {"mate": 1, "white": True}
    number = talker.say("analyse", fen=START, moves=FOOLS_MATE, time=0.1)
    answer = talker.hear("lines", number, done=True)["lines"][0]
    assert (answer["score"], answer["moves"]) == ({"mate": 0, "white": False}, [])


def test_a_new_analysis_takes_the_place_of_the_old(talker):
    first = talker.say("analyse", fen=START)
    talker.hear("lines", first)
    second = talker.say("analyse", fen=START, moves=["d2d4"], threads=1, hash=32)
    talker.hear("lines", second)
    assert searches() == 1
    talker.say("stop", what="analyse")
    talker.hear("ended", second)


def test_closing_a_tab_stops_its_searches(server):
    talker = Talker(server)
    talker.say("analyse", fen=START)
    talker.hear("lines")
    talker.say("evaluate", fen=START, moves=["e2e4", "e7e5"], nodes=50_000_000)
    wait_until(lambda: searches() == 2)
    talker.close()
    wait_until(lambda: searches() == 0 and not server.tabs)


def test_tabs_know_nothing_of_each_other(server):
    one, other = Talker(server), Talker(server)
    first, second = one.say("analyse", fen=START), other.say("analyse", fen=START, moves=["e2e4"])
    one.hear("lines", first)
    other.hear("lines", second)
    assert searches() == 2
    one.close()
    wait_until(lambda: searches() == 1)
    before = other.hear("lines", second)["nodes"]
    assert other.hear("lines", second)["nodes"] > before
    other.close()
    wait_until(lambda: searches() == 0)


def test_a_level_answers_with_a_legal_move_and_the_same_seed_with_the_same(talker):
    moves = set()
    for _ in range(2):
        talker.say("play", fen=START, moves=["e2e4"], elo=1200, seed=7, time=5)
        moves.add(talker.hear("move")["move"])
    assert len(moves) == 1
    position = Position()
    position.push("e2e4")
    assert position.is_legal(moves.pop())


def test_a_clock_limits_full_strength(talker):
    talker.say("play", fen=START, elo=MAX_ELO, white=0.3, black=0.3, increment=0)
    assert talker.hear("move")["line"]["depth"] >= 1


def test_castling_in_chess960_is_king_takes_rook(talker):
    fen = "4k3/8/8/8/8/8/8/RK5R w KQ - 0 1"
    talker.say("play", fen=fen, moves=["b1a1"], chess960=True, elo=1000)
    assert talker.hear("move")["move"][:2] == "e8"
    number = talker.say("play", fen=fen, moves=["b1a1"], elo=1000)
    assert "castling" in talker.hear("error", number)["text"].lower()


def test_a_game_that_is_over_is_an_error_in_a_sentence(talker):
    number = talker.say("play", fen=START, moves=FOOLS_MATE, elo=1000)
    assert talker.hear("error", number)["text"] == "there is no move: checkmate"


def evaluated(talker, number):
    """The points of an evaluation and the message that ended it."""
    points = []
    while True:
        message = talker.hear("points", number)
        points += message["points"]
        if message.get("done"):
            return points, message


def test_the_curve_has_every_position_of_the_game(talker):
    points, _ = evaluated(talker, talker.say("evaluate", fen=START, moves=FOOLS_MATE, nodes=500))
    assert [ply for ply, _ in points] == [4, 3, 2, 1, 0]
    assert points[1][1] == {"mate": 1, "white": False}
    assert points[0][1] == {"mate": 0, "white": False}


def test_a_game_is_judged_as_the_report_judges_it(talker):
    _, verdict = evaluated(talker, talker.say("evaluate", fen=START, moves=FOOLS_MATE, nodes=3000))
    board = chess.Board()
    for move in FOOLS_MATE:
        board.push_uci(move)
    with Engine(hash_mib=16) as engine:
        expected = engine.analyse_game(chess.pgn.Game.from_board(board), Limit(nodes=3000), workers=1)
    assert [move["word"] for move in verdict["moves"]] == [move.word for move in expected.moves]
    assert verdict["moves"][2]["word"] == "blunder"
    position = Position()
    for move in FOOLS_MATE[:2]:
        position.push(move)
    assert position.is_legal(verdict["moves"][2]["best"][0])
    assert verdict["white"]["accuracy"] == expected.white.accuracy
    assert verdict["white"]["blunders"] == 1
    assert verdict["chances"][-1] == 0


@pytest.mark.parametrize(("tried", "word"), [("g2g4", "blunder"), ("e2e4", "")])
def test_a_move_tried_in_place_of_an_error_is_judged(talker, tried, word):
    number = talker.say("attempt", fen=START, moves=["f2f3", "e7e5", tried], nodes=20_000)
    assert talker.hear("attempt", number)["word"] == word


def test_an_attempt_without_a_move_is_an_error(talker):
    assert "a move to judge" in talker.hear("error", talker.say("attempt", fen=START))["text"]


@pytest.mark.parametrize(
    ("fen", "accepted"), [("8/8/8/3k4/8/3K4/8/R7 w - - 0 60", True), ("8/8/8/3k4/8/3K4/8/r7 w - - 0 60", False)]
)
def test_a_draw_is_accepted_by_the_weaker_side(talker, fen, accepted):
    assert talker.hear("offer", talker.say("offer", fen=fen))["accepted"] is accepted


def test_an_opening_is_named(talker):
    number = talker.say("opening", fen=START, moves=["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "h7h6"])
    answer = talker.hear("opening", number)
    assert (answer["name"], answer["plies"]) == ("Ruy Lopez", 5)
    number = talker.say("opening", fen=MATE_IN_ONE)
    assert talker.hear("opening", number)["name"] == ""


def test_the_lab_offers_games_with_the_algorithms_that_fit(talker):
    talker.say("lab")
    offer = talker.hear("lab")
    games = {game["name"]: game for game in offer["games"]}
    assert "maxn" in games["trio"]["algorithms"]
    assert "alphabeta" not in games["trio"]["algorithms"]
    assert "tree" not in games  # it reads files
    for game in offer["games"]:
        algorithm = next(name for name in ("alphabeta", "expectiminimax", "maxn") if name in game["algorithms"])
        drawing = drawn(algorithm, game["spec"], game["depth"], "natural")
        assert drawing["svg"].startswith("<svg ")
        assert drawing["steps"]
        assert len(drawing["parents"]) > 1, game["name"]  # an example in which nothing happens shows nothing
    number = talker.say("draw", game="two-ply", algorithm="alphabeta", depth="end")
    assert talker.hear("drawing", number)["svg"] == drawn("alphabeta", "two-ply", None, "natural")["svg"]


def test_the_lab_answers_in_the_language_of_the_page_and_in_english_where_it_has_none(talker):
    for language, summary, step in (
        ("es", "minimax sin lo que no puede importar", "la raíz"),
        ("de", "minimax without what cannot matter", "the root"),
        ("en", "minimax without what cannot matter", "the root"),
    ):
        number = talker.say("lab", language=language)
        algorithms = {entry["name"]: entry["summary"] for entry in talker.hear("lab", number)["algorithms"]}
        assert algorithms["alphabeta"] == summary
        number = talker.say("draw", game="two-ply", algorithm="alphabeta", language=language)
        assert step in talker.hear("drawing", number)["steps"][0]["text"]
    number = talker.say("draw", game="tictactoe", algorithm="minimax", language="es")
    assert "esta búsqueda da más de 6,000 pasos" in talker.hear("error", number)["text"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"game": "tree:/etc/passwd", "algorithm": "alphabeta"}, "trees from files"),
        ({"game": "tictactoe", "algorithm": "minimax"}, "steps; choose a smaller depth"),
        ({"game": "two-ply", "algorithm": "nonsense"}, "unknown algorithm"),
        ({"game": "trio", "algorithm": "alphabeta"}, "is for two players"),
        ({"game": "chess", "algorithm": "alphabeta"}, "needs a depth"),
        ({"game": "chess", "algorithm": "alphabeta", "depth": "end"}, "needs a depth"),
        (
            {"game": "two-ply", "algorithm": "alphabeta", "depth": "x"},
            "depth must be a number of plies or 'end', got 'x'",
        ),
        ({"game": "two-ply", "algorithm": "alphabeta", "depth": "-1"}, "depth must be at least 0, got -1"),
        ({"game": "two-ply", "algorithm": "alphabeta", "depth": 2.5}, "depth"),
        ({"game": "two-ply", "algorithm": "alphabeta", "depth": "999"}, "depth"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_sentence(talker, fields, words):
    number = talker.say("draw", **fields)
    assert words in talker.hear("error", number)["text"]


def test_updates_are_at_most_ten_a_second_and_the_latest_of_each_kind():
    async def flood():
        sent = []

        async def send(text):
            sent.append((time.monotonic(), text))

        outbox = Outbox(send)
        sender = asyncio.create_task(outbox.run())
        end = time.monotonic() + 2.5
        count = 0
        while time.monotonic() < end:
            count += 1
            outbox.put("lines", {"count": count}, urgent=count % 3 == 0)
            await asyncio.sleep(0.002)
        await asyncio.sleep(1.1)
        sender.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sender
        return count, sent

    count, sent = asyncio.run(flood())
    times = [at for at, _ in sent]
    assert all(later - earlier > 1 for earlier, later in zip(times, times[RATE:], strict=False))
    assert f'"count":{count}}}' in sent[-1][1]
    assert len(sent) < count


def test_what_was_dropped_is_not_sent():
    async def drop():
        sent = []

        async def send(text):
            sent.append(text)

        outbox = Outbox(send)
        outbox.put("one", {"n": 1})
        outbox.put("two", lambda: {"n": 2})
        outbox.drop("one")
        sender = asyncio.create_task(outbox.run())
        while not sent:
            await asyncio.sleep(0.001)
        sender.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sender
        return sent

    assert asyncio.run(drop()) == ['[{"n":2}]']
