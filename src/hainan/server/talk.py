"""What players say to one another and decide together; and the whole room, put together."""

from collections.abc import Hashable
from typing import Any, ClassVar, Final

from hainan import wire
from hainan.server.exchange import Attach, Detach, Envelope, Gone
from hainan.server.problem import Problem
from hainan.server.seating import Seating
from hainan.server.store import How, StorageError
from hainan.wire import Ballot, Notice, Refusal, Stage

_VOTE_LASTS: Final = 30.0
_UNANIMOUS: Final = (Ballot.END,)


class Room(Seating):
    """A room with everything that can be asked of it."""

    def __init__(self, *arguments: Any) -> None:
        """Nothing is being voted on."""
        super().__init__(*arguments)
        self._votes: dict[Ballot, dict[int, bool]] = {}

    # ------------------------------------------------------------ phrases

    async def on_say(self, envelope: Envelope, command: wire.Say) -> None:
        """A phrase to everybody who hasn't muted this seat."""
        seat = self.seat_of(envelope)
        if command.phrase not in wire.PHRASES:
            raise Problem(Refusal.BAD_MESSAGE, f"there is no phrase {command.phrase!r}")
        channel = self.audience.channel(envelope.player, envelope.name)
        if not channel.may_say(self.clock.now()):
            raise Problem(Refusal.TOO_FAST, "that is a lot of talk; wait a few seconds")
        for other in self.audience.connected:
            if seat not in other.muted:
                self.audience.send(other, wire.Said(seq=other.number(), seat=seat, phrase=command.phrase))

    async def on_mute(self, envelope: Envelope, command: wire.Mute) -> None:
        """Hear nothing from a seat, or hear it again."""
        channel = self.audience.channel(envelope.player, envelope.name)
        if command.on:
            channel.muted.add(command.seat)
        else:
            channel.muted.discard(command.seat)
        self.tell_room_to(channel)

    # ------------------------------------------------------------ votes

    def _voters(self, ballot: Ballot) -> set[int]:
        """Players who have answered or can be expected to."""
        present = {
            seat
            for seat in self.state.humans
            if self.audience.online(self.state.seats[seat].player) and not self.state.seats[seat].auto
        }
        return present | set(self._votes.get(ballot, ()))

    def _needed(self, ballot: Ballot) -> int:
        """More than half of the players; all of them to end a match."""
        voters = len(self._voters(ballot))
        return voters if ballot in _UNANIMOUS else voters // 2 + 1

    def open_votes(self) -> list[wire.Open]:
        """What is being voted on."""
        return [
            wire.Open(
                on=ballot,
                yes=sorted(seat for seat, yes in votes.items() if yes),
                no=sorted(seat for seat, yes in votes.items() if not yes),
                needed=self._needed(ballot),
            )
            for ballot, votes in self._votes.items()
        ]

    async def on_vote(self, envelope: Envelope, command: wire.Vote) -> None:
        """A wish, or an answer to one."""
        seat = self.seat_of(envelope)
        if not self.state.in_match or self.state.seats[seat].bot is not None:
            raise Problem(Refusal.NOT_NOW, "there is no match to vote on")
        if command.on == Ballot.PAUSE:
            self.playing()
        if command.on not in self._votes and not command.yes:
            raise Problem(Refusal.NOT_NOW, "nobody asked for that")
        votes = self._votes.setdefault(command.on, {})
        votes[seat] = command.yes
        self.agenda.set(("vote", command.on.value), self.clock.now() + _VOTE_LASTS)
        await self._count(command.on)
        self.tell_room()

    async def _count(self, ballot: Ballot) -> None:
        votes, needed = self._votes[ballot], self._needed(ballot)
        yes = sum(votes.values())
        if yes >= needed:
            self._close_vote(ballot)
            await self._carry_out(ballot)
        elif len(self._voters(ballot)) - (len(votes) - yes) < needed:
            self._close_vote(ballot)

    async def voter_gone(self, seat: int) -> None:
        """Somebody has given up his seat: his votes go too, and the others' may now be enough."""
        for ballot, votes in list(self._votes.items()):
            votes.pop(seat, None)
            if votes:
                await self._attempt_due(("recount", ballot.value))  # should it fail, he has left all the same
            else:
                self._close_vote(ballot)

    async def _recount(self, ballot: Ballot) -> None:
        votes = self._votes.get(ballot)
        if votes is None:
            return
        try:
            await self._count(ballot)
        except Problem:  # it has lost its object: a pause, when the hand is over
            return
        except StorageError:
            self._votes[ballot] = votes  # they are counted once more
            raise

    async def _carry_out(self, ballot: Ballot) -> None:
        if ballot == Ballot.PAUSE:
            await self.pause()
        elif ballot == Ballot.MORE_TIME:
            await self.more_time()
        else:
            await self.end_match("vote", Notice.ENDED_BY_VOTE)

    def _close_vote(self, ballot: Ballot) -> None:
        self._votes.pop(ballot, None)
        self.agenda.drop(("vote", ballot.value))

    def drop_votes(self) -> None:
        """The match is over: what is still being voted on has no object any more."""
        for ballot in list(self._votes):
            self._close_vote(ballot)

    def vote_expired(self, ballot: Ballot) -> None:
        """Not enough players shared a wish in time."""
        self._close_vote(ballot)
        self.tell_room()

    async def on_due(self, key: Hashable) -> None:
        """Do what was on the agenda."""
        match key:
            case "show":
                await self.show()
            case "next":
                if self.state.stage == Stage.BETWEEN:
                    await self.deal()
            case ("late", int(seat)):
                await self.decide(seat, How.TIME_OVER)
            case ("move", int(seat)):
                await self.decide(seat, How.BOT if self.state.seats[seat].bot else How.AUTO)
            case "resume":
                await self.resume()
            case "void":
                await self.void_hand()
            case "reload":
                await self.reload()
            case "film":
                self.step_film()
            case "unused":
                await self.close_if_unused()
            case ("vote", str(on)):
                self.vote_expired(wire.Ballot(on))
            case ("recount", str(on)):
                await self._recount(wire.Ballot(on))

    handlers: ClassVar = {
        Attach: Seating.on_attach,
        Detach: Seating.on_detach,
        Gone: Seating.on_gone,
        wire.Ping: Seating.on_ping,
        wire.Look: Seating.on_look,
        wire.Sit: Seating.on_sit,
        wire.Leave: Seating.on_leave,
        wire.Watch: Seating.on_watch,
        wire.AddBot: Seating.on_add_bot,
        wire.Kick: Seating.on_kick,
        wire.HandOver: Seating.on_hand_over,
        wire.Change: Seating.on_change,
        wire.Start: Seating.on_start,
        wire.Ready: Seating.on_ready,
        wire.Act: Seating.on_act,
        wire.Auto: Seating.on_auto,
        wire.Advise: Seating.on_advise,
        wire.Resume: Seating.on_resume,
        wire.Vote: on_vote,
        wire.Say: on_say,
        wire.Mute: on_mute,
    }
