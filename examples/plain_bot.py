"""A player in plain Python: takes a seat in a room, plays random legal actions (docs/protocol.md).

pip install websockets
python plain_bot.py http://localhost:8000 123456 "My bot"
"""

import json
import random
import sys
import time
import urllib.request

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

url, room, name = sys.argv[1].rstrip("/"), sys.argv[2], " ".join(sys.argv[3:]) or "plain bot"
# Be a guest: the token proves from now on who we are, also on a later connection.
body, headers = json.dumps({"name": name}).encode(), {"Content-Type": "application/json"}
with urllib.request.urlopen(urllib.request.Request(f"{url}/api/players", body, headers)) as response:
    token = json.load(response)["token"]
playing = False


def play(socket: ClientConnection) -> bool:
    """Play on one connection; whether that was all."""
    global playing
    answered = None
    socket.send(json.dumps({"type": "hello", "protocol": 1, "token": token}))
    for frame in socket:
        message = json.loads(frame)
        stage, mine, say = message.get("stage"), message.get("mine", {}), None
        if message["type"] in ("refused", "goodbye"):
            print(message["code"], message["why"])
            if message["code"] in ("no_such_room", "kicked", "taken_over", "seat_taken", "locked"):
                return True  # trying again won't help
            answered = None  # what is still asked will be shown again
        elif message["type"] == "room" and message["you"] is None:
            say = {"type": "sit"}
        elif stage == "open" and playing:
            print("The match is over:", message["totals"])
            return True
        elif stage == "between" and not message["chairs"][message["you"]].get("ready"):
            say = {"type": "ready", "nonce": random.randbytes(16).hex()}  # goes into the next shuffle
        elif mine.get("offer") not in (None, answered):  # an offer may be shown again: answer it once
            answered = mine["offer"]
            say = {"type": "act", "offer": answered, "action": random.choice(mine["legal"])}
        playing = playing or stage in ("between", "playing", "paused")
        if say:
            socket.send(json.dumps(say))
    return False


while True:  # when the connection is lost, or the server restarted, come back to the same seat
    try:
        with connect(f"ws{url.removeprefix('http')}/api/rooms/{room}/socket") as connection:
            if play(connection):
                break
    except (OSError, ConnectionClosed) as error:
        print("connection lost:", error)
    time.sleep(random.uniform(1, 3))
