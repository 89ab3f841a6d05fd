"""How a table describes itself to Home Assistant over MQTT: one message, one device. Pure.

https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload: Home Assistant 2024.12 or newer.
"""

import re

from tabletop.broadcast.vocabulary import DERIVED, LIVE, Fields
from tabletop.rules.events import EVENT_KINDS

MOST_SCORES = 12  # players with a sensor of their own
NAMES = {
    "en": ("Dice table", "Turn", "Game", "Last throw", "Winner", "Needs help", "Event"),
    "de": ("Würfeltisch", "Am Zug", "Spiel", "Letzter Wurf", "Sieger", "Braucht Hilfe", "Ereignis"),
}
HELP = "{{ 'ON' if value_json.needs_help else 'OFF' }}"
EVENT = "{{ dict(value_json, event_type=value_json.kind) | to_json }}"


def description(table: str, version: str, state: Fields) -> Fields:
    """Return the discovery message. table: the id in topics; state: of the hub.

    The entities keep their ids in any language. A score belongs to a seat, and has its player's name; one that
    is unused is sent with its platform only, which deletes it.
    """
    device, *names = NAMES.get(state["language"], NAMES["en"])
    turn, game, throw, winner, needs_help, event = names
    topic = f"tabletop/{table}"
    slug = re.sub(r"[^a-z0-9]+", "_", table.lower()).strip("_") or "table"

    def entity(key: str, name: str, template: str, platform: str = "sensor", **more: object) -> Fields:
        return {
            "platform": platform,
            "name": name,
            "unique_id": f"tabletop_{table}_{key}",
            "default_entity_id": f"{platform}.{slug}_{key}",
            "value_template": template,
            "qos": 1,
            **more,
        }

    seats = range(1, MOST_SCORES + 1)
    scores: Fields = {f"score_{seat}": {"platform": "sensor"} for seat in seats}
    for seat, player in zip(seats, state["players"], strict=False):
        value = f"{{{{ value_json.scores.get(value_json.players[{seat - 1}]) }}}}"
        scores[f"score_{seat}"] = entity(f"score_{seat}", player, value, state_class="measurement", icon="mdi:counter")
    return {
        "device": {"identifiers": [f"tabletop_{table}"], "name": device, "sw_version": version},
        "origin": {"name": "tabletop", "sw_version": version},
        "availability_topic": f"{topic}/availability",
        "state_topic": f"{topic}/state",
        "components": {
            "turn": entity("turn", turn, "{{ value_json.turn }}", icon="mdi:account-arrow-right"),
            "game": entity("game", game, "{{ value_json.game or None }}", icon="mdi:dice-multiple"),
            "throw": entity("throw", throw, "{{ value_json.notation or None }}", icon="mdi:dice-5"),
            "winner": entity("winner", winner, "{{ value_json.winners | join(', ') or None }}", icon="mdi:trophy"),
            "help": entity("help", needs_help, HELP, "binary_sensor", device_class="problem"),
            "event": entity(
                "event",
                event,
                EVENT,
                "event",
                state_topic=f"{topic}/events",
                event_types=[*EVENT_KINDS, *DERIVED, *LIVE],
            ),
            **scores,
        },
    }
