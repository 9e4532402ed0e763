"""The targets of the site's menus: live sections, anchors within them, and sister sites."""

from __future__ import annotations

import functools
from dataclasses import dataclass

SITE_NAME = "The Demo Courier"
CHINESE_NAME = "演示时报"

SECTIONS = (
    ("/", "Front page"),
    ("/news/", "News"),
    ("/world/", "World"),
    ("/magazine/", "Magazine"),
    ("/bulletin/", "County Bulletin"),
    ("/specials/", "Specials"),
    ("/docs/", "Developers"),
    ("/forum/", "Forum"),
    ("/shop/", "Shop"),
    ("/zh/", "中文"),
)
_ANCHORS = {
    "/news/": ("Politics", "Council", "Transport", "Schools", "Health", "Courts", "Weather"),
    "/world/": ("Europe", "Americas", "Africa", "Asia Pacific", "Middle East", "Climate"),
    "/magazine/": ("Food", "Books", "Gardens", "Long reads", "Crossword", "Recipes"),
    "/shop/": ("New in", "Kitchen", "Outdoors", "Gift cards"),
    "/forum/": ("Rules", "Repairs", "Small talk"),
}
_SISTERS = (
    ("https://weather.example.org/", "Forecast"),
    ("https://jobs.example.org/", "Vacancies"),
    ("https://tickets.example.org/", "Tickets"),
)
CHINESE_SECTIONS = (
    ("/zh/", "首页"), ("/zh/#yaowen", "要闻"), ("/zh/#difang", "地方"),
    ("/zh/#caijing", "财经"), ("/zh/#shehui", "社会"), ("/zh/#jiaoyu", "教育"),
    ("/zh/#keji", "科技"), ("/zh/#tiyu", "体育"), ("/zh/#yule", "娱乐"),
    ("/zh/#jiankang", "健康"), ("/zh/#lvyou", "旅游"), ("/zh/#qiche", "汽车"),
    ("/zh/#fangchan", "房产"), ("/zh/#meishi", "美食"), ("/zh/#dushu", "读书"),
    ("/zh/#junshi", "军事"), ("/zh/#lishi", "历史"), ("/zh/#sheying", "摄影"),
    ("/zh/#gongyi", "公益"), ("/zh/#shipin", "视频"), ("/zh/#zhuanti", "专题"),
    ("/zh/#pinglun", "评论"), ("/zh/#shuzibao", "数字报"), ("/zh/#tianqi", "天气"),
    ("/zh/#zhaopin", "招聘"), ("/zh/#bianmin", "便民服务"), ("/zh/#tousu", "投诉建议"),
    ("/zh/#dingyue", "订阅"), ("/zh/#kehuduan", "客户端"), ("/", "English"),
    ("/forum/", "论坛"), ("/shop/", "商城"),
)  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """An entry of a menu."""

    href: str
    label: str


@functools.cache
def menu() -> tuple[Entry, ...]:
    """Return the whole menu, sections first: over thirty entries."""
    entries = [Entry(path, label) for path, label in SECTIONS]
    for path, labels in _ANCHORS.items():
        entries += [Entry(f"{path}#{anchor_name(label)}", label) for label in labels]
    entries += [Entry(url, label) for url, label in _SISTERS]
    return tuple(entries)


def anchor_name(label: str) -> str:
    """Return the URL fragment of a label."""
    return label.lower().replace(" ", "-")


@functools.cache
def menu_html(row: str, start: int = 0, stop: int | None = None) -> str:
    """Return rows of the menu; in `row`, {0} is the target and {1} the label."""
    return "\n".join(row.format(entry.href, entry.label) for entry in menu()[start:stop])


@functools.cache
def chinese_menu_html(row: str) -> str:
    """Return rows of the Chinese menu."""
    return "\n".join(row.format(path, label) for path, label in CHINESE_SECTIONS)
