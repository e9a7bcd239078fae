"""The lab speaks English and Spanish, and says the same in both."""

import ast
import re
import string
import subprocess
import sys
from pathlib import Path

import pytest

import cythera.lab
from cythera.cli.lab import main
from cythera.lab.algorithms import ALGORITHMS
from cythera.lab.experiments import EXPERIMENTS
from cythera.lab.games import GAMES, make_game
from cythera.lab.texts import LANGUAGES, language, say, use_language


@pytest.fixture(autouse=True)
def english_again():
    yield
    use_language("en")


def placeholders(text):
    return sorted(field for _, field, _, _ in string.Formatter().parse(text) if field)


def test_every_language_has_the_same_texts_with_the_same_placeholders():
    english = LANGUAGES["en"]
    for texts in LANGUAGES.values():
        assert list(texts) == list(english)
        for key, text in texts.items():
            assert placeholders(text) == placeholders(english[key]), key
            assert text.strip()


def test_spanish_is_not_english():
    same = [key for key, text in LANGUAGES["es"].items() if text == LANGUAGES["en"][key]]
    assert len(same) < 0.06 * len(LANGUAGES["en"])


def test_every_key_in_the_code_has_a_text_and_every_text_is_used():
    lab = Path(cythera.lab.__path__[0])
    sources = [path for path in lab.rglob("*.py") if path.parent.name != "texts"]
    sources += [lab.parent / "cli" / "lab.py", lab.parent / "web" / "lab_process.py"]
    used, patterns = set(), []
    for path in sources:
        text = path.read_text(encoding="utf-8")
        used |= {node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)}
        patterns += re.findall(r'f"([a-z]+\.[^"]*)"', text)
    expressions = [re.compile(re.sub(r"\{[^}]*\}", ".+", re.escape(p).replace(r"\{", "{").replace(r"\}", "}")))
                   for p in patterns]  # fmt: skip
    texts = LANGUAGES["en"]
    asked = re.compile(r"(error|play|step|cli)\.[a-z_0-9]+")
    called = {node for node in used if isinstance(node, str) and asked.fullmatch(node)}
    assert called <= set(texts)
    unused = {
        key
        for key in texts
        if key not in used
        and not any(pattern.fullmatch(key) for pattern in expressions)
        and not key.startswith(("count.", "page.", "error.language"))
    }
    assert unused == set()


@pytest.mark.parametrize("name", LANGUAGES)
def test_everything_listed_has_its_summary_in_every_language(name, capsys):
    assert main(["--language", name, "list"]) == 0
    shown = capsys.readouterr().out
    assert language() == name
    assert all(entry in shown for entry in (*ALGORITHMS, *GAMES, *EXPERIMENTS))
    assert say("algorithm.alphabeta") in shown


def test_the_language_can_be_given_before_or_after_the_command_and_by_the_environment(capsys, monkeypatch):
    for words in (["--language", "es", "run"], ["run", "--language=es"]):
        main([*words, "minimax", "--game", "two-ply"])
        assert "generados  13" in capsys.readouterr().out
    monkeypatch.setenv("CYTHERA_LANGUAGE", "es_MX.UTF-8")
    main(["run", "minimax", "--game", "two-ply"])
    assert "hojas      9" in capsys.readouterr().out
    main(["--language", "en", "run", "minimax", "--game", "two-ply"])
    assert "leaves     9" in capsys.readouterr().out


def test_drawings_games_and_errors_are_in_the_language_that_was_asked_for(tmp_path, capsys):
    page = tmp_path / "arbol.html"
    main(["--language", "es", "draw", "alphabeta", "--game", "two-ply", "-o", str(page)])
    text = page.read_text(encoding="utf-8")
    assert 'lang="es"' in text and "la raíz" in text and "línea principal" in text and "antes de la búsqueda" in text
    assert "valor 3" in capsys.readouterr().out
    with pytest.raises(ValueError, match="juego desconocido 'poker'"):
        main(["--language", "es", "run", "minimax", "--game", "poker"])
    assert make_game("tictactoe").name == "tres en raya"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["run", "minimax"], "faltan estos argumentos: --game"),
        (["walk"], "opción desconocida 'walk' (elija entre"),
        (["run", "minimax", "--game"], "argumento --game: falta su valor"),
        (["run", "minimax", "--game", "two-ply", "--seed", "x"], "argumento --seed: debe ser un número entero, no 'x'"),
        (["list", "all"], "argumentos desconocidos: all"),
    ],
)
def test_what_is_wrong_with_the_command_is_said_in_spanish(words, complaint, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["--language", "es", *words])
    said = capsys.readouterr().err
    assert caught.value.code == 2 and said.startswith("uso: cythera lab") and complaint in said


def test_the_help_is_in_spanish_and_in_english_as_everywhere(capsys):
    for name, wanted in (
        ("es", ("uso:", "opciones:", "mostrar esta ayuda")),
        ("en", ("usage:", "options:", "show this")),
    ):
        with pytest.raises(SystemExit):
            main(["--language", name, "run", "--help"])
        said = capsys.readouterr().out
        assert all(words in said for words in wanted)


def test_players_by_number_are_named_in_spanish_too(tmp_path):
    picture = tmp_path / "arbol.svg"
    main(["--language", "es", "draw", "maxn", "--game", "party", "-o", str(picture)])
    text = picture.read_text(encoding="utf-8")
    assert "<title>jugador 1, visitado" in text and "player" not in text.split("</style>")[1]


def test_the_command_takes_the_language_from_the_environment_as_a_program():
    done = subprocess.run(
        [sys.executable, "-m", "cythera", "lab", "run", "minimax", "--game", "nothing"],
        env={"CYTHERA_LANGUAGE": "es", "PYTHONPATH": str(Path(cythera.lab.__path__[0]).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and "juego desconocido" in done.stderr
