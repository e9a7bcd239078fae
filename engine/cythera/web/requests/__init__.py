"""What a page may ask for, one class per kind of request.

lines       analyse, hint: lines of a position
game        play, offer: the engine as an opponent
review      evaluate, attempt: the moves of a game judged
opening     opening: the name of an opening
explore     explore, game: the user's own games
tables      tables: what endgame tables know of a position
lab         lab, draw: trees of the lab
"""

from cythera.web.messages import Request
from cythera.web.requests.explore import Explore, OpenGame
from cythera.web.requests.game import Offer, Play
from cythera.web.requests.lab import Draw, LabList
from cythera.web.requests.lines import Analyse, Hint
from cythera.web.requests.opening import NameOpening
from cythera.web.requests.review import Attempt, Evaluate
from cythera.web.requests.tables import Probe

REQUESTS: tuple[type[Request], ...] = (
    Analyse, Hint, Play, Offer, Evaluate, Attempt, NameOpening, Explore, OpenGame, Probe, LabList, Draw,
)  # fmt: skip
KINDS = {request.kind: request for request in REQUESTS}
