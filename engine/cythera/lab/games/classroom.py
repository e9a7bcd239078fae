"""Trees for the blackboard."""

TREES = {
    "two-ply": "(B(3 12 8) C(2 x=4 y=6) D(14 5 2))",
    "three-ply": """
        (A((6 9 3) (8 5 7) (4 1 2))
         B((5 3 8) (2 9 4) (7 6 6))
         C((9 7 1) (3 4 5) (8 2 6)))
    """,
    "four-ply": """
        ((((9 16) (13 3)) ((1 14) (4 18)) ((10 9) (14 4)))
         (((6 4) (6 10)) ((4 8) (14 5)) ((11 4) (15 2)))
         (((12 16) (18 1)) ((1 18) (14 15)) ((9 11) (15 18))))
    """,
    "dice": """
        (chance:A(0.9*(2 7) 0.1*(3 8))
         chance:B(0.9*(1 6) 0.1*(4 9)))
    """,
    "dice-stretched": """
        (chance:A(0.9*(20 70) 0.1*(30 80))
         chance:B(0.9*(1 60) 0.1*(400 900)))
    """,
    "party": """
        (((1,2,6 4,3,3) (6,1,2 7,4,1))
         ((5,1,1 1,5,2) (7,7,1 5,4,5)))
    """,
    "intervals": """
        [0,9](A[4,9](B[6,9](8 7) 6)
              C[1,5](3 4)
              D[0,3](2 1))
    """,
}

SUMMARIES = {
    "two-ply": "the tree every course begins with: two leaves, x and y, need not be seen",
    "three-ply": "27 leaves",
    "four-ply": "36 leaves, with the best move last: bad luck for depth first",
    "dice": "a tree with chance nodes",
    "dice-stretched": "its leaves in the same order, but not the same proportions: another move is best",
    "party": "a tree for three players",
    "intervals": "a tree with optimistic and pessimistic values, for B*",
}
