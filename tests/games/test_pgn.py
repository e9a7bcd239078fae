"""PGN text read by the core: dialects, faults, trees, and where things stand."""

import io
import logging

import chess.pgn
import pytest

import cythera
from cythera.games import Game, PgnError, game_text, parse_games
from cythera.games.reader import GameReader

TWO = '[Event "a"]\n[White "Ann"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Event "b"]\n\n1. d4 *\n'


def only(text, **options):
    (game,) = parse_games(text, **options)
    return game


def faults(text, mode="tree"):
    reader = GameReader([io.BytesIO(text.encode())], mode=mode)
    games = list(reader)
    return games, reader.problems


def tree_of(root):
    """What a tree of python-chess or of ours says, node by node."""
    found, stack = [], [root]
    while stack:
        node = stack.pop()
        found.append((node.comment, node.starting_comment, sorted(node.nags), len(node.variations)))
        found.append(node.move if node.move is None or isinstance(node.move, str) else node.move.uci())
        stack.extend(reversed(node.variations))
    return found


def test_headers_moves_and_result_are_read():
    first, second = parse_games(TWO)
    assert first.headers == {"Event": "a", "White": "Ann", "Result": "1-0"}
    assert (first.white, first.black, first.result, first.ratings) == ("Ann", "?", "1-0", (0, 0))
    assert first.san() == ["e4", "e5", "Nf3"]
    assert [move.uci() for move in first.moves] == first.uci() == ["e2e4", "e7e5", "g1f3"]
    assert list(first.words) == [12 | 28 << 6 | 1 << 12, 52 | 36 << 6 | 1 << 12, 6 | 21 << 6]
    assert (second.result, len(second), second.number, second.line) == ("*", 1, 2, 7)
    assert second.offset == TWO.index('[Event "b"]')
    assert second.source == '[Event "b"]\n\n1. d4 *'


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *", "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6", "1 e4 e5 2 Nf3 Nc6 3 Bb5 a6 1/2-1/2",
        "e4 e5 Nf3 Nc6 Bb5 a6 *", "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 a7-a6 *",
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 *", "1. e4! e5?? 2. Nf3!? Nc6?! 3. Bb5 $1 a6 $146 *",
        "1. e4 {a} 1... e5 2. Nf3 ; rest of the line 2... d6\n 2... Nc6 3. Bb5 a6 1-0",
        "1. e4 (1. d4 d5 (1... Nf6) 2. c4) e5 2. Nf3 Nc6 3. Bb5 a6 *",
        "1. e4 e5 2. Nf3\n% 2... d6 is hidden\nNc6 3. Bb5 a6 *", "\ufeff1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *",
        "1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 a6 ½-½", "1. e4 e5 2. Nf3+ Nc6# 3. Bb5++ a6 *",
        "1. Pe4 e5 2. Nf3 N Nc6 3. Bb5 D a6 *",
        "1. e4 e5\n\n2. Nf3 Nc6\n\n3. Bb5 a6 *", "1. e4 e5 2. Nf3 Nc6 +/= 3. Bb5 (=) a6 +- *",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a61-0", "1. e4 e5 2. Nf3-+ Nc6 3. Bb5 a6-+ *",
        "1... e4 1... e5 2... Nf3 2. Nc6 3. Bb5 a6 1/2", "1.\te4\te5\r\n2.\r\nNf3 Nc6 3. Bb5\x0ca6 *\x1a",
    ],
)  # fmt: skip
@pytest.mark.parametrize("mode", ["moves", "full", "tree"])
def test_dialects_give_the_same_moves(text, mode):
    assert only(text, mode=mode).uci() == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1. e4 * 1. d4 *", 2), ("1. e4 *\n1. d4 *", 2), ("1. e4\n\n1. d4\n", 2),
        ("1. e4 1-0 {resigns}\n{won} 0-1\n", 1),
        ('[Event "x"]\n[Site "y"]\n\n[Event "z"]\n\n1. e4 *', 2), ('[Event "x"]\n\n[Site "y"]\n\n1. e4 *', 1),
        ("", 0), (" \r\n\n\t", 0), ("% nothing\n", 0), ("{only a comment}", 0), ("*", 1), ("1-0", 1),
        ('[Event "x"]', 1), ('\ufeff[Event "x"]\n\n1. e4\n\n\ufeff[Event "y"]\n\n1. d4', 2),
        ('[Event "x"][Site "y"] [Round "3"]\n1. e4 *', 1), ("1. e4 (1. d4 1-0) e5 0-1 (comment)\n\n1. c4 *", 2),
        ('  [Event "x"]\n  1. e4 *\n  [Event "y"]\n  1. d4 *', 2),
    ],
)  # fmt: skip
def test_games_are_told_apart(text, count):
    assert len(parse_games(text)) == count


def test_tags_of_all_kinds():
    text = r'''[Event "A \"quoted\" \\ name"]
[ Site   "spaces" ]
[Round ""]
[White "He said "yes""]
[Black "Müller"]
[WhiteElo "2700"]
[BlackElo "-"]
[Odd+Name "x"] [Two "y"]
[Broken
[Result "0-1"]

*'''
    game = only(text)
    assert game.headers == {
        "Event": 'A "quoted" \\ name', "Site": "spaces", "Round": "", "White": 'He said "yes"', "Black": "Müller",
        "WhiteElo": "2700", "BlackElo": "-", "Odd+Name": "x", "Two": "y", "Result": "0-1",
    }  # fmt: skip
    assert game.ratings == (2700, 0)
    assert game.result == "0-1"


def test_latin_1_is_read_where_utf_8_fails():
    game = only('[White "Müller"]\n\n1. e4 {größer} *'.encode("latin-1"))
    assert (game.white, game.comments[1]) == ("Müller", "größer")


def test_comments_nags_clocks_and_evals_go_with_their_moves():
    text = (
        "{ before } 1. e4 { one } { two }\n$3 $1 e5! {[%clk 0:01:30.5][%eval #-3,20]} "
        "2. Nf3 {[%eval -0.25] [%emt 0:00:07]} (2. f4 {no}) Nc6 ; last one\n*"
    )
    for mode in ("full", "tree"):
        game = only(text, mode=mode)
        assert game.comments[:2] == ["before", "one two"]
        assert game.comments[4] == " last one".removeprefix(" ")
        assert game.nags == [(), (1, 3), (1,), (), ()]
        assert game.clocks == [None, 90.5, None, None]
        assert game.move_times == [None, None, 7.0, None]
        assert game.evals == [None, cythera.Score(mate=-3), cythera.Score(cp=-25), None]
    assert only(text, mode="moves").comments == [""] * 5


def test_commands_may_be_broken_over_lines_and_be_large():
    assert only("1. e4 {[%clk 0:00:00.7]} e5 {[%clk 1:00:59.7]} *").clocks == [0.7, 3659.7]
    game = only("1. e4 {[%clk\n1:57:03] [%eval 512.3]} e5 {[%eval #-0012]} 2. d4 {[%eval 1e5]} d5 {[%clk x]} *")
    assert game.clocks == [7023.0, None, None, None]
    assert game.evals == [cythera.Score(cp=51230), cythera.Score(mate=-12), None, None]


def test_comments_to_the_end_of_a_line_are_comments_like_others():
    game = only('[Event "x"]\n\n; before\n1. e4 ; one\n; two\n(; start\n1. d4 ; inside\n) e5 *', mode="tree")
    assert game.comments == ["before", "one two", ""]
    variation = game.tree().variations[1]
    assert (variation.starting_comment, variation.comment) == ("start", "inside")


def test_positions_of_a_game():
    game = only("1. e4 e5 2. Nf3 Nc6 *")
    assert game.position().history() == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert game.position(1).fen() == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert game.position(-2).history() == ["e2e4", "e7e5", "g1f3"]
    assert [position.fullmove_number for position in game.positions()] == [1, 1, 2, 2, 3]
    with pytest.raises(IndexError, match="ply must be between -5 and 4, got 5"):
        game.position(5)


def test_a_tree_is_what_python_chess_reads():
    text = """{game} 1. e4 {a} (1. d4 {b} d5 (1... Nf6 $1 2. c4) 2. c4 {c} (2. Nf3 {x}) (2. Bf4)) ({start} 1. c4 {d} e5)
    1... e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 {e} {f} 1-0 {end}"""
    game = only(text, mode="tree")
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert tree_of(game.tree()) == tree_of(theirs)
    assert tree_of(game.to_chess()) == tree_of(theirs)
    assert game.to_chess().headers == theirs.headers
    assert game.uci() == ["e2e4", "e7e5", "g1f3"]
    assert tree_of(only(text).tree()) == tree_of(theirs)
    assert tree_of(Game.from_chess(theirs).tree()) == tree_of(theirs)
    assert tree_of(chess.pgn.read_game(io.StringIO(game_text(game)))) == tree_of(theirs)
    assert [node.ply for node in game.tree().main_line()] == [1, 2, 3]


def test_comments_beside_a_variation_without_moves_go_with_the_move_before_it():
    game = only("1. e4 ({a}) {b} e5 (1... c5) {c} 2. Nf3 *", mode="tree")
    assert game.comments == ["", "a b", "c", ""]
    assert [node.starting_comment for node in game.tree().main_line()] == [""] * 3
    assert only(game.text(), mode="tree").comments == game.comments


def test_the_writer_escapes_wraps_and_numbers():
    game = only('[White "A \\"B\\""]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40"]\n\n40... Kd7 41. e4 {a} Kd6 0-1')
    assert str(game).splitlines()[4:] == [
        '[White "A \\"B\\""]', '[Black "?"]', '[Result "0-1"]', '[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40"]',
        '[SetUp "1"]', "",
        "40... Kd7 41. e4 { a } 41... Kd6 0-1",
    ]  # fmt: skip
    assert all(len(line) <= 30 for line in game.text(columns=30).splitlines()[10:])


def test_games_are_written_and_read_back(tmp_path):
    path = tmp_path / "out.pgn"
    from cythera.games import write_games

    assert write_games(parse_games(TWO), path) == 2
    assert [game.uci() for game in cythera.read_games(path)] == [game.uci() for game in parse_games(TWO)]
    with pytest.raises(cythera.CytheraError, match="cannot write"):
        write_games([], tmp_path / "no" / "such.pgn")


FAULTY = [
    ("1. e4 e5 2. Nf4 Nc6 *", "2. Nf4 is not a legal move"),
    ("1. e4 e5 2. Nf9 *", "'Nf9' is not understood"),
    ("1. e4 hello *", "'hello' is not understood"),
    ("1. e4 e5 {never closed", "a comment is not closed"),
    ("1. e4 \x01 *", "byte 0x01 is not text"),
    ('[FEN "nonsense"]\n\n1. e4 *', "the board must have 8 ranks, got 1"),
    ('[Variant "Atomic"]\n\n1. e4 *', "the variant 'Atomic' is not supported"),
    ('[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. a8 *', "1. a8 does not say what the pawn becomes"),
    ('[FEN "4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1"]\n\n1. Ne2 *', "1. Ne2 can be more than one move"),
    ('[FEN "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"]\n\n1. -- *', "1. -- passes while in check"),
]


@pytest.mark.parametrize(("text", "message"), FAULTY)
@pytest.mark.parametrize("mode", ["moves", "full", "tree"])
def test_a_bad_game_is_named_with_its_line_and_the_next_is_read(text, message, mode):
    games, problems = faults(f'[Event "1"]\n\n1. d4 d5 *\n\n[Event "2"]\n{text}\n\n[Event "3"]\n\n1. c4 *\n', mode)
    assert [game.headers["Event"] for game in games] == ["1", "3"]
    assert len(problems) == 1
    assert message in problems[0].text
    assert problems[0].is_fatal
    assert (problems[0].game, problems[0].line in (6, 7, 8)) == (2, True)
    with pytest.raises(PgnError, match="game 1"):
        parse_games(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. e4 (1. d4 d5", "a variation is not closed"), ("1. e4) e5 *", "a variation is closed that was not open"),
        ("1. e4 e5", "there is no result at its end"), ("(1. d4) 1. e4 *", "a variation before the first move"),
        ("1. e4 (1. Nf4 e5) e5 *", "in a variation, 1. Nf4 is not a legal move; the rest of it was not read"),
        ("1. e4 " + "(1. d4 " * 300 + ")" * 300 + " *", "nested deeper than 200"),
    ],
)  # fmt: skip
def test_small_faults_are_noted_and_the_game_is_kept(text, message):
    games, problems = faults(text)
    assert len(games) == 1
    assert games[0].uci()[0] == "e2e4"
    assert message in problems[0].text
    assert not any(problem.is_fatal for problem in problems)


def test_chess960_and_positions():
    text = (
        '[Variant "Chess960"]\n[FEN "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w HEhe - 0 1"]\n\n'
        "1. Ng3 Ng6 2. O-O O-O *"
    )
    game = only(text)
    assert game.chess960
    assert game.uci() == ["f1g3", "f8g6", "g1h1", "g8h8"]
    assert game.san() == ["Ng3", "Ng6", "O-O", "O-O"]
    assert game.position().to_board().fen() == game.position().fen()
    assert [move.uci() for move in game.to_chess().mainline_moves()] == game.uci()


@pytest.mark.parametrize(
    ("fen", "meant"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/4P3/4K2R w KQkq e3 0 1", "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"),
    ],
)
def test_a_position_of_a_file_is_taken_for_what_it_can_be(fen, meant):
    assert only(f'[FEN "{fen}"]\n\n*').fen == meant


@pytest.mark.parametrize("null", ["--", "Z0", "0000", "@@@@"])
def test_null_moves_are_read_in_main_lines_and_variations(null):
    game = only(f"1. e4 {null} 2. d4 (2. {null} e5) d5 *", mode="tree")
    assert game.uci() == ["e2e4", "0000", "d2d4", "d7d5"]
    assert game.san()[1] == "--"
    assert game.position().history() == game.uci()


def test_objects_cannot_be_made_by_hand_and_survive_it():
    with pytest.raises(TypeError, match=r"games come from cythera\.read_games"):
        Game()
    empty = Game.__new__(Game)
    for name in ("headers", "moves", "fen", "clocks", "result", "number"):
        with pytest.raises(TypeError):
            getattr(empty, name)


def test_games_can_be_pickled():
    import pickle

    game = only("1. e4 {x} (1. d4) e5 *", mode="tree")
    again = pickle.loads(pickle.dumps(game))
    assert tree_of(again.tree()) == tree_of(game.tree())


def test_python_chess_agrees_on_a_file_with_everything(tmp_path):
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    text = TWO + "\n" + '[Event "c"]\n\n{x} 1. e4 {[%clk 0:00:10]} (1. c4 $5 c5) 1... c5 $2 {y} 2. Nf3 *\n'
    path = tmp_path / "games.pgn"
    path.write_text(text)
    handle = io.StringIO(text)
    for game in cythera.read_games(path, mode="tree"):
        theirs = chess.pgn.read_game(handle)
        assert tree_of(game.to_chess()) == tree_of(theirs)
        assert dict(game.to_chess().headers) == dict(theirs.headers)
