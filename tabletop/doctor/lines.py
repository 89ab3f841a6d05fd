"""What is said of the parts on the header by the checks of `hardware`: here, where texts are tested."""

from tabletop.core.message import Message, say


def display() -> Message:
    """Name the part."""
    return say("display")


def buttons() -> Message:
    """Name the part."""
    return say("buttons")


def word() -> Message:
    """Name what the command line or the configuration says of a part."""
    return say("setting")


def bus() -> Message:
    """Name the two wires of the display."""
    return say("I2C bus")


def bus_speed() -> Message:
    """Name how fast they are."""
    return say("speed of the bus")


def address() -> Message:
    """Name where the display answers."""
    return say("address")


def pins() -> Message:
    """Name the buttons' pins."""
    return say("pins")


def none() -> Message:
    """Say that nothing answers."""
    return say("not there")


def switch_bus_on() -> Message:
    """Say how the bus is switched on."""
    return say("`sudo raspi-config nonint do_i2c 0`, then restart")


def speed_bus_up(hertz: int) -> Message:
    """Say how the bus becomes fast."""
    return say("dtparam=i2c_arm_baudrate={n} in /boot/firmware/config.txt, then restart", n=hertz)


def kilohertz(hertz: int) -> Message:
    """Give a speed."""
    return say("{n} kHz", n=round(hertz / 1000))


def say_address(found: int) -> Message:
    """Say that the display is at another address."""
    return say("it answers at {text}: --screen ssd1306:address={text}", text=f"0x{found:02x}")


def wire_display() -> Message:
    """Say what may be wrong where no display answers."""
    return say("check VCC, GND, SDA and SCL: docs/wiring.md")


def only_on_a_pi() -> Message:
    """Say where there are pins."""
    return say("only a Raspberry Pi has pins: --buttons keys or none")


def pin(number: int, user: str) -> Message:
    """Give a pin, and who has it. user: empty for nobody."""
    return say("GPIO{n}, used by {text}", n=number, text=user) if user else say("GPIO{n}", n=number)


def free_pin(user: str) -> Message:
    """Say how a pin becomes free."""
    return say("end {text}, or use another pin", text=user)


def join_group(group: str) -> Message:
    """Say how a user gets the right to a device."""
    return say("`sudo usermod -aG {text} $USER`, then log in again", text=group)
