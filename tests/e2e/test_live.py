"""The live page before Chromium's fake camera, which shows a rendered clip: told, scored, booked with one tap."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Tabs, keep_picture
from tests.e2e.test_board import LOCK
from tests.harness.app_process import CHROMIUM, DESK, FLAGS, PATIENCE, PHONE
from tilescore.vision.image.photo import load_photo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page, WebSocketRoute

pytestmark = pytest.mark.browser

PATIENCE_MS = 60_000 * PATIENCE
TAP_WITH_THE_NEXT_PICTURE = """(what) => {
  const real = HTMLCanvasElement.prototype.toDataURL;
  HTMLCanvasElement.prototype.toDataURL = function (...how) {
    HTMLCanvasElement.prototype.toDataURL = real;
    queueMicrotask(() => document.querySelector(what).click()); // once it is on its way, before it is sent
    return real.apply(this, how);
  };
}"""
SAMPLE = Path(__file__).resolve().parents[2] / "datasets" / "sample" / "riichi_closed.jpg"


POND = SAMPLE.with_name("discard_pond.jpg")


def filmed(rgb: np.ndarray, path: Path, *, rate: int = 12) -> Path:
    """A picture lying before a camera that shakes a little and gives so many pictures a second, as plain YUV."""
    height = round(rgb.shape[1] * 720 / 1280)
    rgb = cv2.copyMakeBorder(rgb, max(0, height - rgb.shape[0]), 0, 0, 0, cv2.BORDER_REFLECT)
    top = (rgb.shape[0] - height) // 2
    still = cv2.resize(rgb[top : top + height], (1280, 720), interpolation=cv2.INTER_AREA)[..., ::-1]
    shaken = [np.roll(still, shift, axis=1) for shift in (0, 1, 2, 1)]
    planes = [cv2.cvtColor(frame, cv2.COLOR_BGR2YUV_I420).tobytes() for frame in shaken]
    head = f"YUV4MPEG2 W1280 H720 F{rate}:1 Ip A1:1 C420jpeg\n".encode()
    path.write_bytes(head + b"".join(b"FRAME\n" + frame for frame in planes))
    return path


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample before the camera."""
    return filmed(load_photo(SAMPLE).rgb, tmp_path_factory.mktemp("film") / "hand.y4m")


def with_five_sets() -> np.ndarray:
    """The sample with its first sequence once more at the left, on a wider table."""
    rgb = cv2.copyMakeBorder(load_photo(SAMPLE).rgb, 0, 0, 500, 0, cv2.BORDER_REFLECT)
    rgb[560:800, :560] = rgb[860:1100, :560]
    rgb[553:763, 192:587] = rgb[580:790, 575:970].copy()
    return rgb


def of_three_players() -> np.ndarray:
    """The sample with 6p 7p 8p in the place of its characters, and two norths before the owner."""
    rgb, pond = load_photo(SAMPLE).rgb.copy(), load_photo(POND).rgb
    rgb[570:795, 72:457] = rgb[610:835, 825:1210].copy()
    rgb[950:1115, 1300:1560] = pond[968:1133, 1055:1315]
    return rgb


@contextmanager
def before(browser: Browser, address: str, *flags: str) -> Iterator[Tabs]:
    """Tabs of a browser of its own, of the same make, with those flags."""
    own = browser.browser_type.launch(executable_path=str(CHROMIUM), args=[*FLAGS, *flags])
    yield Tabs(own, address)
    own.close()


def fake(film: Path) -> tuple[str, ...]:
    """Flags of a camera that shows the film, and of a person who allows it."""
    return (
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    )


@pytest.fixture(scope="module")
def camera(browser: Browser, address: str, film: Path) -> Iterator[Tabs]:
    """Tabs of a browser whose camera sees the hand."""
    with before(browser, address, *fake(film)) as tabs:
        yield tabs


@contextmanager
def visit(tabs: Tabs, address: str, *, phone: bool = False) -> Iterator[Page]:
    """The live page."""
    with tabs.visit(**(PHONE if phone else DESK)) as page:
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{address}/live")
        try:
            yield page
        except AssertionError as error:
            tap = page.locator(".tap")
            error.add_note(f"the camera's part: {tap.get_attribute('data-state')}, {tap.inner_text()}")
            raise


def start(page: Page) -> None:
    """Turn on the camera."""
    page.get_by_role("button", name="Start the camera").click()


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_a_hand_before_the_camera_is_told_scored_and_booked(camera: Tabs, address: str, *, phone: bool) -> None:
    with visit(camera, address, phone=phone) as page:
        page.goto(f"{address}/table")
        begin, fresh = (page.get_by_role("button", name=name) for name in ("Start the game", "New game"))
        begin.or_(fresh).first.wait_for()
        if fresh.is_visible():  # there are games already
            fresh.click()
        mcr = page.get_by_role("radio", name="MCR", exact=True)
        if not mcr.is_checked():  # a game of other rules was the last one
            mcr.click()
            expect(mcr).to_be_checked()
            page.wait_for_timeout(1000)  # the form is drawn anew, and a press on a button that moves is none
            page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
        begin.click()
        page.locator(".st-key-ts_game").wait_for()
        page.get_by_role("link", name="Live").click()
        start(page)
        expect(page.locator(".strip .tile")).to_have_count(14, timeout=PATIENCE_MS)
        expect(page.locator(".tap")).to_have_attribute("data-state", "complete", timeout=PATIENCE_MS)
        page.locator(".ts-total strong").wait_for()
        for width, height in ((390, 844), (844, 390), (768, 1024)) if phone else ():
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("document.querySelector('.stMain').scrollTo(0, 0)")
            expect(page.locator(".ts-total")).to_be_in_viewport(ratio=1)
            expect(page.locator(".tap video")).to_be_in_viewport()
            keep_picture(page, f"live_{width}")
        keep_picture(page, f"live_{'phone' if phone else 'desk'}", full_page=True)
        page.get_by_label("Who won", exact=True).get_by_role("radio").first.click()
        page.get_by_role("button", name="Book for").click()
        booked = page.locator(".ts-quietly", has_text="This hand is booked as deal 1.")
        expect(booked).to_be_visible(timeout=PATIENCE_MS)


OTHER_GAMES = [
    # the game, the picture, tiles in the strip, what its lines name
    ("Taiwan", with_five_sets, 17, "Self-Draw"),
    ("Riichi with three players", of_three_players, 16, "Nuki Dora (North)"),
]


@pytest.mark.parametrize("game", OTHER_GAMES, ids=[game[0] for game in OTHER_GAMES])
@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_hands_of_other_games_are_whole_before_the_camera(
    browser: Browser, address: str, tmp_path: Path, game: tuple[str, Callable[[], np.ndarray], int, str], *, phone: bool
) -> None:
    name, picture, tiles, line = game
    shown = fake(filmed(picture(), tmp_path / "hand.y4m"))
    with before(browser, address, *shown) as own, visit(own, address, phone=phone) as page:
        choice = page.get_by_role("radio", name=name, exact=True).first
        choice.click()
        expect(choice).to_be_checked()
        page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
        start(page)
        expect(page.locator(".strip .tile")).to_have_count(tiles, timeout=PATIENCE_MS)
        expect(page.locator(".tap")).to_have_attribute("data-state", "complete", timeout=PATIENCE_MS)
        page.locator(".ts-total strong").wait_for()
        expect(page.locator("button.line").filter(has_text=line).first).to_be_visible()
        keep_picture(page, f"live_{tiles}_{'phone' if phone else 'desk'}", full_page=True)


def test_what_is_seen_is_kept_only_if_asked_for(camera: Tabs, address: str) -> None:
    with visit(camera, address) as page:
        start(page)
        expect(page.locator(".strip .tile")).to_have_count(14, timeout=PATIENCE_MS)
        page.get_by_role("button", name="Save this photo for the model to learn from").click()
        expect(page.get_by_text("Saved.")).to_be_visible(timeout=PATIENCE_MS)
        switch = page.get_by_text("Record what the camera sees")
        switch.click()
        said = page.get_by_text("Recording to")
        path = Path(said.inner_text().removeprefix("Recording to "))
        page.wait_for_timeout(7000)  # an idle page still shows a frame every five seconds
        assert path.is_file()
        switch.click()
        said.wait_for(state="detached")
    video = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    assert video.read()[1].shape == (720, 1280, 3)
    assert list(path.parent.iterdir()) == [path], "nothing was kept before"


def test_a_tap_at_the_moment_of_a_picture_is_not_lost(camera: Tabs, address: str) -> None:
    with visit(camera, address) as page:
        start(page)
        expect(page.locator(".strip .tile")).to_have_count(14, timeout=PATIENCE_MS)
        said = page.get_by_text("Recording to")
        for state in ("visible", "detached"):
            page.evaluate(TAP_WITH_THE_NEXT_PICTURE, "[data-testid=stCheckbox] input")
            said.wait_for(state=state)
        page.evaluate(TAP_WITH_THE_NEXT_PICTURE, ".st-key-teach_keep button")
        expect(page.get_by_text("Saved.")).to_be_visible()


def test_a_camera_of_four_frames_a_second_does_with_a_sentence(browser: Browser, address: str, tmp_path: Path) -> None:
    slow = filmed(load_photo(SAMPLE).rgb, tmp_path / "slow.y4m", rate=4)
    with before(browser, address, *fake(slow)) as own, visit(own, address) as page:
        start(page)
        expect(page.locator(".note")).to_contain_text("Only a few pictures a second", timeout=PATIENCE_MS)
        expect(page.locator(".strip .tile")).to_have_count(14, timeout=PATIENCE_MS)


def test_a_black_picture_is_one_sentence(browser: Browser, address: str, tmp_path: Path) -> None:
    night = filmed(np.zeros((720, 1280, 3), np.uint8), tmp_path / "night.y4m")
    with before(browser, address, *fake(night)) as own, visit(own, address) as page:
        start(page)
        expect(page.locator(".status-line")).to_contain_text("The picture is black", timeout=PATIENCE_MS)


def test_a_camera_that_fails_is_tried_again(camera: Tabs, address: str) -> None:
    with visit(camera, address) as page:
        page.evaluate(
            """() => {
              const media = navigator.mediaDevices, real = media.getUserMedia.bind(media);
              const errors = ["NotAllowedError", "NotFoundError", "NotReadableError"];
              media.getUserMedia = (wish) => {
                const name = errors.shift();
                return name ? Promise.reject(new DOMException("", name)) : real(wish);
              };
            }"""
        )
        said = page.locator(".status-line")
        start(page)
        expect(said).to_contain_text("may not use the camera", timeout=PATIENCE_MS)
        start(page)  # who allowed it presses again; from here on it is tried by itself
        expect(said).to_contain_text("No camera was found", timeout=PATIENCE_MS)
        expect(said).to_contain_text("The camera does not start", timeout=PATIENCE_MS)
        expect(page.locator(".strip .tile")).to_have_count(14, timeout=PATIENCE_MS)


def test_the_screen_stays_on_while_the_camera_watches(camera: Tabs, address: str) -> None:
    with visit(camera, address, phone=True) as page:
        page.add_init_script(LOCK)
        page.reload()
        start(page)
        page.wait_for_function("window.locks === 1")
        page.get_by_role("button", name="Stop the camera").click()
        page.wait_for_function("window.locks === 0")


def test_a_refused_camera_is_one_sentence(browser: Browser, address: str) -> None:
    flags = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream=deny")
    with before(browser, address, *flags) as own, visit(own, address) as page:
        start(page)
        expect(page.locator(".status-line")).to_contain_text("may not use the camera", timeout=PATIENCE_MS)


def test_no_camera_is_one_sentence(browser: Browser, address: str) -> None:
    flags = ("--use-fake-device-for-media-stream=device-count=0", "--use-fake-ui-for-media-stream")
    with before(browser, address, *flags) as own, visit(own, address) as page:
        start(page)
        expect(page.locator(".status-line")).to_contain_text("No camera was found", timeout=PATIENCE_MS)


def test_an_unplugged_camera_is_asked_for_again(camera: Tabs, address: str) -> None:
    with visit(camera, address) as page:
        start(page)
        expect(page.locator(".strip .tile")).to_have_count(14, timeout=PATIENCE_MS)
        page.evaluate(
            """() => {
              const find = (root) => root.querySelector('video') ?? [...root.querySelectorAll('*')]
                .map((one) => one.shadowRoot && find(one.shadowRoot)).find(Boolean);
              find(document).srcObject.getVideoTracks()[0].dispatchEvent(new Event('ended'));
            }"""
        )
        expect(page.locator(".status-line")).to_contain_text("The camera is gone", timeout=PATIENCE_MS)
        expect(page.locator(".strip .tile")).to_have_count(14, timeout=PATIENCE_MS)
        expect(page.locator(".tap")).to_have_attribute("data-state", "complete", timeout=PATIENCE_MS)


def test_a_camera_that_comes_after_the_stop_is_let_go(camera: Tabs, address: str) -> None:
    with visit(camera, address) as page:
        page.evaluate(
            """() => {
              const media = navigator.mediaDevices, real = media.getUserMedia.bind(media);
              const asked = new Promise((allow) => { window.allow = allow; });
              window.given = [];
              media.getUserMedia = async (wish) => { await asked; given.push(await real(wish)); return given.at(-1); };
            }"""
        )
        start(page)
        page.get_by_role("button", name="Stop the camera").click()
        start(page)
        page.get_by_role("button", name="Stop the camera").click()
        page.evaluate("allow()")
        page.wait_for_function("given.length === 2 && given.every((stream) => !stream.active)")
        expect(page.locator(".tap")).to_have_attribute("data-state", "off")


def test_visits_to_the_page_leave_nothing_that_runs(camera: Tabs, address: str) -> None:
    with visit(camera, address) as page:
        page.add_init_script(
            """window.running = new Set();
            const [begin, end] = [setInterval, clearInterval];
            window.setInterval = (...how) => { const timer = begin(...how); running.add(timer); return timer; };
            window.clearInterval = (timer) => { running.delete(timer); end(timer); };"""
        )
        page.reload()
        page.get_by_role("button", name="Start the camera").wait_for()
        first = page.evaluate("running.size")
        for _ in range(3):
            page.get_by_role("link", name="Fans", exact=True).click()
            page.locator(".fan").first.wait_for()
            page.get_by_role("link", name="Live", exact=True).click()
            page.get_by_role("button", name="Start the camera").wait_for()
        assert page.evaluate("running.size") <= first  # what the first load needs may still run when it is counted


def test_a_network_without_answers_gets_fewer_and_fewer_frames(browser: Browser, address: str, film: Path) -> None:
    silent = False

    def hold(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda said: None if silent else socket.send(said))

    with before(browser, address, *fake(film)) as own, visit(own, address) as page:
        page.route_web_socket("**/_stcore/stream", hold)
        page.reload()
        start(page)
        page.locator(".tap:not([data-state=off])").wait_for()
        page.evaluate(
            """() => {
              const clock = performance.now.bind(performance), real = HTMLCanvasElement.prototype.toDataURL;
              performance.now = () => 10 * clock();
              window.frames = 0;
              HTMLCanvasElement.prototype.toDataURL = function (...how) { frames += 1; return real.apply(this, how); };
            }"""
        )
        silent = True
        page.wait_for_timeout(1000)
        page.evaluate("frames = 0")
        page.wait_for_timeout(4500)  # 45 seconds of the clock above, in which six seconds are one answer's time
        assert 1 <= page.evaluate("frames") <= 3


def test_a_page_that_comes_back_does_not_call_the_camera_slow(camera: Tabs, address: str) -> None:
    with visit(camera, address) as page:
        page.evaluate(
            """() => {
              const real = HTMLVideoElement.prototype.requestVideoFrameCallback;
              window.away = 0;
              HTMLVideoElement.prototype.requestVideoFrameCallback = function (call) {
                return real.call(this, (now, about) => { window.counted = true; call(now + away, about); });
              };
            }"""
        )
        start(page)
        page.wait_for_function("window.counted")
        page.evaluate("away = 60_000; counted = false")  # a minute without a picture
        page.wait_for_function("window.counted")
        page.wait_for_timeout(500)
        assert not page.locator(".note").inner_text()
