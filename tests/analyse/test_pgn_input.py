"""Games are read as they are, bad ones are named with their lines, and none spoils another."""

import io

import chess
import chess.pgn
import pytest
from support.sample_games import CHESS960, FEN_START, FOOLS_MATE, GOOD, OPERA, moves_of

from cythera.analyse.pgn_input import PgnError, chess_game, read_file, read_text
from cythera.games import parse_games
from cythera.games.reader import GameReader


def written(tmp_path, data):
    path = tmp_path / "games.pgn"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def noted(text):
    """A game and what was noticed in reading it."""
    reader = GameReader([io.BytesIO(text.encode())], mode="tree")
    games = list(reader)
    return games, reader.problems


@pytest.mark.parametrize("name", GOOD)
def test_the_main_line_is_what_python_chess_reads(name):
    assert read_text(GOOD[name]).uci() == moves_of(GOOD[name])
    assert not noted(GOOD[name])[1]


def test_comments_variations_nags_and_headers_are_kept():
    ours = chess_game(read_text(OPERA))
    theirs = chess.pgn.read_game(io.StringIO(OPERA))
    assert str(ours) == str(theirs)
    assert dict(ours.headers) == dict(theirs.headers)


def test_games_follow_each_other_with_and_without_tags_blank_lines_and_odd_line_ends(tmp_path):
    text = OPERA + "\n\n" + "1. e4 e5 *\n\n\n1. d4\n\nd5 {a\n\nblank line} *\n" + CHESS960.replace("\n", "\r\n")
    games, _ = read_file(written(tmp_path, text))
    assert [len(game) for game in games] == [33, 2, 2, 8]
    assert [game.number for game in games] == [1, 2, 3, 4]
    assert games[0].line == 1
    assert text.splitlines()[games[1].line - 1] == "1. e4 e5 *"
    assert chess_game(games[2]).end().comment == "a blank line"


def test_a_file_with_a_byte_order_mark_begins_with_its_first_tag(tmp_path):
    path = written(tmp_path, b"\xef\xbb\xbf" + FOOLS_MATE.encode())
    ((game,), _) = read_file(path)
    assert game.headers["Event"] == "Short"


def test_latin_1_is_read_as_the_standard_says(tmp_path):
    path = written(tmp_path, FOOLS_MATE.replace('"A"', '"Müller"').encode("latin-1"))
    (game,), problems = read_file(path)
    assert not problems
    assert game.white == "Müller"


BAD = {
    "an illegal move": ("1. e4 e5 2. Ke3 *", 3, "2. Ke3 is not a legal move"),
    "an illegal move on a later line": ("1. e4 e5\n2. Nf3 Nc6\n3. O-O *", 5, "3. O-O is not a legal move"),
    "a move cut in half": ("1. e4 e5 2. Nf", 3, "'Nf' is not understood"),
    "a comment that is not closed": ("1. e4 {so it beg", 3, "a comment is not closed"),
    "rubbish": ("1. e4 €5 *", 3, "'€5' is not understood"),
    "a null move": ("1. e4 -- *", 1, "a null move is no move of a game"),
    "control bytes": ("1. e4\n\x00\x01 *", 4, "byte 0x00"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_game_is_named_with_its_line_and_the_others_are_read(tmp_path, name):
    moves, line, sentence = BAD[name]
    bad = f'[Event "Bad"]\n\n{moves}\n'
    path = written(tmp_path, FOOLS_MATE + "\n" + bad + "\n" + OPERA)
    games, problems = read_file(path)
    assert [len(game) for game in games] == [4, 33]
    assert [game.number for game in games] == [1, 3]
    (problem,) = problems
    assert problem.game == 2 and problem.is_fatal and sentence in problem.text
    assert problem.line == FOOLS_MATE.count("\n") + 1 + line


def test_a_bad_position_or_variant_is_named_with_the_line_of_its_tag():
    for tag in ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]', '[FEN "nonsense"]', '[Variant "Atomic"]', '[Variant "Whatever"]'):
        with pytest.raises(PgnError, match="line 2: game 1: "):
            read_text(f'[Event "x"]\n{tag}\n\n*\n')


def test_a_game_without_a_result_is_read_and_noted():
    (game,), (problem,) = noted('[Event "x"]\n\n1. e4 e5\n2. Nf3\n')
    assert len(game) == 3
    assert not problem.is_fatal and problem.line == 5 and "no result" in problem.text


def test_an_illegal_move_in_a_variation_costs_only_the_rest_of_the_variation():
    (game,), (problem,) = noted("1. e4 (1. d4 d5 2. Ke5 Ke6 (2... x) 3. a4) 1... e5 *\n")
    assert game.uci() == ["e2e4", "e7e5"]
    assert [node.move for node in game.tree().variations[1].main_line()] == ["d7d5"]
    assert "in a variation" in problem.text and not problem.is_fatal


def test_unclosed_and_unopened_variations_are_noted():
    assert "not closed" in noted("1. e4 (1. d4 d5")[1][0].text
    assert "not open" in noted("1. e4 ) e5 *")[1][0].text
    assert "before the first move" in noted("( 1. d4 ) 1. e4 *")[1][0].text
    assert "1. e5 is not a legal move" in noted("1. e4 * e5")[1][0].text


def test_files_that_are_no_pgn_are_refused_in_a_sentence(tmp_path):
    for data, sentence in ((b"", "no game"), (b" \n\n", "no game"), ("1. e4 *".encode("utf-16"), "UTF-16")):
        with pytest.raises(PgnError, match=sentence):
            read_file(written(tmp_path, data))
    with pytest.raises(PgnError, match="cannot read"):
        read_file(tmp_path / "nothing.pgn")
    with pytest.raises(PgnError, match="there is no game in the text"):
        read_text("")


def test_null_moves_are_fine_in_variations():
    (game,), problems = noted("1. e4 (1. d4 -- 2. e4) e5 *")
    assert not problems
    assert chess_game(game).variations[1].variations[0].move == chess.Move.null()
    with pytest.raises(PgnError, match="a null move is no move of a game"):
        read_text("1. e4 -- *")


def test_escaped_lines_line_comments_suffixes_and_zeros_are_understood():
    (game,), problems = noted("% a note to the program\n1. e4! e5?! ; because\n2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 *")
    assert not problems
    nodes = list(chess_game(game).mainline())
    assert (nodes[0].nags, nodes[1].nags, nodes[1].comment) == ({1}, {6}, "because")
    assert nodes[-1].san() == "O-O"


def test_headers_alone_are_a_game_each(tmp_path):
    path = written(tmp_path, '[Event "a"]\n[Result "*"]\n\n*\n\n[Event "b"]\n[Result "*"]\n\n[Event "c"]\n\n*\n')
    assert len(read_file(path)[0]) == 3


def test_a_start_position_counts_its_own_moves():
    game = chess_game(read_text(FEN_START))
    assert game.board().fullmove_number == 40 and game.board().turn == chess.BLACK


def test_no_text_makes_the_reader_fall_over(tmp_path):
    import random

    rng = random.Random(5)
    for _ in range(300):
        data = bytearray((OPERA + FOOLS_MATE + CHESS960).encode())
        for _ in range(rng.randrange(1, 12)):
            at = rng.randrange(len(data))
            if rng.random() < 0.5:
                data[at] = rng.choice(b'(){}[]$"%;*1- \n\x00\xffNxe')
            else:
                del data[at : at + rng.randrange(30)]
        path = written(tmp_path, bytes(data[: rng.randrange(1, len(data) + 1)]))
        try:
            games, problems = read_file(path)
        except PgnError:
            continue
        for game in games:
            chess_game(game)
        for problem in problems:
            assert 1 <= problem.line <= data.count(b"\n") + 2


def test_a_packed_file_is_analysed_like_a_plain_one(tmp_path):
    import gzip

    path = tmp_path / "games.pgn.gz"
    path.write_bytes(gzip.compress((OPERA + "\n" + FOOLS_MATE).encode()))
    games, _ = read_file(path)
    assert [game.uci() for game in games] == [game.uci() for game in parse_games(OPERA + "\n" + FOOLS_MATE)]
