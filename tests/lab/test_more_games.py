"""Othello, m,n,k games, checkers, endings, backgammon and the coin: rules, and values that are known."""

import random
from collections import Counter

import chess
import pytest

from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.expectimax import expectiminimax
from cythera.lab.algorithms.ordering import urgent_first
from cythera.lab.algorithms.retrograde import DRAW, WIN, Verdict, retrograde
from cythera.lab.algorithms.table import alphabeta_table
from cythera.lab.errors import LabError
from cythera.lab.game import CAPTURE, CHANCE, MAX, MIN
from cythera.lab.games import make_game
from cythera.lab.games.backgammon import Backgammon, Position
from cythera.lab.games.checkers import Checkers
from cythera.lab.games.ending import Ending, Men
from cythera.lab.games.mnk import InALine
from cythera.lab.games.othello import PASS, Othello
from cythera.lab.games.tictactoe import TicTacToe
from cythera.lab.search import Search


def random_states(game, count, seed):
    rng = random.Random(seed)
    state = game.initial()
    while count:
        yield state
        count -= 1
        state = game.initial() if game.is_terminal(state) else game.result(state, rng.choice(game.actions(state)))


# Othello


def test_othello_on_4x4_is_solved_white_wins_11_to_3():
    result = alphabeta_table(Search(Othello(4), order=urgent_first))
    assert result.value == -8
    state = Othello(4).initial()
    for move in result.line:
        state = Othello(4).result(state, move)
    assert (state.x.bit_count(), state.o.bit_count()) == (3, 11)


@pytest.mark.parametrize(("size", "counts"), [(8, (4, 12, 56, 244, 1396))])
def test_othello_has_the_known_number_of_games_of_each_length(size, counts):
    game = Othello(size)

    def games(state, plies):
        if plies == 0 or game.is_terminal(state):
            return 1
        return sum(games(game.result(state, action), plies - 1) for action in game.actions(state))

    assert tuple(games(game.initial(), plies) for plies in range(1, len(counts) + 1))[:5] == counts


def flips_by_the_book(game, state, action):
    """The discs a move turns, square by square: another way of doing it."""
    rows = [list(row) for row in game.rows(state)]
    mine, theirs = "XO"[state.turn], "OX"[state.turn]
    row, column = divmod(action, game.size)
    turned = 0
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            r, c, path = row + down, column + right, 0
            while (down or right) and 0 <= r < game.size and 0 <= c < game.size and rows[r][c] == theirs:
                path |= 1 << r * game.size + c
                r, c = r + down, c + right
            if path and 0 <= r < game.size and 0 <= c < game.size and rows[r][c] == mine:
                turned |= path
    return turned


@pytest.mark.parametrize("size", [4, 6, 8])
def test_othello_turns_the_discs_that_the_rules_say(size):
    game = Othello(size)
    for state in random_states(game, 150, size):
        legal = [
            square
            for square in range(game.squares)
            if not (state.x | state.o) >> square & 1 and flips_by_the_book(game, state, square)
        ]
        assert list(game.actions(state)) == (legal or [PASS])
        for action in legal:
            turned = flips_by_the_book(game, state, action)
            mine, theirs = game.sides(state)
            after = game.result(state, action)
            expected = (mine | turned | 1 << action, theirs ^ turned)
            assert ((after.x, after.o) if state.turn == MAX else (after.o, after.x)) == expected


def test_a_player_who_cannot_move_passes():
    passes = sum(game_passes(seed) for seed in range(10))
    assert passes > 0


def game_passes(seed):
    game, rng = Othello(4), random.Random(seed)
    state, passes = game.initial(), 0
    while not game.is_terminal(state):
        action = rng.choice(game.actions(state))
        passes += action == PASS
        assert action != PASS or game.action_name(action) == "pass"
        state = game.result(state, action)
    return passes


# k in a line


def test_three_in_a_line_on_3x3_is_tic_tac_toe():
    ours, theirs = InALine(3, 3, 3), TicTacToe()
    rng = random.Random(1)
    for _ in range(200):
        state, other = ours.initial(), theirs.initial()
        while not theirs.is_terminal(other):
            assert not ours.is_terminal(state) and list(ours.actions(state)) == list(theirs.actions(other))
            move = rng.choice(theirs.actions(other))
            state, other = ours.result(state, move), theirs.result(other, move)
        assert ours.is_terminal(state) and ours.utility(state) == theirs.utility(other)


@pytest.mark.parametrize(("columns", "rows", "in_line", "lines"), [(7, 6, 4, 69), (15, 15, 5, 572), (3, 3, 3, 8)])
def test_the_lines_are_counted(columns, rows, in_line, lines):
    assert len(InALine(columns, rows, in_line).lines) == lines


def test_an_open_three_wins_at_small_go_moku_and_the_evaluation_stays_below_a_win():
    game = InALine(6, 6, 4, "c3 a1 d3 a6")
    result = alphabeta(Search(game, 3, order=urgent_first))
    assert result.value == 1 and game.action_name(result.move) in ("b3", "e3")
    for state in random_states(InALine(5, 5, 4), 200, 2):
        assert abs(InALine(5, 5, 4).evaluate(state)) < 1


# Checkers


@pytest.mark.parametrize(("plies", "games"), [(1, 7), (2, 49), (3, 302), (4, 1469), (5, 7361)])
def test_checkers_on_8x8_has_the_known_number_of_games(plies, games):
    game = Checkers(8)

    def count(state, plies):
        if plies == 0 or not game.actions(state):
            return 1
        return sum(count(game.result(state, action), plies - 1) for action in game.actions(state))

    assert count(game.initial(), plies) == games


def test_jumps_are_forced_go_on_and_a_crowned_man_stops():
    game = Checkers(6, ".x..../....../...x../....../.x..../o...o. o")
    (jump,) = game.actions(game.initial())
    assert game.action_name(jump) == "a1xc3xe5"
    assert (game.result(game.initial(), jump).x_men).bit_count() == 1
    crowned = Checkers(6, "....../x.x.../.o..../....../....../...... o")
    assert [crowned.action_name(move) for move in crowned.actions(crowned.initial())] == ["b4xd6"]
    assert crowned.result(crowned.initial(), crowned.actions(crowned.initial())[0]).o_kings


def test_a_side_without_moves_has_lost_and_idle_play_is_drawn():
    game = Checkers(4, "..../..../.X../O... x", idle_plies=4)
    state = game.initial()
    assert not game.is_terminal(state)
    idle = Checkers(4, ".X../..../..../O... x", idle_plies=2)
    state = idle.initial()
    for _ in range(2):
        quiet = [move for move in idle.actions(state) if len(move) == 2]
        state = idle.result(state, quiet[0])
    assert idle.is_terminal(state) and idle.utility(state) in (0, 1000, -1000)


@pytest.fixture(scope="module")
def small_database():
    game = Checkers(4, ".X../..../..../O... x")
    return game, retrograde(game, game.endings(3), key=lambda state: state._replace(idle=0))


def test_the_checkers_database_agrees_with_full_search(small_database):
    game, database = small_database
    rng = random.Random(3)
    states = list(game.endings(3))
    compared = Counter()
    for state in rng.sample(states, 100):
        verdict = database.probe(state)
        depth = 9
        value = alphabeta(Search(Checkers(4, idle_plies=100), depth, start=state, evaluate=lambda state: 0.0)).value
        found = (value > 0) - (value < 0)
        if 0 <= verdict.plies <= depth:
            assert found == verdict.value, (game.describe(state), verdict)
            compared[verdict.value] += 1
        else:
            assert found == 0
            compared["later"] += 1
    assert compared[1] > 10 and compared[-1] > 10 and compared["later"] > 10


def test_best_play_from_the_database_takes_as_long_as_it_says(small_database):
    _, database = small_database
    key, verdict = database.longest()
    assert verdict.plies > 4
    assert len(database.line(key)) == verdict.plies
    with pytest.raises(LabError, match="does not hold this position"):
        database.probe(Checkers(4).initial()._replace(x_men=7))


# Chess endings


@pytest.fixture(scope="module")
def rook_ending():
    game = Ending("KRvK")
    return game, retrograde(game, game.states())


def to_chess(men):
    board = chess.Board(None)
    board.set_piece_at(men.king, chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(men.enemy, chess.Piece(chess.KING, chess.BLACK))
    board.set_piece_at(men.square, chess.Piece.from_symbol(men.piece))
    board.turn = men.turn == MAX
    return board


@pytest.mark.parametrize("name", ["KQvK", "KRvK", "KPvK"])
def test_endings_have_the_moves_and_ends_of_chess(name):
    game, rng = Ending(name), random.Random(name)
    checked = 0
    while checked < 300:
        men = Men(game.piece, *(rng.randrange(64) for _ in range(3)), rng.choice((MAX, MIN)))
        board = to_chess(men)
        distinct = len({men.king, men.square, men.enemy}) == 3
        assert game.is_legal(men) == (distinct and board.is_valid())
        if not game.is_legal(men):
            continue
        expected = {move.uci() for move in board.legal_moves if move.promotion in (None, chess.QUEEN, chess.ROOK)}
        assert {game.action_name(action) for action in game.actions(men)} == expected
        assert (game.utility(men) > 0) == board.is_checkmate()
        checked += 1


def test_king_and_rook_mate_in_sixteen_at_most_and_always_with_white_to_move(rook_ending):
    game, database = rook_ending
    assert len(database) == 50015
    assert database.longest()[1] == Verdict(WIN, 32)
    assert max(v.plies for men, v in database.verdicts.items() if men.turn == MAX) == 31
    assert all(v.value == WIN for men, v in database.verdicts.items() if men.turn == MAX)
    mates = sum(v.plies == 0 for v in database.verdicts.values())
    assert mates == sum(game.utility(men) > 0 for men in database.verdicts)


def test_the_rook_ending_database_agrees_with_full_search(rook_ending):
    game, database = rook_ending
    rng = random.Random(5)
    near = [men for men, verdict in database.verdicts.items() if verdict.plies in (1, 2, 3)]
    for men in rng.sample(near, 40):
        verdict = database.probe(men)
        for depth in (verdict.plies - 1, verdict.plies):
            value = alphabeta(Search(game, depth, start=men, order=urgent_first, evaluate=lambda state: 0.0)).value
            assert (value > 0) == (depth == verdict.plies)


def test_the_rook_ending_is_played_out_to_mate_from_any_corner_of_the_board(rook_ending):
    game, database = rook_ending
    for fen in ("8/8/8/3k4/8/8/8/KR6 w", "7k/8/8/8/8/8/8/1R5K b", "8/8/8/4k3/8/8/6R1/7K w"):
        men = Ending("KRvK", fen).initial()
        line = database.line(men)
        assert len(line) == database.probe(men).plies
        for move in line:
            men = game.result(men, move)
        assert game.utility(men) > 0


def test_a_rook_pawn_ending_is_solved_with_promotion_taken_as_a_win():
    """Pawns on the a file alone; the queen or rook wins unless it is taken or stalemates at once."""

    class Promoted(dict):
        def __missing__(self, men):
            raise KeyError(men)

        def __contains__(self, men):
            return isinstance(men, Men) and men.piece in "QR"

        def __getitem__(self, men):
            game = Ending("KQvK")
            taken = any(move[1] == men.square for move in game.actions(men))
            stale = not game.actions(men) and not game.checks(men)
            return Verdict(DRAW, -1) if taken or stale else Verdict(WIN, 1)

    game = Ending("KPvK")
    database = retrograde(game, (men for men in game.states() if men.square % 8 == 0), known=Promoted())

    def probe(fen):
        return database.probe(Ending("KPvK", fen).initial()).value

    assert probe("k7/8/8/8/8/8/P7/K7 w") == DRAW  # the king in the corner holds
    assert probe("8/8/8/8/8/8/P5k1/K7 w") == WIN  # outside the square
    assert probe("8/1k6/8/K7/P7/8/8/8 w") == DRAW
    assert probe("8/8/1K6/8/P7/3k4/8/8 w") == WIN  # the key square b7 is reached
    counts = Counter((men.turn, verdict.value) for men, verdict in database.verdicts.items())
    assert counts == ROOK_PAWN_COUNTS


ROOK_PAWN_COUNTS = {(MAX, DRAW): 5526, (MAX, WIN): 15117, (MIN, DRAW): 8663, (MIN, WIN): 12313}


# Backgammon and the coin


def test_the_odds_of_rolls_and_the_number_of_plays():
    game = Backgammon(24, 15, 6)
    assert len(game.rolls) == 21 and sum(game.odds(game.initial())) == pytest.approx(1)
    state = game.result(game.initial(), (1, 1))
    assert all(len(play) == 4 for play in game.plays(state))
    assert all(len(play) == 2 for play in game.plays(game.result(game.initial(), (1, 2))))


def side(game, **points):
    """A side from point numbers, `bar` and `off`."""
    found = [0] * (game.points + 2)
    for name, count in points.items():
        found[{"bar": 0, "off": game.off}.get(name, int(name[1:]) if name[1:].isdigit() else 0)] = count
    return tuple(found)


def names(game, state):
    return {game.action_name(play) for play in game.plays(state)}


def test_a_checker_on_the_bar_enters_first_and_a_closed_point_keeps_it_out():
    game = Backgammon(12, 3, 4)
    mine = side(game, bar=1, p5=2)
    closed = side(game, p11=2, p5=1)  # MIN's 11 is MAX's 2
    state = Position(mine, closed, MAX, (2, 3))
    assert all(name.startswith("bar/3") for name in names(game, state))
    shut = side(game, p11=2, p9=2)
    assert names(game, Position(side(game, bar=1, p5=4), shut, MAX, (2, 4))) == {"pass"}


def test_a_single_checker_is_hit_and_goes_to_the_bar():
    game = Backgammon(12, 2, 4)
    state = Position(side(game, p3=2), side(game, p8=1, p1=1), MAX, (1, 2))
    hits = [play for play in game.plays(state) if game.result(state, play).theirs[0] == 1]
    assert {game.action_name(play).split()[0] for play in hits} == {"3/5"}  # MIN's 8 is MAX's 5
    assert game.urgency(state, hits[0]) == CAPTURE


def test_checkers_are_borne_off_only_from_home_and_by_a_greater_number_only_from_the_rear():
    game = Backgammon(12, 3, 4)
    home = side(game, p10=1, p12=2)
    enemy = side(game, p6=3)
    # With a checker on 10, a 4 bears off from 10 (the rear); a 2 cannot bear off from 12 before it.
    assert names(game, Position(home, enemy, MAX, (2, 4))) == {"10/off 12/off", "10/12 12/off"}
    outside = side(game, p9=1, p12=2)
    assert not any("off" in name.split()[0] for name in names(game, Position(outside, enemy, MAX, (1, 1))))


def test_the_greater_die_is_played_when_only_one_can_be():
    game = Backgammon(12, 2, 4)
    mine = side(game, p1=1, off=1)
    theirs = side(game, p8=2)  # closes MAX's 5, where the two together would lead
    assert names(game, Position(mine, theirs, MAX, (1, 3))) == {"1/4"}


def test_backgammon_games_end_and_all_checkers_are_always_there():
    game, rng = Backgammon(), random.Random(4)
    ends = Counter()
    for _ in range(40):
        state = game.initial()
        while not game.is_terminal(state):
            assert sum(state.mine) == sum(state.theirs) == game.checkers
            if game.player(state) == CHANCE:
                state = game.result(state, rng.choices(game.actions(state), weights=game.odds(state))[0])
            else:
                state = game.result(state, rng.choice(game.actions(state)))
        ends[game.utility(state)] += 1
    assert ends[1.0] and ends[-1.0]


def test_a_coin_flip_tree_averages_two_answers_of_min():
    assert expectiminimax(Search(make_game("coin-flip"))).value == 3  # (5 + 1) / 2 against (2 + 4) / 2
    game = make_game("coin:6,3")
    assert game.has_chance and {len(game.actions(game.initial()))} == {2}
    assert (expectiminimax(Search(game)).value * 8).is_integer()  # three flips of a fair coin
