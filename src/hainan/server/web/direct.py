"""The short way out of a WebSocket under Uvicorn: a text frame, written to the transport as it is.

ASGI's ``send`` makes of every message an event, a coroutine and a frame object, which together cost as much
as making the message. A text frame from a server is two or four bytes and the text, and leaves no trace in
the protocol's state. Where anything is not as it should be (another server, a handshake not over, a close
under way, a client that doesn't read) the ordinary way is taken.
"""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

_TEXT = b"\x81"
"""The last frame of a text message (RFC 6455, 5.2)."""


def frame(text: bytes) -> bytes:
    """A text message as one unmasked frame; up to 65,535 bytes."""
    length = len(text)
    head = bytes([length]) if length < 126 else b"\x7e" + length.to_bytes(2, "big")
    return _TEXT + head + text


class ShortWay:
    """Of one connection."""

    __slots__ = ("_protocol",)

    def __init__(self, protocol: WebSocketsSansIOProtocol) -> None:
        """The server's end of the connection."""
        self._protocol = protocol

    def write(self, text: bytes) -> bool:
        """Write a message at once; False where the ordinary way must be taken."""
        way = self._protocol
        if way.close_sent or way.disconnected or not way.handshake_complete or not way.writable.is_set():
            return False
        if len(text) > 0xFFFF or way.transport.is_closing():
            return False
        way.transport.write(frame(text))
        return True


def short_way(send: Any) -> ShortWay | None:
    """The short way behind an ASGI ``send``, if its server has one."""
    protocol = getattr(send, "__self__", None)
    return ShortWay(protocol) if isinstance(protocol, WebSocketsSansIOProtocol) else None
