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
