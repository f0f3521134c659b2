"""Every sentence that the command line says to people, Chinese and English beside one another.

The rule book's own terms (patterns, licences, reasons ...) have their names in ``rules/terms.py``.
"""

from typing import Final

from hainan.cli.common import Lang
from hainan.rules.terms import Term
from hainan.rules.tiles import EAST, NAME_EN, NAME_ZH

TEXTS: Final[dict[str, tuple[str, str]]] = {
    # players: first oneself, then the others in turn order, for three players without the one across
    "you": ("你", "You"),
    "next": ("下家", "Right"),
    "across": ("对家", "Across"),
    "previous": ("上家", "Left"),
    "you.short": ("你", "you"),
    "next.short": ("下", "R"),
    "across.short": ("对", "A"),
    "previous.short": ("上", "L"),
    # events: who, then what he did, then what he did next
    "did": ("{who}{what}", "{who}: {what}"),
    "and": ("，", ", "),
    "event.ga": ("嘎 {value}", "ga {value}"),
    "event.deal": ("发牌", "the deal"),
    "event.indicator": ("翻出 {tile}，癞子是 {wild}", "indicator {tile}, wild {wild}"),
    "event.draw": ("摸 {tile}", "draw {tile}"),
    "event.flower": ("补花 {tile}", "flower {tile}"),
    "event.discard": ("打 {tile}", "discard {tile}"),
    "event.ready": ("报天听", "ready"),
    "event.chow": ("吃 {tiles}", "chow {tiles}"),
    "event.pong": ("碰 {tile}", "pong {tile}"),
    "event.kong": ("{kind} {tile}", "{kind} {tile}"),
    "event.robbed": ("被抢", " is robbed"),
    "event.win": ("胡 {tile}（{by}）", "win on {tile} ({by})"),
    "event.draw_hand": ("流局", "drawn hand"),
    "event.follow": ("被跟牌 {tile}", "followed on {tile}"),
    # the head of a hand
    "hand.of": ("第 {hand}/{hands} 局", "hand {hand}/{hands}"),
    "hand.rounds": ("第 {hand} 局（共 {rounds} 令）", "hand {hand} ({rounds} round winds)"),
    "round": ("{wind}令", "{wind} round"),
    "dealer.is": ("庄 {who}", "dealer {who}"),
    "streak": ("连庄 {n}", "streak {n}"),
    "left": ("还可摸 {n} 张", "{n} tiles left"),
    "wild": ("癞子 {tile}", "wild {tile}"),
    # a player's lines
    "score": ("{points}分", "{points}"),
    "ga": ("嘎{value}", "ga {value}"),
    "ready": ("天听", "READY"),
    "flowers": ("花 {tiles}", "flowers {tiles}"),
    "in hand": ("手牌 {tiles}", "hand {tiles}"),
    "river": ("河", "out"),
    "waits": ("听 {tiles}", "waits {tiles}"),
    "no licence": ("(无番)", "(no licence)"),
    # the bill
    "not legal": ("这手牌不能胡：{why}", "This hand can't win: {why}"),
    "not a winning hand (R5)": ("牌型不成胡 (R5)", "not a winning hand (R5)"),
    "no licence (R6.1)": ("平胡点炮无番 (R6.1)", "no licence (R6.1)"),
    "ended.discard": ("点炮：{giver} 打 {tile}", "Win by discard: {giver}'s {tile}"),
    "ended.rob": ("抢杠：{giver} 补杠 {tile}", "Robbed kong: {giver}'s {tile}"),
    "ended.self_draw": ("自摸：{tile}{way}", "Self-draw: {tile}{way}"),
    "ended.draw": ("流局，没有人胡。", "A drawn hand: nobody won."),
    "way": ("（{way}）", " ({way})"),
    "wins": ("{who} 胡", "{who} wins"),
    "licences": ("番：{names}", "licences: {names}"),
    "held": ("已有番：{names}", "licences held: {names}"),
    "none": ("无", "none"),
    "payer": ("付", "payer"),
    "payee": ("收", "payee"),
    "points": ("分", "points"),
    "for": ("名目", "for"),
    "of": ("替谁付", "share of"),
    "rule": ("条款", "clause"),
    "nobody pays": ("谁也不用付分。", "Nobody pays anything."),
    "sums": ("各家得失", "Sums"),
    "line": ("第 {n} 行", "Line {n}"),
    # the telling of a stored hand
    "record": ("第 {n} 号记录", "record {n}"),
    "record.of": ("{n} 号记录（共 {count} 个）", "record {n} ({count} in all)"),
    "step": ("第 {n}/{count} 步", "step {n}/{count}"),
    "unfinished": ("记录到此为止，牌局没有打完。", "The record stops here, in mid-hand."),
    "dealt": ("{who}起手 {tiles}", "{who}: dealt {tiles}"),
    "keys": (
        "空格/→ 下一步  ←/b 上一步  g 开头  G 结尾  q 退出",
        "space/right: next  left/b: back  g: start  G: end  q: quit",
    ),
    # playing
    "commitment": ("洗牌承诺 {digits}…", "shuffle commitment {digits}..."),
    "seed": ("洗牌种子 {seed}", "Shuffle seed {seed}"),
    "question.ga": ("上几个嘎？", "How much ga?"),
    "question.turn": ("轮到你：打哪张？", "Your turn: discard?"),
    "question.claim": ("{who}打 {tile}，你要吗？", "{who}: discard {tile}. Take it?"),
    "question.rob": ("{who}补杠 {tile}，抢吗？", "{who}: added kong {tile}. Rob it?"),
    "prompt": ("号码或牌（? 帮助）> ", "number or tile (? help) > "),
    "ga.prompt": ("嘎（? 帮助）> ", "ga (? help) > "),
    "do.ga": ("嘎 {value}", "ga {value}"),
    "do.discard": ("打 {tiles}", "discard {tiles}"),
    "do.ready": ("天听打 {tiles}", "ready {tiles}"),
    "do.chow": ("吃 {tiles}", "chow {tiles}"),
    "do.pong": ("碰", "pong"),
    "do.kong": ("杠 {tiles}", "kong {tiles}"),
    "do.win": ("胡", "win"),
    "do.pass": ("过", "pass"),
    "since": ("刚才 ", "since "),
    "if discarded": ("打{tile}听 ", "discard {tile}: "),
    "now waiting": ("听 ", "waits "),
    "hint.licensed": (
        "{tile}剩{left} 有番 T{T} V{V} 自摸V{self}",
        "{tile} {left} left, T{T} V{V} self-draw V{self}",
    ),
    "hint.bare": ("{tile}剩{left} 无番只能自摸V{self}", "{tile} {left} left, no licence, self-draw V{self}"),
    "hints.none": ("还没有听牌。", "The hand doesn't wait yet."),
    "hints.more": ("……（i 看全部）", "... (i: all)"),
    "hints.patterns": ("牌型：{names}", "patterns: {names}"),
    "locked": (
        "漏胡：你或{who}下次打牌之前不能点炮胡 (R9.1)",
        "Passed up a win: none by discard until you or {who} next discard (R9.1)",
    ),
    "higher": (
        "过手胡：下次轮到你之前，点炮须高于 V{V} (R9.2)",
        "Passed up a win: until your turn only above V{V} by discard (R9.2)",
    ),
    "illegal": ("不能「{tried}」：{topic} {clause}", "Can't '{tried}': {why} {clause}"),
    "next hand": ("按回车打下一局（q 退出）> ", "Enter for the next hand (q quits) > "),
    "really": ("真的不打了？(y/n) > ", "Really quit? (y/n) > "),
    "stopped": ("牌局到此结束。", "The game ends here."),
    "finished": ("打完了。", "The match is over."),
    "totals": ("总分", "Totals"),
    "rank": ("名次", "rank"),
    "player": ("玩家", "player"),
    "hands won": ("胡牌局数", "hands won"),
    "options.on": ("开", "on"),
    "options.off": ("关", "off"),
    # advice and review
    "advice.best": ("建议 {why}", "Advice: {why}"),
    "advice.numbers": (
        "期望 {points} 分，能胡 {win}，点炮 {deal_in}",
        "{points} points, wins {win}, deals in {deal_in}",
    ),
    "advice.cost": ("刚才少了 {lost} 分。更好：{why}", "That cost {lost} points. Better: {why}"),
    "advice.was best": ("刚才打得最好。", "That was the best."),
    "review.did": ("{n}  {who}{did}", "{n}  {who}: {did}"),
    "review.best": ("最好", "best"),
    "review.lost": ("少 {lost} 分，最好{best}", "{lost} points lost, best: {best}"),
    "review.worst": ("失分最多的地方", "The worst moments"),
    "review.none": ("没有失分的选择。", "No decision cost anything."),
    "review.totals": ("各家失分", "Points lost"),
    # serving
    "serve.here": ("本机：        {url}", "This machine:  {url}"),
    "serve.nearby": ("同一网络：    {url}", "Local network: {url}"),
    "serve.public": ("外网：        {url}", "Public:        {url}"),
    "serve.scan": ("同一网络里的手机扫码即可打开。", "Phones on the same network can scan this."),
    "serve.stop": ("按 Ctrl-C 停止。", "Ctrl-C stops it."),
    # a bot at a live table
    "bot.seated": ("{name}在房间 {room} 坐下，座位 {seat}。", "{name} sits on seat {seat} of room {room}."),
    "bot.back": ("重新连上了。", "Connected again."),
    "bot.hand": ("第 {hand} 局：{points}", "Hand {hand}: {points}"),
    "bot.match": ("比赛结束，总分 {points}", "The match is over, totals {points}"),
    "bot.closed": ("房间 {room} 关了。", "Room {room} was closed."),
    "bot.which room": (
        "--room：要说明哪个房间（六位数字），或者用房间链接作 --url",
        "--room: say which room (six digits), or give its link as --url",
    ),
    "bot.unreachable": ("连不上服务器：{why}", "{why}"),
    "bot.no_such_room": ("没有房间 {room}", "there is no room {room}"),
    "bot.no seat": ("房间 {room} 没有空位，或者比赛已经开始（{why}）", "{why}"),
    "bot.kicked": ("房主请它离开了房间 {room}", "the owner of room {room} doesn't want this player"),
    "bot.taken_over": ("这个座位已在别处打开", "this seat was opened elsewhere"),
    "bot.not_signed_in": ("令牌无效或已过期", "the token isn't good (any more)"),
    "help": (
        "出牌：打号码，或打牌名，如 5m、五万、d 5m、打五万、discard 5m\n"
        "天听：ready 5m、听五万      吃：chow 34m、c 34m、吃三四万\n"
        "碰：p、碰   杠：k、杠   自己的杠：k 5m、杠五万   胡：w、胡   过：x、过\n"
        "i 看听牌的番和分   a 看建议   r 看本桌规则   q 退出   直接回车重看牌桌\n"
        "牌的写法：1m–9m 万，1p–9p 筒，1s–9s 条，1z–7z 东南西北白发中，\n"
        "  1f–8f 春夏秋冬梅兰菊竹\n"
        "标记：* 自己位置的花   (…) 已被别人吃碰杠走的牌   V 胡牌分，T 牌型分",
        "Discard by its number, or by the tile: 5m, d 5m, discard 5m\n"
        "Ready on the first discard: ready 5m     Chow: chow 34m, c 34m, 34m\n"
        "Pong: pong, p    Kong: kong, k, one's own: k 5m    Win: win, w    Pass: pass, x\n"
        "i: waits in full    a: advice    r: the option sheet    q: quit    Enter: the table again\n"
        "Tiles: 1m-9m characters, 1p-9p dots, 1s-9s bamboo,\n"
        "  1z-4z East South West North, 5z-7z White Green Red,\n"
        "  1f-4f Spring Summer Autumn Winter, 5f-8f Plum Orchid Chrysanthemum Bamboo\n"
        "Marks: * a flower of one's own position, (5m) a discard claimed by another;\n"
        "  T is the hand's score, V its value with the way of winning",
    ),
}

TOPICS: Final = {
    "FORMATS 1": "没有这个动作",
    "section 0": "没有这个座位",
    "R2.2": "手里还有花没补",
    "R3.1": "轮次：自己的回合打牌、杠或胡，别人打牌时才吃碰杠",
    "R3.2": "吃、碰、杠的条件",
    "R3.4": "已经答复过了",
    "R3.5": "杠和自摸要先摸牌，杠还要有牌可补",
    "R3.6": "杠要四张；刚碰的不能马上补杠",
    "R3.7": "补杠只能抢或放过",
    "R5": "牌型不成胡",
    "R5.9": "癞子不能吃碰杠",
    "R6.1": "牌型不成胡，或者没有番",
    "R7.6": "天听的限制",
    "R8.3": "上嘎：不能低于上一局，也不能改",
    "R9.1": "漏胡",
    "R9.2": "过手胡",
}
"""What a refusal's clause is about, in Chinese; the refusals' own sentences are English."""


def say(lang: Lang, key: str, **values: object) -> str:
    """A sentence with its values filled in."""
    zh, en = TEXTS[key]
    return (zh if lang == "zh" else en).format(**values)


def named(term: Term, lang: Lang) -> str:
    """A term's name."""
    return term.zh if lang == "zh" else term.en


def wind(position: int, lang: Lang) -> str:
    """东 or East, for position 0."""
    return (NAME_ZH if lang == "zh" else NAME_EN)[EAST + position]
