"""The table of openings: every ECO code, legal moves, names."""

from cythera import Position
from cythera.board.opening_table import opening_lines
from cythera.games.opening_names import book_plies, named_positions, opening_of


def test_every_code_of_the_eco_set_has_a_line():
    codes = {code for code, _, _ in opening_lines()}
    assert codes == {f"{letter}{number:02}" for letter in "ABCDE" for number in range(100)}


def test_moves_are_legal_and_written_as_the_rules_write_them():
    for code, name, moves in opening_lines():
        position = Position()
        for san in moves:
            assert position.san(position.parse_san(san)) == san, (code, name, san)
            position.push_san(san)


def test_no_position_has_two_names():
    assert len(named_positions()) == len(opening_lines()) >= 600


def test_lines_are_in_the_order_of_codes():
    codes = [code for code, _, _ in opening_lines()]
    assert codes == sorted(codes)


def test_an_opening_is_known_by_its_position():
    assert opening_of(Position(), ["g1f3", "b8c6", "e2e4", "e7e5", "f1b5", "h7h6"]) == ("Ruy Lopez", 5)
    assert opening_of(Position(), ["e2e4", "0000"])[1] == 1
    assert opening_of(Position("8/8/3k4/8/8/8/8/R3K3 w - - 0 1"), ["e1e2"]) == ("", 0)


def test_moves_to_named_positions_and_on_the_way_to_them_are_book():
    names = {name: moves for _, name, moves in opening_lines()}
    position = Position()
    for san in (*names["Sicilian Defence, Najdorf Variation"], "a3"):
        position.push_san(san)
    moves = position.history()
    assert book_plies(Position(), moves) == set(range(len(moves) - 1))
    assert book_plies(Position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), ["e2e4"]) == set()
