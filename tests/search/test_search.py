"""The compiled search: mates, draws, limits and determinism."""

import itertools
import random

import pytest

from cythera import Position
from cythera.board.scores import Score
from cythera.core import (
    DECISIONS,
    EXIT_REASONS,
    FEATURE_TEXTS,
    FEATURES,
    MATE,
    TUNABLES,
    Searcher,
    decision,
    get_tunables,
    set_tunable,
    set_tunables,
)
from cythera.engine.bench import POSITIONS

NULL_MOVE = 65  # in recorded trees
GREATEST_DEPTH = 245

MATES = [  # FEN, moves to mate for the side to move
    ("6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1", 1),
    ("7k/5Q2/5K2/8/8/8/8/8 w - - 0 1", 1),
    ("r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 0", 2),
]
HIDDEN_MATES = [  # random positions, the shortest mate in moves, and the feature without which 30,000 nodes are too few
    ("5KRb/1P1Pr1np/8/2Q5/2P1k1Np/1B2ppq1/R7/8 w - - 0 1", 4, "late checks"),
    ("4R2n/5P2/5R1p/2PKB3/pN4P1/Q3q3/1pr1k1p1/b7 w - - 0 1", 4, "late checks"),
    ("n6B/R1Pq1Q1P/3p1p2/7p/1PN5/b2k4/1r1p4/1R5K w - - 0 1", 4, "late checks"),
    ("3B4/3kP3/Q1n1pP1p/1pq1R3/1p3K1N/rb3R2/2P5/8 w - - 0 1", 5, "late checks"),
    ("4k3/1K5p/1P3b2/N4R2/1p2P1p1/1p1P2QB/1r3n2/5R1q w - - 0 1", 5, "open window"),
    ("8/4r2R/1bp2P2/N1nBP3/8/2Pk1q1R/2p2ppK/Q7 w - - 0 1", 6, "open window"),
    ("3b4/2B5/4K2p/N1Q5/nP2p1P1/3r2P1/k1p3Rp/2Rq4 w - - 0 1", 6, "open window"),
]


@pytest.fixture(scope="module")
def searcher():
    return Searcher(8, 1)


@pytest.mark.parametrize(("fen", "moves"), MATES)
def test_a_short_mate_is_found_with_its_exact_length_and_a_line_that_ends_in_mate(searcher, fen, moves):
    searcher.clear()
    position = Position(fen)
    line = searcher.go(position, depth=2 * moves + 8)[0]
    assert Score.from_core(line.score) == Score(mate=moves)
    assert line.bound == "exact"
    assert len(line.moves) == 2 * moves - 1
    for move in line.moves:
        position.push(move)
    assert position.is_checkmate()


@pytest.mark.parametrize(("fen", "moves", "feature"), HIDDEN_MATES)
def test_a_mate_of_late_checks_or_far_above_the_score_is_found(searcher, fen, moves, feature):
    searcher.clear()
    line = searcher.go(Position(fen), nodes=30_000)[0]
    assert line.score >= MATE - 2 * moves - 1, feature  # a move longer than the shortest is as good


def test_the_plain_search_sees_a_mate_that_pruning_may_overlook(searcher):
    # A quiet rook sacrifice and a zugzwang: everything that heuristics dislike.
    searcher.clear()
    line = searcher.go(Position("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"), depth=4, features=0)[0]
    assert (line.moves, line.score) == (["a1a6", "b7a6", "b6b7"], MATE - 3)


def test_a_position_without_moves_gives_no_line(searcher):
    stalemate, mate = Position("k7/2Q5/2K5/8/8/8/8/8 b - - 0 1"), Position("3R2k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")
    assert stalemate.is_stalemate()
    assert mate.is_checkmate()
    assert searcher.go(stalemate, depth=3) == searcher.go(mate, depth=3) == []


def test_the_node_limit_is_exact_with_one_thread(searcher):
    for nodes in (1, 2, 17, 100, 1023, 1024, 1025, 12345):
        searcher.clear()
        searcher.go(Position(), nodes=nodes)
        assert searcher.nodes == nodes


def test_the_same_search_is_the_same_tree():
    counts = set()
    for _ in range(3):
        searcher = Searcher(4, 1)
        searcher.go(Position(POSITIONS[5]), depth=9)
        counts.add(searcher.nodes)
    assert len(counts) == 1


def test_clearing_makes_a_used_searcher_like_new(searcher):
    searcher.clear()
    searcher.go(Position(POSITIONS[3]), depth=8)
    first = searcher.nodes
    searcher.go(Position(POSITIONS[4]), depth=8)
    searcher.clear()
    searcher.go(Position(POSITIONS[3]), depth=8)
    assert searcher.nodes == first


def test_lines_are_legal_distinct_and_in_order(searcher):
    for fen in POSITIONS[:12]:
        searcher.clear()
        lines = searcher.go(Position(fen), depth=7, multipv=4)
        assert len({line.moves[0] for line in lines}) == len(lines) == 4
        assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
        for line in lines:
            position = Position(fen)
            for move in line.moves:
                position.push(move)


def test_only_the_wanted_moves_are_searched(searcher):
    lines = searcher.go(Position(), depth=5, multipv=9, searchmoves=["a2a3", "h2h4"])
    assert {line.moves[0] for line in lines} == {"a2a3", "h2h4"}


def test_a_repetition_is_a_draw_and_is_taken_by_the_side_that_is_losing(searcher):
    # Two rooks are about to mate, but the queen checks on e1 and h4 for ever.
    searcher.clear()
    line = searcher.go(Position("7k/RR6/8/8/7q/8/6P1/6K1 b - - 0 1"), depth=12)[0]
    assert (line.moves[0], line.score) == ("h4e1", 0)


def test_an_advantage_is_worth_nothing_when_the_fifty_moves_run_out(searcher):
    searcher.clear()
    assert searcher.go(Position("8/8/8/3k4/8/8/1R6/K7 w - - 99 80"), depth=6)[0].score == 0


def test_mate_on_the_hundredth_ply_wins(searcher):
    searcher.clear()
    line = searcher.go(Position("6k1/5ppp/8/8/8/8/8/3RK3 w - - 99 80"), depth=4)[0]
    assert (line.moves, line.score) == (["d1d8"], MATE - 1)


def test_bare_minor_pieces_are_a_draw(searcher):
    for fen in ("8/8/3k4/8/8/3KN3/8/8 w - - 0 1", "8/8/3k4/8/8/3KB3/8/8 w - - 0 1"):
        searcher.clear()
        assert searcher.go(Position(fen), depth=6)[0].score == 0


def test_a_listener_that_says_enough_ends_the_search(searcher):
    depths = []

    def listen(_, lines):
        depths.append(lines[0].depth)
        return len(depths) == 5

    searcher.go(Position(), listener=listen)
    assert depths == [1, 2, 3, 4, 5]


def test_what_a_listener_raises_comes_out_of_the_search(searcher):
    def listen(*_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        searcher.go(Position(), depth=5, listener=listen)
    assert searcher.go(Position(), depth=3)


def test_two_threads_find_a_legal_move():
    searcher = Searcher(8, 2)
    for fen in POSITIONS[:6]:
        Position(fen).push(searcher.go(Position(fen), depth=9)[0].moves[0])


def test_a_search_from_a_stopped_start_still_has_a_move(searcher):
    searcher.stop()
    assert searcher.go(Position(), nodes=1)[0].moves


def test_two_threads_finish_the_first_iteration_whatever_the_node_limit():
    """So that there is a move. With one thread the limit is exact. A thread that gets no processor for long may be
    stopped early by the other, hence several attempts."""
    searcher = Searcher(1, 2)
    bounds = []
    for _ in range(10):
        searcher.clear()
        bounds.append(searcher.go(Position("r2qk2r/1qq2qq1/8/8/8/8/1QQ2QQ1/R2QK2R w - - 0 1"), nodes=300)[0].bound)
    assert "exact" in bounds


@pytest.mark.parametrize("hard_ms", [0.001, 1, 2])
def test_even_the_shortest_time_is_a_limit(searcher, hard_ms):
    searcher.clear()
    most = 10_000_000  # nodes, for which no processor needs less than a second
    assert searcher.go(Position(), hard_ms=hard_ms, nodes=most)[0].moves and searcher.nodes < most


def test_a_search_without_limits_ends_at_the_greatest_depth(searcher):
    searcher.clear()
    assert searcher.go(Position(MATES[0][0]))[0].depth == GREATEST_DEPTH
    assert searcher.go(Position(MATES[0][0]), depth=GREATEST_DEPTH + 1)[0].depth == GREATEST_DEPTH


def test_a_search_for_a_mate_makes_no_null_move():
    """A null move hides mates that need a zugzwang."""
    null_moves = []
    for mate in (0, 3):
        searcher = Searcher(8)
        searcher.record(60, 200_000)
        searcher.go(Position(POSITIONS[10]), depth=9, mate=mate)
        null_moves.append(sum(node.move == NULL_MOVE for node in searcher.recorded()[0]))
    assert null_moves[0] > 0 == null_moves[1]


def test_every_switch_of_the_search_can_be_turned_off_and_changes_the_tree(searcher):
    everything = sum(FEATURES.values())

    def trees(features):
        counts = []
        for fen in POSITIONS[:8]:
            searcher.clear()
            assert searcher.go(Position(fen), depth=8, nodes=60_000, features=features)
            counts.append((searcher.nodes, searcher.hashfull))
        return counts

    whole = trees(everything)
    same = [name for name, value in FEATURES.items() if trees(everything - value) == whole]
    # These matter only where a mate is near or a game decided.
    assert same == ["mate distance pruning", "decided scores", "late checks", "open window"]


def test_a_decided_score_keeps_nodes_from_being_cut_by_their_evaluation(searcher):
    """Without reverse futility, null moves and razoring the feature has nothing left to do."""
    position = Position("r4rk1/ppp2ppp/2n5/8/8/2NQ4/PPP2PPP/R4RK1 w - - 0 1")  # a queen up
    everything = sum(FEATURES.values())
    unpruned = everything - sum(FEATURES[name] for name in ("rfp", "nmp", "razoring"))

    def nodes(features):
        searcher.clear()
        searcher.go(position, depth=9, features=features)
        return searcher.nodes

    decided = FEATURES["late checks"] + FEATURES["open window"]
    assert nodes(everything) != nodes(everything - FEATURES["decided scores"])
    assert nodes(unpruned - decided) == nodes(unpruned - decided - FEATURES["decided scores"])


def test_late_checks_matter_only_where_quiet_moves_are_skipped_and_the_score_is_decided(searcher):
    everything = sum(FEATURES.values())
    late = FEATURES["late checks"]
    unskipped = everything - FEATURES["lmp"] - FEATURES["futility pruning"]

    def nodes(fen, features):
        searcher.clear()
        searcher.go(Position(fen), depth=8, features=features)
        return searcher.nodes

    mate, even = HIDDEN_MATES[0][0], POSITIONS[0]
    assert nodes(mate, everything) != nodes(mate, everything - late)
    assert nodes(mate, unskipped) == nodes(mate, unskipped - late)
    assert nodes(even, everything) == nodes(even, everything - late)


@pytest.mark.parametrize("fen", [fen for fen, moves in MATES if moves == 1])
def test_mate_distance_pruning_finds_the_same_mate_in_fewer_nodes(searcher, fen):
    lines, nodes = [], []
    for features in (sum(FEATURES.values()), sum(FEATURES.values()) - FEATURES["mate distance pruning"]):
        searcher.clear()
        lines.append(searcher.go(Position(fen), depth=12, features=features)[0])
        nodes.append(searcher.nodes)
    assert (lines[0].moves, lines[0].score) == (lines[1].moves, lines[1].score)
    assert 3 * nodes[0] < nodes[1]


def test_the_selective_depth_reaches_the_end_of_the_line(searcher):
    for fen in POSITIONS[:12]:
        searcher.clear()
        line = searcher.go(Position(fen), depth=8)[0]
        assert line.seldepth >= max(len(line.moves), line.depth), fen


@pytest.mark.parametrize("mib", [8, 300])
def test_a_cleared_table_is_as_good_as_new(mib):
    searcher = Searcher(mib)
    searcher.go(Position(POSITIONS[1]), depth=8)
    fresh = searcher.nodes
    searcher.go(Position(POSITIONS[1]), depth=8)
    assert searcher.nodes != fresh
    searcher.clear()
    assert searcher.hashfull == 0
    searcher.go(Position(POSITIONS[1]), depth=8)
    assert searcher.nodes == fresh


def test_bad_limits_and_sizes_are_refused_and_nothing_is_lost(searcher):
    with pytest.raises(ValueError):
        searcher.go(Position(), depth=-1)
    with pytest.raises(ValueError):
        searcher.go(Position(), multipv=0)
    with pytest.raises(ValueError):
        searcher.set_hash(0)
    with pytest.raises(ValueError):
        searcher.set_threads(0)
    assert (searcher.hash_mib, searcher.threads) == (8, 1)


def test_random_positions_at_small_depth_give_legal_lines(searcher):
    rng = random.Random(11)
    for _ in range(150):
        position = Position()
        for _ in range(rng.randrange(4, 150)):
            moves = position.legal_moves()
            if not moves or position.is_draw():
                break
            position.push(rng.choice(moves))
        if position.outcome():
            continue
        line = searcher.go(position, depth=4)[0]
        assert abs(line.score) <= MATE
        walk = position.copy()
        for move in line.moves:
            walk.push(move)


def test_a_search_stopped_midway_does_not_play_a_move_that_only_seemed_better():
    """One that failed high and then low again: the last whole iteration knew better."""
    searcher = Searcher(4)
    upper = 0
    for fen in POSITIONS[:20]:
        for nodes in (3_000, 7_777, 20_000):
            searcher.clear()
            whole = []
            line, *_ = searcher.go(
                Position(fen), nodes=nodes, listener=lambda _, lines, whole=whole: whole.append(lines[0])
            )
            if line.bound == "upper":
                upper += 1
                assert line.moves[0] == whole[-1].moves[0], (fen, nodes)
    assert upper, "no search was stopped while its first move was failing low: the test says nothing"


def test_of_several_lines_those_a_stopped_iteration_did_not_finish_are_of_the_last_whole_one():
    searcher = Searcher(4)
    fresh = kept = 0
    for fen in POSITIONS[:20]:
        for nodes in (3_000, 7_777, 20_000):
            searcher.clear()
            whole = []
            lines = searcher.go(
                Position(fen), nodes=nodes, multipv=4, listener=lambda _, found, whole=whole: whole.append(found)
            )
            before = {tuple(line.moves): (line.score, line.bound) for line in whole[-1]}
            assert len({line.moves[0] for line in lines}) == len(lines) == len(whole[-1]), (fen, nodes)
            for number, line in enumerate(lines):
                if before.get(tuple(line.moves)) == (line.score, line.bound):
                    kept += 1
                else:
                    fresh += 1
                    assert line.bound == "exact" or number == 0, (fen, nodes)
    assert fresh and kept, "no search was stopped between lines: the test says nothing"


def test_decisions_go_the_way_their_names_say():
    for depth in range(1, 20):
        for noisy in (0, 1):
            assert decision("lmr_base_reduction", noisy, depth + 1, 20) >= decision(
                "lmr_base_reduction", noisy, depth, 20
            )
            assert decision("lmr_base_reduction", noisy, 10, depth + 1) >= decision(
                "lmr_base_reduction", noisy, 10, depth
            )
            assert decision("see_margin", noisy, depth) < 0
        assert decision("rfp_margin", depth, 1) <= decision("rfp_margin", depth, 0)
        assert decision("razor_margin", depth + 1) > decision("razor_margin", depth)
        assert decision("lmp_limit", depth, 1) > decision("lmp_limit", depth, 0)
        assert decision("futility_margin", depth + 1) > decision("futility_margin", depth)
        assert decision("singular_beta", 50, depth) <= 50
        assert decision("nmp_reduction", depth, 400) >= decision("nmp_reduction", depth, 0) >= 2
        assert decision("history_bonus", depth + 1) >= decision("history_bonus", depth) > 0
        assert decision("history_malus", depth + 1) >= decision("history_malus", depth) > 0
    assert decision("hindsight", 3 * 1024, -20, 6) == 1, "a much reduced move that lost nothing gets a ply back"
    assert decision("hindsight", 3 * 1024, 400, 6) == -1, "one that lost much gives up another"
    assert decision("hindsight", 1024, 400, 6) == decision("hindsight", 1024, -20, 6) == 0
    assert decision("eval_history_bonus", 80) < 0 < decision("eval_history_bonus", -80), "what we gain, they lost"
    assert decision("correction_reduction", 0) == 0
    assert 0 < decision("correction_reduction", -20) == decision("correction_reduction", 20)


def test_a_decision_is_called_by_its_name_and_with_its_arguments():
    for name, arguments in DECISIONS.items():
        assert isinstance(decision(name, *range(1, 1 + len(arguments))), int)
        with pytest.raises(TypeError, match=arguments[0]):
            decision(name)
    with pytest.raises(KeyError, match="razor_margin"):
        decision("magic")


def test_every_feature_and_every_exit_reason_says_what_it_is():
    assert FEATURE_TEXTS.keys() == FEATURES.keys()
    assert all(FEATURE_TEXTS.values())
    assert sorted(FEATURES.values()) == [1 << i for i in range(len(FEATURES))]
    assert [name for name, text in EXIT_REASONS.items() if not text] == ["moves"]


def test_the_search_with_constant_parameters_and_the_one_with_variables_build_the_same_tree(searcher):
    """Defaults are compiled in; any other number takes the other instance of the search, even one without effect."""

    def trees():
        counts = []
        for fen in POSITIONS[:6]:
            searcher.clear()
            lines = searcher.go(Position(fen), depth=9)
            counts.append((searcher.nodes, searcher.hashfull, lines))
        return counts

    constant = trees()
    before = get_tunables()["NMP_VERIFY_DEPTH"]
    try:
        set_tunable("NMP_VERIFY_DEPTH", before + 1)  # deeper than these searches
        assert trees() == constant
        set_tunable("NMP_BASE", get_tunables()["NMP_BASE"] + 1)
        assert trees() != constant
    finally:
        set_tunables([row.default for row in TUNABLES])
    assert trees() == constant


def test_all_numbers_of_the_search_are_set_at_once_or_not_at_all():
    names, before = list(get_tunables()), list(get_tunables().values())
    lowest = [row.low for row in TUNABLES]
    try:
        set_tunables(lowest)
        assert get_tunables() == dict(zip(names, lowest, strict=True))
        assert decision("lmr_base_reduction", 0, 1, 1) == lowest[names.index("LMR_BASE")]
        for bad in ([], before[:-1], [*before[:-1], 10**6]):
            with pytest.raises(ValueError):
                set_tunables(bad)
        assert list(get_tunables().values()) == lowest
    finally:
        set_tunables(before)
    assert list(get_tunables().values()) == before


def test_a_deep_null_move_cutoff_is_verified_by_a_search_without_null_moves():
    """Otherwise zugzwang would go unnoticed. By default this begins at depth 14, deeper than most tests search."""
    reason = "null-move pruning"
    searcher = Searcher(8)
    features = sum(FEATURES.values()) - FEATURES["decided scores"]  # which leaves null moves out
    verified = tried = 0
    try:
        set_tunable("NMP_VERIFY_DEPTH", 8)
        for fen in (POSITIONS[10], POSITIONS[4]):
            searcher.clear()
            searcher.record(60, 200_000)
            searcher.go(Position(fen), depth=13, features=features)
            records, left_out = searcher.recorded()
            assert not left_out
            children = [[] for _ in records]
            floor = []  # ply below which there are no null moves, by record
            for index, node in enumerate(records):
                parent = records[node.parent] if node.parent >= 0 else None
                if parent:
                    children[node.parent].append(node)
                floor.append(floor[node.parent] if parent else 0)
                after_null = parent and [child.move == NULL_MOVE for child in children[node.parent]] == [True, False]
                if after_null and node.ply == parent.ply and not node.excluded and not floor[node.parent]:
                    tried += 1
                    floor[index] = node.ply + node.depth * 12 // 16
                if node.move == NULL_MOVE:
                    assert parent.ply >= floor[node.parent], "a null move in a verification"
            for index, node in enumerate(records):
                # Hindsight may have changed the depth of the node by one.
                if node.exit_reason == reason and node.depth > 8 and not floor[index]:
                    null, again = children[index]
                    assert null.move == NULL_MOVE and again.ply == node.ply and again.depth == null.depth
                    assert again.score >= node.beta == again.beta
                    verified += 1
    finally:
        set_tunables([row.default for row in TUNABLES])
    assert tried > verified > 20  # some cutoffs were refuted


def test_hashfull_counts_the_entries_of_this_search_in_thousandths():
    searcher = Searcher(1)
    position = Position(POSITIONS[4])
    searcher.go(position, nodes=3000)
    few = searcher.hashfull
    searcher.go(position, nodes=6000)
    assert 0 < few < 60 and few < searcher.hashfull < 120  # 81,920 entries
    searcher.go(position, nodes=600_000)
    assert searcher.hashfull == 1000
    searcher.go(position, nodes=100)
    assert searcher.hashfull < 10  # the others are of earlier searches


def possible_extensions(node, others, off):
    """Plies by which the table move of a node may be extended after a search of the others, without one feature."""
    tunables = get_tunables()
    worse_by = others.beta - others.score
    if worse_by > 0:
        if node.node_type == "pv" or worse_by <= tunables["DOUBLE_MARGIN"] or off == "double extensions":
            return {1}
        is_noisy = others.excluded >> 14 != 0
        return {3} if worse_by > tunables["TRIPLE_MARGIN"] and not is_noisy else {2}
    if off == "multicut":
        return {0}
    assert others.beta < node.beta, "several moves beat beta, and the node was not cut"
    return {-tunables["SINGULAR_TT_REDUCTION"], -tunables["SINGULAR_CUT_REDUCTION"] * (node.node_type == "cut")}


@pytest.mark.parametrize("off", ["nothing", "multicut", "double extensions"])
def test_a_table_move_is_extended_by_how_much_worse_the_other_moves_are(off):
    """As the recorded tree shows. What else changes the depth of a node is off."""
    features = sum(value for name, value in FEATURES.items() if name not in ("hindsight", "iir", off))
    found = set()
    for fen in POSITIONS[4:8]:
        searcher = Searcher(8)
        searcher.record(60, 400_000)
        searcher.go(Position(fen), depth=11, features=features)
        records, left_out = searcher.recorded()
        assert not left_out
        children = [[] for _ in records]
        for node in records:
            if node.parent >= 0:
                children[node.parent].append(node)
        for node, below in zip(records, children, strict=True):
            for others, after in itertools.pairwise(below):
                if others.excluded and not node.excluded and after.move == others.excluded and after.ply > node.ply:
                    extension = after.depth - (node.depth - 1)
                    assert extension in possible_extensions(node, others, off)
                    found.add(extension)
    assert found >= {0, 1} and (2 in found) == (off != "double extensions") and (-1 in found) == (off != "multicut")
