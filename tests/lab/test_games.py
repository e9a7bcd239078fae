"""The games know their rules, and the values theory gives them."""

import random
from itertools import product

import pytest

from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.deepening import deepening
from cythera.lab.algorithms.expectimax import expectiminimax
from cythera.lab.algorithms.maxn import maxn
from cythera.lab.algorithms.minimax import minimax
from cythera.lab.algorithms.ordering import urgent_first
from cythera.lab.algorithms.table import alphabeta_table
from cythera.lab.errors import LabError
from cythera.lab.game import CAPTURE, MAX, THREAT
from cythera.lab.games import GAMES, make_game
from cythera.lab.games.chess import Chess
from cythera.lab.games.connect4 import ConnectFour, Discs
from cythera.lab.games.pacman import PacMan, World, play_out
from cythera.lab.games.race import DiceRace
from cythera.lab.games.tictactoe import TicTacToe
from cythera.lab.games.trio import Heap, Trio
from cythera.lab.search import Search


def test_tic_tac_toe_is_a_draw_and_has_255168_games():
    first = {"X........": 4, ".X.......": 4, "....X....": 1}  # corner, edge and centre, and how many there are of each
    results = {board: minimax(Search(TicTacToe(board))) for board in first}
    assert sum(first[board] * result.leaves for board, result in results.items()) == 255_168
    assert 1 + sum(first[board] * result.generated for board, result in results.items()) == 549_946
    assert max(result.value for result in results.values()) == 0
    assert alphabeta_table(Search(TicTacToe())).value == 0


def test_answering_a_corner_at_the_edge_loses_at_tic_tac_toe():
    assert alphabeta(Search(TicTacToe("XO./.../..."))).value == 1
    assert alphabeta(Search(TicTacToe("X../.O./..."))).value == 0


@pytest.mark.parametrize(
    ("width", "height", "value"), [(3, 3, 0), (4, 2, 0), (4, 3, 0), (4, 4, 0), (5, 3, 0)], ids=lambda part: str(part)
)
def test_small_connect_four_boards_are_drawn(width, height, value):
    search = Search(ConnectFour(width, height), order=urgent_first)
    assert alphabeta_table(search).value == value


# Who wins is settled by zugzwang here: the last rows must be filled, and someone has to make the bad move.
@pytest.mark.parametrize("seed", range(12))
def test_late_connect_four_positions_have_the_values_of_a_plain_solver(seed):
    game = ConnectFour(5, 4)
    rng = random.Random(seed)
    state = game.initial()
    while game.empties(state) > 8:
        state = game.result(state, rng.choice(game.actions(state)))
        if game.is_terminal(state):
            state = game.initial()
    expected = solve(_cells(game, state), 5, 4)
    for algorithm in (minimax, alphabeta, alphabeta_table):
        assert algorithm(Search(game, start=state)).value == expected


def _cells(game, state):
    """The board as a tuple of columns, each a string from the bottom: another way of keeping it."""
    step = game.height + 1
    columns = []
    for column in range(game.width):
        bits = [1 << column * step + row for row in range(game.height)]
        columns.append("".join("X" if state.x & bit else "O" for bit in bits if (state.x | state.o) & bit))
    return tuple(columns)


def solve(columns, width, height):
    """Connect Four by the book: no bits, no pruning."""
    discs = sum(map(len, columns))
    mark, last = "XO"[discs % 2], "XO"[1 - discs % 2]
    if _wins(columns, last, width, height):
        return (1 if last == "X" else -1) * (1 + width * height - discs)
    if discs == width * height:
        return 0
    values = [
        solve((*columns[:i], columns[i] + mark, *columns[i + 1 :]), width, height)
        for i in range(width)
        if len(columns[i]) < height
    ]
    return max(values) if mark == "X" else min(values)


def _wins(columns, mark, width, height):
    def at(x, y):
        return 0 <= x < width and 0 <= y < len(columns[x]) and columns[x][y] == mark

    return any(
        all(at(x + i * dx, y + i * dy) for i in range(4))
        for x, y in product(range(width), range(height))
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def test_an_open_three_wins_at_connect_four():
    game = ConnectFour(moves="4433")  # X has 3 and 4 on the bottom row, and moves
    result = deepening(Search(game, 5, order=urgent_first))
    assert result.value == 1 + 42 - 4 - 3
    assert result.move in (1, 4)


def test_urgency_knows_a_win_and_a_threat_at_connect_four():
    game = ConnectFour(moves="414243")
    assert game.urgency(game.initial(), 3) == CAPTURE
    game = ConnectFour(moves="4142437")
    assert game.urgency(game.initial(), 0) != CAPTURE
    game = ConnectFour(moves="41424")
    assert game.urgency(game.initial(), 3) == THREAT
    assert game.noisy(game.initial()) == [3]


def test_the_fours_of_the_standard_board_are_69():
    assert len(ConnectFour().fours) == 69
    assert not ConnectFour().has_four(0b1110111)  # three on top of a column and more in the next are no four
    assert ConnectFour().player(Discs(1, 0)) != MAX


def test_moves_after_the_end_of_a_connect_four_game_are_refused():
    with pytest.raises(LabError, match="the game 41414142 is over before move 8"):
        ConnectFour(moves="41414142")


def test_a_dice_race_without_hits_is_solved_to_its_end_and_the_first_mover_is_ahead():
    value = expectiminimax(Search(DiceRace(4, 1, hits=False))).value
    assert 0 < value < 1


def test_a_hit_runner_goes_back_to_the_start():
    game = DiceRace(6, 1)
    state = game.initial()
    for step in (2, 0, 1, 0, 1, 2):  # by turns the roll and the square moved from: MAX to 2, MIN to 1, MAX to 3
        state = game.result(state, step)
    assert state.max_runners == (3,) and state.min_runners == (1,)
    for step in (2, 1):
        state = game.result(state, step)
    assert state.max_runners == (0,) and state.min_runners == (3,)


def test_an_endless_game_asks_for_a_depth():
    with pytest.raises(LabError, match="dice race of 6 can repeat positions without end"):
        Search(DiceRace())


def test_in_trio_one_who_cannot_win_chooses_who_does():
    assert maxn(Search(Trio(3))).value == (3, 2, 0)
    four = maxn(Search(Trio(4)))
    assert four.value[0] < 3
    assert Trio(4).utilities(Heap(0, 0)) == (2, 0, 3)


def test_pac_man_is_caught_by_his_own_move_and_by_a_ghosts():
    game = PacMan("#######|#.PG .#|#######")
    assert game.utility(game.result(game.initial(), "E")) == -501
    world = game.result(game.initial(), "W")
    assert world.score == 9 and not game.is_terminal(world)
    world = game.result(game.result(world, "W"), "E")
    assert game.is_terminal(world) and world.score == 8 - 500


def test_two_ghosts_move_one_after_the_other():
    game = PacMan("#########|#P. . GG#|#########")
    turns = []
    world = game.initial()
    for _ in range(6):
        turns.append(world.turn)
        world = game.result(world, game.actions(world)[0])
    assert turns == [0, 1, 2, 0, 1, 2]


def test_the_clock_ends_a_game_of_pac_man():
    game = PacMan("#####|#P .#|#####", clock=4)
    end = play_out(game, lambda game, world: "E" if world.pacman == (1, 1) else "W", lambda game, world: "N")
    assert isinstance(end, World) and end.clock == 0 and end.score == -4


def test_chess_states_are_values():
    game = Chess()
    state = game.initial()
    before = state.fen()
    for move in game.actions(state):
        game.result(state, move)
    assert state.fen() == before


def test_a_mate_is_worth_more_the_sooner_it_comes_and_black_sees_it_too():
    white = Chess("6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1")
    black = Chess("3rk3/8/8/8/8/8/5PPP/6K1 b - - 0 1")
    assert alphabeta(Search(white, 3)).value == 99_999
    assert alphabeta(Search(black, 3)).value == -99_999
    assert str(alphabeta(Search(black, 3)).move) == "d8d1"


@pytest.mark.parametrize("name", [name for name in GAMES if name not in ("tree", "chess", "horizon")])
def test_every_game_can_be_made_and_played_to_its_end_or_a_while(name):
    game = make_game(name)
    rng = random.Random(name)
    state = game.initial()
    for _ in range(60):
        if game.is_terminal(state):
            assert len(game.utilities(state)) == game.players
            break
        assert game.describe(state)
        action = rng.choice(game.actions(state))
        assert game.parse_action(state, game.action_name(action)) == action
        state = game.result(state, action)


def test_bounds_hold_the_true_value_all_over_the_tic_tac_toe_board():
    game = TicTacToe()
    rng = random.Random(5)
    for _ in range(60):
        state = game.initial()
        for _ in range(rng.randint(3, 8)):
            if not game.is_terminal(state):
                state = game.result(state, rng.choice(game.actions(state)))
        low, high = game.bounds(state)
        assert low <= alphabeta(Search(game, start=state)).value <= high
