"""Why: the one table of reasons for an action, in Chinese and English, each with the facts that call for it.

A sentence is the action, a colon, and at most one reason of each part: of those that apply the first. The
places of a template are words (``Words``), which read the same facts; so every number in a sentence is one
of the evaluation's or of the engine's hints.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import groupby
from typing import Final, Literal

from hainan.bots.plans import Plan
from hainan.engine.record import Phase
from hainan.rules.actions import Act, chow_pair
from hainan.rules.options import Rules
from hainan.rules.terms import Licence, Pattern, PayRule, Term
from hainan.rules.tiles import EAST, NAME_EN, NAME_ZH, TEXT
from hainan.table import Wait

Lang = Literal["zh", "en"]
NOTABLE: Final = 0.02
"""The chance to deal in from which on it is spoken of, and the difference that makes one riskier."""


@dataclass(frozen=True)
class Facts:
    """One legal action and what it leads to (``facts.Fact``)."""

    action: int
    text: str
    points: float
    win: float
    deal_in: float
    waits: tuple[Wait, ...]
    licences: tuple[str, ...]
    patterns: tuple[str, ...]
    missing: int
    kinds: int
    tiles: int
    then: int
    plan: int
    liable_rule: int
    liable_seat: int
    liable_points: int
    fed_seat: int
    fed: int
    bound: int
    kong: int
    follow: int
    safe: bool
    value: int

    @property
    def is_discard(self) -> bool:
        """A discard, ready or not."""
        return Act.DISCARD <= self.action < Act.CHOW

    @property
    def is_call(self) -> bool:
        """A chow, pong or exposed kong."""
        return Act.CHOW <= self.action <= Act.KONG


@dataclass(frozen=True)
class Scene:
    """A decision: what the seat sees of the table, and its actions."""

    seat: int
    dealer: int
    players: int
    phase: Phase
    rules: Rules
    claim_tile: int
    claim_from: int
    last_tile: int
    lead_seat: int
    let_off: int
    passed_v: int
    stakes: tuple[int, ...]
    """B with each other seat in turn order (section 8); none while ga is chosen."""
    has_ga: bool
    options: tuple[Facts, ...]
    best: int
    """Of ``options``: what ``strong`` plays."""

    @property
    def chosen(self) -> Facts:
        """The best action."""
        return self.options[self.best]

    @cached_property
    def as_it_is(self) -> Facts | None:
        """Passing, if one may."""
        return next((facts for facts in self.options if facts.action == Act.PASS), None)

    @cached_property
    def call(self) -> Facts | None:
        """The best of the calls."""
        calls = [facts for facts in self.options if facts.is_call]
        return max(calls, key=lambda facts: facts.points, default=None)

    @property
    def win(self) -> Facts | None:
        """The win that is offered, if one is."""
        return next((facts for facts in self.options if facts.action == Act.WIN), None)


# ---------------------------------------------------------------- words


class Words(Mapping[str, str]):
    """What fills the places of a template, in one language; each place is a method of its name."""

    def __init__(self, lang: Lang, scene: Scene, facts: Facts) -> None:
        """For one action of a decision."""
        self.zh, self.scene, self.facts = lang == "zh", scene, facts

    def __getitem__(self, place: str) -> str:
        """A word by its place."""
        return str(getattr(self, f"_{place}"))

    def __iter__(self) -> Iterator[str]:
        """The places."""
        return (name[1:] for name in vars(Words) if name[0] == "_" and name[1] != "_")

    def __len__(self) -> int:
        """How many places there are."""
        return sum(1 for _ in self)

    # ------------------------------------------------------------ small helpers, no places

    def tiles_text(self, codes: Sequence[int]) -> str:
        """五、八筒 or 5, 8 Dots."""
        groups = [list(group) for _, group in groupby(codes, key=lambda code: TEXT[code][1])]
        if self.zh:
            return "、".join(
                "、".join(NAME_ZH[code][0] for code in group) + NAME_ZH[group[0]][1:] for group in groups
            )
        names = [[NAME_EN[code].partition(" ") for code in group] for group in groups]
        return ", ".join(
            ", ".join(number for number, _, _ in group) + "".join(group[0][1:]) for group in names
        )

    def player(self, seat: int) -> str:
        """By seat wind: 东家, East."""
        code = EAST + (seat - self.scene.dealer) % self.scene.players
        return f"{NAME_ZH[code]}家" if self.zh else NAME_EN[code]

    def names(self, kind: type[Term], ids: Sequence[str]) -> str:
        """Names of terms."""
        terms = [kind[name.upper()] for name in ids]
        return ("、" if self.zh else ", ").join(term.zh if self.zh else term.en for term in terms)

    def called(self, facts: Facts) -> str:
        """An action in a word or two."""
        zh, en = next(head[1:] for head in HEADS if head[0](self.scene, facts))
        words = Words("zh" if self.zh else "en", self.scene, facts)
        return (zh if self.zh else en).format_map(words)

    # ------------------------------------------------------------ places

    @property
    def _tile(self) -> str:
        """The tile that the action names."""
        action = self.facts.action
        first = Act.OWN_KONG if action >= Act.OWN_KONG else Act.READY if action >= Act.READY else Act.DISCARD
        return self.tiles_text([action - first])

    @property
    def _pair(self) -> str:
        return self.tiles_text(chow_pair(self.facts.action))

    @property
    def _claim(self) -> str:
        return self.tiles_text([self.scene.claim_tile])

    @property
    def _drawn(self) -> str:
        return self.tiles_text([self.scene.last_tile])

    @property
    def _then(self) -> str:
        return self.tiles_text([self.facts.then])

    @property
    def _ga(self) -> str:
        return self.facts.text.split()[1]

    @property
    def _waits(self) -> str:
        return self.tiles_text([wait.kind for wait in self.facts.waits])

    @property
    def _licensed(self) -> str:
        return self.tiles_text([wait.kind for wait in self.facts.waits if wait.licensed])

    @property
    def _bare(self) -> str:
        return self.tiles_text([wait.kind for wait in self.facts.waits if not wait.licensed])

    @property
    def _wait_licences(self) -> str:
        """Licences common to all waits."""
        common = [
            licence.id for licence in Licence if all(licence.id in wait.licences for wait in self.facts.waits)
        ]
        return self.names(Licence, common)

    @property
    def _wait_patterns(self) -> str:
        return self.names(Pattern, self.facts.waits[0].patterns)

    @property
    def _licences(self) -> str:
        return self.names(Licence, self.facts.licences)

    @property
    def _patterns(self) -> str:
        return self.names(Pattern, self.facts.patterns)

    @property
    def _tiles(self) -> int:
        return self.facts.tiles

    @property
    def _kinds(self) -> int:
        return self.facts.kinds

    @property
    def _short(self) -> int:
        """Tiles from waiting."""
        return self.facts.missing - 1

    @property
    def _plan(self) -> str:
        return PLANS[self.facts.plan][0 if self.zh else 1]

    @property
    def _cost(self) -> int:
        return self.facts.liable_points

    @property
    def _liable(self) -> str:
        return self.player(self.facts.liable_seat)

    @property
    def _fed(self) -> str:
        return self.player(self.facts.fed_seat)

    @property
    def _from(self) -> str:
        return self.player(self.scene.claim_from)

    @property
    def _let_off(self) -> str:
        return self.player(self.scene.let_off)

    @property
    def _leader(self) -> str:
        return self.player(self.scene.lead_seat)

    @property
    def _deal_in(self) -> str:
        return f"{self.facts.deal_in:.0%}"

    @property
    def _kong(self) -> int:
        return self.facts.kong

    @property
    def _follow(self) -> int:
        return self.facts.follow

    @property
    def _value(self) -> int:
        return self.facts.value

    @property
    def _offered(self) -> int:
        """V of the win that is passed up."""
        return self.scene.win.value if self.scene.win else 0

    @property
    def _passed(self) -> int:
        return self.scene.passed_v

    @property
    def _paid(self) -> int:
        return round(self.facts.points)

    @property
    def _stakes(self) -> str:
        return ("、" if self.zh else ", ").join(map(str, self.scene.stakes))

    @property
    def _best(self) -> str:
        return self.called(self.scene.chosen)

    @property
    def _call(self) -> str:
        return self.called(self.scene.call) if self.scene.call else ""

    @property
    def _steps(self) -> int:
        return self.facts.missing - self.scene.chosen.missing

    @property
    def _fewer(self) -> int:
        return self.scene.chosen.tiles - self.facts.tiles

    @property
    def _call_tiles(self) -> int:
        return self.scene.call.tiles if self.scene.call else 0

    @property
    def _win(self) -> str:
        return f"{self.facts.win:.0%}"

    @property
    def _best_win(self) -> str:
        return f"{self.scene.chosen.win:.0%}"

    @property
    def _less(self) -> str:
        return f"{self.scene.chosen.points - self.facts.points:.1f}"

    @property
    def _best_deal_in(self) -> str:
        return f"{self.scene.chosen.deal_in:.0%}"


_PLAIN: Final = Pattern.PLAIN.id
PLANS: Final = {
    Plan.PAIRS.value: ("七对", "seven pairs"),
    Plan.ORPHANS.value: ("十三幺", "thirteen orphans"),
    Plan.PONGS.value: ("碰碰胡", "all pongs"),
    **{
        Plan.HALF + at: (f"{zh}子混一色", f"a half flush in {en}")
        for at, (zh, en) in enumerate((("万", "characters"), ("筒", "dots"), ("条", "bamboo")))
    },
    **{
        Plan.PURE + at: (f"{zh}子清一色", f"a pure suit in {en}")
        for at, (zh, en) in enumerate((("万", "characters"), ("筒", "dots"), ("条", "bamboo")))
    },
}
"""What a plan is called."""

When = Callable[[Scene, Facts], bool]


def _only_pong(scene: Scene, facts: Facts) -> bool:
    """Passing where nothing but a pong was offered."""
    return facts.action == Act.PASS and {option.action for option in scene.options} == {Act.PONG, Act.PASS}


HEADS: Final[tuple[tuple[When, str, str], ...]] = (
    (lambda scene, it: it.action < Act.DISCARD, "嘎 {ga}", "ga {ga}"),
    (lambda scene, it: it.action < Act.READY, "打{tile}", "discard {tile}"),
    (lambda scene, it: it.action < Act.CHOW, "天听打{tile}", "ready on {tile}"),
    (lambda scene, it: it.action < Act.PONG, "{pair}吃{claim}", "chow {claim} with {pair}"),
    (lambda scene, it: it.action == Act.PONG, "碰{claim}", "pong {claim}"),
    (lambda scene, it: it.action == Act.KONG, "杠{claim}", "kong {claim}"),
    (lambda scene, it: it.action < Act.WIN, "杠{tile}", "kong {tile}"),
    (
        lambda scene, it: it.action == Act.WIN and scene.phase == Phase.TURN,
        "自摸{drawn}",
        "win by self-draw, {drawn}",
    ),
    (
        lambda scene, it: it.action == Act.WIN and scene.phase == Phase.ROB,
        "抢杠胡{claim}",
        "rob the kong of {claim}",
    ),
    (lambda scene, it: it.action == Act.WIN, "胡{claim}", "win on {claim}"),
    (_only_pong, "不碰", "pass"),
    (lambda scene, it: True, "过", "pass"),
)
"""What an action is called: the first that applies."""


# ---------------------------------------------------------------- reasons


class Part(IntEnum):
    """The parts of a sentence, in their order."""

    SHAPE = 0
    PLAN = 1
    LICENCE = 2
    LOCK = 3
    LIABILITY = 4
    DANGER = 5
    SIDE = 6
    STAKE = 7
    VERSUS = 8


@dataclass(frozen=True)
class Reason:
    """Something to say of an action: its id, both languages, and when."""

    part: Part
    id: str
    zh: str
    en: str
    when: When


def _waiting(it: Facts) -> bool:
    return it.missing == 1 and bool(it.waits)


def _asks_licence(scene: Scene, it: Facts) -> bool:
    """Whether a licence is the question: a sheet that wants one, and no win."""
    return scene.rules.require_fan and it.missing > 0


def _licensed(it: Facts) -> list[bool]:
    return [wait.licensed for wait in it.waits]


def _shares_licence(it: Facts) -> bool:
    return bool(it.waits) and bool(set.intersection(*(set(wait.licences) for wait in it.waits)))


def _lost_concealed(scene: Scene, it: Facts) -> bool:
    """A call that gives 门清 up."""
    before = scene.as_it_is
    concealed = Licence.CONCEALED.id
    return it.is_call and before is not None and concealed in before.licences and concealed not in it.licences


def _risky(it: Facts) -> bool:
    return it.is_discard and it.deal_in >= 0.005


def _liable(rule: PayRule) -> When:
    return lambda scene, it: _risky(it) and it.liable_rule == rule


def _passes_win_up(scene: Scene, it: Facts) -> bool:
    return scene.phase != Phase.TURN and scene.win is not None and it.action != Act.WIN


def _worse(scene: Scene, it: Facts) -> bool:
    """An action that isn't the best, where hands can be compared."""
    return it is not scene.chosen and it.missing > 0 and scene.chosen.missing > 0


def _rather_than_call(scene: Scene, it: Facts) -> Facts | None:
    """For passing as the best choice: the call that was let be."""
    return scene.call if it is scene.chosen and it.action == Act.PASS else None


def _call_costs_concealed(scene: Scene, it: Facts) -> bool:
    call = _rather_than_call(scene, it)
    return call is not None and _asks_licence(scene, call) and _lost_concealed(scene, call)


def _likelier(scene: Scene, it: Facts) -> bool:
    """The best action wins more often."""
    return _worse(scene, it) and scene.chosen.win >= it.win + 0.01


def _call_no_nearer(scene: Scene, it: Facts) -> bool:
    call = _rather_than_call(scene, it)
    return call is not None and call.missing >= it.missing


REASONS: Final = (
    # what the hand is
    Reason(
        Part.SHAPE,
        "win",
        "{patterns}，V{value}，各家共付 {paid} 分",
        "{patterns}, V{value}, {paid} points from all together",
        lambda scene, it: it.action == Act.WIN,
    ),
    Reason(
        Part.SHAPE,
        "ga.none",
        "底分不加",
        "nothing added to the stakes",
        lambda scene, it: it.action == 0,
    ),
    Reason(
        Part.SHAPE,
        "ga.raises",
        "每家底分多 {ga}，输赢一起放大",
        "{ga} more in every stake, for wins and losses alike",
        lambda scene, it: it.action < Act.DISCARD,
    ),
    Reason(
        Part.SHAPE,
        "then.waits",
        "再打{then}，听{waits}，共 {tiles} 张",
        "then {then}, waiting on {waits}, {tiles} left",
        lambda scene, it: it.then >= 0 and _waiting(it) and it.tiles > 0,
    ),
    Reason(
        Part.SHAPE,
        "waits",
        "听{waits}，共 {tiles} 张",
        "waits on {waits}, {tiles} left",
        lambda scene, it: _waiting(it) and it.tiles > 0,
    ),
    Reason(
        Part.SHAPE,
        "waits.dead",
        "听{waits}，但一张不剩，要换听",
        "waits on {waits} with none left: it must change",
        lambda scene, it: _waiting(it),
    ),
    Reason(
        Part.SHAPE,
        "waits.nothing",
        "要听的牌都在自己手里，要换听",
        "holds all the tiles that it wants: it must change",
        lambda scene, it: it.missing == 1,
    ),
    Reason(
        Part.SHAPE,
        "then.far",
        "再打{then}，差 {short} 张听，{kinds} 种 {tiles} 张可进",
        "then {then}, {short} from waiting, {tiles} tiles of {kinds} kinds help",
        lambda scene, it: it.then >= 0,
    ),
    Reason(
        Part.SHAPE,
        "far",
        "差 {short} 张听，{kinds} 种 {tiles} 张可进",
        "{short} from waiting, {tiles} tiles of {kinds} kinds help",
        lambda scene, it: it.missing > 1,
    ),
    # what it may become
    Reason(
        Part.PLAN,
        "plan",
        "往{plan}做",
        "with {plan} in mind",
        lambda scene, it: it.missing > 1 and it.plan in PLANS,
    ),
    # licences
    Reason(
        Part.LICENCE,
        "licence.pattern",
        "{wait_patterns}不愁番，可点炮胡",
        "{wait_patterns} needs no licence",
        lambda scene, it: (
            _asks_licence(scene, it)
            and bool(it.waits)
            and _PLAIN not in it.waits[0].patterns
            and all(wait.patterns == it.waits[0].patterns for wait in it.waits)
        ),
    ),
    Reason(
        Part.LICENCE,
        "licence.all",
        "{wait_licences}有番，可点炮胡",
        "licensed ({wait_licences}), so any discard wins",
        lambda scene, it: _asks_licence(scene, it) and all(_licensed(it)) and _shares_licence(it),
    ),
    Reason(
        Part.LICENCE,
        "licence.each",
        "每张都有番，可点炮胡",
        "each with a licence, so any discard wins",
        lambda scene, it: _asks_licence(scene, it) and bool(it.waits) and all(_licensed(it)),
    ),
    Reason(
        Part.LICENCE,
        "licence.some",
        "{licensed}有番可点炮胡，{bare}只能自摸",
        "{licensed} licensed on a discard, {bare} by self-draw alone",
        lambda scene, it: _asks_licence(scene, it) and any(_licensed(it)),
    ),
    Reason(
        Part.LICENCE,
        "licence.none",
        "无番，只能自摸",
        "without a licence, so by self-draw alone",
        lambda scene, it: _asks_licence(scene, it) and bool(it.waits),
    ),
    Reason(
        Part.LICENCE,
        "licence.lost",
        "门清没了，还没有番",
        "no longer concealed, and no licence yet",
        lambda scene, it: _asks_licence(scene, it) and _lost_concealed(scene, it) and not it.licences,
    ),
    Reason(
        Part.LICENCE,
        "licence.concealed",
        "门清有番，吃碰就没了",
        "concealed is its licence, lost with the first call",
        lambda scene, it: _asks_licence(scene, it) and it.licences == (Licence.CONCEALED.id,),
    ),
    Reason(
        Part.LICENCE,
        "licence.held",
        "有番（{licences}）",
        "licensed ({licences})",
        lambda scene, it: _asks_licence(scene, it) and bool(it.licences),
    ),
    Reason(
        Part.LICENCE,
        "licence.missing",
        "还没有番",
        "no licence yet",
        _asks_licence,
    ),
    # wins passed up
    Reason(
        Part.LOCK,
        "lock.begins",
        "放过这胡，自己或{from}下次打牌前不能点炮胡（漏胡）",
        "passing this win up locks discards until you or {from} next discard",
        lambda scene, it: _passes_win_up(scene, it) and scene.rules.missed_win == "locked",
    ),
    Reason(
        Part.LOCK,
        "lock.higher.begins",
        "过手后，下次轮到自己前点炮须高于 V{offered}",
        "passing this win up, until your turn only above V{offered} by discard",
        lambda scene, it: _passes_win_up(scene, it) and scene.rules.missed_win == "higher_only",
    ),
    Reason(
        Part.LOCK,
        "lock.holds",
        "漏胡中，自己或{let_off}下次打牌前不能点炮胡",
        "a win was passed up: none by discard until you or {let_off} next discard",
        lambda scene, it: scene.phase != Phase.TURN and scene.let_off >= 0 and it.action != Act.WIN,
    ),
    Reason(
        Part.LOCK,
        "lock.higher",
        "过手胡，下次轮到自己前点炮须高于 V{passed}",
        "a win was passed up: until your turn only above V{passed} by discard",
        lambda scene, it: scene.phase != Phase.TURN and scene.passed_v > 0 and it.action != Act.WIN,
    ),
    # who pays for all
    Reason(
        Part.LIABILITY,
        "liable.all",
        "防勾脚，点炮一人全付，至少 {cost} 分",
        "dealing in pays for all, {cost} points or more",
        _liable(PayRule.PAYS_ALL),
    ),
    Reason(
        Part.LIABILITY,
        "liable.last",
        "海底点炮要包，至少 {cost} 分",
        "among the last tiles dealing in pays for all, {cost} points or more",
        _liable(PayRule.LAST_TILES),
    ),
    Reason(
        Part.LIABILITY,
        "feeds.fourth",
        "{fed}已吃碰你三口，喂第四口他自摸也要你包",
        "{fed} holds three melds of yours; a fourth makes you pay for his self-draw too",
        lambda scene, it: it.fed == 3,
    ),
    Reason(
        Part.LIABILITY,
        "liable.melds",
        "与{liable}已成三道，点他的炮要包，至少 {cost} 分",
        "three melds with {liable}: dealing in to him pays for all, {cost} points or more",
        _liable(PayRule.THREE_MELDS),
    ),
    Reason(
        Part.LIABILITY,
        "feeds.third",
        "{fed}已吃碰你两口，再喂一口成三道，点炮要包",
        "{fed} holds two melds of yours; a third makes the discarder pay for all",
        lambda scene, it: it.fed == 2,
    ),
    Reason(
        Part.LIABILITY,
        "bound.fourth",
        "与{from}成四道，谁自摸另一家都要包",
        "four melds with {from}: a self-draw of either is paid by the other",
        lambda scene, it: it.bound >= 4 and scene.rules.four_melds,
    ),
    Reason(
        Part.LIABILITY,
        "bound.third",
        "与{from}成三道，互相点炮要包",
        "three melds with {from}: dealing in to each other pays for all",
        lambda scene, it: it.bound == 3 and scene.rules.meld_liability,
    ),
    # danger
    Reason(
        Part.DANGER,
        "safe",
        "刚打过没人胡，安全",
        "just let go by everybody, so it is safe",
        lambda scene, it: it.is_discard and it.safe,
    ),
    Reason(
        Part.DANGER,
        "danger",
        "点炮可能 {deal_in}",
        "{deal_in} to deal in",
        lambda scene, it: it.is_discard and it.deal_in >= NOTABLE,
    ),
    # what else it pays
    Reason(
        Part.SIDE,
        "kong",
        "有人胡就收杠分 {kong}",
        "the kong pays {kong} if somebody wins",
        lambda scene, it: it.kong > 0,
    ),
    Reason(
        Part.SIDE,
        "ready",
        "胡时 V 加 1，手牌锁定",
        "1 more in V, the hand locked",
        lambda scene, it: Act.READY <= it.action < Act.CHOW,
    ),
    Reason(
        Part.SIDE,
        "follow",
        "跟牌，三家跟齐{leader}付你 {follow} 分",
        "follows the lead: if all do, {leader} pays you {follow}",
        lambda scene, it: it.follow > 0,
    ),
    # stakes
    Reason(
        Part.STAKE,
        "stake",
        "连嘎与各家底分 {stakes}",
        "stakes with ga: {stakes}",
        lambda scene, it: (
            scene.has_ga and (it.action == Act.WIN or it.kong > 0 or (it is scene.chosen and it.missing == 1))
        ),
    ),
    # why not
    Reason(
        Part.VERSUS,
        "slower",
        "比{best}慢 {steps} 步",
        "{steps} slower than to {best}",
        lambda scene, it: _worse(scene, it) and it.missing > scene.chosen.missing,
    ),
    Reason(
        Part.VERSUS,
        "riskier",
        "比{best}险（{best_deal_in}）",
        "riskier than to {best} ({best_deal_in})",
        lambda scene, it: _worse(scene, it) and it.deal_in >= scene.chosen.deal_in + NOTABLE,
    ),
    Reason(
        Part.VERSUS,
        "fewer",
        "比{best}少 {fewer} 张",
        "{fewer} fewer of them than to {best}",
        lambda scene, it: (
            _worse(scene, it) and it.missing == scene.chosen.missing and it.tiles < scene.chosen.tiles
        ),
    ),
    Reason(
        Part.VERSUS,
        "rarer",
        "能胡 {win}，{best}能胡 {best_win}",
        "wins {win} of the time, {best} {best_win}",
        _likelier,
    ),
    Reason(
        Part.VERSUS,
        "cheaper",
        "比{best}少 {less} 分",
        "{less} points less than to {best}",
        lambda scene, it: it is not scene.chosen and scene.chosen.points >= it.points + 0.1,
    ),
    Reason(
        Part.VERSUS,
        "call.unlicensed",
        "{call}后门清没了，只能自摸",
        "to {call} would leave self-draw alone",
        lambda scene, it: (
            _call_costs_concealed(scene, it)
            and scene.call is not None
            and (not any(_licensed(scene.call)) if scene.call.waits else not scene.call.licences)
        ),
    ),
    Reason(
        Part.VERSUS,
        "call.concealed",
        "{call}后门清就没了",
        "to {call} would give up concealed",
        _call_costs_concealed,
    ),
    Reason(
        Part.VERSUS,
        "call.no_nearer",
        "{call}也不更近",
        "to {call} comes no nearer",
        _call_no_nearer,
    ),
    Reason(
        Part.VERSUS,
        "call.fewer",
        "{call}后只剩 {call_tiles} 张可进",
        "to {call} leaves {call_tiles} tiles that help",
        lambda scene, it: _rather_than_call(scene, it) is not None,
    ),
)
"""Everything that is ever said, in the order of precedence within each part."""


def reasons_for(scene: Scene, facts: Facts) -> list[Reason]:
    """What there is to say of an action, at most one of each part."""
    said: dict[Part, Reason] = {}
    for reason in REASONS:
        if reason.part not in said and reason.when(scene, facts):
            said[reason.part] = reason
    return [said[part] for part in sorted(said)]


def sentence(lang: Lang, scene: Scene, facts: Facts, reasons: Sequence[Reason]) -> str:
    """One sentence, with the numbers that it rests on."""
    words = Words(lang, scene, facts)
    head = words.called(facts)
    if lang == "zh":
        return f"{head}：{'，'.join(reason.zh.format_map(words) for reason in reasons)}。"
    body = "; ".join(reason.en.format_map(words) for reason in reasons)
    return f"{head[0].upper()}{head[1:]}: {body}."
