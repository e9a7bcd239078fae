"""Text for people."""


def shortened(text: str, most: int = 200) -> str:
    """The text, or its beginning and its end if it has more than `most` characters.

    >>> shortened("/a/file"), shortened("x" * 1000 + ".bin", 20)
    ('/a/file', 'xxxxxxxxxxxxxx…x.bin')
    """
    if len(text) <= most:
        return text
    end = most // 4
    return f"{text[: most - end - 1]}…{text[-end:]}"


def numbered_moves(sans: list[str], number: int, is_white: bool) -> str:
    """Moves with their numbers, the first being move `number` of White or Black.

    >>> numbered_moves(["e5", "Nf3", "Nc6"], 1, False)
    '1... e5 2. Nf3 Nc6'
    """
    words = []
    for at, san in enumerate(sans):
        if is_white:
            words.append(f"{number}.")
        elif at == 0:
            words.append(f"{number}...")
        words.append(san)
        number += not is_white
        is_white = not is_white
    return " ".join(words)
