"""The end of a room: it is closed when nobody has needed it for a long time."""

from typing import Final

from hainan.server.state import Seat
from hainan.server.store.writes import room_closed
from hainan.server.wishes import Wishes
from hainan.wire import Notice, Refusal, Stage

UNUSED_MS: Final = 24 * 3600 * 1000
"""A room without a match that nobody has used for so long is closed."""
ABANDONED_MS: Final = 7 * UNUSED_MS
"""So is one with a match in which nothing has happened for so long; the match ends with it."""
WHY: Final = "this room is closed"


class Closing(Wishes):
    """Closes a room."""

    @property
    def unused(self) -> bool:
        """Whether nobody is here, or was, or waits for an answer, for so long that the room can be closed."""
        if self.state.stage == Stage.CLOSED or self.audience.connected or not self._inbox.empty:
            return False
        limit = ABANDONED_MS if self.state.in_match else UNUSED_MS
        return self.clock.wall_ms() - self.last_used >= limit

    async def close_if_unused(self) -> None:
        """Asked by whoever looks after all rooms; decided here, where nobody can come in between."""
        if self.unused:
            await self.close()

    async def close(self) -> None:
        """The room is no more, and forgets who was there. A match that is on ends; its totals stand."""
        await self.show_now()
        draft = self.draft()
        ends = self.early_end(draft, "closed") if draft.in_match else []
        draft.stage, draft.commitment, draft.place = Stage.CLOSED, None, None
        draft.owner, draft.kicked, draft.seats = None, [], [Seat() for _ in draft.seats]
        await self.write(*ends, room_closed(self.code, draft.to_json(), self.clock.wall_ms()))
        self.state = draft
        self.hand = self.shuffle = None
        self.quiet()
        self.drop_votes()
        self.tell_notice(Notice.CLOSED)
        self.say_good_bye()

    def say_good_bye(self) -> None:
        """To everybody who is still here."""
        self.audience.close_all(Refusal.NO_SUCH_ROOM, WHY)
