"""A virtual machine with the kernel's own virtual camera (vivid) and GPIO chip (gpio-sim): devices, and no imitations.

Debian 12's kernel is started by QEMU, which computes every instruction: about 20 times slower than a real machine.
The kernel's i2c-stub is of no use for the display: it knows SMBus calls only, the driver sends longer ones (I2C_RDWR).
Debian builds its kernels without gpio-sim, so that it is compiled here from Debian's source of the same kernel.
"""

import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

from booted_machine import ROOT, mirror
from emulated_arm64 import locked

from tools.release import NAME

FOLDER = ROOT / "build" / "virtual"
TOOLS = ("debootstrap", "qemu-system-x86_64", "busybox", "cpio", "modprobe")
APT = "debootstrap qemu-system-x86 busybox-static cpio kmod"
PACKAGES = (
    "python3", "linux-image-amd64", "linux-headers-amd64", "linux-source-6.1", "gcc", "make", "xz-utils", "kmod",
)  # fmt: skip
SOURCE = "linux-source-6.1"
BUTTONS = "lgpio==0.2.2.0"  # what python3-lgpio of Raspberry Pi OS holds
FIRST_MODULES = ("virtio_pci", "9pnet_virtio", "9p")
MEMORY_MIB, PATIENCE_S = 1500, 2400

KBUILD = "obj-m := gpio-chip-sim.o\ngpio-chip-sim-y := gpio-sim.o irq_sim.o\n"
# A kernel without it does not give this name to modules; the line says the same by what it does give.
INTERRUPT = ("handle_simple_irq(irq_to_desc(irqnum));", "generic_handle_irq(irqnum);")

INIT = """#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /new
/bin/busybox mount -t proc p /proc
for module in $(/bin/busybox cat /modules); do /bin/busybox insmod "$module"; done
part() { /bin/busybox mount -t 9p -o "trans=virtio,version=9p2000.L,msize=262144,cache=$3,$4" "$1" "$2"; }
part root /new loose ro
for folder in tmp run mnt var/lib; do /bin/busybox mount -t tmpfs t "/new/$folder"; done
/bin/busybox mkdir /new/mnt/source /new/mnt/proof /new/mnt/packages
part source /new/mnt/source loose ro
part packages /new/mnt/packages loose ro
part proof /new/mnt/proof none rw
for what in proc sysfs devtmpfs; do
  case $what in proc) at=proc ;; sysfs) at=sys ;; *) at=dev ;; esac
  /bin/busybox mount -t $what $what /new/$at
done
exec /bin/busybox switch_root /new /usr/bin/python3 /mnt/source/tests/support/virtual_pi_guest.py
"""


def why_not() -> str:
    """Return why no machine can be started here, empty if one can."""
    if os.geteuid() != 0:
        return "needs root"
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    return f"needs {' and '.join(missing)} (apt-get install {APT})" if missing else ""


def set_up() -> None:
    """Make the machine's disk below build/virtual, once: a Debian 12, gpio-sim for its kernel, the locked packages."""
    root = FOLDER / "root"
    if not (FOLDER / "root.whole").exists():
        shutil.rmtree(root, ignore_errors=True)
        FOLDER.mkdir(parents=True, exist_ok=True)
        words = ["--variant=minbase", f"--include={','.join(PACKAGES)}", "bookworm"]
        subprocess.run(["debootstrap", *words, root, mirror()], check=True, stdout=subprocess.DEVNULL)
        (FOLDER / "root.whole").touch()
    if not (root / "gpio-chip-sim.ko").exists():
        _compile_gpio_sim(root)
    if not (FOLDER / "packages.whole").exists():
        _fetch_packages()
        (FOLDER / "packages.whole").touch()
    _tell_entry_points()
    _write_initrd(root)


def _tell_entry_points() -> None:
    """Lay the program's entry points beside the packages, as installing it would: they name cameras and buttons."""
    program = distribution(NAME)
    package = NAME.replace("-", "_")
    for old in ("tabletop", package):  # of a version before
        for facts in (FOLDER / "packages").glob(f"{old}-*.dist-info"):
            shutil.rmtree(facts)
    name = f"{package}-{program.version}.dist-info"
    shutil.copytree(str(program.locate_file(name)), FOLDER / "packages" / name, dirs_exist_ok=True)


def _compile_gpio_sim(root: Path) -> None:
    sources, module = root / "usr" / "src", root / "usr" / "src" / "sim"
    names = ("drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c")
    subprocess.run(
        ["tar", "-xJf", sources / f"{SOURCE}.tar.xz", "-C", sources, *(f"{SOURCE}/{name}" for name in names)],
        check=True,
    )
    module.mkdir(exist_ok=True)
    for name in names:
        shutil.copy(sources / SOURCE / name, module)
    (module / "Kbuild").write_text(KBUILD)
    interrupts = (module / "irq_sim.c").read_text()
    (module / "irq_sim.c").write_text(interrupts.replace(*INTERRUPT))
    make = ["make", "-C", f"/lib/modules/{_kernel(root)}/build", "M=/usr/src/sim", "modules"]
    subprocess.run(["chroot", root, *make], check=True, stdout=subprocess.DEVNULL)
    shutil.copy(module / "gpio-chip-sim.ko", root)


def _fetch_packages() -> None:
    (FOLDER / "requirements.txt").write_text(locked())
    words = [
        *("-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps", "--only-binary=:all:"),
        *("--implementation=cp", "--python-version=3.11", "--platform=manylinux_2_34_x86_64"),
        *("--platform=manylinux_2_28_x86_64", "--platform=manylinux_2_27_x86_64", "--platform=manylinux2014_x86_64"),
        *("--target", str(FOLDER / "packages")),
    ]
    subprocess.run([sys.executable, *words, "--require-hashes", "-r", FOLDER / "requirements.txt"], check=True)
    subprocess.run([sys.executable, *words, BUTTONS], check=True)


def _kernel(root: Path) -> str:
    return next((root / "lib" / "modules").iterdir()).name


def _write_initrd(root: Path) -> None:
    """Write what runs before the disk is there: a shell, and the modules that reach the disk."""
    files = FOLDER / "initrd"
    shutil.rmtree(files, ignore_errors=True)
    (files / "bin").mkdir(parents=True)
    shutil.copy(shutil.which("busybox") or "", files / "bin" / "busybox")
    (files / "init").write_text(INIT)
    (files / "init").chmod(0o755)
    modules: dict[str, Path] = {}
    for name in FIRST_MODULES:
        shown = subprocess.run(
            ["modprobe", "-S", _kernel(root), "-d", root, "--show-depends", name],
            check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip
        modules |= {
            Path(line.split()[1]).name: Path(line.split()[1]) for line in shown.splitlines() if "insmod" in line
        }
    for name, path in modules.items():
        shutil.copy(path, files / name)
    (files / "modules").write_text("\n".join(f"/{name}" for name in modules))
    names = "\n".join(str(path.relative_to(files)) for path in [files, *files.rglob("*")])
    with (FOLDER / "initrd.cpio").open("wb") as initrd:
        subprocess.run(
            ["cpio", "-o", "-H", "newc", "--quiet"], cwd=files, input=names.encode(), stdout=initrd, check=True
        )


def start(proof: Path) -> str:
    """Start the machine, wait until it has ended, and return its console. proof: what it has as /mnt/proof."""
    kernel = next((FOLDER / "root" / "boot").glob("vmlinuz-*"))
    shares = {"root": FOLDER / "root", "source": ROOT, "packages": FOLDER / "packages", "proof": proof}
    words: list[str | Path] = [
        *("qemu-system-x86_64", "-accel", "tcg", "-cpu", "max", "-m", str(MEMORY_MIB), "-nographic", "-no-reboot"),
        *("-nic", "none", "-kernel", kernel, "-initrd", FOLDER / "initrd.cpio"),
        *("-append", "console=ttyS0 panic=-1 quiet"),
    ]
    for tag, folder in shares.items():
        only = "" if tag == "proof" else ",readonly=on"
        words += ["-virtfs", f"local,path={folder},mount_tag={tag},security_model=none,multidevs=remap{only}"]
    done = subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False,
        timeout=PATIENCE_S,
    )  # fmt: skip
    return done.stdout + done.stderr
